import { changes, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import { isOverwrite } from './kinds.ts'
import type { Finding } from './finding.ts'

/**
 * What somebody has written over what another one wrote, nobody has looked at since but to write something else in its place: so does what is remembered of the last call of
 * a function, which is never wrong.
 */
export function isUnread(finding: Finding, locations: ReadonlyMap<number, readonly Access[]>): boolean {
  if (finding.pattern !== 'order-violation' || !isOverwrite(finding)) return false
  const { first, second } = finding
  const steps = [...grouped(locations.get(first.location) ?? [], ({ step, process }) => `${step} ${process}`).values()]
  return steps.every((own) => (own[0]!.step < second.step && own[0]!.step !== first.step) || isUpdate(own))
}

/** Who looks once more after that shows it to somebody. */
const isUpdate = (own: readonly Access[]): boolean => !changes(own[0]!) && changes(own.at(-1)!)
