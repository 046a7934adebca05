import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { OpaqueGroups, type OpaqueGroup } from './opaque-groups.ts'
import { changed, isObject } from './telling.ts'

const groups = new PerExecution((execution) => new OpaqueGroups(execution))

/** What is known in this execution of functions that are not instrumented. */
export const opaqueGroups = (execution: Execution): OpaqueGroups => groups.of(execution)

/** The same, if anything is known. */
export const knownGroups = (execution: Execution): OpaqueGroups | undefined => groups.known(execution)

/** A function of this group is called: it changes what its receiver keeps to itself, and what its group does. */
export function tellCall(execution: Execution, { group, receiver, site }: { group: OpaqueGroup; receiver: unknown; site: SiteId }): void {
  for (const above of group.above) execution.accesses.read(above.location, OPAQUE, site, undefined)
  execution.accesses.write(group.location, OPAQUE, site, undefined)
  if (!isObject(receiver)) return
  // Who reads a property of it does so in any order, so that whoever comes first must not decide its name.
  execution.identities.of(receiver)
  changed(execution, receiver, OPAQUE, site, undefined)
}
