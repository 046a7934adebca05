import { grown } from './columns.ts'
import type { LocationId } from '../ids.ts'
import { NONE } from './processes.ts'

/** By location: what happened to it last in this execution. Read and written through `Trace`. */
export class Locations {
  /** Access number of the last write. */
  lastWrite = new Int32Array(16)
  /** Access number of the last read since the last write. */
  lastRead = new Int32Array(16)
  /** Access number of the last `add` since the last write. */
  lastAdd = new Int32Array(16)
  /** Access number of the last write or `add`. */
  lastChange = new Int32Array(16)
  writes = new Int32Array(16)
  /** Step of the last acquire or release. */
  lastLock = new Int32Array(16)
  lastAcquire = new Int32Array(16)
  #generation = new Int32Array(16)
  #execution = 0

  begin(): void {
    this.#execution++
  }

  /** Makes the columns of a location valid; to be called before they are used. */
  touch(location: LocationId): void {
    if (location >= this.#generation.length) this.#grow(location + 1)
    if (this.#generation[location] === this.#execution) return
    this.#generation[location] = this.#execution
    this.lastWrite[location] = NONE
    this.lastRead[location] = NONE
    this.lastAdd[location] = NONE
    this.lastChange[location] = NONE
    this.writes[location] = 0
    this.lastLock[location] = NONE
    this.lastAcquire[location] = NONE
  }

  #grow(length: number): void {
    this.#generation = grown(this.#generation, length)
    const capacity = this.#generation.length
    this.lastWrite = grown(this.lastWrite, capacity)
    this.lastRead = grown(this.lastRead, capacity)
    this.lastAdd = grown(this.lastAdd, capacity)
    this.lastChange = grown(this.lastChange, capacity)
    this.writes = grown(this.writes, capacity)
    this.lastLock = grown(this.lastLock, capacity)
    this.lastAcquire = grown(this.lastAcquire, capacity)
  }
}
