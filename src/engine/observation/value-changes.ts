import { Math, Number, Object } from '../intrinsics.ts'
import { bothAdded, type Added } from './added.ts'
import type { HappensBefore } from './happens-before.ts'
import { tellOrdersApart, tellValuesApart } from './look.ts'
import type { ObservationRules } from './rules.ts'

/** Appends that a new one is compared with; after that it counts as unlike them. */
const mostCompared = 256

interface Assigned {
  readonly step: number
  readonly value: unknown
}

interface Appended {
  readonly step: number
  readonly values: readonly unknown[]
}

/** The changes of one location in one execution, as far as somebody could tell in what order they came. */
export class ValueChanges {
  readonly #order: HappensBefore
  readonly #rules: ObservationRules
  /** The assignments that no other happens after: each of them may come last. */
  #assigned: Assigned[] = []
  /** Since the last assignment or write. */
  #appended: Appended[] = []
  /** Of those, the ones that no other happens after. */
  #lastAppended: number[] = []
  /** Whether the order of two of them shows in the list. */
  #areUnlike = false
  #added: Added = { magnitude: 0, found: 0 }

  constructor(order: HappensBefore, rules: ObservationRules) {
    this.#order = order
    this.#rules = rules
  }

  /** A change that comes after all others. */
  write(): void {
    this.#assigned = []
    this.#clearAppended()
  }

  assign(step: number, value: unknown): void {
    this.#assigned = this.#assigned.filter((earlier) => !this.#order.isBefore(earlier.step, step))
    this.#assigned.push({ step, value })
    if (!this.#rules.allChanges) this.#assigned = this.#assigned.slice(-2)
    this.#clearAppended()
  }

  add(added: Added): void {
    this.#added = bothAdded(this.#added, added)
  }

  append(step: number, values: readonly unknown[]): void {
    if (!this.#rules.allChanges) this.#areUnlike = false
    this.#areUnlike ||= this.#isUnlikeOthers(step, values)
    this.#appended.push({ step, values })
    this.#lastAppended = this.#lastAppended.filter((earlier) => !this.#order.isBefore(earlier, step))
    this.#lastAppended.push(step)
  }

  /** Whether the looks would see something else if unordered changes had come in another order. */
  areToldApart(looks: number): boolean {
    if (this.#areUnlike && tellOrdersApart(looks)) return true
    const [first] = this.#assigned
    return first !== undefined && this.#assigned.some(({ value }) => tellValuesApart(looks, first.value, value))
  }

  get isSum(): boolean {
    return this.#added.magnitude > 0
  }

  /** Whether the sums, in some order, might be no safe integer once this is added too. */
  exceeds(added: Added): boolean {
    const { magnitude, found } = bothAdded(this.#added, added)
    const assigned = this.#assigned.map(({ value }) => (Number.isSafeInteger(value) ? Math.abs(value as number) : 0))
    return Math.max(found, ...assigned) + magnitude > Number.MAX_SAFE_INTEGER
  }

  #isUnlikeOthers(step: number, values: readonly unknown[]): boolean {
    if (this.#lastAppended.every((earlier) => this.#order.isBefore(earlier, step))) return false
    const compared = this.#rules.allChanges ? mostCompared : 1
    const others = this.#appended.slice(-compared)
    if (this.#rules.allChanges && others.length < this.#appended.length) return true
    return others.some((other) => !this.#order.isBefore(other.step, step) && !areAlike(values, other.values))
  }

  #clearAppended(): void {
    this.#appended = []
    this.#lastAppended = []
    this.#areUnlike = false
    this.#added = { magnitude: 0, found: 0 }
  }
}

/** Whether all of them are one value: then no order of them shows. */
function areAlike(some: readonly unknown[], others: readonly unknown[]): boolean {
  const [first] = some
  return [...some, ...others].every((value) => Object.is(value, first))
}
