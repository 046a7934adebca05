import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { changeState } from './operations.ts'

/** Objects of which one changes when another does, without a call that could be told: streams that are piped. */
const groups = new WeakMap<object, Set<object>>()

export function link(objects: readonly object[]): void {
  const all = new Set(objects.flatMap((object) => [...(groups.get(object) ?? [object])]))
  for (const object of all) groups.set(object, all)
}

/** The state of an object changes, and that of all that it is linked with. */
export function changeLinked(execution: Execution, object: object, site: SiteId): void {
  for (const member of groups.get(object) ?? [object]) changeState(execution, member, site)
}
