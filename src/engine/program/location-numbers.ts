import type { LocationId, ProcessId } from '../ids.ts'

/** Numbers variables by who makes them (the build, or a thread) and in what order, alike in every execution. */
export class LocationNumbers {
  readonly #numbers: LocationId[][] = []
  readonly #entries: Map<unknown, LocationId>[] = []
  #count = 0

  number(maker: ProcessId | undefined, index: number): LocationId {
    const numbers = (this.#numbers[maker === undefined ? 0 : maker + 1] ??= [])
    return (numbers[index] ??= this.#count++ as LocationId)
  }

  /** Of the value that a map has for a key. */
  entry(map: LocationId, key: unknown): LocationId {
    const entries = (this.#entries[map] ??= new Map<unknown, LocationId>())
    const known = entries.get(key)
    if (known !== undefined) return known
    const location = this.#count++ as LocationId
    entries.set(key, location)
    return location
  }
}
