import { column, grown } from './columns.ts'
import type { Ordinal } from '../ids.ts'
import { NONE } from './processes.ts'

/**
 * The races of one execution: for each, a step `first` (e of the papers) and
 * the next step of another process (e'), run or not, that could have come before it.
 */
export class Races {
  count = 0
  /** The first that no earlier execution had. */
  fresh = 0
  /** How many there are of two steps that were both taken. */
  #lasting = 0
  first = new Int32Array(16)
  /** Ordinal of the process of e'. */
  process = column<Ordinal>(16)
  /** The step whose clock tells what has to come before e' when the race is reversed, mostly e' itself; or NONE. */
  cause = new Int32Array(16)
  /** The step that e' is in this execution; NONE if it was still waiting when the execution ended. */
  step = new Int32Array(16)
  /** ACQUIRE or UNTIL if e' takes a lock or waits for a value, NONE for all others; and its location. */
  blocking = new Int32Array(16)
  location = new Int32Array(16)
  /** What an algorithm remembers of the race in later executions; 0 at first. */
  settled = new Int32Array(16)
  /** The step before e' in program order, or NONE. */
  origin = new Int32Array(16)

  /** Starts an execution that begins with the first `recorded` steps of the last one. */
  begin(recorded: number): void {
    while (this.#lasting > 0 && (this.step[this.#lasting - 1] as number) >= recorded) this.#lasting--
    this.count = this.#lasting
    this.fresh = this.#lasting
  }

  /** The steps of the execution have all been taken: races added later are of this execution alone. */
  endSteps(): void {
    this.#lasting = this.count
  }

  /** e' is the step `second`. */
  add(first: number, process: Ordinal, second: number, origin: number): void {
    const i = this.#next(first, process, origin)
    this.cause[i] = second
    this.step[i] = second
    this.blocking[i] = NONE
  }

  /** e' takes a lock or waits for a value; it is `step`, or NONE while it waits. */
  addBlocking(first: number, process: Ordinal, origin: number, step: number, blocking: number, location: number): void {
    const i = this.#next(first, process, origin)
    this.cause[i] = origin
    this.step[i] = step
    this.blocking[i] = blocking
    this.location[i] = location
  }

  #next(first: number, process: Ordinal, origin: number): number {
    const i = this.count++
    if (i >= this.first.length) this.#grow()
    this.first[i] = first
    this.process[i] = process
    this.origin[i] = origin
    this.settled[i] = 0
    return i
  }

  #grow(): void {
    this.first = grown(this.first, this.count)
    this.process = grown(this.process, this.count)
    this.cause = grown(this.cause, this.count)
    this.step = grown(this.step, this.count)
    this.blocking = grown(this.blocking, this.count)
    this.location = grown(this.location, this.count)
    this.origin = grown(this.origin, this.count)
    this.settled = grown(this.settled, this.count)
  }
}
