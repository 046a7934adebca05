import type { LocationId } from '../../engine/ids.ts'
import { Marks } from './marks.ts'

const KEPT = 1
const REMOVED = 2

/** Names that differ from execution to execution would start it anew without end. */
const mostRestarts = 64

/**
 * Keys that an object, Map or Set has had from its birth. To set such a key changes nothing of the order of keys, as long as
 * nobody removes it. So that is taken for granted until somebody does; then the exploration starts anew, and that key is one
 * like those which come and go. By the location of the property or entry.
 */
export class BornKeys {
  #isTrusting: boolean
  #restarts = 0
  readonly #isReplaying: boolean
  /** Of this execution: keys that were not there before. */
  readonly #inserted = new Set<LocationId>()
  /** By location: whether the key was taken to stay, and whether somebody removes it. */
  readonly #states = new Marks()

  /**
   * @param isTrusting whether the exploration can start anew; otherwise nothing is taken for granted
   * @param isReplaying one schedule is run, perhaps again: nothing starts anew, and no run knows of the one before
   */
  constructor({ isTrusting, isReplaying = false }: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.#isTrusting = isTrusting
    this.#isReplaying = isReplaying
  }

  beginExecution(): void {
    // To empty what is empty is not for nothing.
    if (this.#inserted.size > 0) this.#inserted.clear()
    if (this.#isReplaying) this.#states.clear()
  }

  /** Whether to set the key leaves the order of keys alone, whoever else runs. `isThere`: the object has it now. */
  isKept(location: LocationId, isThere: boolean): boolean {
    const state = this.#states.get(location)
    if (!isThere || !this.#isTrusting || (state & REMOVED) !== 0 || (this.#inserted.size > 0 && this.#inserted.has(location))) {
      this.#inserted.add(location)
      return false
    }
    if (state !== KEPT) this.#states.set(location, KEPT)
    return true
  }

  /** The key is removed. True: it had been taken to stay, and the exploration has to start anew. */
  remove(location: LocationId): boolean {
    const state = this.#states.get(location)
    if ((state & REMOVED) !== 0) return false
    this.#states.set(location, state | REMOVED)
    if (this.#isReplaying || (state & KEPT) === 0) return false
    this.#restarts++
    if (this.#restarts >= mostRestarts) this.#isTrusting = false
    return true
  }
}
