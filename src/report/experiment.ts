import type { ExecutionOrder, OrderedRace } from '../engine/index.ts'
import type { Access } from './accesses.ts'
import { actOf, type Finding } from './finding.ts'
import type { OtherOrder } from './other-order.ts'

/** What running other orders has shown of a failure. */
export interface Experiment {
  readonly reversals: readonly Reversal[]
  /** Orders in which calls run one after the other, the first of them first, or the last: those in which the test passes. */
  readonly serial: readonly OtherOrder[]
  /** What was tried, if every order fails. */
  readonly failing?: TriedOrders | undefined
}

/** What is known where every order fails. */
export interface FailingOrders {
  readonly executions: number
  /** There are no others. */
  readonly areAll: boolean
  /** Where steps are events: it passes in the plain order, in which nothing takes time, and fails in every other one. */
  readonly passesAtOnce?: boolean
  /** How the test ends when each of its calls begins after the one before has ended, which is no order that it can take; `later`: only when one begins in the midst of another one; `timer`: only when a timer fires after all else. */
  readonly sequentially: 'passes' | 'later' | 'timer' | 'fails' | 'unknown'
  /** The name of that timer. */
  readonly timer?: string
}

export interface TriedOrders extends FailingOrders {
  /** The order that passes, if it was written down. */
  readonly sequence?: OtherOrder | undefined
}

/** Races of the failing execution that were made to come out the other way round, with all else as it was, as far as that goes. */
export interface Reversal {
  readonly races: readonly OrderedRace[]
  readonly passes: boolean
  /** The order that was run, where it was written down. */
  readonly order?: OtherOrder | undefined
}

/** Two accesses of a finding that could have come the other way round. */
export interface Pair {
  readonly first: Access
  readonly second: Access
}

/** What of a finding may be the reason why it came to pass: that something was looked at too early, or acted upon too late. */
export function pairsOf(finding: Finding): readonly Pair[] {
  if (finding.pattern === 'order-violation') return finding.meanwhile ? [{ first: finding.second, second: finding.meanwhile.act }, finding.meanwhile.counted] : [finding]
  if (finding.pattern === 'wrong-holder-release') {
    const { given, cleared, missed } = finding
    return [{ first: given, second: cleared }, { first: cleared, second: missed }].filter(({ first, second }) => first.process !== second.process)
  }
  const { looked, changed, undone, committed } = finding
  const act = actOf(finding)
  const pairs = changed.flatMap((change) => [{ first: looked, second: change }, { first: change, second: act }])
  if (committed) pairs.unshift({ first: looked, second: committed })
  if (finding.pattern === 'check-then-act' && finding.led) pairs.push({ first: finding.led, second: act })
  return undone ? [...pairs, { first: act, second: undone }] : pairs
}

/** Those of them that nothing orders. */
export function racesOf(finding: Finding, order: ExecutionOrder): OrderedRace[] {
  return pairsOf(finding).flatMap(({ first, second }) => order.races.filter((race) => race.first === first.step && race.second === second.step))
}

/** Those that are ordered by nothing but how other races came out. */
function distantRacesOf(finding: Finding, order: ExecutionOrder): OrderedRace[] {
  const pairs = pairsOf(finding).map(({ first, second }) => ({ first: first.step, second: second.step }))
  return pairs.filter(({ first, second }) => first < second && !order.isRace(first, second) && !order.isEnforced(first, second))
}

/** The test passes without this order of the two. */
export interface Cause extends Pair {
  /** With this turned round alone; otherwise with other races as well. */
  readonly isAlone: boolean
  readonly reversal: Reversal
}

/** What of the finding the test does not pass with, as far as that was tried. */
export function causeIn(finding: Finding, { reversals }: Experiment): Cause | undefined {
  const passing = reversals.filter(({ passes }) => passes).toSorted((one, other) => one.races.length - other.races.length)
  for (const reversal of passing) {
    const pair = pairsOf(finding).find((one) => reversal.races.some(({ first, second }) => first === one.first.step && second === one.second.step))
    if (pair) return { ...pair, isAlone: reversal.races.length === 1, reversal }
  }
  return undefined
}

/** The order in which the test passes that tells most of a finding: without it, or else one call after the other. */
export function passingOrderOf(finding: Finding, experiment: Experiment | undefined): OtherOrder | undefined {
  return experiment && (causeIn(finding, experiment)?.reversal.order ?? experiment.failing?.sequence)
}

/** Where calls do not overlap, or not so, or a timer does not come so soon, the test passes: that they do is the reason. */
export const isOfOverlap = (experiment: Experiment | undefined): boolean => ['passes', 'later', 'timer'].includes(experiment?.failing?.sequentially ?? 'unknown')

/** Races to turn round, those first that are the likeliest reason; and two at once, should none be enough. */
export interface Suspects {
  readonly alone: readonly (readonly OrderedRace[])[]
  readonly together: readonly (readonly OrderedRace[])[]
}

/** More than these take too long. */
const mostAlone = 60
const mostTogether = 7
/** Of these findings, the likeliest, what is not adjacent is turned round as well. */
const mostDistant = 8

/** @param findings the likeliest one first */
export function suspectsAmong(findings: readonly Finding[], order: ExecutionOrder): Suspects {
  const adjacent = [...new Set(findings.flatMap((finding) => racesOf(finding, order)))]
  const distant = different(findings.slice(0, mostDistant).flatMap((finding) => distantRacesOf(finding, order)))
  const others = order.races.filter((race) => !adjacent.includes(race))
  const few = [...adjacent, ...others].slice(0, mostTogether)
  // What the likeliest one may come from is tried in any case.
  const first = findings.slice(0, 1).flatMap((finding) => [...racesOf(finding, order), ...distantRacesOf(finding, order)])
  return {
    alone: different([...first, ...[...adjacent.slice(0, mostAlone / 2), ...distant, ...adjacent.slice(mostAlone / 2), ...others].slice(0, mostAlone)]).slice(0, mostAlone).map((race) => [race]),
    together: few.flatMap((one, i) => few.slice(i + 1).map((other) => [one, other])),
  }
}

function different(races: readonly OrderedRace[]): OrderedRace[] {
  return races.filter(({ first, second }, i) => races.findIndex((race) => race.first === first && race.second === second) === i)
}
