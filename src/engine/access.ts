import type { LocationId, ProcessId, SiteId } from './ids.ts'

/**
 * What one access does to its location.
 * - `read`, `write`: shared memory.
 * - `add`: a change that commutes with other changes of its sort, such as adding a key to a Map; it conflicts with reads and writes.
 * - `wait`: the step was enabled by the last write of the location before it; ordered after it, never a race.
 * - `acquire`, `release`: of a lock.
 * - `until`: a read that is enabled only while a predicate of the location holds.
 * - `join`: the step was enabled by the end of a process; `location` is then that process's id.
 */
export type AccessKind = 'read' | 'write' | 'wait' | 'acquire' | 'release' | 'until' | 'join' | 'add'

/** One access of a step as told to the outside; inside, accesses are columns of `Trace`. */
export interface Access {
  readonly location: LocationId
  readonly kind: AccessKind
  readonly site: SiteId
}

/** Codes of the kinds, as the columns hold them. */
export const READ = 0
export const WRITE = 1
export const WAIT = 2
export const ACQUIRE = 3
export const RELEASE = 4
export const UNTIL = 5
export const JOIN = 6
export const ADD = 7

const names: readonly AccessKind[] = ['read', 'write', 'wait', 'acquire', 'release', 'until', 'join', 'add']

export function kindOf(code: number): AccessKind {
  const name = names[code]
  if (name === undefined) throw new RangeError(`no access kind has the code ${code}`)
  return name
}

/**
 * The dependence relation on two accesses of one location, by steps of different processes that are
 * both enabled: do they fail to commute? Enabling (`wait`, `join`) is never undone, so it commutes with everything.
 */
export function conflicts(first: number, second: number): boolean {
  if (first === WAIT || first === JOIN || second === WAIT || second === JOIN) return false
  if (isLock(first) || isLock(second)) return isLock(first) && isLock(second)
  if (first === ADD || second === ADD) return first !== second
  return first === WRITE || second === WRITE
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

/**
 * Whether the predicate held on the value just before the n-th write (from 0) of the location in this execution.
 * A step that writes the location several times counts once.
 */
export type HoldsBefore = (write: number) => boolean
