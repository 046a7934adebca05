/** Seeded random choices, the same on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0 || 1
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    // xorshift32
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    this.#state >>>= 0
    return this.#state % limit
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.below(100) < share
  }
}
