import { grown } from './columns.ts'
import type { Trace } from './trace.ts'

/**
 * The sleep sets of all nodes of the search stack, one after another. An entry is a process with the exact
 * footprint (accesses [start, end) of the trace) that its next step has at that node.
 */
export class SleepSets {
  readonly #trace: Trace
  /** By node: first entry, and the entry after the last. */
  start = new Int32Array(64)
  end = new Int32Array(64)
  /** By entry. */
  process = new Int32Array(64)
  accessStart = new Int32Array(64)
  accessEnd = new Int32Array(64)
  /** By ordinal: the last node marked with `mark` and the visit it was in. */
  #marked = new Int32Array(8)
  #visit = 0

  constructor(trace: Trace) {
    this.#trace = trace
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
      const accessStart = this.accessStart[i] as number
      const accessEnd = this.accessEnd[i] as number
      if (!this.#depends(accessStart, accessEnd)) this.#push(next, this.process[i] as number, accessStart, accessEnd)
    }
  }

  /** The step last taken at `node` was explored: its process sleeps there from now on. Deeper nodes are forgotten. */
  add(node: number): void {
    const { steps } = this.#trace
    this.#push(node, steps.process[node] as number, steps.start[node] as number, steps.end[node] as number)
  }

  /** Makes `isMarked` answer for this node. */
  mark(node: number): void {
    const { count } = this.#trace.processes
    this.#visit++
    if (count > this.#marked.length) this.#marked = grown(this.#marked, count)
    const end = this.end[node] as number
    for (let i = this.start[node] as number; i < end; i++) this.#marked[this.process[i] as number] = this.#visit
  }

  isMarked(process: number): boolean {
    return this.#marked[process] === this.#visit
  }

  #depends(start: number, end: number): boolean {
    const { footprint, steps } = this.#trace
    for (let i = start; i < end; i++) {
      if (footprint.conflictsWith(steps.location[i] as number, steps.kind[i] as number)) return true
    }
    return false
  }

  #push(node: number, process: number, accessStart: number, accessEnd: number): void {
    const entry = this.end[node] as number
    if (entry >= this.process.length) {
      this.process = grown(this.process, entry + 1)
      this.accessStart = grown(this.accessStart, entry + 1)
      this.accessEnd = grown(this.accessEnd, entry + 1)
    }
    this.process[entry] = process
    this.accessStart[entry] = accessStart
    this.accessEnd[entry] = accessEnd
    this.end[node] = entry + 1
  }
}
