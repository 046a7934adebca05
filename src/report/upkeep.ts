import { isOfKeptValue } from './accesses.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { isOfPackages } from './origin.ts'
import { packageOf } from './places.ts'
import { isInside } from './words.ts'

/**
 * How a package keeps a value for the user's code, and what it shows of it on a page, follows from who gives it which one: where that is found, the rest is not told. Where it is
 * the code of a package that is given such a value, what that does besides may tell as well.
 */
export function withoutUpkeep(findings: readonly Finding[]): Finding[] {
  const kept = findings.filter((finding) => isOfKeptValue(subjectOf(finding)))
  if (kept.length === 0) return [...findings]
  const isOfUser = kept.some((finding) => !isOfPackages(finding))
  const isUpkeep = (finding: Finding): boolean => isOfPackages(finding) && (isOfUser || kept.some((one) => comesOf(one, finding)))
  return findings.filter((finding) => !isUpkeep(finding) && [subjectOf(finding), actOf(finding)].every((access) => !access.isOfOpaque && !isInside(access)))
}

/** Another package does it in the same steps. */
function comesOf(kept: Finding, finding: Finding): boolean {
  const [given, done] = [subjectOf(kept), subjectOf(finding)]
  return given.step === done.step && actOf(kept).step === actOf(finding).step && (given.place && packageOf(given.place)) !== (done.place && packageOf(done.place))
}
