import type { Algorithm, EndedExecution } from './algorithm.ts'
import { ReplayError } from '../errors.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

const advice = 'The code has changed since the schedule was printed: run without replay to get a new one'

/**
 * The one execution of a given schedule, as often as told: the first run is recorded, and all others are compared with it step by
 * step. After the schedule's end the process that ran last goes on, else the first one.
 */
export class Replay implements Algorithm {
  readonly #trace: Trace
  readonly #schedule: readonly number[]
  #left: number

  constructor(trace: Trace, schedule: readonly number[], times = 1) {
    this.#trace = trace
    this.#schedule = schedule
    this.#left = times - 1
  }

  get more(): boolean {
    return this.#left > 0
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    const step = this.#trace.steps.count
    const wanted = this.#schedule[step]
    return wanted === undefined ? this.#default(enabled, count) : (wanted as Ordinal)
  }

  missing(wanted: Ordinal): never {
    const { steps, processes } = this.#trace
    const why = wanted < processes.count ? 'it cannot run' : 'there is none'
    throw new ReplayError(`the schedule takes process ${wanted} at step ${steps.count}, but ${why}. ${advice}`, steps.count)
  }

  stepEnded(): void {}

  ended(execution: EndedExecution): void {
    const { count } = this.#trace.steps
    if (execution.status !== 'complete' || execution.failed || count >= this.#schedule.length) return
    throw new ReplayError(`the schedule has ${this.#schedule.length} steps, but the execution ended after ${count}. ${advice}`, count)
  }

  advance(): number {
    this.#left--
    return this.#trace.steps.count
  }

  #default(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (count === 0) return NONE
    const step = this.#trace.steps.count
    const last = step === 0 ? NONE : (this.#trace.steps.process[step - 1] as Ordinal)
    return enabled.subarray(0, count).includes(last) ? last : (enabled[0] as Ordinal)
  }
}
