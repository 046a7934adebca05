import { suspects, type Experiment, type Reversal } from '../report/index.ts'
import type { FailingRun, OtherOrders, RunOptions } from '../runtime/index.ts'

/** Finds out, within an exploration, which race its failure comes from. */
export class Investigation {
  #experiment: Experiment | undefined

  /** What it has found, once the exploration has ended; undefined where nothing failed, or there was no time. */
  get experiment(): Experiment | undefined {
    return this.#experiment
  }

  /** For `RunOptions`. */
  readonly investigate: NonNullable<RunOptions['investigate']> = async (failing, orders) => {
    this.#experiment = await experimentOn(failing, orders)
  }
}

/**
 * Races of the failing execution are made to come out the other way round, one at a time and, where that is not enough, two. Where
 * nothing is known to pass, other orders are tried until one does, and where none does, one call after the other.
 */
async function experimentOn(failing: FailingRun, orders: OtherOrders): Promise<Experiment> {
  const reversals: Reversal[] = []
  const passes = (): boolean => reversals.some((reversal) => reversal.passes)
  const { alone, together } = suspects(failing)
  for (const candidates of [alone, together]) {
    if (candidates.length > 0 && !passes()) reversals.push(...(await reversed(failing, orders, candidates)))
  }
  const failingOrders = failing.passes || passes() ? undefined : await orders.failing()
  return { reversals, failing: failingOrders && { ...failingOrders, sequentially: await orders.sequentially() } }
}

async function reversed({ recording: { order } }: FailingRun, orders: OtherOrders, candidates: readonly Reversal['races'][]): Promise<Reversal[]> {
  const plans = candidates.map((races) => order.reversed(races).map((step) => order.steps[step]!.process))
  const attempts = await orders.attempt(plans)
  return attempts.flatMap((found, i) => (found === 'unknown' ? [] : [{ races: candidates[i]!, passes: found === 'passes' }]))
}
