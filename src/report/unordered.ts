import { changes, conflict, replaces, type Access } from './accesses.ts'
import type { Pair } from './experiment.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { ExecutionOrder, OrderedRace } from '../engine/index.ts'
import { isAbsent, looksSame } from './values.ts'

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
export function pairsIn(locations: ReadonlyMap<number, readonly Access[]>, race: OrderedRace, { isOfOne = false }: { readonly isOfOne?: boolean } = {}): Finding[] {
  return [...locations.values()].flatMap((accesses): Finding[] => {
    const first = accesses.findLast((access) => access.step === race.first && changes(access)) ?? accesses.findLast(({ step }) => step === race.first)
    const second = accesses.find((access) => access.step === race.second && (changes(access) || (first !== undefined && changes(first))))
    return first && second && (first.process !== second.process) !== isOfOne ? [{ pattern: 'order-violation', first, second }] : []
  })
}

/** Accesses of one process, and of another one right after them, that conflict at one location: of each two neighbours the pairs, the most telling first. */
export const neighboursIn = (locations: Iterable<readonly Access[]>): Pair[][] => pairsOfRuns(locations, (_, i) => Math.max(i - 1, 0))

/** The same, where others may have looked there in between: who looks hides nobody from the one who changes it after that. */
export const neighboursPastLooks = (locations: Iterable<readonly Access[]>): Pair[][] =>
  pairsOfRuns(locations, (runs, i) => Math.max(runs.slice(0, i).findLastIndex((before) => before.some(changes)), 0, i - mostBetween))

/** Of each run, and those before it from this one on. */
function pairsOfRuns(locations: Iterable<readonly Access[]>, first: (runs: readonly Access[][], i: number) => number): Pair[][] {
  return [...locations].flatMap((accesses) => {
    const runs = runsOf(accesses)
    return runs.flatMap((run, i) => runs.slice(first(runs, i), i).map((before) => pairsOfSteps(before, run)).filter((pairs) => pairs.length > 0))
  })
}

/** Of those who look in between. */
const mostBetween = 8

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
const pairOf = (before: readonly Access[] | undefined, after: readonly Access[] | undefined): Pair | undefined => (before && after ? pairsOfSteps(before, after)[0] : undefined)

function pairsOfSteps(before: readonly Access[], after: readonly Access[]): Pair[] {
  const [change, other] = [before.findLast((access) => isMade(access, before)), after.find((access) => isMade(access, after))]
  const [look, otherLook] = [before.findLast(isLook), after.find(isLook)]
  // Of an update, which reads and writes in one step, it is the write; but where nothing is left there is nothing to overwrite, and who comes second acts by that.
  // Who has put nothing there and finds that looks in vain for what comes second.
  const isInVain = change !== undefined && isAbsent(change.value) && look !== undefined && look.index > change.index && other !== undefined && !isAbsent(other.value)
  const isTakenAway = !isInVain && change !== undefined && isAbsent(change.value) && otherLook !== undefined && other !== undefined && otherLook.index < other.index
  // What decides what comes next may be looked at first, and then again for what is in it.
  const firstLook = before.find(isLook)
  const pairs = [...(isInVain ? [[look, other]] : isTakenAway ? [[change, otherLook]] : []), [change ?? look, other ?? otherLook], [look, other], [change, otherLook], [before.findLast(changes), after.find(changes)], [firstLook, other]] as const
  return pairs.flatMap(([first, second]) => (first && second && first.process !== second.process && conflict(first, second) ? [{ first, second }] : []))
}

const isLook = (access: Access): boolean => !changes(access)

/** A change that does not leave what its step has found there as it was. */
function isMade(access: Access, own: readonly Access[]): boolean {
  const found = own.findLast(({ index, process }) => index < access.index && process === access.process)
  return changes(access) && !(found && isLook(found) && replaces(access) && looksSame(found.value, access.value))
}
