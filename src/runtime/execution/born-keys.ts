import type { LocationId } from '../../engine/ids.ts'

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
  /** Keys that were taken to stay. */
  readonly #kept = new Set<LocationId>()
  /** Keys that somebody removes. */
  readonly #removed = new Set<LocationId>()

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
    if (!this.#isReplaying) return
    this.#kept.clear()
    this.#removed.clear()
  }

  /** Whether to set the key leaves the order of keys alone, whoever else runs. `isThere`: the object has it now. */
  isKept(location: LocationId, { isThere }: { isThere: boolean }): boolean {
    if (!isThere || !this.#isTrusting || this.#removed.has(location) || this.#inserted.has(location)) {
      this.#inserted.add(location)
      return false
    }
    this.#kept.add(location)
    return true
  }

  /** The key is removed. True: it had been taken to stay, and the exploration has to start anew. */
  remove(location: LocationId): boolean {
    if (this.#removed.has(location)) return false
    this.#removed.add(location)
    if (this.#isReplaying || !this.#kept.has(location)) return false
    this.#restarts++
    if (this.#restarts >= mostRestarts) this.#isTrusting = false
    return true
  }
}
