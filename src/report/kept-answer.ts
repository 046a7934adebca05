import { changes, type Access } from './accesses.ts'
import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import { isOfMocks } from './origin.ts'

/**
 * What stands in for a server has answered somebody before it changed, and he keeps the answer after whoever changed it has looked there, or has taken away what was kept:
 * it is there that the code under test has a part in it. Each of the two may be known to matter, as the test passes without either.
 *
 * @param causes findings without which the test passes, the likeliest one first
 */
export function keptAnswerOf(finding: Finding, causes: readonly Finding[], { testFile, order }: Evidence): Finding | undefined {
  const answer = answerIn(finding)
  if (!answer || testFile === undefined || answer.look.place?.file !== testFile) return undefined
  const { look, change } = answer
  return causes.find((cause) => {
    if (cause.pattern !== 'order-violation' || isOfMocks(cause)) return false
    const { first, second } = cause
    if (!changes(second) || first.place?.file === testFile || second.place?.file === testFile) return false
    return first.process === change.process && second.step > look.step && order.isEnforced(look.step, second.step)
  })
}

/** Somebody looks there, and somebody else changes it then. */
function answerIn(finding: Finding): { readonly look: Access; readonly change: Access } | undefined {
  if (finding.pattern === 'check-then-act' && finding.how === 'elsewhere') return { look: finding.looked, change: finding.changed[0] }
  return finding.pattern === 'order-violation' && finding.first.kind === 'read' ? { look: finding.first, change: finding.second } : undefined
}
