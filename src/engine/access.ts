import { Math } from './intrinsics.ts'
import type { LocationId, ProcessId, SiteId } from './ids.ts'

/**
 * What one access does to its location.
 * - `read`: looks at it.
 * - `write`: reads it and changes it; ordered with everything.
 * - `combine`: a change that commutes with others of its sort and that nobody ever tells apart from them.
 * - `assign`, `add`, `append`: changes whose order with others of their sort nobody has observed: a value that does not
 *   depend on the one before, an integer added to an integer, an element at the end of a list.
 * - `arrange`: the same of an order location: keys come in or go. `place`: once somebody has observed the order.
 * - `keep`: of an order location: leaves a key where it is, unless the location is written as a whole.
 * - `wait`: the step was enabled by the last change of the location before it; ordered after it, never a race.
 * - `acquire`, `release`: of a lock.
 * - `until`: a read that is enabled only while a predicate of the location holds.
 * - `join`: the step was enabled by the end of a process; `location` is then that process's id.
 */
export type AccessKind = (typeof names)[number]

/** One access of a step as told to the outside; inside, accesses are columns of `Trace`. */
export interface Access {
  readonly location: LocationId
  readonly kind: AccessKind
  readonly site: SiteId
}

const names = [
  'read', 'write', 'wait', 'acquire', 'release', 'until', 'join', 'combine', 'assign', 'add', 'append', 'arrange', 'place', 'keep',
] as const

/** Codes of the kinds, as the columns hold them. */
export const READ = 0
export const WRITE = 1
export const WAIT = 2
export const ACQUIRE = 3
export const RELEASE = 4
export const UNTIL = 5
export const JOIN = 6
export const COMBINE = 7
export const ASSIGN = 8
export const ADD = 9
export const APPEND = 10
export const ARRANGE = 11
export const PLACE = 12
export const KEEP = 13

export function kindOf(code: number): AccessKind {
  const name = names[code]
  if (name === undefined) throw new RangeError(`no access kind has the code ${code}`)
  return name
}

/** Whether an access changes its location. */
export function isChange(kind: number): boolean {
  return kind === WRITE || (kind >= COMBINE && kind <= PLACE)
}

/** Whether accesses of this kind commute with each other. */
export function commutesWithItself(kind: number): boolean {
  return !conflicts(kind, kind)
}

/** By kind: the kinds that it conflicts with, as bits. */
const conflicting = Int32Array.from(names, (_, first) =>
  names.reduce((bits, __, second) => (mayFailToCommute(first, second) ? bits | (1 << second) : bits), 0),
)

/** By two kinds that one step does to one location: the kind of both together, which conflicts with all that either conflicts with. */
const together = Int32Array.from({ length: names.length * names.length }, (_, i) => {
  const [first, second] = [Math.floor(i / names.length), i % names.length]
  const both = (conflicting[first] as number) | (conflicting[second] as number)
  return [first, second, PLACE].find((kind) => ((conflicting[kind] as number) & both) === both) ?? WRITE
})

/**
 * The dependence relation on two accesses of one location, by steps of different processes that are
 * both enabled: do they fail to commute, or might somebody who looks tell their order?
 */
export function conflicts(first: number, second: number): boolean {
  return (((conflicting[first] as number) >> second) & 1) === 1
}

/** The kind of two accesses of one location by one step. What follows an `assign` of the same step stays one: it sees nothing of others. */
export function kindTogether(first: number, second: number): number {
  return first === ASSIGN ? ASSIGN : (together[first * names.length + second] as number)
}

function mayFailToCommute(first: number, second: number): boolean {
  if (isLock(first) || isLock(second)) return isLock(first) && isLock(second)
  // Enabling is never undone, so it commutes with everything.
  if (first === WAIT || first === JOIN || second === WAIT || second === JOIN) return false
  if (first === KEEP || second === KEEP) return !leavesKeys(first) || !leavesKeys(second)
  if (isChange(first) && isChange(second)) return first !== second || first === WRITE || first === PLACE
  return isChange(first) || isChange(second)
}

/** Whether it does nothing to a key that is kept. */
function leavesKeys(kind: number): boolean {
  return kind === READ || kind === UNTIL || kind === ARRANGE || kind === PLACE || kind === KEEP
}

/** Whether two footprints, lists of a location and a kind in turn, depend on each other. */
export function footprintsConflict(one: Int32Array, other: Int32Array): boolean {
  for (let i = 0; i < one.length; i += 2) {
    for (let j = 0; j < other.length; j += 2) {
      if (one[i] === other[j] && conflicts(one[i + 1] as number, other[j + 1] as number)) return true
    }
  }
  return false
}

export function isLock(code: number): boolean {
  return code === ACQUIRE || code === RELEASE
}

/** A step that could not be taken when its execution ended: a lock that is held, a predicate that does not hold. */
export type PendingStep =
  | { readonly kind: 'acquire'; readonly process: ProcessId; readonly location: LocationId }
  | {
      readonly kind: 'until'
      readonly process: ProcessId
      readonly location: LocationId
      readonly holdsBefore: HoldsBefore
    }

/** Whether the predicate held on the value of the location just before that step of this execution, a step that changed it. */
export type HoldsBefore = (step: number) => boolean
