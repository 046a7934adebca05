import { replaces, type Access } from './accesses.ts'
import { isLeftUndone } from './decided.ts'
import { passingOrderOf, type Experiment } from './experiment.ts'
import type { Finding } from './finding.ts'
import type { OtherOrder } from './other-order.ts'
import { differencesOf, partAt, type Path } from './parts.ts'
import { isSame, wholeOf } from './values.ts'

/**
 * In another order, where it finds something else, it writes something else: what is claimed would not be written there, and what is loaded not look otherwise.
 * Who has looked again has to find the same there, or what it writes may be made of that.
 */
export function isMadeOfLook(finding: Finding, experiment: Experiment | undefined): boolean {
  if (finding.pattern !== 'check-then-act' || (finding.how !== 'write' && finding.how !== 'update')) return false
  const { how, looked, again, act } = finding
  if (!replaces(act)) return false
  const order = passingOrderOf(finding, experiment)
  // What the process itself has looked at and put there may be told apart by an order in which one call comes after the other, too.
  return (order !== undefined && isMadeIn(order)) || (how === 'write' && looked.process === act.process && (experiment?.serial ?? []).some((one) => one.differs(looked) === true && one.differs(act) === true))

  function isMadeIn(one: OtherOrder): boolean {
    // Who comes second there may leave it, and do nothing else instead.
    if (!one.counterpart(act) && one.isDoneLess(act)) return false
    return one.differsForAnybody(looked) === true && one.differsForAnybody(act) === true && (how === 'write' || (again !== undefined && one.differs(again) === false))
  }
}

/** What is written after another look, be it what that has found, would be something else, or nothing, had the first look found what is there since: it is made of that. */
export function writtenAgain(finding: Finding, experiment: Experiment | undefined): Finding {
  if (finding.pattern !== 'check-then-act' || finding.rewritten === undefined) return finding
  const { looked, changed, act: again, rewritten: act } = finding
  const update: Finding = { pattern: 'check-then-act', how: 'update', looked, changed, again, act }
  const order = passingOrderOf(update, experiment)
  return isMadeOfLook(update, experiment) || (order && isLeftUndone({ look: looked, act }, order)) ? update : finding
}

/** Whoever comes second finds there, in the same step, what the first one has put there, and writes something else where that is not there: nothing of it is lost. A part that would be the same is. */
export function isMadeOfFound(finding: Extract<Finding, { pattern: 'order-violation' }>, { accesses, experiment, part }: { readonly accesses: readonly Access[]; readonly experiment?: Experiment | undefined; readonly part?: Path | undefined }): boolean {
  const { first, second } = finding
  const found = accesses.findLast(({ index, location, step, process }) => index < second.index && location === second.location && step === second.step && process === second.process)
  const order = passingOrderOf(finding, experiment)
  return found?.kind === 'read' && isSame(found.value, first.value) && order?.differs(second) === true && !(part && isGivenIn(part, finding, order)) && !isGivenWhereTheyDiffer(finding, order)
}

/** Each puts a copy there of what it has found, with what it has to put: where the two differ, the second one's is what it would have been without the first. */
function isGivenWhereTheyDiffer({ first, second }: Extract<Finding, { pattern: 'order-violation' }>, order: OtherOrder): boolean {
  const paths = differencesOf([first, second].map(({ value }) => wholeOf(value)))
  return paths.length > 0 && paths.every((path) => path.length > 0 && isGivenIn(path, { pattern: 'order-violation', first, second }, order))
}

/** It gets another value than it had, and the same in the other order. */
function isGivenIn(part: Path, { first, second }: Extract<Finding, { pattern: 'order-violation' }>, order: OtherOrder): boolean {
  const other = order.counterpart(second)
  const [had, got, gotThere] = [first, second, other].map((access) => access && partAt(wholeOf(access.value), part))
  return got !== had && got === gotThere
}
