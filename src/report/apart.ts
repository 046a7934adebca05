import type { ExecutionOrder } from '../engine/index.ts'
import { changes, isOfControl, isSamePlace, type Access } from './accesses.ts'
import type { Pair } from './experiment.ts'
import type { Finding } from './finding.ts'
import type { OtherOrder } from './other-order.ts'
import { neighboursIn, neighboursPastLooks } from './unordered.ts'
import { isRemoval, isTooLate } from './words.ts'

/**
 * Conflicting accesses of which one follows the other, that are ordered by nothing but how other races came out: who writes last is
 * decided where two calls first meet.
 *
 * @param seen the locations where that may matter
 */
export function distantFindings(locations: ReadonlyMap<number, readonly Access[]>, seen: ReadonlySet<number>, order: ExecutionOrder): Finding[] {
  const looked = [...locations].flatMap(([location, accesses]) => (seen.has(location) && !isOfControl(accesses[0]!) ? [accesses] : []))
  return neighboursIn(looked)
    .map(([pair]) => pair!)
    .filter(({ first, second }) => !order.isRace(first.step, second.step) && !order.isEnforced(first.step, second.step))
    .map((pair) => ({ pattern: 'order-violation', ...pair }))
}

/** Who writes there in the end has looked there before, and has done by that what comes in between: had the other one come before that look, it would have found that. */
export function lookedBeforeFindings(unordered: readonly Finding[], locations: ReadonlyMap<number, readonly Access[]>, order: ExecutionOrder): Finding[] {
  return unordered.flatMap((finding): Finding[] => {
    if (finding.pattern !== 'order-violation' || !changes(finding.first) || !changes(finding.second) || isOfControl(finding.first)) return []
    const { first, second } = finding
    const accesses = locations.get(first.location)!
    const looked = accesses.findLast(({ index, process }) => index < first.index && process === first.process)
    if (looked?.kind !== 'read' || looked.step === first.step) return []
    // Where both have looked, what each has made of that is told.
    if (accesses.some(({ index, kind, process }) => kind === 'read' && process === second.process && index < first.index)) return []
    if (accesses.some((access) => access.index > looked.index && access.index < first.index && changes(access))) return []
    return order.isEnforced(looked.step, second.step) ? [] : [{ pattern: 'order-violation', first: looked, second }]
  })
}

/**
 * Conflicting accesses that come the other way round where one call begins after the other has ended; and promises that are settled too late, as none is there.
 *
 * @param timer the one that comes last of all there, after the test has ended perhaps
 */
export function overlapFindings(locations: ReadonlyMap<number, readonly Access[]>, sequence: OtherOrder, timer?: LateTimer): Finding[] {
  const late = timer?.process
  const lists = [...locations.values()].filter(([first]) => !isOfControl(first!))
  const isLate = ({ first, second }: Pair): boolean => first.process === late && !sequence.counterpart(first) && sequence.counterpart(second) !== undefined
  const turned = neighboursPastLooks(lists).flatMap((pairs) => pairs.find((pair) => (sequence.comesBefore(pair.second, pair.first) || isLate(pair)) && !findsTheSame(pair, sequence)) ?? [])
  return [...turned.map((pair) => asDone(pair, locations)), ...settledTooLate(locations, sequence), ...(timer ? flagsSince(lists, timer) : [])].map((pair) => ({ pattern: 'order-violation', ...pair, isOverlap: true, rival: rivalOf(pair, locations) }))
}

/** Who removes something looks itself whether it is there. */
function asDone({ first, second }: Pair, locations: ReadonlyMap<number, readonly Access[]>): Pair {
  const removal = changes(second) ? undefined : locations.get(second.location)!.find((access) => access.step === second.step && access.index > second.index && isSamePlace(access, second) && isRemoval(access))
  return { first, second: removal ?? second }
}

export interface LateTimer {
  readonly process: number
  /** The step in which it was set. */
  readonly set: number
}

/** The timer finds a flag that was given another value since it was set: whoever did that has not cleared it. */
function flagsSince(lists: readonly (readonly Access[])[], { process, set }: LateTimer): Pair[] {
  return lists.flatMap((accesses): Pair[] => {
    const second = accesses.find((access) => access.process === process && access.kind === 'read' && access.value.type === 'boolean')
    const first = second && accesses.findLast((access) => access.index < second.index && changes(access))
    return first && first.process !== process && first.step > set ? [{ first, second }] : []
  })
}

/** A look of the same code for another call. */
function rivalOf({ first, second }: Pair, locations: ReadonlyMap<number, readonly Access[]>): Access | undefined {
  if (changes(first)) return undefined
  return locations.get(first.location)?.findLast((access) => access.index < second.index && access !== first && !changes(access) && isSamePlace(access, first))
}

function settledTooLate(locations: ReadonlyMap<number, readonly Access[]>, sequence: OtherOrder): Pair[] {
  return [...locations.values()].flatMap((accesses) => {
    const first = accesses.find(({ kind, key }) => kind === 'settle' && key.kind === 'settled')
    const second = accesses.find(isTooLate)
    return first && second && first.process !== second.process && !sequence.counterpart(second) ? [{ first, second }] : []
  })
}

function findsTheSame({ first, second }: Pair, sequence: OtherOrder): boolean {
  const look = [first, second].find((access) => !changes(access))
  return look !== undefined && sequence.differs(look) === false
}
