import { isOfServers } from './accesses.ts'
import { causeIn, type Experiment } from './experiment.ts'
import { subjectOf, type Finding } from './finding.ts'
import { isOfPackages } from './origin.ts'

/**
 * Where accounts of a package come in another order, what it asks a server does so too. That somebody writes there by an old look is what the user can mend, and is told in place of
 * the accounts, unless it comes to pass in the order in which the test passes as well.
 */
export function staleRowsOf(best: Finding, findings: readonly Finding[], experiment: Experiment | undefined): Finding[] {
  if (experiment === undefined || !isOfPackages(best)) return []
  const passing = causeIn(best, experiment)?.reversal.order
  if (!passing) return []
  return findings.filter((finding) => isWriteByOldLook(finding) && isOfServers(subjectOf(finding)) && !passing.hasInOrder(finding.looked, ...finding.changed, finding.act))
}

const isWriteByOldLook = (finding: Finding): finding is Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }> =>
  finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how === 'write')
