import { isOfCallLists, isOfKeptValue, isKeptOutside } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import { actOf, otherOf, subjectOf, type Finding } from './finding.ts'
import { isOfPackage } from './places.ts'

/** What the test itself counts and collects shows a bug of the code under test, and is none. What a package keeps for a component in the same file is no count of the test. */
export function isOfTest(finding: Finding, { isTestCode, lookedAt }: Evidence): boolean {
  const subject = subjectOf(finding)
  const { place, location } = subject
  return !isOfKeptValue(subject) && isTestCode(place) && !lookedAt.has(location)
}

/** What a server or a file keeps is the user's, whoever asks for it. */
export const isOfPackages = (finding: Finding): boolean => !isKeptOutside(subjectOf(finding)) && [subjectOf(finding), actOf(finding)].some(({ place }) => place !== undefined && isOfPackage(place))

/** No access of it is of the user's own code. */
export const isWithinPackages = (finding: Finding): boolean => !isKeptOutside(subjectOf(finding)) && [subjectOf(finding), actOf(finding), otherOf(finding)].every(({ place }) => place !== undefined && isOfPackage(place))

/** Packages keep accounts of their own that come in another order with everything else. What a server or a file keeps is the user's, whoever asks for it. */
const isOfUser = (finding: Finding, { isTestCode }: Evidence): boolean =>
  isKeptOutside(subjectOf(finding)) || [subjectOf(finding), actOf(finding)].every(({ place }) => place !== undefined && !isTestCode(place) && !isOfPackage(place))

/** Of whose code it is tells what to look at first, and not whether it explains the failure. */
export function originPoints(finding: Finding, evidence: Evidence): number {
  if (isOfTest(finding, evidence) || isOfMocks(finding)) return -60
  // A package that the user's code calls has done by those that it uses itself what it should not.
  if (isWithinPackages(finding) && [subjectOf(finding), actOf(finding)].every(({ place }) => evidence.isOfInner(place))) return -20
  return isOfUser(finding, evidence) ? 25 : 0
}

/** It is about what mocks write down. */
export const isOfMocks = (finding: Finding): boolean => isOfCallLists(subjectOf(finding))
