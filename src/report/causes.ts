import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { isDecidedBy } from './decided.ts'
import { placeId, type Evidence } from './evidence.ts'
import { causeIn, type Experiment } from './experiment.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import type { InputValue } from './input.ts'
import { isMadeAlike } from './kinds.ts'
import { isMadeOfLook } from './made-of-look.ts'
import { isOfMocks, isOfPackages, isOfTest } from './origin.ts'
import { isReadTooEarly } from './read-too-early.ts'
import { isLoss, isStaleAct } from './stale-acts.ts'
import { isUnread } from './unread.ts'
import { withoutUpkeep } from './upkeep.ts'
import { isCountOfPackage, isMovedInList, isUsualInPackages } from './usual-in-packages.ts'
import { isAbsent, isNothing, isSame, looksSame } from './values.ts'

/**
 * Findings without which the test passes: those in the code under test, but of packages only what is rare in code that works; what is lost of the test itself; counts of packages, the rest
 * of the code under test, then what the test itself counts, what comes to the same in either order, and last what mocks write down.
 */
export function causesAmong({ findings, telling: locations }: Pick<Findings, 'findings' | 'telling'>, evidence: Evidence, experiment: Experiment | undefined): Finding[][] {
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
  const decisive = inCode(read).filter((finding) => !isIdleInPackage(finding, experiment!))
  return [rarest, lost, early, rare, decisive, unequal.filter((finding) => isOfTest(finding, evidence) && evidence.atThrow.has(actOf(finding).location)), inCode(read), read, unequal, inCode(telling), telling, causes]
}

/** A package has looked at its accounts on its way, and has gone on as it does anyhow. */
function isIdleInPackage(finding: Finding, experiment: Experiment): boolean {
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || finding.pattern !== 'order-violation' || !isOfPackages(finding) || isOfControl(finding.first)) return false
  const looks = [finding.first, finding.second].filter((access) => !changes(access))
  return looks.length > 0 && looks.every((look) => order.leadsToTheSame(look))
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
export function comesToTheSame(finding: Finding, experiment: Experiment, { atThrow, isTestCode, testFile }: Evidence): boolean {
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || isOfControl(cause.first)) return false
  const pair = [cause.first, cause.second] as const
  // The one writes over the other one's value what was there already.
  if (finding.pattern === 'order-violation' && pair.every(replaces) && isSame(cause.first.value, cause.second.value)) return true
  const isAt = (access: Access, other: Access): boolean => looksSame(access.value, order.counterpart(other)?.value ?? nothing)
  const looks = pair.filter((access) => !changes(access))
  // What the failing line finds decides that it fails.
  const decides = (look: Access): boolean => (atThrow.has(look.location) && order.differs(look) === true) || (testFile !== undefined && !isTestCode(look.place) && order.leadsElsewhere(look))
  if (looks.length > 0) return looks.every((look) => order.findsTheSame(look) && !decides(look))
  return pair.every(replaces) && isAt(pair[0], pair[1]) && isAt(pair[1], pair[0]) && order.areNeighbours(...pair)
}

/** Looks like no value. */
const nothing: InputValue = { type: 'undefined', text: '' }

/** What the time is comes with whatever is done when. */
const isOfClock = (finding: Finding): boolean => subjectOf(finding).key.kind === 'clock'

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

/** Nothing is there, or a flag says that something is not. */
export const isUnmade = (value: InputValue): boolean => isNothing(value) || (value.type === 'boolean' && isAbsent(value))
