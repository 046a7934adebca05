import { changes, conflict, type Access } from './accesses.ts'
import type { Pair } from './experiment.ts'
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

/** Accesses of one process, and of another one right after them, that conflict at one location. */
export function neighboursIn(locations: Iterable<readonly Access[]>): Pair[] {
  return [...locations].flatMap((accesses) => {
    const runs = runsOf(accesses)
    return runs.slice(1).flatMap((run, i) => pairOf(runs[i], run) ?? [])
  })
}

/** Accesses in a row that are of one process. */
function runsOf(accesses: readonly Access[]): Access[][] {
  const runs: Access[][] = []
  for (const access of accesses) {
    const run = runs.at(-1)
    if (run?.[0]!.process === access.process) run.push(access)
    else runs.push([access])
  }
  return runs
}

/** The last word of the one step and the first of the other; or, where two changes come to the same in either order, as with a counter, a look at it. */
function pairOf(before: readonly Access[] | undefined, after: readonly Access[] | undefined): Pair | undefined {
  if (!before || !after) return undefined
  // Of an update, which reads and writes in one step, it is the write.
  const [change, other] = [before.findLast(changes), after.find(changes)]
  const pairs = [[change ?? before.at(-1), other ?? after[0]], [before.findLast(isLook), other], [change, after.find(isLook)]] as const
  for (const [first, second] of pairs) if (first && second && first.process !== second.process && conflict(first, second)) return { first, second }
  return undefined
}

const isLook = (access: Access): boolean => !changes(access)
