import { isSameKey, KeyedFew } from './few-keys.ts'
import type { HappensBefore } from './happens-before.ts'
import { tellOrdersApart, tellSizesApart } from './look.ts'
import type { ObservationRules } from './rules.ts'
import type { StepKeys } from './step-keys.ts'

/** Insertions that a new one is compared with; after that it counts as one of another key. */
const mostCompared = 256

/**
 * Whether a key is there, as far as a step knows from what happens before it:
 * - `absent`: not for certain, so an insertion may put it at the end;
 * - `present`: it stays where it is;
 * - `unsure`: it was, but somebody else has removed it.
 */
export type Presence = 'absent' | 'present' | 'unsure'

interface KeyHistory {
  readonly inserted: number[]
  readonly removed: number[]
}

/** What happened to the keys of one order location in one execution. Kept for the next one. */
export class KeyChanges {
  /** The number of the execution. */
  execution = 0
  readonly #order: HappensBefore
  readonly #rules: ObservationRules
  readonly #histories = new KeyedFew<KeyHistory>()
  /** Steps that removed all keys. */
  #cleared: number[] = []
  /** Steps that inserted, with the key if it is one; since the location was last written as a whole. */
  #insertions: { readonly step: number; readonly keys: readonly unknown[] }[] = []
  /** Of those, the ones that no other happens after. */
  #lastInsertions: number[] = []
  /** Whether unordered steps inserted different keys, so that the order of the keys depends on theirs. */
  #areUnlike = false
  /** Whether one key was inserted and removed by unordered steps, so that their order decides whether it is there. */
  #areCrossed = false

  constructor(order: HappensBefore, rules: ObservationRules) {
    this.#order = order
    this.#rules = rules
  }

  /** An execution has not changed the location so far. */
  begin(execution: number): void {
    this.execution = execution
    this.#histories.clear()
    this.#cleared = []
    this.#forgetInsertions()
  }

  /** A change of all of it, which comes after all others. */
  write(step: number): void {
    this.#cleared.push(step)
    this.#forgetInsertions()
  }

  #forgetInsertions(): void {
    this.#insertions = []
    this.#lastInsertions = []
    this.#areUnlike = false
    this.#areCrossed = false
  }

  change(step: number, { removed, inserted }: StepKeys): void {
    if (removed.size > 0) for (const key of removed.list) this.#remove(step, key)
    if (inserted.size === 0) return
    const keys = inserted.list
    for (const key of keys) this.#insert(step, key)
    this.#areUnlike ||= this.#isUnlikeOthers(step, keys)
    this.#insertions.push({ step, keys })
    let kept = 0
    for (const earlier of this.#lastInsertions) if (!this.#order.isBefore(earlier, step)) this.#lastInsertions[kept++] = earlier
    this.#lastInsertions[kept++] = step
    if (kept < this.#lastInsertions.length) this.#lastInsertions.length = kept
  }

  /** Of a process whose last step was `origin`. */
  presence(key: unknown, origin: number): Presence {
    const history = this.#histories.get(key)
    if (history === undefined) return 'absent'
    if (!this.#rules.pastKeys) return (history.inserted.at(-1) ?? -1) >= (history.removed.at(-1) ?? 0) ? 'present' : 'absent'
    const removed = [...history.removed, ...this.#cleared]
    const removedBefore = removed.filter((removal) => this.#order.isBefore(removal, origin))
    const isKnown = history.inserted.some(
      (insertion) =>
        this.#order.isBefore(insertion, origin) && removedBefore.every((removal) => this.#order.isBefore(removal, insertion)),
    )
    if (!isKnown) return 'absent'
    return removedBefore.length === removed.length ? 'present' : 'unsure'
  }

  /** Whether the looks would see something else if unordered changes had come in another order. */
  areToldApart(looks: number): boolean {
    if (this.#areUnlike && tellOrdersApart(looks)) return true
    return this.#areCrossed && (this.#rules.sizes ? tellSizesApart(looks) : tellOrdersApart(looks))
  }

  #insert(step: number, key: unknown): void {
    const { inserted, removed } = this.#history(key)
    this.#areCrossed ||= removed.some((removal) => !this.#order.isBefore(removal, step))
    inserted.push(step)
  }

  #remove(step: number, key: unknown): void {
    const { inserted, removed } = this.#history(key)
    this.#areCrossed ||= inserted.some((insertion) => !this.#order.isBefore(insertion, step))
    removed.push(step)
  }

  #history(key: unknown): KeyHistory {
    const known = this.#histories.get(key)
    if (known !== undefined) return known
    const history = { inserted: [], removed: [] }
    this.#histories.add(key, history)
    return history
  }

  #isUnlikeOthers(step: number, keys: readonly unknown[]): boolean {
    if (this.#lastInsertions.every((earlier) => this.#order.isBefore(earlier, step))) return false
    if (this.#insertions.length > mostCompared) return true
    return this.#insertions.some(
      (other) => !this.#order.isBefore(other.step, step) && !(keys.length === 1 && other.keys.length === 1 && isSameKey(keys[0], other.keys[0])),
    )
  }
}
