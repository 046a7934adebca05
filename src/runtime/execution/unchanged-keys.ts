import type { Key } from './keys.ts'

/** Keys that differ from execution to execution would start it anew without end. */
const mostRestarts = 64

/** Of all files: keys that their code assigns. */
const expectedToChange = new Set<Key>()

/** Nothing is taken for granted of the key in explorations to come. */
export function isExpectedToChange(key: Key): void {
  expectedToChange.add(key)
}

/**
 * Keys that no step changes, of whatever object, but for steps that change what they have just made: a look at one is ordered
 * by how its step came by the object, and need not be told. That is taken for granted of keys that are seldom changed, such as the
 * names of methods and of properties that no file assigns, until somebody does; then the exploration starts anew, and every look at such a key is told.
 */
export class UnchangedKeys {
  #isTrusting: boolean
  #restarts = 0
  /** Whether somebody changes it; undefined of those that nobody has asked about. */
  readonly #isChanged = new Map<Key, boolean>()

  /** The same as of `Assumptions`. A schedule that is run again is told in full: it is what stories are made from. */
  constructor({ isTrusting, isReplaying = false }: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.#isTrusting = isTrusting && !isReplaying
  }

  /** Whether a look at the key need not be told. */
  has(key: Key): boolean {
    if (!this.#isTrusting) return false
    const isChanged = this.#isChanged.get(key)
    if (isChanged !== undefined) return !isChanged
    const isExpected = expectedToChange.has(key)
    this.#isChanged.set(key, isExpected)
    return !isExpected
  }

  /** The key is changed. True: it had been taken for granted that it is not, and the exploration has to start anew. */
  lose(key: Key): boolean {
    if (!this.#isTrusting) return false
    const isChanged = this.#isChanged.get(key)
    if (isChanged === true) return false
    this.#isChanged.set(key, true)
    if (isChanged === undefined) return false
    this.#restarts++
    if (this.#restarts >= mostRestarts) this.#isTrusting = false
    return true
  }
}
