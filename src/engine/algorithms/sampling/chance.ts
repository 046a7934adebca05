import { Math } from '../../intrinsics.ts'

/** Random numbers, the same ones for a seed. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** At least 0, less than 1. */
  fraction(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }

  /** The place of one of the weights, each as likely as it is large; the last one if all are 0. */
  oneOf(weights: readonly number[]): number {
    let left = this.fraction() * weights.reduce((sum, weight) => sum + weight, 0)
    const chosen = weights.findIndex((weight) => (left -= weight) < 0)
    return chosen < 0 ? weights.length - 1 : chosen
  }

  /** 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit)
  }
}
