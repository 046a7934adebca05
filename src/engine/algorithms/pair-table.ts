/** Numbers in a row: the pair, the value plus one, which is 0 where the slot is free, and one unused; a row never lies across two lines of the cache. */
const width = 4
const leastSlots = 256

/** A hash table from pairs of 32-bit numbers to numbers, in one flat column. */
export class PairTable {
  count = 0
  #slots = leastSlots
  #rows = new Int32Array(leastSlots * width)

  /** `undefined` if there is none. */
  get(first: number, second: number): number | undefined {
    const value = this.#rows[this.#find(first, second) + 2] as number
    return value === 0 ? undefined : value - 1
  }

  /** The value has to be at least 0. */
  set(first: number, second: number, value: number): void {
    const row = this.#find(first, second)
    if (this.#rows[row + 2] === 0) this.count++
    this.#rows[row] = first
    this.#rows[row + 1] = second
    this.#rows[row + 2] = value + 1
    if (this.count * 2 >= this.#slots) this.#grow()
  }

  clear(): void {
    this.count = 0
    this.#allocate(leastSlots)
  }

  /** The row of the pair, or the free one where it would be put. */
  #find(first: number, second: number): number {
    const rows = this.#rows
    const mask = this.#slots - 1
    for (let slot = (first ^ (second >>> 7)) & mask; ; slot = (slot + 1) & mask) {
      const row = slot * width
      if (rows[row + 2] === 0 || (rows[row] === first && rows[row + 1] === second)) return row
    }
  }

  #allocate(slots: number): void {
    this.#slots = slots
    this.#rows = new Int32Array(slots * width)
  }

  #grow(): void {
    const before = this.#rows
    this.#allocate(this.#slots * 2)
    for (let row = 0; row < before.length; row += width) {
      if (before[row + 2] === 0) continue
      const moved = this.#find(before[row] as number, before[row + 1] as number)
      for (let i = 0; i < width; i++) this.#rows[moved + i] = before[row + i] as number
    }
  }
}
