import { column, grown } from '../trace/columns.ts'
import type { Ordinal } from '../ids.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * A race (e, e') reversed: v = notdep(e, E).e' of the papers, all steps after `e` that do not happen after it, then
 * `e'`, which takes the place of `e`. Tells the initials of v: the processes that can take the first step of it.
 */
export class Reversal {
  readonly #trace: Trace
  /** The initial with the highest ordinal; NONE while there is none. */
  youngest: Ordinal | typeof NONE = NONE
  /** Processes that occur in notdep(e, E). */
  #inside = column<Ordinal>(8)
  #insideCount = 0
  /** By ordinal: number of its first step in v, if the stamp is this reversal's. */
  #firstIndex = new Int32Array(8)
  #insideStamp = new Int32Array(8)
  #stamp = 0

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /**
   * Whether the test holds for some initial of race number `race`. Where the test holds for none, `youngest` and `occurs` speak of this race.
   */
  someInitial(race: number, test: (process: Ordinal) => boolean): boolean {
    this.#begin()
    const { races, steps, clocks } = this.#trace
    const first = races.first[race] as number
    const process = steps.process[first] as number
    const index = steps.index[first] as number
    const { rows, width } = clocks
    for (let i = first + 1; i < steps.count; i++) {
      if ((rows[i * width + process] as number) < index && this.#pass(i, test)) return true
    }
    const last = races.process[race] as Ordinal
    if (this.occurs(last) || this.#dependsOnInside(races.cause[race] as number)) return false
    return this.#found(last, test)
  }

  /** Whether a step of the process stands in notdep(e, E). */
  occurs(process: Ordinal): boolean {
    return this.#insideStamp[process] === this.#stamp
  }

  /** Whether the accesses [start, end) are independent of all of notdep(e, E). */
  isIndependent(race: number, start: number, end: number): boolean {
    const { races, steps } = this.#trace
    const first = races.first[race] as number
    for (let i = first + 1; i < steps.count; i++) {
      if (!this.#trace.happensBefore(first, i) && steps.depends(i, start, end)) return false
    }
    return true
  }

  #begin(): void {
    const { count } = this.#trace.processes
    this.#stamp++
    this.youngest = NONE
    this.#insideCount = 0
    if (count <= this.#inside.length) return
    this.#inside = grown(this.#inside, count)
    this.#firstIndex = grown(this.#firstIndex, count)
    this.#insideStamp = grown(this.#insideStamp, count)
  }

  /** Step `i` is the next of v. */
  #pass(i: number, test: (process: Ordinal) => boolean): boolean {
    const process = this.#trace.steps.process[i] as Ordinal
    if (this.#insideStamp[process] === this.#stamp) return false
    const passes = !this.#dependsOnInside(i) && this.#found(process, test)
    this.#insideStamp[process] = this.#stamp
    this.#firstIndex[process] = this.#trace.steps.index[i] as number
    this.#inside[this.#insideCount++] = process
    return passes
  }

  #found(process: Ordinal, test: (process: Ordinal) => boolean): boolean {
    if (process > this.youngest) this.youngest = process
    return test(process)
  }

  /** Whether something of v so far happens before `step` (or is it). */
  #dependsOnInside(step: number): boolean {
    if (step < 0) return false
    const { rows, width } = this.#trace.clocks
    const row = step * width
    for (let i = 0; i < this.#insideCount; i++) {
      const process = this.#inside[i] as Ordinal
      if ((rows[row + process] as number) >= (this.#firstIndex[process] as number)) return true
    }
    return false
  }
}
