import type { LocationId, SiteId } from '../../engine/ids.ts'
import type { MemberChange } from '../execution/accesses.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Key } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'

/** How often something was done of which the order among others of its like makes no difference: such steps commute, and conflict with who looks at how often. */

const counts = new PerExecution(() => new Map<LocationId, number>())

export function timesDone(execution: Execution, object: ObjectId, part: Key): number {
  return counts.known(execution)?.get(execution.identities.location(object, part)) ?? 0
}

/** It is done once more. */
export function tellDone(execution: Execution, object: ObjectId, part: Key, site: SiteId, change?: MemberChange): void {
  const found = timesDone(execution, object, part)
  counts.of(execution).set(execution.identities.location(object, part), found + 1)
  execution.accesses.increase(object, part, site, { found, amount: 1, change })
}
