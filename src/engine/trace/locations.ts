import { grown } from './columns.ts'
import type { LocationId } from '../ids.ts'
import { NONE } from './processes.ts'

/** By location: what happened to it last in this execution. Read and written through `Trace`. */
export class Locations {
  /** Access number of the last write. */
  lastWrite = new Int32Array(16)
  /** Access number of the last change of any kind. */
  lastChange = new Int32Array(16)
  /**
   * Accesses of kinds that commute with themselves and with no other, one after another, are a layer: each access of it
   * comes after all of the layer before. The last access, and by `Steps.link` those before it, except some that
   * others of the layer happen after: of the layer that is growing,
   */
  layer = new Int32Array(16)
  /** and of the one before it. */
  layerBefore = new Int32Array(16)
  /** Kind of the layer that is growing. */
  layerKind = new Int32Array(16)
  /** Accesses that may still be added to it before those are taken out that others happen after. */
  layerRoom = new Int32Array(16)
  /** Access number of the last `keep` since the last write. */
  lastKeep = new Int32Array(16)
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
    this.lastChange[location] = NONE
    this.layer[location] = NONE
    this.layerBefore[location] = NONE
    this.layerKind[location] = NONE
    this.lastKeep[location] = NONE
    this.lastLock[location] = NONE
    this.lastAcquire[location] = NONE
  }

  #grow(length: number): void {
    this.#generation = grown(this.#generation, length)
    const capacity = this.#generation.length
    this.lastWrite = grown(this.lastWrite, capacity)
    this.lastChange = grown(this.lastChange, capacity)
    this.layer = grown(this.layer, capacity)
    this.layerBefore = grown(this.layerBefore, capacity)
    this.layerKind = grown(this.layerKind, capacity)
    this.layerRoom = grown(this.layerRoom, capacity)
    this.lastKeep = grown(this.lastKeep, capacity)
    this.lastLock = grown(this.lastLock, capacity)
    this.lastAcquire = grown(this.lastAcquire, capacity)
  }
}
