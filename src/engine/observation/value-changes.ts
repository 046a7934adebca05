import { Math, Number, Object } from '../intrinsics.ts'
import { bothAdded, type Added } from './added.ts'
import type { HappensBefore } from './happens-before.ts'
import { NONE } from '../trace/processes.ts'
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

/** Of no location: never added to. */
const none: never[] = []
const nothing: Added = { magnitude: 0, found: 0 }

/**
 * The changes of one location in one execution, as far as somebody could tell in what order they came. Kept for the next execution, as
 * most executions change most locations once.
 */
export class ValueChanges {
  /** The number of the execution. */
  execution = 0
  readonly #order: HappensBefore
  readonly #rules: ObservationRules
  /** The step of the last assignment, if there is one, and its value. */
  #lastStep: number = NONE
  #lastValue: unknown = undefined
  /** The assignments that come neither before it nor before each other: any of all these may come last. */
  #others: readonly Assigned[] = none
  /** Since the last assignment or write. */
  #appended: Appended[] = none
  /** Of those, the ones that no other happens after. */
  #lastAppended: readonly number[] = none
  /** Whether the order of two of them shows in the list. */
  #areUnlike = false
  #added: Added = nothing

  constructor(order: HappensBefore, rules: ObservationRules) {
    this.#order = order
    this.#rules = rules
  }

  /** An execution has not changed the location so far. */
  begin(execution: number): void {
    this.execution = execution
    this.write()
  }

  /** A change that comes after all others. */
  write(): void {
    this.#lastStep = NONE
    this.#lastValue = undefined
    this.#others = none
    this.#clearAppended()
  }

  assign(step: number, value: unknown): void {
    const isAlone = this.#others.length === 0 && (this.#lastStep === NONE || this.#order.isBefore(this.#lastStep, step))
    this.#others = isAlone ? none : this.#assigned.filter((earlier) => !this.#order.isBefore(earlier.step, step))
    if (!this.#rules.allChanges) this.#others = this.#others.slice(-1)
    this.#lastStep = step
    this.#lastValue = value
    this.#clearAppended()
  }

  get #assigned(): readonly Assigned[] {
    return this.#lastStep === NONE ? none : [...this.#others, { step: this.#lastStep, value: this.#lastValue }]
  }

  add(added: Added): void {
    this.#added = bothAdded(this.#added, added)
  }

  append(step: number, values: readonly unknown[]): void {
    if (!this.#rules.allChanges) this.#areUnlike = false
    this.#areUnlike ||= this.#isUnlikeOthers(step, values)
    if (this.#appended.length === 0) this.#appended = [{ step, values }]
    else this.#appended.push({ step, values })
    this.#lastAppended = [...this.#lastAppended.filter((earlier) => !this.#order.isBefore(earlier, step)), step]
  }

  /** Whether the looks would see something else if unordered changes had come in another order. */
  areToldApart(looks: number): boolean {
    if (this.#areUnlike && tellOrdersApart(looks)) return true
    const [first] = this.#others
    if (first === undefined) return false
    return this.#assigned.some(({ value }) => tellValuesApart(looks, first.value, value))
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
    this.#appended = none
    this.#lastAppended = none
    this.#areUnlike = false
    this.#added = nothing
  }
}

/** Whether all of them are one value: then no order of them shows. */
function areAlike(some: readonly unknown[], others: readonly unknown[]): boolean {
  const [first] = some
  return [...some, ...others].every((value) => Object.is(value, first))
}
