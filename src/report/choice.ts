import type { FailureKind } from '../engine/outcome.ts'
import { changes, isOfControl, isOfRows, isOfServers, isSamePlace, replaces, type Access } from './accesses.ts'
import { causeIn, type Experiment, type TriedOrders } from './experiment.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { ExplainInput, InputValue } from './input.ts'
import { isMadeAlike, isOverwrite } from './kinds.ts'
import { isOfPackage } from './places.ts'
import { isAbsent, isNothing, looksSame } from './values.ts'
import { isTooLate } from './words.ts'

/** What tells which of several findings a failure comes from. */
export interface Evidence {
  /** Names of the processes, by ordinal. */
  readonly names: readonly string[]
  readonly failure: FailureKind
  /** The file of the test. */
  readonly testFile: string | undefined
  /** Locations at which somebody besides the body of the test looks, and not only to count: what stands in for a server has such, what the test collects has not. */
  readonly lookedAt: ReadonlySet<number>
  /** Locations that the line which threw looks at. */
  readonly atThrow: ReadonlySet<number>
  /** Locations that the last step reads. */
  readonly atEnd: ReadonlySet<number>
}

export function evidenceOf({ failure: { kind, error }, recording: { names }, testFile }: Pick<ExplainInput, 'failure' | 'recording' | 'testFile'>, accesses: readonly Access[]): Evidence {
  const thrown = throwingLine(error, accesses)
  const isThrown = ({ place }: Access): boolean => thrown !== undefined && place?.file === thrown.file && place.line === thrown.line
  const end = accesses.at(-1)?.step
  return {
    names,
    failure: kind,
    testFile,
    lookedAt: lookedAtIn(accesses.filter(({ process, place }) => process !== 0 && place?.file === testFile)),
    atThrow: new Set(accesses.filter(isThrown).map(({ location }) => location)),
    atEnd: new Set(accesses.filter((access) => access.step === end && access.kind === 'read').map(({ location }) => location)),
  }
}

/** Where a step looks that does not change what is there. */
function lookedAtIn(accesses: readonly Access[]): Set<number> {
  const deeds = grouped(accesses, ({ step, process, location }) => `${step} ${process} ${location}`)
  return new Set([...deeds.values()].filter((own) => !own.some(changes)).map(([access]) => access!.location))
}

/** Locations that the failing line looks at, or the last step. */
export const seenAtFailure = ({ atThrow, atEnd }: Evidence): ReadonlySet<number> => new Set([...atThrow, ...atEnd])

/** Below this a race is not said to explain a failure: it may be there and harm nobody. */
const least = 25

/**
 * The finding that explains the failure best: one without which the test passes, if that was tried. If the test fails in every
 * order, that its calls overlap may be the reason, or nothing of the kind.
 */
export function choose(findings: readonly Finding[], evidence: Evidence, experiment?: Experiment): Finding | undefined {
  const { sequentially } = experiment?.failing ?? {}
  if (sequentially === 'fails') return undefined
  for (const known of [...causesAmong(findings, evidence, experiment), ...overlapsAmong(findings, evidence, experiment?.failing)]) if (known.length > 0) return firstOf(likeliest(known, evidence))
  const mayBe = (finding: Finding): boolean => (sequentially === 'unknown' ? isStaleWrite(finding) : finding.pattern !== 'overwritten' || !isAbsent(finding.looked.value))
  // Where other orders were tried, and none has shown that it comes from this.
  const [best] = likeliest(findings.filter((finding) => mayBe(finding) && !(experiment && isHarmless(finding, evidence))), evidence)
  return best && weigh(best, evidence) >= least ? best : undefined
}

/** What two do to one another once one of them has acted by an old look, as both now hold what is for one, follows from that. */
function firstOf([best, ...others]: readonly Finding[]): Finding | undefined {
  if (best === undefined) return undefined
  if (best.pattern !== 'wrong-holder-release' && best.pattern !== 'overwritten') return best
  const both = [subjectOf(best).process, actOf(best).process].toSorted().join(' ')
  const isBefore = (check: Finding): boolean =>
    (check.pattern === 'lost-update' || (check.pattern === 'check-then-act' && check.how === 'write')) &&
    check.act.index < subjectOf(best).index && [check.act.process, check.changed[0].process].toSorted().join(' ') === both
  return others.find(isBefore) ?? best
}

/** Where every order fails, only that calls overlap may be the reason: one writes there by what it found before the other one did. */
const isStaleWrite = (finding: Finding): boolean => finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && (finding.how === 'write' || finding.how === 'update'))

/**
 * Findings without which the test passes: those in the code under test, but of packages only what is rare in code that works; what is lost of the test itself; counts of packages, the rest
 * of the code under test, then what the test itself counts, what comes to the same in either order, and last what mocks write down.
 */
function causesAmong(findings: readonly Finding[], evidence: Evidence, experiment: Experiment | undefined): Finding[][] {
  const causes = experiment ? findings.filter((finding) => causeIn(finding, experiment)) : []
  const telling = causes.filter((finding) => !isOfCallLists(finding) && !isOfClock(finding) && !isStaleThereToo(finding, experiment!))
  const unequal = telling.filter((finding) => !comesToTheSame(finding, experiment!))
  const inCode = (some: readonly Finding[]): Finding[] => some.filter((finding) => !isOfTest(finding, evidence))
  const [rare, lost] = [inCode(unequal).filter((finding) => !isUsualInPackages(finding)), unequal.filter((finding) => isOfTest(finding, evidence) && isLoss(finding))]
  const rarest = rare.filter((finding) => !isCountOfPackage(finding))
  return [rarest, lost, rare, inCode(unequal), unequal, inCode(telling), telling, causes]
}

/** Who looks finds the same in either order; or whoever comes first writes what the first one writes, as with a count or a version: nothing there tells the two orders apart. */
function comesToTheSame(finding: Finding, experiment: Experiment): boolean {
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || isOfControl(cause.first)) return false
  const pair = [cause.first, cause.second] as const
  const isAt = (access: Access, other: Access): boolean => looksSame(access.value, order.counterpart(other)?.value ?? nothing)
  const looks = pair.filter((access) => !changes(access))
  if (looks.length > 0) return looks.every((look) => isAt(look, look))
  return pair.every(replaces) && isAt(pair[0], pair[1]) && isAt(pair[1], pair[0])
}

/** Queues, caches and stores have accounts that come in another order with everything else, and whoever uses them finds what others have left there. */
function isUsualInPackages(finding: Finding): boolean {
  if (!isOfPackages(finding) || isLoss(finding)) return false
  return finding.pattern === 'order-violation' || (finding.pattern === 'check-then-act' && (finding.how === 'use' || finding.how === 'elsewhere'))
}

/**
 * Of what is told as a guess: in packages only what is lost, or looked at too early, for another call of the same function; what is given away by another, acted on by an old
 * look, or made twice.
 */
function isHarmless(finding: Finding, evidence: Evidence): boolean {
  if (!isOfPackages(finding) || finding.pattern === 'lost-update' || finding.pattern === 'wrong-holder-release') return false
  const isOfOneFunction = isSameFunction(subjectOf(finding), finding, evidence)
  if (finding.pattern === 'check-then-act') return finding.how !== 'write' && !isNothing(finding.looked.value) && !(isOfOneFunction && finding.how !== 'update')
  return !isLoss(finding) || !isOfOneFunction
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
function overlapsAmong(findings: readonly Finding[], evidence: Evidence, failing: TriedOrders | undefined): Finding[][] {
  if (failing?.sequentially !== 'passes') return []
  const telling = findings.filter((finding) => !isHarmless(finding, evidence))
  const overlaps = telling.filter(({ pattern }) => pattern !== 'order-violation')
  const turned = telling.filter((finding) => 'isOverlap' in finding && finding.isOverlap)
  const { sequence } = failing
  const findsOther = (look: Access): boolean => {
    const other = sequence?.counterpart(look)
    return other !== undefined && !looksSame(look.value, other.value)
  }
  const different = sequence ? overlaps.filter((finding) => looksOf(finding).some((look) => isOfServers(look) || findsOther(look))) : overlaps
  return [different.filter((finding) => !isOfPackages(finding) && isLoss(finding)), different, overlaps, turned]
}

/** What a process looked at that another one has changed. */
function looksOf(finding: Finding): Access[] {
  if (finding.pattern === 'overwritten') return [finding.act]
  return 'looked' in finding ? [finding.looked] : []
}

/** The finding that explains the failure best comes first; of two that are equal the one that came to pass first. */
export function likeliest(findings: readonly Finding[], evidence: Evidence): Finding[] {
  return findings
    .map((finding) => ({ finding, points: weigh(finding, evidence) + originPoints(finding, evidence) }))
    .toSorted((one, other) => other.points - one.points || actOf(one.finding).index - actOf(other.finding).index)
    .map(({ finding }) => finding)
}

function weigh(finding: Finding, evidence: Evidence): number {
  const subject = subjectOf(finding)
  const act = actOf(finding)
  const seen = seenPoints(subject, evidence)
  const other = act.location === subject.location ? 0 : seenPoints(act, evidence) / 2
  return patternPoints(finding, evidence) + seen + other + (isSameFunction(subject, finding, evidence) ? 5 : 0)
}

/** What the test itself counts and collects shows a bug of the code under test, and is none. */
function isOfTest(finding: Finding, { testFile, lookedAt }: Evidence): boolean {
  const { place, location } = subjectOf(finding)
  return testFile !== undefined && place?.file === testFile && !lookedAt.has(location)
}

/** What a server keeps is the user's, whoever asks for it. */
const isOfPackages = (finding: Finding): boolean => !isOfServers(subjectOf(finding)) && [subjectOf(finding), actOf(finding)].some(({ place }) => place !== undefined && isOfPackage(place))

/** Packages keep accounts of their own that come in another order with everything else. What a server keeps is the user's, whoever asks for it. */
const isOfUser = (finding: Finding, { testFile }: Evidence): boolean =>
  isOfServers(subjectOf(finding)) || [subjectOf(finding), actOf(finding)].every(({ place }) => place !== undefined && place.file !== testFile && !isOfPackage(place))

/** Of whose code it is tells what to look at first, and not whether it explains the failure. */
function originPoints(finding: Finding, evidence: Evidence): number {
  if (isOfTest(finding, evidence) || isOfCallLists(finding)) return -60
  return isOfUser(finding, evidence) ? 25 : 0
}

/** Mocks write down who has called them: that comes in another order with everything else. */
const isOfCallLists = (finding: Finding): boolean => {
  const { key } = subjectOf(finding)
  return key.kind === 'property' && key.name === 'mock'
}

/** What the time is comes with whatever is done when. */
const isOfClock = (finding: Finding): boolean => subjectOf(finding).key.kind === 'clock'

/** Nothing is there, or a flag says that something is not. */
const isUnmade = (value: InputValue): boolean => isNothing(value) || (value.type === 'boolean' && isAbsent(value))

/**
 * Where the test passes once the two writes have come the other way round, the other one's answer is as stale, if it has looked as well: then it is not
 * the look that matters, but who writes last. What was not there at all both make, whoever is last, if they make the same.
 */
function isStaleThereToo(finding: Finding, experiment: Experiment): boolean {
  if (finding.pattern !== 'check-then-act' || finding.how === 'use' || !replaces(finding.act) || finding.act.kind === 'increase') return false
  const cause = causeIn(finding, experiment)
  const order = cause?.reversal.order
  if (!order || cause.second !== finding.act) return false
  const { how, looked, act } = finding
  if (how !== 'elsewhere' && isUnmade(looked.value) && isMadeAlike(act, cause.first)) return false
  const own = order.counterpart(looked)
  // Who looks for a call that it makes may do so for another one as well.
  const isOther = (access: Access): boolean => (looked.process === act.process ? access.process !== looked.process : access !== own)
  const isLikeIt = (access: Access): boolean => access.kind === 'read' && isOther(access) && isSamePlace(access, looked)
  const change = order.stepLike(cause.first.step) ?? 0
  const theirs = order.accesses.findLast((access) => isLikeIt(access) && access.step < change)
  const mine = order.counterpart(act)
  return theirs !== undefined && mine !== undefined && theirs.index < mine.index
}

/** The rarer a pattern is in code that works, the more it says. */
function patternPoints(finding: Finding, evidence: Evidence): number {
  switch (finding.pattern) {
    case 'lost-update':
      return 100 - unchangedPenalty(finding)
    case 'check-then-act':
      return actPoints(finding) - unchangedPenalty(finding)
    case 'overwritten':
      // Different functions may leave each other messages there.
      return isSameFunction(finding.looked, finding, evidence) ? 75 : 35
    case 'order-violation':
      return isOfControl(finding.first) ? controlPoints(finding, evidence.failure) : orderPoints(finding, evidence)
    case 'wrong-holder-release':
      return 110
    default:
      return finding satisfies never
  }
}

function actPoints({ how, looked, act }: Extract<Finding, { pattern: 'check-then-act' }>): number {
  switch (how) {
    case 'write':
      return 95
    case 'update':
      return 80
    case 'use':
      // What a database answers is not waited for by asking again.
      if (isOfRows(looked)) return 85
      // What waits for a value to come looks again and again.
      return isAbsent(act.value) && !isAbsent(looked.value) ? 80 : 30
    case 'elsewhere':
      return isAbsent(looked.value) ? 60 : 45
    default:
      return how satisfies never
  }
}

/** Objects that look the same may be the same. */
function unchangedPenalty({ looked, changed }: Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }>): number {
  return looksSame(changed.at(-1)!.value, looked.value) ? 20 : 0
}

function orderPoints(finding: Extract<Finding, { pattern: 'order-violation' }>, evidence: Evidence): number {
  const { first, second } = finding
  // Who waits to be woken has left something by which it can be found, too late.
  if (evidence.failure === 'deadlock' && (changes(first) || isAbsent(first.value)) && (second.kind === 'append' || second.kind === 'insert')) return 55
  if (changes(first) && changes(second)) return overwritePoints(finding, evidence)
  if (changes(first)) return isAbsent(second.value) ? 45 : 35
  return looksSame(first.value, second.value) ? 15 : isAbsent(first.value) ? 50 : 40
}

function overwritePoints(finding: Extract<Finding, { pattern: 'order-violation' }>, evidence: Evidence): number {
  const { first, second } = finding
  if (looksSame(first.value, second.value)) return 10
  // What the one has put there is gone with what the other one takes away.
  if ([first, second].every(replaces) && isAbsent(second.value) && !isAbsent(first.value)) return 50
  // An older answer over a newer one.
  return isSameFunction(first, finding, evidence) ? 40 : 30
}

/** A promise that is settled twice, or rejected before somebody handles it, and a timer that is cleared. */
function controlPoints({ first, second }: Extract<Finding, { pattern: 'order-violation' }>, failure: FailureKind): number {
  if (first.key.kind === 'handled') return failure === 'unhandled-rejection' ? 70 : 0
  if (first.key.kind === 'fired') return 35
  return isTooLate(second) ? 38 : 25
}

/** A location that the failing line looks at, or the last step, has to do with the failure. */
function seenPoints({ location }: Access, { atThrow, atEnd }: Evidence): number {
  if (atThrow.has(location)) return 30
  return atEnd.has(location) ? 15 : 0
}

/** Two calls of one function race more often by mistake than two different ones. */
function isSameFunction(subject: Access, finding: Finding, { names }: Evidence): boolean {
  const other = otherOf(finding)
  const family = (process: number): string | undefined => names[process]?.replace(/#\d+$/, '')
  return family(subject.process) === family(other.process)
}

/** Where an error was thrown: the first line of its stack that lies in a recorded file. */
function throwingLine(error: unknown, accesses: readonly Access[]): { file: string; line: number } | undefined {
  const stack: unknown = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  if (typeof stack !== 'string') return undefined
  const files = [...new Set(accesses.flatMap(({ place }) => (place ? [place.file] : [])))]
  for (const line of stack.split('\n')) {
    for (const file of files) {
      const start = line.indexOf(`${file}:`)
      const number = start < 0 ? NaN : Number.parseInt(line.slice(start + file.length + 1), 10)
      if (number > 0) return { file, line: number }
    }
  }
  return undefined
}
