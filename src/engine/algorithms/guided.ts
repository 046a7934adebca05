import type { Algorithm, EndedExecution } from './algorithm.ts'
import { Array } from '../intrinsics.ts'
import type { Ordinal, ProcessId } from '../ids.ts'
import { Replay } from './replay.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Orders that are close to a given one. The first execution is that of the schedule; each of the others takes the processes in the
 * order of a plan, as far as they can run: a step that cannot be taken yet waits, and those after it in the plan go before it.
 */
export class Guided implements Algorithm {
  readonly #trace: Trace
  readonly #plans: readonly (readonly number[])[]
  readonly #replay: Replay
  /** By ordinal in the execution of the schedule. */
  #processes: readonly ProcessId[] | undefined
  #next = 0
  /** What the plan of this execution has left. */
  #left: ProcessId[] = []
  /** Of the execution that has ended last, by ordinal: the same process in the execution of the schedule, or NONE. */
  processes: readonly number[] = []

  /** @param plans ordinals of processes, as in the schedule, in the order of the steps that they are to take */
  constructor(trace: Trace, schedule: readonly number[], plans: readonly (readonly number[])[]) {
    this.#trace = trace
    this.#plans = plans
    this.#replay = new Replay(trace, schedule)
  }

  get more(): boolean {
    return this.#next < this.#plans.length
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (this.#processes === undefined) return this.#replay.choose(enabled, count)
    const { processes } = this.#trace
    const able = enabled.subarray(0, count)
    if (count === 0) return NONE
    const position = this.#left.findIndex((id) => processes.exists(id) && able.includes(processes.ordinal(id)))
    if (position < 0) return enabled[0] as Ordinal
    return processes.ordinal(this.#left.splice(position, 1)[0]!)
  }

  missing(chosen: Ordinal): void {
    if (this.#processes === undefined) this.#replay.missing(chosen)
  }

  stepEnded(): void {}

  ended(execution: EndedExecution): void {
    const { processes } = this.#trace
    const ids = Array.from({ length: processes.count }, (_, ordinal) => processes.id(ordinal as Ordinal))
    if (this.#processes === undefined) {
      this.#replay.ended(execution)
      this.#processes = ids
    }
    this.processes = ids.map((id) => this.#processes!.indexOf(id))
  }

  /** Nothing of the execution before is taken again as it was. */
  advance(): number {
    this.#left = this.#plans[this.#next++]!.map((ordinal) => this.#processes![ordinal]!)
    return 0
  }
}
