import { familyOf, isFiring, otherOrder, suspects, type Experiment, type OtherOrder, type Reversal } from '../report/index.ts'
import type { FailingRun, OtherOrders, RecordedOrder, RunOptions } from '../runtime/index.ts'

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
 * Races of the failing execution are made to come out the other way round, one at a time and, where that is not enough, two, or all that a process goes on with. Where
 * nothing is known to pass, other orders are tried until one does. In any case calls are run one after the other; and where all that fails, one is begun in the midst of another.
 */
async function experimentOn(failing: FailingRun, orders: OtherOrders): Promise<Experiment> {
  const reversals: PlannedReversal[] = []
  const passes = (): boolean => reversals.some((reversal) => reversal.passes)
  const { alone, together } = suspects(failing)
  const late = alone.slice(0, mostLate)
  for (const [candidates, planOf] of [[alone, planOfReversed], [together, planOfReversed], [late, planOfLate]] as const) {
    if (candidates.length > 0 && !passes()) reversals.push(...(await tried(failing, orders, { candidates, planOf })))
  }
  const written = await withOrders(reversals, failing, orders)
  const failingOrders = passes() ? undefined : await orders.failing()
  const [first, last] = [await orders.sequentially(failing.recording), await orders.sequentially(failing.recording, { lastFirst: true })]
  const serial = [first, last].flatMap(({ order }) => (order ? [heldBack(order, failing)] : []))
  if (!failingOrders || (failing.passes && first.found !== 'passes')) return { reversals: written, serial }
  const later = [first, last].every(({ found }) => found === 'fails') ? await orders.begunLater(failing.recording) : undefined
  const order = first.order ?? later
  const known = { ...failingOrders, ...(failing.passes && { passesAtOnce: true }) }
  const timed = order ? undefined : await withLateTimer(failing, orders)
  if (timed) return { reversals: written, serial, failing: { ...known, sequentially: 'timer', ...timed } }
  return { reversals: written, serial, failing: { ...known, sequentially: later ? 'later' : first.found, sequence: order && heldBack(order, failing) } }
}

/** The timers that fire, by their processes. Where a step is an event, who has waited for a timer goes on in the step of that, under its own name: then the timer is known by its name alone. */
function firingIn(steps: RecordedOrder['steps'], names: readonly string[]): (number | string)[] {
  return steps.flatMap(({ process, accesses }) => accesses.filter(isFiring).map(({ owner }) => (familyOf(`timer ${names[process]}`) === familyOf(owner) ? process : owner)))
}

/** An order in which the test passes as one timer fires after all else, while the others fire as they do in the failing execution. */
async function withLateTimer({ recording }: FailingRun, orders: OtherOrders): Promise<{ readonly timer: string; readonly sequence: OtherOrder } | undefined> {
  const { steps, names } = recording
  // What a timer does itself matters more than who waits for it.
  const isIdle = (step: number): boolean => !steps[step]!.accesses.some(({ kind, key }) => kind !== 'read' && key.kind !== 'settled')
  // Where a step is an event, who waits for a timer goes on in the step of that: the timer has no process of its own.
  const isOwn = (at: number): boolean => steps.findIndex(({ process }) => process === steps[at]!.process) === at
  const firing = [...steps.keys()].filter((step) => steps[step]!.accesses.some(isFiring) && isOwn(step)).toSorted((one, other) => Number(isIdle(one)) - Number(isIdle(other))).slice(0, mostLate)
  const plans = firing.map((first) => planOfLate([{ first, second: first }], recording))
  const attempts = firing.length > 0 ? await orders.attempt(plans, { time: 'race' }) : []
  for (const [i, found] of attempts.entries()) {
    const [order] = found === 'passes' ? await orders.record([plans[i]!], recording, { time: 'race' }) : []
    if (!order) continue
    const late = steps[firing[i]!]!.process
    const timersIn = (all: RecordedOrder['steps']): string => firingIn(all, names).filter((timer) => timer !== late).join(', ')
    const [here, there] = [timersIn(steps), timersIn(order.steps)]
    if (here.startsWith(there) || there.startsWith(here)) return { timer: names[late]!, sequence: otherOrder(order, recording, { hasSameObjects: true }) }
  }
  return undefined
}

const heldBack = (order: RecordedOrder, { recording }: FailingRun): OtherOrder => otherOrder(order, recording, { hasSameObjects: false })

/** Of races that were turned round, by which order. */
interface PlannedReversal extends Reversal {
  readonly planOf: PlanOf
}

/** Of the likeliest races, and of timers, those that are held back until all else is done. */
const mostLate = 12

/** Passing orders that are written down, the likeliest ones. */
const mostWritten = 8

/** Those that pass are run once more, to be shown beside the failing one. */
async function withOrders(reversals: readonly PlannedReversal[], { recording }: FailingRun, orders: OtherOrders): Promise<readonly Reversal[]> {
  const passing = reversals.filter(({ passes }) => passes).slice(0, mostWritten)
  if (passing.length === 0) return reversals
  const written = await orders.record(passing.map(({ races, planOf }) => planOf(races, recording)), recording)
  const orderOf = new Map(passing.map((reversal, i) => [reversal, written[i]]))
  return reversals.map((reversal) => {
    const order = orderOf.get(reversal)
    return order ? { ...reversal, order: otherOrder(order, recording, { hasSameObjects: true }) } : reversal
  })
}

type PlanOf = (races: Reversal['races'], recording: FailingRun['recording']) => number[]

interface Tried {
  readonly candidates: readonly Reversal['races'][]
  readonly planOf: PlanOf
}

async function tried({ recording }: FailingRun, orders: OtherOrders, { candidates, planOf }: Tried): Promise<PlannedReversal[]> {
  const attempts = await orders.attempt(candidates.map((races) => planOf(races, recording)))
  return attempts.flatMap((found, i) => (found === 'unknown' ? [] : [{ races: candidates[i]!, passes: found === 'passes', planOf }]))
}

/** The processes in the order of their steps with these races turned round. */
const planOfReversed: PlanOf = (races, { order }) => order.reversed(races).map((step) => order.steps[step]!.process)

/** Those with the process that comes first in a race last of all from there on: what the others go on with may race with it as well. */
const planOfLate: PlanOf = ([race], { order: { steps } }) => {
  const late = steps[race!.first]!.process
  const isLate = (step: number): boolean => step >= race!.first && steps[step]!.process === late
  const numbers = [...steps.keys()]
  return [...numbers.filter((step) => !isLate(step)), ...numbers.filter(isLate)].map((step) => steps[step]!.process)
}
