import type { Key, NameKey, WATCHED } from './keys.ts'
import { Marks } from './marks.ts'

/** Names that differ from execution to execution would start it anew without end. */
const mostRestarts = 64

const UNKNOWN = 0
const UNCHANGED = 1
const CHANGED = 2

/** By the number of the key. Of all files: names that their code assigns. */
const expectedToChange = new Marks()

/** Nothing is taken for granted of the key in explorations to come. */
export function isExpectedToChange(key: NameKey): void {
  expectedToChange.set(key.number, 1)
}

/**
 * Keys that no step changes, of whatever object, but for steps that change what they have just made: a look at one is ordered
 * by how its step came by the object, and need not be told. That is taken for granted of keys that are seldom changed, such as the
 * names of methods and of properties that no file assigns, until somebody does; then the exploration starts anew, and every look at such a key is told.
 */
export class UnchangedKeys {
  #isTrusting: boolean
  #restarts = 0
  /** By the number of the key: whether somebody changes it. */
  readonly #states = new Marks()

  /** The same as of `Assumptions`. A schedule that is run again is told in full: it is what stories are made from. */
  constructor({ isTrusting, isReplaying = false }: { readonly isTrusting: boolean; readonly isReplaying?: boolean }) {
    this.#isTrusting = isTrusting && !isReplaying
  }

  /** Whether a look at the key need not be told. */
  has(key: NameKey | typeof WATCHED): boolean {
    if (!this.#isTrusting) return false
    const number = numberOf(key)
    const state = this.#states.get(number)
    if (state !== UNKNOWN) return state === UNCHANGED
    const isExpected = expectedToChange.get(number) === 1
    this.#states.set(number, isExpected ? CHANGED : UNCHANGED)
    return !isExpected
  }

  /** The key is changed. True: it had been taken for granted that it is not, and the exploration has to start anew. */
  lose(key: NameKey | typeof WATCHED): boolean {
    if (!this.#isTrusting) return false
    const number = numberOf(key)
    const state = this.#states.get(number)
    if (state === CHANGED) return false
    this.#states.set(number, CHANGED)
    if (state === UNKNOWN) return false
    this.#restarts++
    if (this.#restarts >= mostRestarts) this.#isTrusting = false
    return true
  }
}

/** Names have numbers from 1. */
function numberOf(key: Key): number {
  return key.kind === 'property' ? key.number : 0
}
