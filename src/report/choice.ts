import { changes, isOfControl, isOfServers, isSamePlace, replaces, type Access } from './accesses.ts'
import { placeId, seenAtFailure, type Evidence } from './evidence.ts'
import { decidesItself, guardOf, isDecidedBy } from './decided.ts'
import { isOfAsserted, shows } from './asserted.ts'
import { causeIn, isOfOverlap, pairsOf, type Experiment } from './experiment.ts'
import { actOf, overwrittenIn, subjectOf, type Finding } from './finding.ts'
import { failedLocksOf, flagsAround } from './failed-lock.ts'
import { isFixed, type Findings } from './findings.ts'
import type { InputValue } from './input.ts'
import { madeAgain } from './made-again.ts'
import { isMadeOfFound, isMadeOfLook } from './made-of-look.ts'
import type { OtherOrder } from './other-order.ts'
import { isMadeAlike, isOverwrite } from './kinds.ts'
import { isLeftAsFound } from './left-as-found.ts'
import { isSameFunction, likeliest, weigh } from './likelihood.ts'
import { keptAnswerOf } from './kept-answer.ts'
import { isOfMocks, isOfPackages, isOfTest, isWithinPackages } from './origin.ts'
import { staleRowsOf } from './stale-rows.ts'
import { isOfPackage } from './places.ts'
import { isUnread } from './unread.ts'
import { withoutUpkeep } from './upkeep.ts'
import { isAbsent, isFunction, isNothing, isSame, looksSame } from './values.ts'

/** Below this a race is not said to explain a failure: it may be there and harm nobody. */
const least = 25

/**
 * The finding that explains the failure best: one without which the test passes, if that was tried. If the test fails in every
 * order, that its calls overlap may be the reason, or nothing of the kind.
 */
export function choose({ findings, fixed, telling }: Pick<Findings, 'findings' | 'fixed' | 'telling'>, evidence: Evidence, experiment?: Experiment): Finding | undefined {
  const { sequentially, sequence } = experiment?.failing ?? {}
  if (sequentially === 'fails') return undefined
  // Where a timer decides it, what tells most is what would be a guess without that, if it does not come to pass where that fires later.
  const [timed] = sequentially === 'timer' && sequence ? guessesAmong({ findings: findings.filter((finding) => !isFixed(finding) && !isThereToo(finding, sequence)), telling }, evidence) : []
  if (timed) return timed
  for (const known of [...causesAmong({ findings, telling }, evidence, experiment), ...overlapsAmong({ findings, telling }, evidence, experiment)]) if (known.length > 0) return letIn(guarded(inCodeUnderTest(asked(originOf(lookedAtFirst(likeliest(known, evidence), { telling, experiment }, evidence), { findings, fixed, telling, experiment }, evidence), { findings, evidence, experiment }), { findings, evidence, experiment }), { telling, evidence, experiment }), { findings, fixed, telling, experiment }, evidence)
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
function lookedAtFirst(known: readonly Finding[], { telling, experiment }: Pick<Findings, 'telling'> & { readonly experiment: Experiment | undefined }, evidence: Evidence): readonly Finding[] {
  const [best] = known
  const cause = best && experiment && causeIn(best, experiment)
  if (!cause || !isWithinPackages(best)) return known
  const isInStepsOfCause = (finding: Finding): boolean => pairsOf(finding).some(({ first, second }) => first.step === cause.first.step && second.step === cause.second.step)
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
  return (isOfStandIn(best, evidence) ? causes.find((finding) => isStaleAct(finding) && replaces(finding.act) && isWithinPackages(finding) && !isCountOfPackage(finding)) : undefined) ?? keptAnswerOf(best, causes, evidence) ?? best
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

/** What is told of the code under test is told by its own check, if there is one. */
function guarded(best: Finding | undefined, { telling, evidence, experiment }: Pick<Findings, 'telling'> & { readonly evidence: Evidence; readonly experiment: Experiment | undefined }): Finding | undefined {
  const guard = best && guardOf(best, telling, experiment)
  return guard && !isOfTest(guard, evidence) && !isOfPackages(guard) ? guard : best
}

/**
 * What two do to one another once one of them has acted by an old look, as both now hold what is for one, follows from that; and so does what the test counts of them,
 * which may come out well in another order in spite of it.
 */
function originOf([best, ...others]: readonly Finding[], { findings, fixed, telling, experiment }: Pick<Findings, 'findings' | 'fixed' | 'telling'> & { readonly experiment: Experiment | undefined }, evidence: Evidence): Finding | undefined {
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
  const both = [subjectOf(best).process, actOf(best).process].toSorted().join(' ')
  const isBefore = (check: Finding): boolean =>
    (check.pattern === 'lost-update' || (check.pattern === 'check-then-act' && check.how === 'write')) && !isOfTest(check, evidence) && !isOfPackages(check) &&
    check.act.index < subjectOf(best).index && [check.act.process, check.changed[0].process].toSorted().join(' ') === both
  return (isTally ? likeliest(findings, evidence) : others).find(isBefore) ?? (isTally ? ofPackageBefore(best, findings, { evidence, experiment }) : undefined) ?? best
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
  const bothOf = ({ act, changed: [change] }: StaleAct): string => [act.process, change.process].toSorted().join(' ')
  return findings.find((finding) => isCountOfPackage(finding) && isStaleAct(finding) && finding.act.index < best.act.index && bothOf(finding) === bothOf(best) && isDecidedBy(finding.looked, finding.act, experiment))
}

/** Both count on from there by one line, the one who looks first as well, as if nobody had done so since. */
function countedByBoth(best: Finding, findings: readonly Finding[]): Finding | undefined {
  if (best.pattern !== 'order-violation' || best.second.kind !== 'increase') return undefined
  const { first, second } = best
  return findings.find((finding) => finding.pattern === 'check-then-act' && finding.how === 'update' && finding.looked === first && finding.changed.includes(second) && isSamePlace(finding.act, second))
}

/** Where every order fails, only that calls overlap may be the reason: one writes there by what it found before the other one did. */
export const isStaleWrite = (finding: Finding): boolean => finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && (finding.how === 'write' || finding.how === 'update'))

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

/**
 * Findings without which the test passes: those in the code under test, but of packages only what is rare in code that works; what is lost of the test itself; counts of packages, the rest
 * of the code under test, then what the test itself counts, what comes to the same in either order, and last what mocks write down.
 */
function causesAmong({ findings, telling: locations }: Pick<Findings, 'findings' | 'telling'>, evidence: Evidence, experiment: Experiment | undefined): Finding[][] {
  const causes = experiment ? withoutUpkeep(findings.filter((finding) => causeIn(finding, experiment))) : []
  const telling = causes.filter((finding) => !isOfMocks(finding) && !isOfClock(finding) && !isStaleThereToo(finding, experiment!))
  const unequal = telling.filter((finding) => !comesToTheSame(finding, experiment!, evidence))
  const inCode = (some: readonly Finding[]): Finding[] => some.filter((finding) => !isOfTest(finding, evidence))
  const read = unequal.filter((finding) => !(isOfPackages(finding) && isUnread(finding, locations)))
  const lost = unequal.filter((finding) => isOfTest(finding, evidence) && (isLoss(finding) || isMadeOfLook(finding, experiment)))
  const comesOfThem = comesOfStores(lost.filter((loss) => !isOfPackages(loss)), evidence)
  const early = unequal.filter((finding) => isOfTest(finding, evidence) && isReadTooEarly(finding, evidence))
  const rare = inCode(read).filter((finding) => !isUsualInPackages(finding, evidence) && !comesOfThem(finding) && !(isOfPackages(finding) && isMovedInList(finding, locations)))
  const rarest = rare.filter((finding) => !isCountOfPackage(finding) || isMadeOfLook(finding, experiment))
  return [rarest, lost, early, rare, inCode(read), read, unequal, inCode(telling), telling, causes]
}

/** A package does what the test has asked for by a Proxy, and goes on with it in the same two steps: what is shown of a store, each time that it changes. */
function comesOfStores(lost: readonly Finding[], { callerOf }: Evidence): (finding: Finding) => boolean {
  const comesOf = (access: Access, origin: Access): boolean => {
    const caller = callerOf(access)
    return access.index > origin.index || (caller !== undefined && origin.place !== undefined && placeId(caller) === placeId(origin.place))
  }
  return (finding) => isOfPackages(finding) && lost.some((origin) => isInSameSteps(finding, origin) && comesOf(subjectOf(finding), subjectOf(origin)) && comesOf(actOf(finding), actOf(origin)))
}

const isInSameSteps = (one: Finding, other: Finding): boolean => subjectOf(one).step === subjectOf(other).step && actOf(one).step === actOf(other).step

/** Who looks finds the same in either order; or whoever comes first writes what the first one writes, as with a count or a version: nothing there tells the two orders apart. */
function comesToTheSame(finding: Finding, experiment: Experiment, { atThrow }: Evidence): boolean {
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || isOfControl(cause.first)) return false
  const pair = [cause.first, cause.second] as const
  // The one writes over the other one's value what was there already.
  if (finding.pattern === 'order-violation' && pair.every(replaces) && isSame(cause.first.value, cause.second.value)) return true
  const isAt = (access: Access, other: Access): boolean => looksSame(access.value, order.counterpart(other)?.value ?? nothing)
  const looks = pair.filter((access) => !changes(access))
  // What the failing line finds decides that it fails.
  if (looks.length > 0) return looks.every((look) => order.findsTheSame(look) && !(atThrow.has(look.location) && order.differs(look) === true))
  return pair.every(replaces) && isAt(pair[0], pair[1]) && isAt(pair[1], pair[0]) && order.areNeighbours(...pair)
}

/** Queues, caches and stores have accounts that come in another order with everything else, and whoever uses them finds what others have left there. */
function isUsualInPackages(finding: Finding, { asserted }: Evidence): boolean {
  if (!isOfPackages(finding) || isLoss(finding) || isOfAsserted(finding, asserted)) return false
  return finding.pattern === 'order-violation' || (finding.pattern === 'check-then-act' && (finding.how === 'use' || finding.how === 'elsewhere'))
}

/**
 * Of what is told as a guess: in packages only what is lost, or looked at too early, for another call of the same function; what is given away by another, acted on by an old
 * look, or made twice.
 */
function isHarmless(finding: Finding, evidence: Evidence): boolean {
  if (!isOfPackages(finding) || finding.pattern === 'lost-update' || finding.pattern === 'wrong-holder-release') return false
  const isOfOneFunction = isSameFunction(subjectOf(finding), finding, evidence)
  if (finding.pattern === 'overwritten' && isOfOneFunction && isPutByUser(finding)) return false
  if (finding.pattern === 'check-then-act') return finding.how !== 'write' && !isNothing(finding.looked.value) && !(isOfOneFunction && finding.how !== 'update')
  return !isLoss(finding) || !isOfOneFunction
}

/** It is user's own code that puts the one and the other value there, of which a package makes use. */
const isPutByUser = ({ looked, changed }: Extract<Finding, { pattern: 'overwritten' }>): boolean => [looked, ...changed].every(({ place }) => place !== undefined && !isOfPackage(place))

/** The failing line looks there before somebody has come as far. */
const isReadTooEarly = (finding: Finding, { atThrow }: Evidence): boolean => finding.pattern === 'order-violation' && finding.first.kind === 'read' && changes(finding.second) && atThrow.has(finding.first.location)

/** What is taken out of a list, or put into it, moves all that comes behind: no value is written over another one. */
function isMovedInList(finding: Finding, locations: Findings['telling']): boolean {
  if (finding.pattern !== 'order-violation') return false
  const isMoved = (access: Access): boolean => access.key.kind === 'element' && [...locations.values()].some((all) => all[0]!.object === access.object && all.some((one) => one.step === access.step && one.process === access.process && one.key.kind === 'order' && one.kind === 'write' && one.place !== undefined && access.place !== undefined && placeId(one.place) === placeId(access.place)))
  return isMoved(finding.first) && isMoved(finding.second)
}

/** A package looks at a number, and counts on later: most of their counts are right whatever comes in between. */
const isCountOfPackage = (finding: Finding): boolean => isOfPackages(finding) && finding.pattern === 'check-then-act' && finding.how === 'update'

/** What somebody wrote is gone: overwritten by what was made of an older value, or of none. */
function isLoss(finding: Finding): boolean {
  return finding.pattern === 'lost-update' || (finding.pattern === 'order-violation' && isOverwrite(finding))
}

/** Looks like no value. */
const nothing: InputValue = { type: 'undefined', text: '' }

/** What comes of calls that overlap, where the test passes without that: first what is lost outside of packages, then what is looked at that is something else then, as what a server keeps may be. */
function overlapsAmong({ findings, telling: locations }: Pick<Findings, 'findings' | 'telling'>, evidence: Evidence, experiment: Experiment | undefined): Finding[][] {
  if (!isOfOverlap(experiment)) return []
  const sequence = experiment?.failing?.sequence
  // A flag that the timer finds tells more than what others find that it has done.
  const isFoundByTimer = (finding: Finding): boolean => finding.pattern === 'order-violation' && finding.isOverlap === true && finding.second.kind === 'read' && experiment?.failing?.timer !== undefined && evidence.names[finding.second.process] === experiment.failing.timer
  const telling = withoutUpkeep(findings).filter((finding) => (mayDecide(finding, evidence, experiment) || isTooEarly(finding) || isFoundByTimer(finding)) && !(sequence && (isThereToo(finding, sequence) || isIdleUse(finding, sequence))))
  const turned = telling.filter((finding) => 'isOverlap' in finding && finding.isOverlap)
  // An older answer over a newer one.
  const isOverwriting = (finding: Finding): boolean => finding.pattern === 'check-then-act' && finding.how === 'elsewhere' && !isUpdate(finding.act, locations) && turned.some((loss) => isLoss(loss) && isOneDeed(actOf(loss), finding.act))
  // Where it is a timer that comes too soon, who finds what that has done is told by the order of the two.
  const isOnlyFound = (finding: Finding): boolean => experiment?.failing?.sequentially === 'timer' && (finding.pattern === 'overwritten' || (finding.pattern === 'check-then-act' && finding.how === 'use'))
  const overlaps = telling.filter((finding) => finding.pattern !== 'order-violation' && !isOverwriting(finding) && !isOnlyFound(finding))
  const different = sequence ? overlaps.filter((finding) => (finding.pattern === 'wrong-holder-release' && sequence.counterpart(finding.missed) === undefined) || looksOf(finding).some((look) => isOfServers(look) || (sequence.differs(look) && !sequence.isIdle(look)) || sequence.hasTurned(look))) : overlaps
  // What a package does in a call that takes another way altogether follows from what that has looked at before.
  const isConsequence = (finding: Finding): boolean => isOfPackages(finding) && !looksOf(finding).some((look) => sequence?.differs(look))
  const early = different.length > 0 && different.every(isConsequence) ? turned.filter((finding) => isTooEarly(finding) && !isOfPackages(finding)) : []
  return [different.filter((finding) => !isOfPackages(finding) && (isLoss(finding) || isMadeOfLook(finding, experiment))), early, different, overlaps.filter((finding) => !isUnchanged(finding) && !overlaps.some((other) => isOriginOf(other, finding))), overlaps, turned.filter(isFoundByTimer), turned.filter((finding) => isReadTooEarly(finding, evidence)), turned]
}

/** What was put there is what had been found there: who looks again finds the same. */
const isUnchanged = (finding: Finding): boolean => isStaleAct(finding) && looksSame(finding.changed.at(-1)!.value, finding.looked.value)

/** What the other one has made stale it has done by an old look itself, and not to the same effect. */
function isOriginOf(origin: Finding, finding: Finding): boolean {
  if (!isStaleAct(origin) || !isStaleAct(finding) || looksSame(origin.act.value, origin.changed.at(-1)!.value)) return false
  const [change] = finding.changed
  return origin.act.step === change.step && origin.act.process === change.process && origin.changed[0].process === finding.act.process && origin.changed[0].index < finding.looked.index
}

/** Of packages what is rare in code that works, and of what is usual there what is known to decide. */
const mayDecide = (finding: Finding, evidence: Evidence, experiment: Experiment | undefined): boolean => isDecided(finding, experiment) || isMadeOfLook(finding, experiment) || !isHarmless(finding, evidence)

/** Where it finds something else, because calls do not overlap, what comes of it is not done. */
const isDecided = (finding: Finding, experiment: Experiment | undefined): boolean => (finding.pattern === 'lost-update' || finding.pattern === 'check-then-act') && decidesItself(finding.looked, finding.act, experiment)

/** It would come after what the same code does for another call, and find that, if there is anything. */
const isTooEarly = (finding: Finding): boolean => finding.pattern === 'order-violation' && finding.isOverlap === true && finding.rival !== undefined && !(isAbsent(finding.first.value) && isAbsent(finding.second.value))

/** An entry that is set may be one that comes as well. */
const isOneDeed = (one: Access, other: Access): boolean => one.step === other.step && one.process === other.process && one.object === other.object

/** It is made of what the same step has found there, and nothing of that is lost. */
const isUpdate = (access: Access, locations: Findings['telling']): boolean =>
  locations.get(access.location)?.some(({ kind, step, process, index }) => kind === 'read' && step === access.step && process === access.process && index < access.index) === true

/** What was looked at changes before the act where calls do not overlap as well. */
const isThereToo = (finding: Finding, sequence: OtherOrder): boolean => 'looked' in finding && sequence.hasInOrder(finding.looked, ...finding.changed, finding.act)

/** Who has found something else then has done the same by it. */
const isIdleUse = (finding: Finding, sequence: OtherOrder): boolean => finding.pattern === 'check-then-act' && finding.how === 'use' && sequence.isIdle(finding.act)

/** What a process looked at that another one has changed. */
function looksOf(finding: Finding): Access[] {
  if (finding.pattern === 'overwritten') return [finding.act]
  if (finding.pattern === 'wrong-holder-release') return [finding.missed]
  if (finding.pattern === 'check-then-act' && finding.how === 'use') return [finding.looked, finding.act]
  if (!('looked' in finding)) return []
  // Which of the two that both look comes first is by chance.
  return finding.rival ? [finding.looked, finding.rival] : [finding.looked]
}

/** What the time is comes with whatever is done when. */
const isOfClock = (finding: Finding): boolean => subjectOf(finding).key.kind === 'clock'

/** Nothing is there, or a flag says that something is not. */
const isUnmade = (value: InputValue): boolean => isNothing(value) || (value.type === 'boolean' && isAbsent(value))

type StaleAct = Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }>

/** Somebody writes by a stale answer. */
const isStaleAct = (finding: Finding): finding is StaleAct => finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how !== 'use')

/**
 * Where the test passes once the two writes have come the other way round, the other one's answer is as stale, if it has looked as well: then it is not
 * the look that matters, but who writes last. What was not there at all both make, whoever is last, if they make the same.
 */
function isStaleThereToo(finding: Finding, experiment: Experiment): boolean {
  if (!isStaleAct(finding) || !replaces(finding.act) || finding.act.kind === 'increase') return false
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || cause.second !== finding.act) return false
  const { looked, act } = finding
  if (isDecidedBy(looked, act, experiment)) return false
  if (act.location === looked.location && isUnmade(looked.value) && isMadeAlike(act, cause.first)) return false
  const own = order.counterpart(looked)
  // Who looks for a call that it makes may do so for another one as well.
  const isOther = (access: Access): boolean => (looked.process === act.process ? access.process !== looked.process : access !== own)
  const isLikeIt = (access: Access): boolean => access.kind === 'read' && isOther(access) && isSamePlace(access, looked)
  const change = order.stepLike(cause.first.step) ?? 0
  const theirs = order.accesses.findLast((access) => isLikeIt(access) && access.step < change)
  const mine = order.counterpart(act)
  return theirs !== undefined && mine !== undefined && theirs.index < mine.index
}
