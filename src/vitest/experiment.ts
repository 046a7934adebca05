import type { Failure } from '../engine/index.ts'
import { suspects, type ExplainInput, type Experiment, type Reversal } from '../report/index.ts'
import { attempt, failingOrders, sequentially, type Body, type BodyExploration, type RunOptions, type Tasks } from '../runtime/index.ts'

interface FailedRun {
  readonly subject: Body | Tasks
  readonly options: RunOptions
  readonly result: BodyExploration
  readonly failure: Failure
}

/**
 * Finds out which race a failure comes from: races of the failing execution are made to come out the other way round, one at a
 * time and, where that is not enough, two. Where nothing is known to pass, other orders are tried until one does, and
 * where none does, one call after the other.
 */
export async function experimentOn({ subject, options, result, failure }: FailedRun, input: ExplainInput): Promise<Experiment> {
  const reversals: Reversal[] = []
  const passes = (): boolean => reversals.some((reversal) => reversal.passes)
  const { alone, together } = suspects(input)
  for (const candidates of [alone, together]) {
    if (candidates.length > 0 && !passes()) reversals.push(...(await reversed({ subject, options, failure }, input, candidates)))
  }
  const somePass = passes() || result.executions > result.failures.length
  const failing = somePass ? undefined : await failingOrders(subject, options)
  return { reversals, failing: failing && { ...failing, passesSequentially: (await sequentially(subject, options)) === 'passes' } }
}

async function reversed({ subject, options, failure }: Pick<FailedRun, 'subject' | 'options' | 'failure'>, { recording: { order } }: ExplainInput, candidates: readonly Reversal['races'][]): Promise<Reversal[]> {
  const plans = candidates.map((races) => order.reversed(races).map((step) => order.steps[step]!.process))
  const attempts = await attempt(subject, options, failure, plans)
  return attempts.flatMap((found, i) => (found === 'unknown' ? [] : [{ races: candidates[i]!, passes: found === 'passes' }]))
}
