/** A lock for async code. */
export class Mutex {
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  async lock(): Promise<void> {
    while (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isHeld = true
  }

  unlock(): void {
    this.#isHeld = false
    this.#waiting.shift()?.()
  }
}
