import type { Access } from './accesses.ts'
import { isOfAsserted } from './asserted.ts'
import { decidesItself } from './decided.ts'
import { placeId, type Evidence } from './evidence.ts'
import type { Experiment } from './experiment.ts'
import { subjectOf, type Finding } from './finding.ts'
import type { Findings } from './findings.ts'
import { isSameFunction } from './likelihood.ts'
import { isMadeOfLook } from './made-of-look.ts'
import { isOfPackages } from './origin.ts'
import { isOfPackage } from './places.ts'
import { isLoss } from './stale-acts.ts'
import { isNothing } from './values.ts'

/** Queues, caches and stores have accounts that come in another order with everything else, and whoever uses them finds what others have left there. */
export function isUsualInPackages(finding: Finding, { asserted }: Evidence): boolean {
  if (!isOfPackages(finding) || isLoss(finding) || isOfAsserted(finding, asserted)) return false
  return finding.pattern === 'order-violation' || (finding.pattern === 'check-then-act' && (finding.how === 'use' || finding.how === 'elsewhere'))
}

/**
 * Of what is told as a guess: in packages only what is lost, or looked at too early, for another call of the same function; what is given away by another, acted on by an old
 * look, or made twice.
 */
export function isHarmless(finding: Finding, evidence: Evidence): boolean {
  if (!isOfPackages(finding) || finding.pattern === 'lost-update' || finding.pattern === 'wrong-holder-release') return false
  const isOfOneFunction = isSameFunction(subjectOf(finding), finding, evidence)
  if (finding.pattern === 'overwritten' && isOfOneFunction && isPutByUser(finding)) return false
  if (finding.pattern === 'check-then-act') return finding.how !== 'write' && !isNothing(finding.looked.value) && !(isOfOneFunction && (finding.how !== 'update' || isMadeAnew(finding)))
  return !isLoss(finding) || !isOfOneFunction
}

/** It is no count: by the old look another object is put in the place of the one that was found. */
const isMadeAnew = ({ looked: { value }, act }: Extract<Finding, { pattern: 'check-then-act' }>): boolean => value.type === 'object' && act.value.type === 'object' && act.value.identity !== value.identity

/** It is user's own code that puts the one and the other value there, of which a package makes use. */
const isPutByUser = ({ looked, changed }: Extract<Finding, { pattern: 'overwritten' }>): boolean => [looked, ...changed].every(({ place }) => place !== undefined && !isOfPackage(place))

/** What is taken out of a list, or put into it, moves all that comes behind: no value is written over another one. */
export function isMovedInList(finding: Finding, locations: Findings['telling']): boolean {
  if (finding.pattern !== 'order-violation') return false
  const isMoved = (access: Access): boolean => access.key.kind === 'element' && [...locations.values()].some((all) => all[0]!.object === access.object && all.some((one) => one.step === access.step && one.process === access.process && one.key.kind === 'order' && one.kind === 'write' && one.place !== undefined && access.place !== undefined && placeId(one.place) === placeId(access.place)))
  return isMoved(finding.first) && isMoved(finding.second)
}

/** A package looks at a number, and counts on later: most of their counts are right whatever comes in between. */
export const isCountOfPackage = (finding: Finding): boolean => isOfPackages(finding) && finding.pattern === 'check-then-act' && finding.how === 'update'

/** Of packages what is rare in code that works, and of what is usual there what is known to decide. */
export const mayDecide = (finding: Finding, evidence: Evidence, experiment: Experiment | undefined): boolean => isDecided(finding, experiment) || isMadeOfLook(finding, experiment) || !isHarmless(finding, evidence)

/** Where it finds something else, because calls do not overlap, what comes of it is not done. */
const isDecided = (finding: Finding, experiment: Experiment | undefined): boolean => (finding.pattern === 'lost-update' || finding.pattern === 'check-then-act') && decidesItself(finding.looked, finding.act, experiment)
