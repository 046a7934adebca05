/**
 * The steps that a step directly depends on, to be taken latest first. Each is held as
 * `2 * step + 1` where the step read what that one wrote, else as `2 * step`.
 */
export class Predecessors {
  count = 0
  #codes = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  add(step: number, readFrom: 0 | 1): void {
    if (this.count === this.#codes.length) {
      const larger = new Int32Array(this.count * 2)
      larger.set(this.#codes)
      this.#codes = larger
    }
    this.#codes[this.count++] = step * 2 + readFrom
  }

  /** Latest last. Among entries for one step, the one with `readFrom` comes later. */
  sort(): void {
    const { count } = this
    const codes = this.#codes
    if (count > 32) {
      codes.subarray(0, count).sort()
      return
    }
    for (let i = 1; i < count; i++) {
      const code = codes[i] as number
      let j = i - 1
      for (; j >= 0 && (codes[j] as number) > code; j--) codes[j + 1] = codes[j] as number
      codes[j + 1] = code
    }
  }

  step(i: number): number {
    return (this.#codes[i] as number) >> 1
  }

  readFrom(i: number): number {
    return (this.#codes[i] as number) & 1
  }
}
