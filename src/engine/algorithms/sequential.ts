import type { Algorithm } from './algorithm.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * One execution, in which a process that was created goes on until it and all that it has created have ended or wait, before another
 * one does: what ran last, and what came from it, goes before its siblings, and these before their parent.
 */
export class Sequential implements Algorithm {
  readonly #trace: Trace
  readonly more = false

  constructor(trace: Trace) {
    this.#trace = trace
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (count === 0) return NONE
    const { steps, processes } = this.#trace
    const able = [...enabled.subarray(0, count)].map((ordinal) => processes.id(ordinal as Ordinal)).toSorted((one, other) => processes.compare(one, other))
    let around = steps.count === 0 ? undefined : processes.id(steps.process[steps.count - 1] as Ordinal)
    for (; around !== undefined; around = processes.parent(around)) {
      const within = able.filter((id) => processes.isWithin(id, around!))
      const chosen = within.find((id) => id !== around) ?? within[0]
      if (chosen !== undefined) return processes.ordinal(chosen)
    }
    return processes.ordinal(able[0]!)
  }

  stepEnded(): void {}
  ended(): void {}

  advance(): number {
    return 0
  }
}
