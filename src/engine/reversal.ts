import { conflicts } from './access.ts'
import { grown } from './columns.ts'
import type { Trace } from './trace.ts'

/**
 * A race reversed: v = notdep(e, E).e' of the papers, the steps between `e` and `e'` that do not happen
 * after `e`, then `e'` in place of `e`. Tells the initials of v, the processes that can take the first step of it.
 */
export class Reversal {
  readonly #trace: Trace
  /** Ordinals of the initials, in the order of their first steps. */
  initials = new Int32Array(8)
  count = 0
  /** Processes that occur in v before `e'`. */
  #inside = new Int32Array(8)
  #insideCount = 0
  /** By ordinal: number of its first step in v, if the stamp is this reversal's. */
  #firstIndex = new Int32Array(8)
  #insideStamp = new Int32Array(8)
  #initialStamp = new Int32Array(8)
  #stamp = 0

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /**
   * Works out the initials for race number `race`. An `e'` whose footprint before `e` is not known counts as
   * one only if v is `e'` alone.
   */
  reverse(race: number): void {
    this.#begin()
    const { races, steps, clocks } = this.#trace
    const first = races.first[race] as number
    const second = races.second[race] as number
    const process = steps.process[first] as number
    const index = steps.index[first] as number
    const { rows, width } = clocks
    for (let i = first + 1; i < second; i++) {
      if ((rows[i * width + process] as number) < index) this.#pass(i)
    }
    const last = races.process[race] as number
    if (this.occurs(last)) return
    if (this.#insideCount > 0 && (races.uncertain[race] === 1 || this.#dependsOnInside(races.cause[race] as number))) return
    this.#addInitial(last)
  }

  isInitial(process: number): boolean {
    return this.#initialStamp[process] === this.#stamp
  }

  /** Whether a step of the process stands in v before `e'`. */
  occurs(process: number): boolean {
    return this.#insideStamp[process] === this.#stamp
  }

  /** Whether the accesses [start, end) are independent of every step that stands in v before `e'`. */
  isIndependent(race: number, start: number, end: number): boolean {
    const { races } = this.#trace
    const first = races.first[race] as number
    const second = races.second[race] as number
    for (let i = first + 1; i < second; i++) {
      if (!this.#trace.happensBefore(first, i) && this.#dependent(i, start, end)) return false
    }
    return true
  }

  #begin(): void {
    const { count } = this.#trace.processes
    this.#stamp++
    this.count = 0
    this.#insideCount = 0
    if (count <= this.#inside.length) return
    this.initials = grown(this.initials, count)
    this.#inside = grown(this.#inside, count)
    this.#firstIndex = grown(this.#firstIndex, count)
    this.#insideStamp = grown(this.#insideStamp, count)
    this.#initialStamp = grown(this.#initialStamp, count)
  }

  /** Step `i` is the next of v. */
  #pass(i: number): void {
    const process = this.#trace.steps.process[i] as number
    if (this.#insideStamp[process] === this.#stamp) return
    if (!this.#dependsOnInside(i)) this.#addInitial(process)
    this.#insideStamp[process] = this.#stamp
    this.#firstIndex[process] = this.#trace.steps.index[i] as number
    this.#inside[this.#insideCount++] = process
  }

  #addInitial(process: number): void {
    this.#initialStamp[process] = this.#stamp
    this.initials[this.count++] = process
  }

  /** Whether something of v so far happens before `step` (or is it). */
  #dependsOnInside(step: number): boolean {
    if (step < 0) return false
    const { rows, width } = this.#trace.clocks
    const row = step * width
    for (let i = 0; i < this.#insideCount; i++) {
      const process = this.#inside[i] as number
      if ((rows[row + process] as number) >= (this.#firstIndex[process] as number)) return true
    }
    return false
  }

  #dependent(step: number, start: number, end: number): boolean {
    const { steps } = this.#trace
    const stepEnd = steps.end[step] as number
    for (let i = steps.start[step] as number; i < stepEnd; i++) {
      for (let j = start; j < end; j++) {
        if (steps.location[i] !== steps.location[j]) continue
        if (conflicts(steps.kind[i] as number, steps.kind[j] as number)) return true
      }
    }
    return false
  }
}
