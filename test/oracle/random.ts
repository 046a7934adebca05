/** A small generator of random numbers (xorshift, 32 bits), the same everywhere for a seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) | 0 || 1
    for (let i = 0; i < 8; i++) this.below(2)
  }

  /** 0 to `limit - 1`. */
  below(limit: number): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return (state >>> 0) % limit
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }
}
