import type { ResolvedOptions } from '../options.ts'

type Deciding = Pick<ResolvedOptions, 'algorithm' | 'equivalence' | 'interleave' | 'maxSteps' | 'order' | 'part' | 'preemptionBound' | 'search' | 'seed' | 'stopOnFirst'>

/** The options that decide what is explored, and in what order: a search goes on with the same ones only. */
export function aboutOptions({ algorithm, equivalence, interleave, maxSteps, order, part, preemptionBound, search, seed, stopOnFirst }: Deciding): Deciding {
  return { algorithm, equivalence, interleave, maxSteps, order, part, preemptionBound, search, seed, stopOnFirst }
}
