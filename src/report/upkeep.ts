import { isOfKeptValue } from './accesses.ts'
import { actOf, subjectOf, type Finding } from './finding.ts'
import { isOfPackages } from './origin.ts'
import { isInside } from './words.ts'

/** How a package keeps a value for the user's code, and what it shows of it on a page, follows from who gives it which one: where that is found, the rest is not told. */
export function withoutUpkeep(findings: readonly Finding[]): Finding[] {
  if (!findings.some((finding) => isOfKeptValue(subjectOf(finding)))) return [...findings]
  return findings.filter((finding) => !isOfPackages(finding) && [subjectOf(finding), actOf(finding)].every((access) => !access.isOfOpaque && !isInside(access)))
}
