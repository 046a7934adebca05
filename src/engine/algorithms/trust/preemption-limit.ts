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

  allows(graph: NextGraph): boolean {
    const most = this.bound + (this.#hasSlack ? this.#slack(graph) : 0)
    return fewestPreemptions(this.#order.of(graph, this.#trace.processes.count), most) <= most
  }

  /**
   * So many preemptions may be gone once what can be deleted is: at most one for each process that it is of. As the paper has it, those are not all
   * processes, and the leftmost of them needs none. But that rests on all processes being able to go on at all times, and on what is revisited staying
   * where it was: who waits may have to leave it to others.
   */
  #slack(graph: NextGraph): number {
    const { count } = this.#trace.processes
    return Math.min(Math.max(0, count - (this.#graph.isMixed ? 1 : 2)), this.#deletable(graph))
  }

  /** How many processes have events that a revisit may delete: those that no write comes after which has revisited. */
  #deletable(graph: NextGraph): number {
    const { process } = this.#graph
    const lasting = this.#lasting(graph)
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
