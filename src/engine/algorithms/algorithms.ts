import type { Algorithm } from './algorithm.ts'
import { Chance } from './sampling/chance.ts'
import { Divided } from '../parts/divided.ts'
import { Mixed } from './sampling/mixed.ts'
import { Naive } from './naive.ts'
import { OptimalDpor, allOptimalRules } from './optimal.ts'
import { exploresTree, isSystematic, type Exploring, type ResolvedOptions, type SystematicName } from '../options.ts'
import { DividedBeginnings } from '../parts/divided-beginnings.ts'
import { DividedTree } from '../parts/divided-tree.ts'
import { PartialOrderSampling } from './sampling/pos.ts'
import { Pct } from './sampling/pct.ts'
import { Pop } from './pop.ts'
import { Draws } from './sampling/draws.ts'
import { Sampling } from './sampling/sampling.ts'
import { Replay } from './replay.ts'
import { partNamed, type Share } from '../parts/share.ts'
import { parseSchedule } from '../schedule.ts'
import { isSiblingOrder, siblingOrderNamed } from './sibling-order.ts'
import { SourceDpor, allRules } from './source.ts'
import { Survey } from './sampling/survey.ts'
import type { Trace } from '../trace/trace.ts'
import { TreeDpor } from './tree-dpor.ts'
import { Trust } from './trust/trust.ts'
import { Uniform } from './sampling/uniform.ts'
import { Walk } from './sampling/walk.ts'

/** What the options ask for: one schedule, a part, or all executions. */
export function algorithmFor(options: ResolvedOptions, trace: Trace): Algorithm {
  const { replay, part } = options
  if (replay !== undefined) return new Replay(trace, parseSchedule(replay))
  const share = partNamed(part)
  return share.isWhole ? algorithmOf(options, trace) : dividedAlgorithm(options, trace, share)
}

/** The algorithm that the options name, for all executions. */
function algorithmOf(options: ResolvedOptions, trace: Trace): Algorithm {
  const { algorithm, pctDepth, preemptionBound, seed } = options
  const chance = new Chance(seed)
  switch (algorithm) {
    case 'random':
      return new Sampling(trace, new Uniform(chance))
    case 'pct':
      return new Sampling(trace, new Pct(trace, chance, pctDepth))
    case 'pos':
      return new Sampling(trace, new PartialOrderSampling(trace, chance))
    case 'walk':
      return new Sampling(trace, new Walk(trace, chance))
    case 'mixed':
      return new Mixed(new TreeDpor(trace, { bound: preemptionBound }), new Uniform(chance))
    case 'trust':
      return new Trust(trace, { bound: preemptionBound })
    default:
      return exploresTree(options) ? treeOf(options, trace) : algorithmNamed(algorithm, trace)
  }
}

/**
 * What is drawn at random while everything is explored: for an estimate where something may end that early, and to meet a failure that is not rare where the
 * work is not shared with others.
 */
export function drawsOf(options: ResolvedOptions, trace: Trace, { isShared }: { readonly isShared: boolean }): Draws | undefined {
  const { algorithm, interleave, maxExecutions, maxTime, pctDepth, preemptionBound, replay, seed } = options
  // With a driver of another kind, something that the search does not know of may end it.
  const mayEnd = maxExecutions !== Infinity || maxTime !== Infinity || interleave !== 'access'
  const isHunting = !isShared && hunts(options)
  if (!(mayEnd || isHunting) || !isSystematic(algorithm) || replay !== undefined || preemptionBound !== undefined) return undefined
  const chance = new Chance(seed)
  const survey = new Survey(trace, chance, { countsOrders: algorithm === 'naive' })
  return new Draws({ survey, surveys: mayEnd, hunter: isHunting ? new Pct(trace, chance, pctDepth) : undefined })
}

/** Unless another order is asked for; what goes on from a file fails first where it would in one go. */
function hunts({ algorithm, maxExecutions, part, resumeFrom, saveTo, search, stopOnFirst }: ResolvedOptions): boolean {
  const isWanted = search === 'random-first' || (search === undefined && saveTo === undefined && resumeFrom === undefined)
  return isWanted && (algorithm === 'optimal' || algorithm === 'source') && stopOnFirst && part === undefined && maxExecutions >= leastBudget
}

/** Executions below which none is spent on meeting a failure. */
const leastBudget = 1000

export function algorithmNamed(name: SystematicName, trace: Trace): Algorithm {
  if (name === 'optimal') return new OptimalDpor(trace)
  if (name === 'pop') return new Pop(trace)
  if (name === 'trust') return new Trust(trace)
  if (name === 'naive') return new Naive(trace)
  return new SourceDpor(trace)
}

/** The same for a share of the executions. */
export function dividedAlgorithm(options: Exploring, trace: Trace, share: Share): Algorithm {
  if (exploresTree(options)) return new DividedTree(trace, treeOf(options, trace), share)
  switch (options.algorithm) {
    case 'pop':
      return new DividedBeginnings(trace, new Pop(trace), share)
    case 'trust':
      return new DividedBeginnings(trace, new Trust(trace, { bound: options.preemptionBound }), share)
    case 'naive':
      return new Divided(trace, { share, sleeps: false, noticesWoken: false, explore: (root) => new Naive(trace, root) })
    case 'optimal':
      return new Divided(trace, { share, sleeps: true, noticesWoken: false, explore: (root) => new OptimalDpor(trace, allOptimalRules, root) })
    default:
      return new Divided(trace, { share, sleeps: true, noticesWoken: true, explore: (root) => new SourceDpor(trace, allRules, root) })
  }
}

/** Source-DPOR over a tree, in the order that the options name. */
function treeOf({ preemptionBound, search }: Omit<Exploring, 'algorithm'>, trace: Trace): TreeDpor {
  return new TreeDpor(trace, isSiblingOrder(search) ? { order: siblingOrderNamed(search) } : { bound: preemptionBound })
}
