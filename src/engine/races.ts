import { grown } from './columns.ts'

/**
 * The races of one execution that were not there in an earlier one: for each, a step `first` (e of the papers) and
 * the next step of another process (e'), run or not, that could have come before it.
 */
export class Races {
  count = 0
  first = new Int32Array(16)
  /** Ordinal of the process of e'. */
  process = new Int32Array(16)
  /** The step whose clock tells what has to come before e' when the race is reversed, mostly e' itself; or NONE. */
  cause = new Int32Array(16)

  clear(): void {
    this.count = 0
  }

  add(first: number, process: number, cause: number): void {
    const i = this.count++
    if (i >= this.first.length) this.#grow()
    this.first[i] = first
    this.process[i] = process
    this.cause[i] = cause
  }

  #grow(): void {
    this.first = grown(this.first, this.count)
    this.process = grown(this.process, this.count)
    this.cause = grown(this.cause, this.count)
  }
}
