import type { TestOptions } from 'vitest'
import { OptionError, type AlgorithmName, type Interleave } from '../engine/index.ts'

/** Options of an exploration. The nearest wins: the command line's, then the test's own, then those of `dpor({ ... })` in the config. */
export interface DporOptions {
  /** Complete executions after which to give up, with the verdict `inconclusive`. Default: no bound. */
  maxExecutions?: number
  /** Milliseconds after which to give up. Default: shortly before the test's timeout. */
  maxTime?: number
  /** Steps after which one execution is cut short. Default 10,000. */
  maxSteps?: number
  /** Most switches away from a process that could go on. Not available yet. */
  preemptionBound?: number
  /** How to explore: `'optimal'` (default), `'source'`, or `'naive'`, every interleaving. `'pop'` is for model programs only. */
  algorithm?: AlgorithmName
  /** Order of exploration. Not available yet. */
  search?: string
  /** Seed of `Math.random` and the like inside the body. Default 0. */
  seed?: number
  /** Where a switch may happen. Default `'await'`, the only one available yet. */
  interleave?: Interleave
  /** End at the first failing execution. Default true. */
  stopOnFirst?: boolean
  /**
   * Explore this part of the executions only: `'1/4'` is the first of four. Parts have no execution in common, and all of
   * them together have every one. Not together with `replay`. Default: everything.
   */
  part?: string
  /** Run this one schedule, as a failure printed it. */
  replay?: string
  /** How often a failing execution is replayed, to be sure that the schedule makes it fail. Default 10. */
  reproduce?: number
  /** What an exploration that a bound ended means for the test. Default `'warn'`: it passes, and says so. */
  onInconclusive?: 'pass' | 'warn' | 'fail'
}

export type DporTestOptions = DporOptions & TestOptions

const names: readonly (keyof DporOptions)[] = [
  'maxExecutions', 'maxTime', 'maxSteps', 'preemptionBound', 'algorithm', 'search', 'seed', 'interleave', 'stopOnFirst', 'part', 'replay',
  'reproduce', 'onInconclusive',
]

/** Separates our options from those of Vitest's `test`. */
export function splitOptions(options: DporTestOptions): { dpor: DporOptions; vitest: TestOptions } {
  const dpor: Record<string, unknown> = {}
  const vitest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if ((names as readonly string[]).includes(name)) dpor[name] = value
    else if (vitestNames.has(name)) vitest[name] = value
    else throw new OptionError(name, value, `no such option; there are ${names.join(', ')}, and those of Vitest's test()`)
  }
  return { dpor, vitest }
}

const vitestNames = new Set([
  'timeout', 'retry', 'repeats', 'concurrent', 'sequential', 'skip', 'only', 'todo', 'fails', 'meta', 'tags', 'shuffle',
])

/** What the options say together, the nearest first; refuses what cannot be done. */
export function mergeOptions(...layers: (DporOptions | undefined)[]): DporOptions {
  const merged = layers.toReversed().reduce<DporOptions>((farther, layer) => override(farther, defined(layer ?? {})), {})
  const { interleave, onInconclusive, reproduce, preemptionBound, search } = merged
  if (interleave !== undefined && interleave !== 'await') {
    throw new OptionError('interleave', interleave, "only 'await' is available yet")
  }
  if (preemptionBound !== undefined) throw new OptionError('preemptionBound', preemptionBound, 'it is not available yet; leave it out')
  if (search !== undefined) throw new OptionError('search', search, 'it is not available yet; leave it out')
  if (onInconclusive !== undefined && !['pass', 'warn', 'fail'].includes(onInconclusive)) {
    throw new OptionError('onInconclusive', onInconclusive, "give 'pass', 'warn' or 'fail'")
  }
  if (reproduce !== undefined && !(Number.isSafeInteger(reproduce) && reproduce >= 1)) {
    throw new OptionError('reproduce', reproduce, 'give a whole number of at least 1')
  }
  return merged
}

/** One schedule is no part: a replay that is asked for nearer by puts a part out of force. */
function override({ part, ...farther }: DporOptions, nearer: DporOptions): DporOptions {
  return { ...farther, ...(part !== undefined && nearer.replay === undefined && { part }), ...nearer }
}

function defined(options: DporOptions): DporOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
