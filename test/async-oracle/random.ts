/** Seeded random numbers for the generator of programs. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** In [0, below). */
  int(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T
  }

  chance(percent: number): boolean {
    return this.int(100) < percent
  }
}
