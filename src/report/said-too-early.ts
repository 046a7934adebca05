import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import { isOfTest } from './origin.ts'
import { looksSame } from './values.ts'

/**
 * The test has counted itself that a call is at work; what is wrong is that the code under test says otherwise: an older call has put back, as it ended, what was set for that one as well, and that one
 * does so by the same line later. What the failing line looks at goes first.
 */
export function saidTooEarly(best: Finding | undefined, { telling }: Pick<Findings, 'telling'>, evidence: Evidence): Finding | undefined {
  const counted = best && countedBy(best, evidence)
  if (!counted) return undefined
  const found = [...telling.values()].flatMap((accesses) => putBackIn(accesses, counted, evidence) ?? [])
  const rank = ({ first }: OrderViolation): number => (evidence.atThrow.has(first.location) ? 2 : first.value.type === 'boolean' ? 1 : 0)
  return found.toSorted((one, other) => rank(other) - rank(one) || other.second.index - one.second.index)[0]
}

type OrderViolation = Extract<Finding, { pattern: 'order-violation' }>

interface Counted {
  readonly look: Access
  /** What it counts that is at work still. */
  readonly atWork: Access
}

function countedBy(best: Finding, { isTestCode }: Evidence): Counted | undefined {
  if (best.pattern !== 'order-violation' || best.meanwhile || ![best.first, best.second].every(({ place }) => place !== undefined && isTestCode(place))) return undefined
  const { first, second } = best
  if (first.kind === 'read' && second.kind === 'increase') return { look: first, atWork: second }
  return second.kind === 'read' && first.kind === 'increase' ? { look: second, atWork: first } : undefined
}

/** What it does itself, or what waits for that. */
function comesOf(access: Access, { look, atWork }: Counted, { order }: Evidence): boolean {
  return access.index > look.index && (access.process === atWork.process || (atWork.index > look.index && order.isEnforced(atWork.step, access.step)))
}

function putBackIn(accesses: readonly Access[], counted: Counted, evidence: Evidence): OrderViolation | undefined {
  if (isOfControl(accesses[0]!) || accesses[0]!.key.kind === 'order') return undefined
  const { look, atWork } = counted
  const made = accesses.filter(changes)
  const at = made.findLastIndex(({ index }) => index < look.index)
  const [set, ended] = [made[at - 1], made[at]]
  if (!set || !ended || ![set, ended].every((access) => isGiven(access)) || looksSame(set.value, ended.value) || ended.process === atWork.process) return undefined
  const meanwhile = made.find((access) => access.process !== ended.process && comesOf(access, counted, evidence) && isSamePlace(access, ended))
  const birth = evidence.birthOf(ended.process)
  // It was at work when that was set, and has not looked since.
  const isOlder = birth?.index !== undefined && birth.index <= set.index && evidence.isFrom(atWork.process, set.process) && set.step < ended.step
  const hasLooked = accesses.some(({ kind, process, index }) => kind === 'read' && process === ended.process && index > set.index && index < ended.index)
  if (!meanwhile || !isOlder || hasLooked) return undefined
  const finding: OrderViolation = { pattern: 'order-violation', first: set, second: ended, meanwhile: { act: meanwhile, counted: atWork.index > look.index ? { first: look, second: atWork } : { first: atWork, second: look } } }
  return isOfTest(finding, evidence) ? undefined : finding
}

const isGiven = (access: Access): boolean => replaces(access) && access.kind !== 'increase'
