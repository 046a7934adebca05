import { changes, conflict, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { ExecutionOrder, OrderedRace } from '../engine/index.ts'

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

/** What two steps, whose order is known to matter, do at one location, one of them changing it: even two changes that commute for whoever looks at each key alone. */
export function pairsIn(locations: ReadonlyMap<number, readonly Access[]>, race: OrderedRace): Finding[] {
  return [...locations.values()].flatMap((accesses): Finding[] => {
    const first = accesses.findLast((access) => access.step === race.first && changes(access)) ?? accesses.findLast(({ step }) => step === race.first)
    const second = accesses.find((access) => access.step === race.second && (changes(access) || (first !== undefined && changes(first))))
    return first && second && first.process !== second.process ? [{ pattern: 'order-violation', first, second }] : []
  })
}

/** The last word of the one step and the first of the other. */
function pairOf(before: readonly Access[] | undefined, after: readonly Access[] | undefined): { first: Access; second: Access } | undefined {
  if (!before || !after) return undefined
  const first = before.findLast(changes) ?? before.at(-1)!
  // Of an update, which reads and writes in one step, it is the write.
  const second = after.find(changes) ?? (changes(first) ? after[0]! : undefined)
  if (!second || second.process === first.process || !conflict(first, second)) return undefined
  return { first, second }
}
