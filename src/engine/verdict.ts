import { Math } from './intrinsics.ts'
import type { Algorithm } from './algorithms/algorithm.ts'
import type { Budget } from './budget.ts'
import { isSample, type ResolvedOptions } from './options.ts'
import type { Estimate, Exploration } from './outcome.ts'
import { partNamed } from './parts/share.ts'
import { listedPoints } from './points.ts'
import { withExplored } from './reason.ts'
import type { Tally } from './tally.ts'

/** A search, as far as its result depends on it. */
export interface Searched {
  readonly options: ResolvedOptions
  readonly budget: Budget
  readonly tally: Tally
  readonly algorithm: Algorithm
  readonly passes: number
  /** How many executions there seem to be. */
  readonly guess: () => Estimate | undefined
  readonly progress: 'not begun' | 'under way' | 'over'
  /** Another pass has to follow. */
  readonly hasObserved: boolean
}

/** What a search has found so far. */
export function explorationOf(searched: Searched): Exploration {
  const { options, passes, tally } = searched
  const reason = inconclusiveReason(searched)
  const { failures, ...counts } = tally.result({ isWhole: reason === undefined })
  return {
    verdict: failures.length > 0 ? 'fails' : reason === undefined ? 'holds' : 'inconclusive',
    ...counts,
    ...estimateOf(searched),
    interleave: options.interleave,
    // A part merges nothing, as all parts would have to.
    equivalence: partNamed(options.part).isWhole ? options.equivalence : 'trace',
    passes,
    failures,
    ...(options.part === undefined ? {} : { part: options.part }),
    ...(reason === undefined ? {} : { inconclusiveReason: reason }),
  }
}

function estimateOf({ algorithm, guess, options, progress, tally }: Searched): Pick<Exploration, 'estimate' | 'estimateRange'> {
  if (isSample(options.algorithm) && options.replay === undefined) return { estimate: algorithm.classes ?? tally.executions }
  if (progress !== 'under way') return { estimate: tally.executions }
  const known = tally.executions + 1
  const guessed = guess()
  if (guessed === undefined) return { estimate: known }
  const ofPart = (executions: number): number => Math.max(known, Math.round(executions / partNamed(options.part).count))
  return { estimate: ofPart(guessed.executions), estimateRange: [ofPart(guessed.least), ofPart(guessed.most)] }
}

function inconclusiveReason(searched: Searched): string | undefined {
  const { algorithm, budget, options, progress } = searched
  const { doubt, leftOut } = algorithm
  if (options.replay !== undefined) return 'replay: one execution only'
  if (budget.reason !== undefined) return andExplored(budget.reason, searched)
  if (doubt !== undefined) return doubt
  if (leftOut !== undefined) return andExplored(leftOut, searched)
  if (progress !== 'over') return 'not every class was explored'
  return options.order && reasonOfOrder(options.order, searched)
}

/** The reason, with what is explored all the same. */
function andExplored(reason: string, searched: Searched): string {
  const { explored } = searched.algorithm
  return explored === undefined || searched.hasObserved ? reason : about(reason, explored, searched)
}

/** What was explored to its end are only executions with that order. */
function reasonOfOrder(order: readonly string[], searched: Searched): string {
  const isNone = searched.tally.executions === 0 && searched.options.part === undefined
  return isNone ? `order: no execution passes ${listedPoints(order)} in this order` : about('order', 'every interleaving', searched)
}

function about(reason: string, explored: string, { options: { order }, tally: { hasFailures } }: Searched): string {
  return withExplored(reason, { explored: order === undefined ? explored : `${explored} that passes ${listedPoints(order)} in this order`, hasFailures })
}
