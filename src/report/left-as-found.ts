import { changes, isOfControl, isOfOneLine, isSamePlace, replaces, type Access } from './accesses.ts'
import { causeIn, type Experiment } from './experiment.ts'
import type { Finding } from './finding.ts'
import { familyOf } from './likelihood.ts'
import { looksSame } from './values.ts'
import { isGiven } from './words.ts'

/** The execution in which somebody comes second. */
interface Around {
  /** At least those of its location. */
  readonly accesses: readonly Access[]
  readonly names: readonly string[]
  readonly experiment: Experiment | undefined
}

/**
 * Both come to the line that puts there what differs from what it finds: the first one's does not, and would have been put over the second one's, had it come later.
 * So the second one's is the last write.
 */
export function isLeftAsFound({ first, second }: Extract<Finding, { pattern: 'order-violation' }>, { accesses, names, experiment }: Around): boolean {
  if (first.kind !== 'read' || isOfControl(first) || !isGiven(second) || familyOf(names[first.process]) !== familyOf(names[second.process])) return false
  const order = experiment && causeIn({ pattern: 'order-violation', first, second }, experiment)?.reversal.order
  if (!order) return false
  const ownOf = ({ step, process }: Access): Access[] => accesses.filter((access) => access.location === first.location && access.step === step && access.process === process)
  const theirs = ownOf(first)
  const look = ownOf(second).find((access) => access.kind === 'read' && access.index < second.index && theirs.some((other) => isSamePlace(other, access) && looksSame(other.value, access.value)))
  if (!look || theirs.some((access) => changes(access) && !looksSame(access.value, look.value))) return false
  return order.accesses.some((access) => access.process === first.process && replaces(access) && isOfOneLine(access, second))
}
