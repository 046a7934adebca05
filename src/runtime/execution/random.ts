import { Math, Number } from '../../engine/intrinsics.ts'

/** Seeded random numbers, one stream for each process, so that drawing one is no dependence. */
export class RandomStreams {
  readonly #seed: number
  readonly #states = new Map<number, number>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** In [0, 1), by the mulberry32 generator. */
  next(process: number): number {
    const state = ((this.#states.get(process) ?? mix(this.#seed, process)) + 0x6d2b79f5) | 0
    this.#states.set(process, state)
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    const first = (value ^ (value >>> 14)) >>> 0
    // As many digits as those of the platform have.
    const rest = mix(first, state) >>> 11
    return first / 2 ** 32 + rest / 2 ** 53
  }

  /** Draws bytes, from `start` up to `end`. */
  fill(process: number, bytes: Uint8Array, { start = 0, end = bytes.length }: { readonly start?: number; readonly end?: number | undefined } = {}): void {
    for (let i = start; i < end; i++) bytes[i] = Math.floor(this.next(process) * 256)
  }
}

/** The seed of a test, by its short name: in base 36, as `tagOfName` makes it. */
export const seedFor = (seed: number, tag: string | undefined): number => (tag === undefined ? seed : seed ^ Number.parseInt(tag, 36))

function mix(seed: number, process: number): number {
  return Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(process + 2, 0xc2b2ae35)
}
