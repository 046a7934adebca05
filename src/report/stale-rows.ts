import { isKeptOutside } from './accesses.ts'
import { seenAtFailure, type Evidence } from './evidence.ts'
import { passingOrderOf, type Experiment } from './experiment.ts'
import { subjectOf, type Finding } from './finding.ts'
import { isOfPackages } from './origin.ts'

/**
 * Where accounts of a package come in another order, what it asks a server does so too, and what it calls of the user's. That somebody writes there by an old look is what the user
 * can mend, and is told in place of the accounts, unless it comes to pass in the order in which the test passes as well. Of the user's own variables it has to be what the test has found.
 */
export function staleRowsOf(best: Finding, findings: readonly Finding[], { experiment, evidence }: { readonly experiment: Experiment | undefined; readonly evidence: Evidence }): Finding[] {
  if (experiment === undefined || !isOfPackages(best)) return []
  const passing = passingOrderOf(best, experiment)
  if (!passing) return []
  const seen = seenAtFailure(evidence)
  const isOfUser = (finding: Finding): boolean => isKeptOutside(subjectOf(finding)) || (!isOfPackages(finding) && seen.has(subjectOf(finding).location))
  return findings.filter((finding) => isWriteByOldLook(finding) && isOfUser(finding) && !passing.hasInOrder(finding.looked, ...finding.changed, finding.act))
}

const isWriteByOldLook = (finding: Finding): finding is Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }> =>
  finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how === 'write')
