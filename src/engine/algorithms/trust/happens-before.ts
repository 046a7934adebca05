import { ACQUIRE, JOIN, UNTIL, WAIT } from '../../access.ts'
import { Clocks } from '../../trace/clocks.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import type { NextGraph } from './next-graph.ts'
import type { OrderedStep } from '../preemptions.ts'
import { NONE } from '../../trace/processes.ts'

/** What happens before what in a graph that may differ from the current one: in every linearisation of it. */
export class HappensBefore {
  readonly #graph: ExecutionGraph
  /** By place: what happens before the event there, and itself. */
  readonly #clocks = new Clocks()
  /** By event: its place. */
  readonly #places = new Map<number, number>()
  /** By process: its events so far. */
  readonly #counts = new Map<number, number>()
  /** By location: the place of its last change, or NONE, and those of all other accesses since. */
  readonly #accesses = new Map<number, number[]>()

  constructor(graph: ExecutionGraph) {
    this.#graph = graph
  }

  /** Of the events that are included, as if there were no others. */
  of(graph: NextGraph, { processes, includes }: { readonly processes: number; readonly includes: (event: number) => boolean }): OrderedStep[] {
    this.#clocks.reserve(graph.count, processes)
    this.#places.clear()
    this.#counts.clear()
    this.#accesses.clear()
    const ordered: OrderedStep[] = []
    for (let place = 0; place < graph.count; place++) {
      const event = graph.event[place] as number
      if (!includes(event)) continue
      const process = this.#graph.process[event] as number
      this.#order(place, graph)
      ordered.push({ process, mayWait: mayWait(this.#graph.kind[event] as number) || this.#graph.since[event] !== NONE, after: (other) => this.#clocks.get(place, other) })
    }
    return ordered
  }

  #order(place: number, graph: NextGraph): void {
    const { kind, location, origin, process, source } = this.#graph
    const event = graph.event[place] as number
    const number = (this.#counts.get(process[event] as number) ?? 0) + 1
    this.#counts.set(process[event] as number, number)
    this.#places.set(event, place)
    this.#clocks.start(place, this.#places.get(origin[event] as number) ?? NONE)
    this.#clocks.set(place, process[event] as number, number)
    if (kind[event] === JOIN && source[event] !== NONE) this.#clocks.join(place, this.#places.get(source[event] as number)!)
    if (location[event] === NONE) return
    const isChange = graph.isRevisiting(event) || (!graph.isMovedRead(event) && this.#graph.isChange(event))
    this.#orderAccess(place, { location: location[event] as number, isChange })
  }

  /** A change comes after all accesses since the one before it, and after that; any other access only after the change. */
  #orderAccess(place: number, { location, isChange }: { readonly location: number; readonly isChange: boolean }): void {
    const before = this.#accesses.get(location) ?? [NONE]
    for (const access of isChange ? before : before.slice(0, 1)) if (access !== NONE) this.#clocks.join(place, access)
    if (isChange) this.#accesses.set(location, [place])
    else this.#accesses.set(location, [...before, place])
  }
}

/** Whether a process may have to wait for an event of this kind. */
function mayWait(kind: number): boolean {
  return kind === ACQUIRE || kind === JOIN || kind === UNTIL || kind === WAIT
}
