import type { Finding } from './finding.ts'
import { isOverwrite } from './kinds.ts'

export type StaleAct = Extract<Finding, { pattern: 'lost-update' | 'check-then-act' }>

/** Somebody writes by a stale answer. */
export const isStaleAct = (finding: Finding): finding is StaleAct => finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && finding.how !== 'use')

/** Where every order fails, only that calls overlap may be the reason: one writes there by what it found before the other one did. */
export const isStaleWrite = (finding: Finding): boolean => finding.pattern === 'lost-update' || (finding.pattern === 'check-then-act' && (finding.how === 'write' || finding.how === 'update'))

/** What somebody wrote is gone: overwritten by what was made of an older value, or of none. */
export function isLoss(finding: Finding): boolean {
  return finding.pattern === 'lost-update' || (finding.pattern === 'order-violation' && isOverwrite(finding))
}
