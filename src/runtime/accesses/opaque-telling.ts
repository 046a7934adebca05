import type { SiteId } from '../../engine/ids.ts'
import { whenOutcomeIsAsked } from '../events/outcomes.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import type { Fn } from './handler.ts'
import { OpaqueGroups, type OpaqueGroup } from './opaque-groups.ts'
import { changed, isObject } from './telling.ts'

const groups = new PerExecution((execution) => new OpaqueGroups(execution))

/** What is known in this execution of functions that are not instrumented. */
export const opaqueGroups = (execution: Execution): OpaqueGroups => groups.of(execution)

/** The same, if anything is known. */
export const knownGroups = (execution: Execution): OpaqueGroups | undefined => groups.known(execution)

whenOutcomeIsAsked((execution, promise) => groups.known(execution)?.asked(promise))

/** A function of this group is called: it changes what its receiver keeps to itself, and what its group does, and those that this one has got hold of. */
export function tellCall(execution: Execution, { group, receiver, site }: { group: OpaqueGroup; receiver: unknown; site: SiteId }): void {
  const { accesses, identities } = execution
  const { all, reachOf } = opaqueGroups(execution)
  const reach = reachOf(group)
  for (const { location } of reach) accesses.write(location, OPAQUE, site, undefined)
  // Others may be functions of its own of which nobody knows that.
  if (!reach.has(all)) accesses.read(all.location, OPAQUE, site, undefined)
  accesses.read(identities.inOpaqueHands, OPAQUE, site, undefined)
  if (!isObject(receiver)) return
  // Who reads a property of it does so in any order, so that whoever comes first must not decide its name.
  identities.of(receiver)
  changed(execution, receiver, OPAQUE, site, undefined)
}

/** A variable is looked at that functions of this group may change, or any of which nobody knows that they are of it; nothing is called. */
export function tellLook(execution: Execution, group: OpaqueGroup, site: SiteId): void {
  const { all } = opaqueGroups(execution)
  for (const { location } of new Set([group, all])) execution.accesses.read(location, OPAQUE, site, undefined)
}

/** A run of code that is not instrumented. */
export interface OpaqueRun {
  readonly group: OpaqueGroup
  readonly receiver: unknown
  /** What is called, and of what: calls of it are ordered. */
  readonly own: readonly unknown[]
  readonly args?: readonly unknown[]
}

type Told = (execution: Execution, run: OpaqueRun, site: SiteId) => void

let told: Told = () => {}

/** Calls back when the language runs such code; what that looks at may have accessors, which are such code as well. */
export function whenRunIsTold(callback: Told): void {
  told = callback
}

/** The language calls a function: what that changes is found when the step ends, because nobody can tell when it returns. */
export function tellRunOf(execution: Execution, fn: Fn, run: OpaqueRun, site: SiteId): void {
  const known = opaqueGroups(execution)
  known.note(fn, run.group, site)
  if (known.isLooking) tellCall(execution, { group: run.group, receiver: run.receiver, site })
  else told(execution, run, site)
}
