import type { FailureKind } from '../engine/outcome.ts'
import { changes, isOfControl, isOfRows, replaces, type Access } from './accesses.ts'
import { isOfAsserted } from './asserted.ts'
import { placeId, type Evidence } from './evidence.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { originPoints } from './origin.ts'
import { isAbsent, isFunction, isPromise, looksSame } from './values.ts'
import { isTooLate } from './words.ts'

/** The finding that explains the failure best comes first; of two that are equal the one that came to pass first. */
export function likeliest(findings: readonly Finding[], evidence: Evidence): Finding[] {
  return findings
    .map((finding) => ({ finding, points: weigh(finding, evidence) + originPoints(finding, evidence) + stepPoints(finding, evidence) }))
    .toSorted((one, other) => other.points - one.points || actOf(one.finding).index - actOf(other.finding).index)
    .map(({ finding }) => finding)
}

export function weigh(finding: Finding, evidence: Evidence): number {
  const subject = subjectOf(finding)
  const act = actOf(finding)
  const seen = seenPoints(subject, evidence)
  const other = act.location === subject.location ? 0 : seenPoints(act, evidence) / 2
  return patternPoints(finding, evidence) + seen + other + assertedPoints(finding, evidence) + (isSameFunction(subject, finding, evidence) ? 5 : 0)
}

/** Of what is as likely that tells most which is between two steps that have both changed what the failing line looks at. */
const stepPoints = (finding: Finding, { changedAtThrow }: Evidence): number => ([subjectOf(finding), actOf(finding), otherOf(finding)].every(({ step }) => changedAtThrow.has(step)) ? 4 : 0)

/** What the failing assertion shows says more than any pattern, the more so if both values are there. */
function assertedPoints(finding: Finding, { asserted }: Evidence): number {
  if (!isOfAsserted(finding, asserted)) return 0
  return asserted.missed.length > 0 ? 60 : 30
}

/** The rarer a pattern is in code that works, the more it says. */
function patternPoints(finding: Finding, evidence: Evidence): number {
  switch (finding.pattern) {
    case 'lost-update':
      return 100 - unchangedPenalty(finding)
    case 'check-then-act':
      return actPoints(finding, evidence) - unchangedPenalty(finding)
    case 'overwritten':
      // Different functions may leave each other messages there, but nobody takes away what is another one's.
      return (isSameFunction(finding.looked, finding, evidence) ? 75 : finding.held ? 65 : 35) - unchangedPenalty(finding)
    case 'order-violation':
      if (finding.held) return 60
      return isOfControl(finding.first) ? controlPoints(finding, evidence.failure) : orderPoints(finding, evidence)
    case 'wrong-holder-release':
      return 110
    default:
      return finding satisfies never
  }
}

function actPoints({ how, looked, act }: Extract<Finding, { pattern: 'check-then-act' }>, { givingUp }: Evidence): number {
  switch (how) {
    case 'write':
      // What is put to others overwrites none of them.
      return act.kind === 'append' || act.kind === 'insert' ? 78 : 95
    case 'update':
      return 80
    case 'use':
      // What a database answers is not waited for by asking again.
      if (isOfRows(looked)) return 85
      // Who looks again finds that somebody else has been there, and gives up.
      if (givingUp.has(act.step)) return 85
      // What is under way is over at some time.
      if (isPromise(looked.value)) return 30
      // What waits for a value to come looks again and again.
      return isAbsent(act.value) && !isAbsent(looked.value) ? 80 : 30
    case 'elsewhere':
      return isAbsent(looked.value) ? 60 : 45
    default:
      return how satisfies never
  }
}

/** Objects that look the same may be the same. */
function unchangedPenalty({ looked, changed }: Extract<Finding, { pattern: 'lost-update' | 'check-then-act' | 'overwritten' }>): number {
  return looksSame(changed.at(-1)!.value, looked.value) ? 20 : 0
}

function orderPoints(finding: Extract<Finding, { pattern: 'order-violation' }>, evidence: Evidence): number {
  const { first, second } = finding
  // Nobody acts by what comes of that.
  if (isAccount(first, evidence)) return 5
  // Who waits to be woken has left something by which it can be found, too late.
  if (evidence.failure === 'deadlock' && isLeftTooLate(finding)) return 55
  if (changes(first) && changes(second)) return overwritePoints(finding, evidence)
  if (changes(first)) return isAbsent(second.value) ? 45 : 35
  return looksSame(first.value, second.value) ? 15 : isAbsent(first.value) ? 50 : 40
}

/** Code that is not instrumented looks over an object, or an emitter of the platform at how many it has to tell. */
function isAccount({ key, place }: Access, { opaqueAt }: Evidence): boolean {
  if (!place || !opaqueAt.has(placeId(place))) return false
  return (key.kind === 'order' && key.size === undefined) || (key.kind === 'property' && (key.name === '_events' || key.name === '_eventsCount'))
}

/** An entry in a list; or a callback, in place of none or of another one, which was called. */
function isLeftTooLate({ first, second }: Extract<Finding, { pattern: 'order-violation' }>): boolean {
  if (second.kind === 'append' || second.kind === 'insert') return changes(first) || isAbsent(first.value)
  return first.kind === 'read' && (isAbsent(first.value) || isFunction(first.value)) && replaces(second) && isFunction(second.value)
}

function overwritePoints(finding: Extract<Finding, { pattern: 'order-violation' }>, evidence: Evidence): number {
  const { first, second } = finding
  if (looksSame(first.value, second.value)) return 10
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
function seenPoints({ location }: Access, { atThrow, atEnd, guards }: Evidence): number {
  const before = guards.get(location)
  if (before !== undefined) return before === 0 ? 60 : 50
  if (atThrow.has(location)) return 30
  return atEnd.has(location) ? 15 : 0
}

/** Two calls of one function race more often by mistake than two different ones. */
export function isSameFunction(subject: Access, finding: Finding, { names }: Evidence): boolean {
  const other = otherOf(finding)
  return familyOf(names[subject.process]) === familyOf(names[other.process])
}

/** `withdraw` of `withdraw#2` */
export const familyOf = (name: string | undefined): string | undefined => name?.replace(/#\d+$/, '')
