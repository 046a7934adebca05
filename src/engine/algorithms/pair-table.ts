/** A hash table from pairs of 32-bit numbers to numbers, in flat columns. */
export class PairTable {
  count = 0
  #mask = 1023
  #first = new Int32Array(1024)
  #second = new Int32Array(1024)
  /** By slot: the value plus one; 0 where the slot is free. */
  #value = new Int32Array(1024)

  /** `undefined` if there is none. */
  get(first: number, second: number): number | undefined {
    const slot = this.#slot(first, second)
    const value = this.#value[slot] as number
    return value === 0 ? undefined : value - 1
  }

  /** The value has to be at least 0. */
  set(first: number, second: number, value: number): void {
    const slot = this.#slot(first, second)
    if (this.#value[slot] === 0) this.count++
    this.#first[slot] = first
    this.#second[slot] = second
    this.#value[slot] = value + 1
    if (this.count * 2 > this.#mask) this.#grow()
  }

  clear(): void {
    this.count = 0
    this.#allocate(1024)
  }

  #slot(first: number, second: number): number {
    let slot = (first ^ (second >>> 7)) & this.#mask
    while (this.#value[slot] !== 0 && (this.#first[slot] !== first || this.#second[slot] !== second)) slot = (slot + 1) & this.#mask
    return slot
  }

  #allocate(length: number): void {
    this.#mask = length - 1
    this.#first = new Int32Array(length)
    this.#second = new Int32Array(length)
    this.#value = new Int32Array(length)
  }

  #grow(): void {
    const [first, second, value] = [this.#first, this.#second, this.#value]
    this.#allocate(value.length * 2)
    for (let i = 0; i < value.length; i++) {
      if (value[i] === 0) continue
      const slot = this.#slot(first[i] as number, second[i] as number)
      this.#first[slot] = first[i] as number
      this.#second[slot] = second[i] as number
      this.#value[slot] = value[i] as number
    }
  }
}
