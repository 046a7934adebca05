import { changes, isOfControl, type Access } from './accesses.ts'
import type { Experiment } from './experiment.ts'
import type { Finding } from './finding.ts'
import type { OtherOrder } from './other-order.ts'
import { isFunction, isPromise, isSame } from './values.ts'

/** In an order that passes, in which calls do not overlap, the look finds something else, and what comes of it is not done: the look decides that. */
export const isDecidedBy = (look: Access, act: Access, experiment: Experiment | undefined): boolean => ordersApart(experiment).some((order) => isLeftUndone({ look, act }, order))

/** The same, where the look itself is done, and not left out as another one before it has found something else. */
export const decidesItself = (look: Access, act: Access, experiment: Experiment | undefined): boolean => ordersApart(experiment).some((order) => order.differs(look) === true && order.counterpart(act) === undefined)

/** A process may look several times before it acts. Of the looks that have found the same, the one by which it goes on to the others is told: where that finds something else, they are not done. */
export function withDecidingLook(finding: Finding, accesses: readonly Access[], experiment: Experiment | undefined): Finding {
  if (finding.pattern !== 'check-then-act') return finding
  const { looked } = finding
  const order = ordersApart(experiment).find((one) => one.counterpart(looked) === undefined)
  const isOfIt = (access: Access): boolean => access.location === looked.location && access.index < looked.index
  const since = accesses.findLast((access) => isOfIt(access) && changes(access))?.index ?? -1
  const first = order && accesses.find((access) => isOfIt(access) && access.index > since && access.process === looked.process && access.kind === 'read' && isSame(access.value, looked.value) && order.differs(access) === true)
  return first ? { ...finding, looked: first } : finding
}

/** What comes of the look is not done where it finds something else. */
export const isLeftUndone = ({ look, act }: { readonly look: Access; readonly act: Access }, order: OtherOrder): boolean =>
  (order.differs(look) === true || order.hasTurned(look)) && order.counterpart(act) === undefined

/** Orders in which calls do not overlap, or not so, and the test passes. */
function ordersApart(experiment: Experiment | undefined): OtherOrder[] {
  const sequence = experiment?.failing?.sequence
  return [...(experiment?.serial ?? []), ...(sequence ? [sequence] : [])]
}

/**
 * Who comes upon what another one has done has looked before whether that may come, and would have let it be had it looked later: `closing` was false, and then the
 * connection is closed. It is that look which is out of date.
 */
export function guardOf(finding: Finding, locations: ReadonlyMap<number, readonly Access[]>, experiment: Experiment | undefined): Extract<Finding, { pattern: 'check-then-act' }> | undefined {
  if (finding.pattern !== 'order-violation' || !changes(finding.first) || isOfControl(finding.first)) return undefined
  const { first, second } = finding
  const guards = [...locations].flatMap(([location, accesses]) => {
    const looked = location === second.location ? undefined : accesses.findLast((access) => access.process === second.process && access.index < second.index)
    if (looked?.kind !== 'read' || looked.step === second.step || isOfControl(looked) || isFunction(looked.value) || isPromise(looked.value)) return []
    const [change, ...more] = accesses.filter((access) => access.index > looked.index && access.index < second.index && access.process === first.process && changes(access))
    if (!change || isSame((more.at(-1) ?? change).value, looked.value) || !isDecidedBy(looked, second, experiment)) return []
    return [{ pattern: 'check-then-act', how: 'elsewhere', looked, changed: [change, ...more], act: second, led: first } as const]
  })
  return guards.toSorted((one, other) => other.looked.index - one.looked.index)[0]
}
