import { grown, type Column } from '../trace/columns.ts'
import type { ProcessId } from '../ids.ts'
import type { SavedCells } from '../resume/saved.ts'

/** How a step came into the execution: in the usual order, inside a schedule, or as the head of one. */
export const USUAL = 0
export const INSIDE = 1
export const HEAD = 2

/**
 * The schedules that are still to be explored, with the executions they come from: a stack of frames, each an execution
 * followed by its schedules. Memory is that of the executions on the stack, whose number is polynomial.
 */
export class Revisits {
  /** Of all frames. */
  waiting = 0
  #cells = new Int32Array(1024)
  #top = 0
  /** By frame: where its execution begins, and how many schedules are left. */
  readonly #frames: { readonly start: number; left: number }[] = []
  /** The schedule taken last. */
  #plan: { first: number; start: number; end: number; frame: number; displaced: ProcessId } | undefined
  #scheduleStart = 0
  /** Where the cells ended before that was taken, and the frame it is of. */
  #taken = { top: 0, end: { depth: 0, start: 0, left: 0 } }

  /** Starts the frame of an execution. */
  open(steps: number, process: (step: number) => ProcessId, mark: Int32Array, displaced: Column<ProcessId>): void {
    this.#frames.push({ start: this.#top, left: 0 })
    this.#cells = grown(this.#cells, this.#top + steps * 3)
    for (let i = 0; i < steps; i++) {
      this.#cells[this.#top++] = process(i)
      this.#cells[this.#top++] = mark[i] as number
      this.#cells[this.#top++] = displaced[i] as number
    }
  }

  /** Starts a schedule that branches off before step `first`. */
  begin(first: number): void {
    this.#scheduleStart = this.#top
    this.#push(first)
  }

  add(process: ProcessId): void {
    this.#push(process)
  }

  end(head: ProcessId, displaced: ProcessId): void {
    this.#push(head)
    this.#push(displaced)
    this.#push(this.#top - this.#scheduleStart)
    this.#frame.left++
    this.waiting++
  }

  /** Ends the frame; without schedules it is dropped. */
  close(): void {
    if (this.#frame.left > 0) return
    this.#top = this.#frame.start
    this.#frames.pop()
  }

  /** As it was before the last schedule was taken. */
  save(): SavedCells {
    const { end, top } = this.#taken
    return { cells: [...this.#cells.subarray(0, top)], about: [...this.#frames.slice(0, end.depth), { start: end.start, left: end.left }].flatMap(({ start, left }) => [start, left]) }
  }

  restore({ cells, about }: SavedCells): void {
    this.#cells = grown(this.#cells, cells.length)
    this.#cells.set(cells)
    this.#top = cells.length
    for (let i = 0; i < about.length; i += 2) {
      this.#frames.push({ start: about[i]!, left: about[i + 1]! })
      this.waiting += about[i + 1]!
    }
  }

  /** Takes the schedule added last; how many steps it and what it branches off from have together. */
  take(): number {
    const frame = this.#frame
    this.#taken = { top: this.#top, end: { depth: this.#frames.length - 1, ...frame } }
    const length = this.#cells[this.#top - 1] as number
    const start = this.#top - 1 - length
    const first = this.#cells[start] as number
    this.#plan = { first, start: start + 1, end: this.#top - 2, frame: frame.start, displaced: this.#cells[this.#top - 2] as ProcessId }
    this.#top = start
    this.waiting--
    if (--frame.left === 0) {
      this.#top = frame.start
      this.#frames.pop()
    }
    return first + (this.#plan.end - this.#plan.start)
  }

  /** Writes what was taken last: processes, marks, and what heads displaced. */
  copyTo(plan: Column<ProcessId>, mark: Int32Array, displaced: Column<ProcessId>): void {
    const taken = this.#plan
    if (taken === undefined) return
    let node = 0
    for (; node < taken.first; node++) {
      plan[node] = this.#cells[taken.frame + node * 3] as ProcessId
      mark[node] = this.#cells[taken.frame + node * 3 + 1] as number
      displaced[node] = this.#cells[taken.frame + node * 3 + 2] as ProcessId
    }
    for (let i = taken.start; i < taken.end; i++, node++) {
      plan[node] = this.#cells[i] as ProcessId
      mark[node] = INSIDE
    }
    mark[node - 1] = HEAD
    displaced[node - 1] = taken.displaced
  }

  get #frame(): { readonly start: number; left: number } {
    const frame = this.#frames.at(-1)
    if (frame === undefined) throw new RangeError('no frame')
    return frame
  }

  #push(value: number): void {
    this.#cells = grown(this.#cells, this.#top + 1)
    this.#cells[this.#top++] = value
  }
}
