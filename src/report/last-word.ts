import type { Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { isOverwrite } from './kinds.ts'
import { isGiven } from './words.ts'

/** Whoever writes over what another one has put there, several times in one step, leaves there what it has put last: that is what comes of it. */
export function withLastWord(finding: Finding, accesses: readonly Access[]): Finding {
  if (finding.pattern !== 'order-violation' || !isOverwrite(finding)) return finding
  const { second: { step, process, location } } = finding
  const last = accesses.findLast((access) => access.step === step && access.process === process && access.location === location && isGiven(access))
  return last && isOverwrite({ ...finding, second: last }) ? { ...finding, second: last } : finding
}
