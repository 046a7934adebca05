/** A lock for async code: who comes first, gets it first. */
export class Mutex {
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  async lock(): Promise<void> {
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isHeld = true
  }

  unlock(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isHeld = false
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.lock()
    try {
      return await work()
    } finally {
      this.unlock()
    }
  }
}
