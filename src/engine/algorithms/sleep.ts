import { column, grown } from '../trace/columns.ts'
import type { Ordinal } from '../ids.ts'
import type { Trace } from '../trace/trace.ts'
import type { WokenSteps } from './woken.ts'

/**
 * The sleep sets of all nodes of the search stack, one after another. An entry is a process with the exact
 * footprint (accesses [start, end) of the trace) that its next step has at that node.
 */
export class SleepSets {
  readonly #trace: Trace
  readonly #woken: WokenSteps | undefined
  /** By node: first entry, and the entry after the last. */
  start = new Int32Array(16)
  end = new Int32Array(16)
  /** By entry. */
  process = column<Ordinal>(16)
  accessStart = new Int32Array(16)
  accessEnd = new Int32Array(16)
  readonly #footprints: Int32Array[] = []
  #fixed = new Int32Array(16)
  /** The node where the process fell asleep. */
  since = new Int32Array(16)
  /** By ordinal: the visit in which it was last marked. */
  #marked = new Int32Array(8)
  #visit = 0

  constructor(trace: Trace, woken?: WokenSteps) {
    this.#trace = trace
    this.#woken = woken
  }

  /** The sleep set of the root. */
  begin(): void {
    this.start[0] = 0
    this.end[0] = 0
  }

  /** The processes asleep at `node` stay so after its step unless they depend on it: the footprint still in the trace. */
  passOn(node: number): void {
    const next = node + 1
    if (next >= this.start.length) {
      this.start = grown(this.start, next + 1)
      this.end = grown(this.end, next + 1)
    }
    const from = this.end[node] as number
    this.start[next] = from
    this.end[next] = from
    for (let i = this.start[node] as number; i < from; i++) {
      if (!this.#depends(i)) this.#copy(next, i)
      else if (this.#woken !== undefined && this.#fixed[i] === 0) this.#wake(node, i)
    }
  }

  /** The step last taken at `node` was explored: its process sleeps there from now on. Deeper nodes are forgotten. */
  add(node: number): void {
    const { steps } = this.#trace
    const entry = this.#append(node)
    this.#trace.keepAccessesAt(node)
    this.process[entry] = steps.process[node] as Ordinal
    this.accessStart[entry] = steps.start[node] as number
    this.accessEnd[entry] = steps.end[node] as number
    this.#footprints[entry] = steps.footprint(node)
    this.#fixed[entry] = steps.fixed[node] as number
    this.since[entry] = node
  }

  /** Who was explored at the node itself, in that order. */
  doneAt(node: number): Ordinal[] {
    const done: Ordinal[] = []
    for (let i = this.start[node] as number; i < (this.end[node] as number); i++) if (this.since[i] === node) done.push(this.process[i] as Ordinal)
    return done
  }

  /** Of an entry: location and kind of each access in turn. */
  footprint(entry: number): Int32Array {
    return this.#footprints[entry] as Int32Array
  }

  /** Makes `isMarked` answer for this node. */
  mark(node: number): void {
    const { count } = this.#trace.processes
    this.#visit++
    if (count > this.#marked.length) this.#marked = grown(this.#marked, count)
    const end = this.end[node] as number
    for (let i = this.start[node] as number; i < end; i++) this.#marked[this.process[i] as number] = this.#visit
  }

  markAlso(process: Ordinal): void {
    this.#marked[process] = this.#visit
  }

  isMarked(process: Ordinal): boolean {
    return this.#marked[process] === this.#visit
  }

  #depends(entry: number): boolean {
    const { footprint, steps } = this.#trace
    const end = this.accessEnd[entry] as number
    for (let i = this.accessStart[entry] as number; i < end; i++) {
      if (footprint.conflictsWith(steps.location[i] as number, steps.kind[i] as number)) return true
    }
    return false
  }

  #wake(node: number, entry: number): void {
    const start = this.accessStart[entry] as number
    this.#woken?.add(node, this.process[entry] as Ordinal, start, this.accessEnd[entry] as number)
  }

  #copy(node: number, from: number): void {
    const entry = this.#append(node)
    this.process[entry] = this.process[from] as Ordinal
    this.accessStart[entry] = this.accessStart[from] as number
    this.accessEnd[entry] = this.accessEnd[from] as number
    this.#footprints[entry] = this.#footprints[from] as Int32Array
    this.#fixed[entry] = this.#fixed[from] as number
    this.since[entry] = this.since[from] as number
  }

  #append(node: number): number {
    const entry = this.end[node] as number
    this.end[node] = entry + 1
    if (entry < this.process.length) return entry
    this.process = grown(this.process, entry + 1)
    this.accessStart = grown(this.accessStart, entry + 1)
    this.accessEnd = grown(this.accessEnd, entry + 1)
    this.#fixed = grown(this.#fixed, entry + 1)
    this.since = grown(this.since, entry + 1)
    return entry
  }
}
