import type { Algorithm } from '../algorithms/algorithm.ts'
import type { Ordinal } from '../ids.ts'
import { ProgramChanged } from './program-changed.ts'
import { parseSchedule } from '../schedule.ts'
import type { Trace } from '../trace/trace.ts'

/** The execution that showed that a pass was not the last one. It does not count. */
export class Witness implements Algorithm {
  readonly #trace: Trace
  readonly #schedule: readonly number[]
  /** The next pass. */
  readonly more = true
  readonly counts = false

  constructor(trace: Trace, schedule: string) {
    this.#trace = trace
    this.#schedule = parseSchedule(schedule)
  }

  choose(): Ordinal {
    const process = this.#schedule[this.#trace.steps.count] as Ordinal | undefined
    if (process === undefined) throw new ProgramChanged()
    return process
  }

  missing(): never {
    throw new ProgramChanged()
  }

  stepEnded(): void {}

  ended(): void {}

  advance(): number {
    return 0
  }
}
