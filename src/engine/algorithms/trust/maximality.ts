import { grown } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import type { Move } from './next-graph.ts'

/**
 * Which events are deleted when an event revisits an earlier one, and whether they are just those that are added again and again: each of them
 * comes after the last of what was there when it was added, and of what stays (`IsMaximallyAdded` of the paper). So of all graphs that
 * lead to the same one by this revisit, only one is taken.
 */
export class Maximality {
  readonly #graph: ExecutionGraph
  /** What stays: what the event comes after, by process. */
  #kept = new Int32Array(8)
  #revisited = NONE
  /** By location: the last change of what was there when an event was added, and of what stays. */
  #top = new Int32Array(16).fill(NONE)

  constructor(graph: ExecutionGraph) {
    this.#graph = graph
  }

  /** Looks at a revisit; whether it is to be made. `processes`: how many there are. */
  holds({ event, revisited }: Move, processes: number): boolean {
    const { origin, source } = this.#graph
    this.#kept = grown(this.#kept, processes)
    this.#kept.fill(0)
    this.#graph.addPrefix(this.#kept, origin[event] as number)
    this.#graph.addPrefix(this.#kept, source[revisited] as number)
    this.#revisited = revisited
    if (this.#graph.isIn(this.#kept, revisited)) return false
    if (this.#graph.locations > this.#top.length) this.#reserve(this.#graph.locations)
    this.#findTops(event)
    const isMaximal = this.#areAllMaximal(event)
    this.#forgetTops(event)
    return isMaximal
  }

  /** Whether the event stays in the graph. The one that is revisited does not count. */
  stays(event: number): boolean {
    const { rank } = this.#graph
    return (rank[event] as number) < (rank[this.#revisited] as number) || this.#graph.isIn(this.#kept, event)
  }

  #areAllMaximal(end: number): boolean {
    const { rank, ranked } = this.#graph
    for (let i = rank[this.#revisited] as number; i < end; i++) {
      const event = ranked[i] as number
      if (!this.#graph.isIn(this.#kept, event) && !this.#isMaximal(event)) return false
    }
    return true
  }

  #isMaximal(event: number): boolean {
    const { displaces, firstReader, location, rank, source } = this.#graph
    if (displaces[event] === 1) return false
    if (!this.#graph.reads(event)) return true
    const at = location[event] as number
    if (this.#top[at] !== source[event]) return false
    if (!this.#graph.isChange(event)) return true
    this.#top[at] = event
    return (firstReader[event] as number) > (rank[event] as number)
  }

  #findTops(end: number): void {
    const { location } = this.#graph
    for (let event = 0; event < end; event++) {
      if (this.#graph.isChange(event) && this.stays(event)) this.#top[location[event] as number] = event
    }
  }

  #forgetTops(end: number): void {
    const { location } = this.#graph
    for (let event = 0; event < end; event++) if (this.#graph.isChange(event)) this.#top[location[event] as number] = NONE
  }

  #reserve(length: number): void {
    const from = this.#top.length
    this.#top = grown(this.#top, length).fill(NONE, from)
  }
}
