import { changes, conflict, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { ExecutionOrder } from '../engine/index.ts'

/** Pairs of conflicting accesses that nothing orders: those that came next to one another. */
export function unorderedFindings(locations: ReadonlyMap<number, readonly Access[]>, order: ExecutionOrder): Finding[] {
  const findings: Finding[] = []
  for (const accesses of locations.values()) {
    const steps = grouped(accesses, ({ step }) => step)
    for (const { first: before, second: after } of order.races) {
      const pair = pairOf(steps.get(before), steps.get(after))
      if (pair) findings.push({ pattern: 'order-violation', ...pair })
    }
  }
  return findings
}

/** The last word of the one step and the first of the other. */
function pairOf(before: readonly Access[] | undefined, after: readonly Access[] | undefined): { first: Access; second: Access } | undefined {
  if (!before || !after) return undefined
  const first = before.findLast(changes) ?? before.at(-1)!
  const second = changes(first) ? after[0]! : after.find(changes)
  if (!second || second.process === first.process || !conflict(first, second)) return undefined
  return { first, second }
}
