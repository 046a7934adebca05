import { changes, isSamePlace, type Access } from './accesses.ts'
import { shows } from './asserted.ts'
import { isDecidedBy } from './decided.ts'
import type { Evidence } from './evidence.ts'
import { causeIn, type Experiment } from './experiment.ts'
import { actOf, overwrittenIn, subjectOf, type Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import { likeliest } from './likelihood.ts'
import { madeAgain } from './made-again.ts'
import { isMadeOfFound } from './made-of-look.ts'
import { isOfPackages, isOfTest, isWithinPackages } from './origin.ts'
import { isLoss, isStaleAct, isStaleWrite, type StaleAct } from './stale-acts.ts'
import { isCountOfPackage, mayDecide } from './usual-in-packages.ts'
import { isAbsent, isFunction } from './values.ts'

/**
 * What two do to one another once one of them has acted by an old look, as both now hold what is for one, follows from that; and so does what the test counts of them,
 * which may come out well in another order in spite of it.
 */
export function originOf([best, ...others]: readonly Finding[], { findings, fixed, telling, experiment }: Pick<Findings, 'findings' | 'fixed' | 'telling'> & { readonly experiment: Experiment | undefined }, evidence: Evidence): Finding | undefined {
  if (best === undefined) return undefined
  const early = lookedTooEarly(best, { findings, telling, experiment }, evidence)
  if (early) return early
  const stale = staleSideOf(best, [...findings, ...fixed].filter((finding) => mayDecide(finding, evidence, experiment)))
  if (stale) return stale
  const counted = countedByBoth(best, findings) ?? countThatDecides(best, findings, experiment)
  if (counted) return counted
  const again = madeAgain(best, telling.get(subjectOf(best).location) ?? [])
  if (again) return again
  // The greatest number so far is made of the one before.
  const isOfFound = best.pattern === 'order-violation' && isMadeOfFound(best, { accesses: telling.get(best.second.location) ?? [], experiment })
  const isTally = isOfTest(best, evidence) && (!isLoss(best) || isOfFound)
  if (best.pattern !== 'wrong-holder-release' && best.pattern !== 'overwritten' && !isTally) return best
  const isBefore = (check: Finding): boolean =>
    (check.pattern === 'lost-update' || (check.pattern === 'check-then-act' && check.how === 'write')) && !isOfTest(check, evidence) && !isOfPackages(check) &&
    check.act.index < subjectOf(best).index && isOfThemBoth(check, best, evidence)
  return (isTally ? likeliest(findings, evidence) : others).find(isBefore) ?? (isTally ? ofPackageBefore(best, findings, { evidence, experiment }) : undefined) ?? best
}

/** What the one counts comes of whoever has acted there, and what the other one counts of whoever has made that stale; or the other way round. */
function isOfThemBoth({ act, changed: [change] }: StaleAct, counted: Finding, { isFrom }: Evidence): boolean {
  const [mine, theirs] = [subjectOf(counted).process, actOf(counted).process]
  const isApart = (one: Access, other: Access): boolean => isFrom(mine, one.process) && isFrom(theirs, other.process) && !(isFrom(mine, other.process) && isFrom(theirs, one.process))
  return isApart(act, change) || isApart(change, act)
}

/** The assertion has missed what came last: it is not that this was put over the other value, but that whoever has put the other one there had not found it. */
function lookedTooEarly(best: Finding, { findings, telling, experiment }: Pick<Findings, 'findings' | 'telling'> & { readonly experiment: Experiment | undefined }, { asserted: { found, missed } }: Evidence): Finding | undefined {
  if (best.pattern !== 'order-violation' || !isLoss(best) || !experiment) return undefined
  const { first, second } = best
  if (!shows(first, found) || shows(first, missed) || !shows(second, missed) || shows(second, found)) return undefined
  const own = telling.get(first.location)?.findLast((access) => access.index < first.index && access.process === first.process)
  if (own?.kind === 'read' && own.step === first.step) return { ...best, first: own }
  return findings.find((finding) => finding.pattern === 'order-violation' && finding.first === own && finding.second === second && causeIn(finding, experiment) !== undefined)
}

/**
 * What a package has let two do by an old look of its own, where no code of the user's has looked: the test counts only that it has. Where calls do not overlap, that look is not done, or finds something else.
 */
function ofPackageBefore(tally: Finding, findings: readonly Finding[], { evidence, experiment }: { readonly evidence: Evidence; readonly experiment: Experiment | undefined }): Finding | undefined {
  const counted = [subjectOf(tally), actOf(tally)]
  const isOfThem = (one: Access, other: Access): boolean => counted.some((access) => evidence.isFrom(one.process, access.process)) && counted.some((access) => evidence.isFrom(other.process, access.process) && !evidence.isFrom(one.process, access.process))
  const isWhy = (finding: Finding): boolean => isStaleWrite(finding) && isStaleAct(finding) && isWithinPackages(finding) && finding.act.index < subjectOf(tally).index && isOfThem(finding.changed[0], finding.act) && experiment?.serial.some((order) => order.counterpart(finding.looked) === undefined || order.differs(finding.looked)) === true
  return likeliest(findings.filter(isWhy), evidence)[0]
}

/**
 * The look that the same two have to do with. Who finds what another one has put in place of its own tells less than that the other one had looked before: had it come after
 * that, it would have found something else. Who finds what has come in between has looked before that, by other code. And who looks in vain for what another one is about to put somewhere has made stale in that moment what the other one does so by.
 */
function staleSideOf(best: Finding, all: readonly Finding[]): Finding | undefined {
  if (best.pattern === 'overwritten') {
    const written = overwrittenIn(best)
    const stale = all.find((finding): finding is StaleAct => isStaleWrite(finding) && isStaleAct(finding) && finding.act === best.changed.at(-1) && finding.changed.includes(written))
    return stale && { undone: best.act, ...stale, changed: [written, ...stale.changed.slice(stale.changed.indexOf(written) + 1)] }
  }
  if (best.pattern !== 'order-violation') return undefined
  const { first, second } = best
  // Who has acted by an old look has done so to the one who comes upon that; or has taken away what a third one had put there.
  const isDoneTo = ({ act, changed }: StaleAct): boolean => (act === first ? isAbsent(act.value) && !isAbsent(changed.at(-1)!.value) && second.kind === 'read' : act.step === first.step && act.process === first.process && act.location !== first.location && changed.every(({ process }) => process === second.process))
  const undone = changes(first) ? all.find((finding): finding is StaleAct => isStaleWrite(finding) && isStaleAct(finding) && isDoneTo(finding)) : undefined
  if (undone) return { ...undone, undone: second }
  if (changes(first) && second.kind === 'read') return all.find((finding) => finding.pattern === 'check-then-act' && finding.how === 'use' && finding.act === second && finding.changed.includes(first) && !isSamePlace(finding.looked, second))
  // A callback that is found is called, and not looked for in vain.
  if (first.kind !== 'read' || !changes(second) || isFunction(first.value)) return undefined
  return all.find((finding) => isStaleAct(finding) && finding.act === second && finding.changed.some(({ step, process }) => step === first.step && process === first.process))
}

/** What a package does in any order is told by nothing that it has looked at; a number by which it would have done something else before that, if there is one, has let both in. */
function countThatDecides(best: Finding, findings: readonly Finding[], experiment: Experiment | undefined): Finding | undefined {
  if (!isStaleAct(best) || !isOfPackages(best) || isCountOfPackage(best) || isDecidedBy(best.looked, best.act, experiment)) return undefined
  return findings.find((finding) => isCountOfPackage(finding) && isStaleAct(finding) && finding.act.index < best.act.index && bothOf(finding) === bothOf(best) && isDecidedBy(finding.looked, finding.act, experiment))
}

/** By their numbers. */
const bothOf = ({ act, changed: [change] }: StaleAct): string => [act.process, change.process].toSorted().join(' ')

/** Both count on from there by one line, the one who looks first as well, as if nobody had done so since. */
function countedByBoth(best: Finding, findings: readonly Finding[]): Finding | undefined {
  if (best.pattern !== 'order-violation' || best.second.kind !== 'increase') return undefined
  const { first, second } = best
  return findings.find((finding) => finding.pattern === 'check-then-act' && finding.how === 'update' && finding.looked === first && finding.changed.includes(second) && isSamePlace(finding.act, second))
}
