import { grown } from './columns.ts'

/**
 * The races of one execution that were not there in an earlier one: for each, a step `first` and a step of
 * another process, `second`, that could have come before it.
 *
 * `second` is either the step with that number or, where it never ran, the next step of its process.
 */
export class Races {
  count = 0
  first = new Int32Array(16)
  /** Number of the second step; of one that never ran, the number of steps of the execution. */
  second = new Int32Array(16)
  /** Ordinal of the second step's process. */
  process = new Int32Array(16)
  /** The step whose clock says what has to come before the second one when the race is reversed; negative: nothing. */
  cause = new Int32Array(16)
  /** 1 where the second step, without the first, might have another footprint. */
  uncertain = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  add(first: number, second: number, process: number, cause: number, uncertain: number): void {
    const i = this.count++
    if (i >= this.first.length) this.#grow()
    this.first[i] = first
    this.second[i] = second
    this.process[i] = process
    this.cause[i] = cause
    this.uncertain[i] = uncertain
  }

  #grow(): void {
    this.first = grown(this.first, this.count)
    this.second = grown(this.second, this.count)
    this.process = grown(this.process, this.count)
    this.cause = grown(this.cause, this.count)
    this.uncertain = grown(this.uncertain, this.count)
  }
}
