import { Math } from '../intrinsics.ts'
import { column, grown } from '../trace/columns.ts'
import type { Ordinal } from '../ids.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Steps that were asleep when a dependent step woke them, along the search stack. A woken process may then do something
 * else than it would have done: what it would have done (its footprint while asleep) can race with later steps although
 * what it does now cannot. Nobody else looks for those races.
 */
export class WokenSteps {
  readonly #trace: Trace
  #count = 0
  /** The node whose step woke it. */
  #node = new Int32Array(16)
  #process = column<Ordinal>(16)
  #accessStart = new Int32Array(16)
  #accessEnd = new Int32Array(16)

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** The step of `node` woke the process, which would have made the accesses [start, end). */
  add(node: number, process: Ordinal, start: number, end: number): void {
    const i = this.#count++
    if (i >= this.#node.length) this.#grow()
    this.#node[i] = node
    this.#process[i] = process
    this.#accessStart[i] = start
    this.#accessEnd[i] = end
  }

  /** Forgets those woken at `node` or deeper. */
  truncate(node: number): void {
    while (this.#count > 0 && (this.#node[this.#count - 1] as number) >= node) this.#count--
  }

  /** Adds the races of new steps with what woken processes would have done: each could have come before it. */
  findRaces(): void {
    for (let i = 0; i < this.#count; i++) this.#findRacesWith(i)
  }

  #findRacesWith(i: number): void {
    const { steps, recorded } = this.#trace
    const start = this.#accessStart[i] as number
    const end = this.#accessEnd[i] as number
    addRacesWith(this.#trace, { node: this.#node[i] as number, process: this.#process[i] as Ordinal }, recorded, (step) => steps.depends(step, start, end))
  }

  #grow(): void {
    this.#node = grown(this.#node, this.#count)
    this.#process = grown(this.#process, this.#count)
    this.#accessStart = grown(this.#accessStart, this.#count)
    this.#accessEnd = grown(this.#accessEnd, this.#count)
  }
}

export interface Woken {
  /** The node whose step woke it. */
  readonly node: number
  readonly process: Ordinal
}

/** Adds the races of what a woken process would have done with the steps from `first` on, of other processes, that conflict with it. */
export function addRacesWith(trace: Trace, { node, process }: Woken, first: number, conflicts: (step: number) => boolean): void {
  const { races, steps } = trace
  for (let step = Math.max(first, node + 1); step < steps.count; step++) {
    const other = steps.process[step] as Ordinal
    if (other !== process && !trace.happensBefore(node, step) && conflicts(step)) races.add(node, other, step, NONE)
  }
}
