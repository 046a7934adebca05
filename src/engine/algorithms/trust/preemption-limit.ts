import { Math } from '../../intrinsics.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import { fewestPreemptions } from '../preemptions.ts'
import { HappensBefore } from './happens-before.ts'
import type { NextGraph } from './next-graph.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'

/**
 * The test of Buster (Marmanis and Vafeiadis, TACAS 2023, Algorithm 1, line 5): whether a graph, of which some events may still be deleted, has
 * few enough preemptions to lead to one within the bound.
 */
export class PreemptionLimit {
  readonly #trace: Trace
  readonly #graph: ExecutionGraph
  readonly #order: HappensBefore
  readonly bound: number
  readonly #hasSlack: boolean

  constructor(trace: Trace, graph: ExecutionGraph, { bound, hasSlack }: { readonly bound: number; readonly hasSlack: boolean }) {
    this.#trace = trace
    this.#graph = graph
    this.#order = new HappensBefore(graph)
    this.bound = bound
    this.#hasSlack = hasSlack
  }

  /**
   * Where all processes can go on at all times, as in the paper: some more preemptions may be gone once what can be deleted is. With what waits there is no such
   * number, and what cannot be deleted any more has to be within the bound by itself.
   */
  allows(graph: NextGraph): boolean {
    const { count } = this.#trace.processes
    const lasting = this.#lasting(graph)
    if (this.#graph.isMixed) {
      const lasts = (event: number): boolean => graph.isRevisiting(event) || this.#graph.isIn(lasting, event)
      return fewestPreemptions(this.#order.of(graph, { processes: count, includes: lasts }), this.bound) <= this.bound
    }
    const slack = this.#hasSlack ? Math.min(Math.max(0, count - 2), this.#deletable(graph, lasting)) : 0
    const most = this.bound + slack
    return fewestPreemptions(this.#order.of(graph, { processes: count, includes: () => true }), most) <= most
  }

  /** How many processes have events that a revisit may delete: those that no write comes after which has revisited. */
  #deletable(graph: NextGraph, lasting: Int32Array): number {
    const { process } = this.#graph
    const deletable = new Int32Array(this.#trace.processes.count)
    for (let i = 0; i < graph.count; i++) {
      const event = graph.event[i] as number
      if (!graph.isRevisiting(event) && !this.#graph.isIn(lasting, event)) deletable[process[event] as number] = 1
    }
    return deletable.reduce((sum, one) => sum + one, 0)
  }

  /** The events that no revisit deletes any more, as a clock. */
  #lasting(graph: NextGraph): Int32Array {
    const { displaces, origin, rank, source } = this.#graph
    const lasting = new Int32Array(this.#trace.processes.count)
    for (let i = 0; i < graph.count; i++) {
      const event = graph.event[i] as number
      if (event === graph.move?.event) continue
      const from = source[event] as number
      if (displaces[event] === 1) this.#graph.addPrefix(lasting, event)
      if (from !== NONE && (rank[from] as number) > (rank[event] as number)) this.#graph.addPrefix(lasting, from)
    }
    if (graph.move !== undefined && graph.move.revisited !== NONE) {
      this.#graph.addPrefix(lasting, origin[graph.move.event] as number)
      this.#graph.addPrefix(lasting, source[graph.move.revisited] as number)
    }
    return lasting
  }
}
