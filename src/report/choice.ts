import { replaces, type Access } from './accesses.ts'
import { isOfAsserted, isOfAssertedOrder } from './asserted.ts'
import { causesAmong, comesToTheSame, isUnmade } from './causes.ts'
import { guardOf, isDecidedBy } from './decided.ts'
import { seenAtFailure, type Evidence } from './evidence.ts'
import { causeIn, pairsOf, type Experiment } from './experiment.ts'
import { failedLocksOf, flagsAround } from './failed-lock.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { isFixed, type Findings } from './findings.ts'
import { keptAnswerOf } from './kept-answer.ts'
import { isLeftAsFound } from './left-as-found.ts'
import { likeliest, weigh } from './likelihood.ts'
import { isOfPackages, isOfTest, isWithinPackages } from './origin.ts'
import { originOf } from './origin-of-cause.ts'
import { isThereToo, overlapsAmong } from './overlaps.ts'
import { saidTooEarly } from './said-too-early.ts'
import { isLoss, isStaleAct, isStaleWrite } from './stale-acts.ts'
import { staleRowsOf } from './stale-rows.ts'
import { withoutUpkeep } from './upkeep.ts'
import { isCountOfPackage, isHarmless } from './usual-in-packages.ts'
import { isAbsent } from './values.ts'

/** Below this a race is not said to explain a failure: it may be there and harm nobody. */
const least = 25

/**
 * The finding that explains the failure best: one without which the test passes, if that was tried. If the test fails in every
 * order, that its calls overlap may be the reason, or nothing of the kind.
 */
export function choose({ findings, fixed, telling }: Pick<Findings, 'findings' | 'fixed' | 'telling'>, evidence: Evidence, experiment?: Experiment): Finding | undefined {
  const { sequentially, sequence } = experiment?.failing ?? {}
  // Where no order of calls helps, nothing but what one call has done to another one's is a guess.
  if (sequentially === 'fails') return evidence.failure === 'deadlock' ? undefined : guessesAmong({ findings: findings.filter(isOfAnother), telling }, evidence)[0]
  // Where a timer decides it, what tells most is what would be a guess without that, if it does not come to pass where that fires later.
  const [timed] = sequentially === 'timer' && sequence ? guessesAmong({ findings: findings.filter((finding) => !isFixed(finding) && !isThereToo(finding, sequence)), telling }, evidence) : []
  if (timed) return timed
  for (const known of [...causesAmong({ findings, telling }, evidence, experiment), ...overlapsAmong({ findings, telling }, evidence, experiment)]) {
    if (known.length === 0) continue
    const best = ledTo(letIn(guarded(inCodeUnderTest(asked(originOf(lookedAtFirst(likeliest(known, evidence), { findings, telling, experiment }, evidence), { findings, fixed, telling, experiment }, evidence), { findings, evidence, experiment }), { findings, evidence, experiment }), { telling, evidence, experiment }), { findings, fixed, telling, experiment }, evidence), findings, evidence)
    return saidTooEarly(best, { telling }, evidence) ?? best
  }
  if (sequentially === 'unknown') return guessesAmong({ findings, telling }, evidence)[0]
  // Where other orders were tried, and none has shown that it comes from this.
  const [best] = likeliest(withoutUpkeep(findings).filter((finding) => (finding.pattern !== 'overwritten' || !isAbsent(finding.looked.value)) && !(experiment && isHarmless(finding, evidence))), evidence)
  return best && weigh(best, evidence) >= least ? best : undefined
}

/** What may be why a test fails in every order, though nothing is known to pass, the likeliest first. */
function guessesAmong({ findings, telling }: Pick<Findings, 'findings' | 'telling'>, evidence: Evidence): Finding[] {
  const mayBe = (finding: Finding): boolean => isStaleWrite(finding) || isTakenByTimer(finding, evidence) || isOfAnother(finding) || isDoneTooLate(finding, telling)
  return likeliest(withoutUpkeep(findings).filter((finding) => mayBe(finding) && !isHarmless(finding, evidence)), evidence).filter((finding) => weigh(finding, evidence) >= least)
}

/**
 * Of what a package does in the same two steps for the user, what the failing assertion shows, or looks at, is what the user's code has put there; its queues, counts and checks, which come in another
 * order with that, are not.
 */
function lookedAtFirst(known: readonly Finding[], { findings, telling, experiment }: Pick<Findings, 'findings' | 'telling'> & { readonly experiment: Experiment | undefined }, evidence: Evidence): readonly Finding[] {
  const [best] = known
  const cause = best && experiment && causeIn(best, experiment)
  if (!cause || !isWithinPackages(best)) return known
  const isInStepsOfCause = (finding: Finding): boolean => pairsOf(finding).some(({ first, second }) => first.step === cause.first.step && second.step === cause.second.step)
  // That its accounts come in another order shows nothing but what is found in the wrong order.
  const inOrder = best.pattern === 'order-violation' ? known.concat(findings).find((finding) => isOfAssertedOrder(finding, evidence.asserted) && isInStepsOfCause(finding)) : undefined
  if (inOrder) return [inOrder]
  const isLastWrite = (finding: Finding): boolean => finding.pattern === 'order-violation' && isLeftAsFound(finding, { accesses: telling.get(finding.first.location) ?? [], names: evidence.names, experiment })
  const isWritten = (finding: Finding): boolean => isLoss(finding) || isLastWrite(finding)
  if (isLookedAt(best, evidence) && !isWritten(best)) return known
  // What is shown of it is brought up to date after that.
  const [state] = known.filter((finding) => isWritten(finding) && !isOfTest(finding, evidence) && isLookedAt(finding, evidence) && isInStepsOfCause(finding)).toSorted((one, other) => actOf(one).index - actOf(other).index)
  return state ? [state, ...known.filter((finding) => finding !== state)] : known
}

/** The failing line looks there, or the assertion shows what was written there. */
const isLookedAt = (finding: Finding, { asserted, atThrow }: Evidence): boolean => isOfAsserted(finding, asserted) || atThrow.has(subjectOf(finding).location) || atThrow.has(actOf(finding).location)

/** What a server was asked is told, and not the accounts that the package which has asked it keeps of that. */
function asked(best: Finding | undefined, { findings, evidence, experiment }: Pick<Findings, 'findings'> & { readonly evidence: Evidence; readonly experiment: Experiment | undefined }): Finding | undefined {
  return best && (likeliest(staleRowsOf(best, findings, { experiment, evidence }), evidence)[0] ?? best)
}

/** What stands in for a server in the test itself is told only where nothing is kept of its answer. */
function inCodeUnderTest(best: Finding | undefined, { findings, evidence, experiment }: Pick<Findings, 'findings'> & { readonly evidence: Evidence; readonly experiment: Experiment | undefined }): Finding | undefined {
  if (best === undefined || experiment === undefined) return best
  const causes = likeliest(findings.filter((finding) => causeIn(finding, experiment) && !comesToTheSame(finding, experiment, evidence)), evidence)
  return (isOfStandIn(best, evidence) ? (causes.find((finding) => isStaleAct(finding) && replaces(finding.act) && isWithinPackages(finding) && !isCountOfPackage(finding)) ?? askedTwice(best, findings, { evidence, experiment })) : undefined) ?? keptAnswerOf(best, causes, evidence) ?? best
}

/** Two calls of the code under test had looked whether that was done, and found that it was not, before what stands in for a server was asked: where calls do not overlap, only one of them asks. */
function askedTwice(best: Finding, findings: readonly Finding[], { evidence, experiment }: { readonly evidence: Evidence; readonly experiment: Experiment }): Finding | undefined {
  const { process, index } = subjectOf(best)
  const isAround = (finding: Finding): boolean =>
    isStaleAct(finding) && isUnmade(finding.looked.value) && !isOfTest(finding, evidence) && finding.looked.index < index && finding.act.index > index && [finding.act, finding.changed[0]].some((access) => access.process === process) && isDecidedBy(finding.looked, finding.act, experiment)
  return likeliest(findings.filter(isAround), evidence)[0]
}

/** The test gives in one call what it has kept and takes in another one what has become of that: what that is, other code has made. */
function isOfStandIn(finding: Finding, { testFile }: Evidence): boolean {
  if (!isStaleAct(finding)) return false
  const { looked, act } = finding
  return testFile !== undefined && [looked, act].every(({ place, within }) => place?.file === testFile && within !== undefined) && looked.within !== act.within
}

/** A lock that has let in two is told, and not what they do there. */
function letIn(best: Finding | undefined, { findings, fixed, telling, experiment }: Pick<Findings, 'findings' | 'fixed' | 'telling'> & { readonly experiment: Experiment | undefined }, evidence: Evidence): Finding | undefined {
  const given = { evidence, telling, experiment }
  return best && (likeliest(failedLocksOf(best, [...findings, ...fixed], given), evidence)[0] ?? likeliest(flagsAround(best, findings, given), evidence)[0] ?? best)
}

/** What the test itself counts it may count wrong because of what one call has taken away of another one: a third one has found nothing, and begun what is counted. */
function ledTo(best: Finding | undefined, findings: readonly Finding[], evidence: Evidence): Finding | undefined {
  if (!best || !isOfTest(best, evidence)) return best
  const isBegunBy = ({ process, index }: Access): boolean => [subjectOf(best), actOf(best)].some((access) => access.index > index && access.process !== process && evidence.isFrom(access.process, process))
  return likeliest(findings.filter((finding) => isOfAnother(finding) && !isOfTest(finding, evidence) && !isOfPackages(finding) && isBegunBy(actOf(finding))), evidence)[0] ?? best
}

/** What is told of the code under test is told by its own check, if there is one. */
function guarded(best: Finding | undefined, { telling, evidence, experiment }: Pick<Findings, 'telling'> & { readonly evidence: Evidence; readonly experiment: Experiment | undefined }): Finding | undefined {
  const guard = best && guardOf(best, telling, experiment)
  return guard && !isOfTest(guard, evidence) && !isOfPackages(guard) ? guard : best
}

/** Where time alone orders everything: the failing line finds what a timer has left in place of what was put there since that was set. */
function isTakenByTimer(finding: Finding, evidence: Evidence): boolean {
  if (finding.pattern !== 'overwritten' || !seenAtFailure(evidence).has(finding.act.location)) return false
  const set = evidence.firing.get(finding.changed.at(-1)!.step)
  return set !== undefined && set < finding.looked.step
}

/** Who takes away what another one has put there has to do with what was there before, and that one finds nothing. */
const isOfAnother = (finding: Finding): boolean => finding.pattern === 'overwritten' && finding.held !== undefined

/** Who has found something there takes it away after it was put there again: as a flag that says that there is something to save. */
function isDoneTooLate(finding: Finding, locations: Findings['telling']): boolean {
  if (finding.pattern !== 'overwritten') return false
  const { looked, changed } = finding
  const last = changed.at(-1)!
  return isAbsent(last.value) && locations.get(last.location)!.some(({ kind, process, index, value }) => kind === 'read' && process === last.process && index < looked.index && !isAbsent(value))
}
