import type { Algorithm } from './algorithm.ts'
import { Divided } from '../parts/divided.ts'
import { Naive } from './naive.ts'
import { OptimalDpor, allOptimalRules } from './optimal.ts'
import type { AlgorithmName } from '../options.ts'
import { DividedPop } from '../parts/divided-pop.ts'
import { Pop } from './pop.ts'
import type { Root } from './root.ts'
import type { Share } from '../parts/share.ts'
import { SourceDpor, allRules } from './source.ts'
import type { Trace } from '../trace/trace.ts'

export function algorithmNamed(name: AlgorithmName, trace: Trace): Algorithm {
  if (name === 'optimal') return new OptimalDpor(trace)
  if (name === 'pop') return new Pop(trace)
  if (name === 'naive') return new Naive(trace)
  return new SourceDpor(trace)
}

/** The same for a share of the executions. */
export function dividedAlgorithm(name: AlgorithmName, trace: Trace, share: Share): Algorithm {
  if (name === 'pop') return new DividedPop(trace, share)
  if (name === 'naive') {
    return new Divided(trace, { share, sleeps: false, noticesWoken: false, explore: (root) => new Naive(trace, root) })
  }
  if (name === 'optimal') {
    const explore = (root: Root) => new OptimalDpor(trace, allOptimalRules, root)
    return new Divided(trace, { share, sleeps: true, noticesWoken: false, explore })
  }
  return new Divided(trace, { share, sleeps: true, noticesWoken: true, explore: (root) => new SourceDpor(trace, allRules, root) })
}
