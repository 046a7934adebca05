import type { Execution } from '../execution/execution.ts'

/** From when to when somebody has a connection. Steps are undefined outside the explored part. */
export interface Stay {
  readonly from: Moment
  readonly fromStep: number | undefined
  until?: Moment
  untilStep?: number | undefined
}

/** Counts what happens in one execution. */
type Moment = number

/**
 * How many connections of a pool may be in use at once, in whatever order what happens in an execution comes: at most as many as there are chains of stays
 * each of which ends before the next one begins, in every order.
 */
export class Room {
  readonly #execution: Execution
  #now: Moment = 0
  /** The last stay of each chain. */
  readonly #chains: Stay[] = []
  /** Those of the running step, of which it is not yet known what comes before them. */
  #open: Stay[] = []

  constructor(execution: Execution) {
    this.#execution = execution
  }

  begins(): Stay {
    for (const stay of this.#open) if (this.#hasEnded(stay.fromStep)) this.#place(stay)
    this.#open = this.#open.filter((stay) => !this.#hasEnded(stay.fromStep))
    const stay: Stay = { from: this.#now++, fromStep: this.#step }
    this.#open.push(stay)
    return stay
  }

  ends(stay: Stay): void {
    stay.until = this.#now++
    stay.untilStep = this.#step
  }

  /** So many at most. */
  get most(): number {
    return this.#chains.length + this.#open.length
  }

  get #step(): number | undefined {
    const { accesses, search } = this.#execution
    return accesses.isExploring ? search.step : undefined
  }

  #hasEnded(step: number | undefined): boolean {
    return step === undefined || step !== this.#step
  }

  #place(stay: Stay): void {
    const chain = this.#chains.findIndex((last) => this.#isBefore(last, stay))
    this.#chains[chain < 0 ? this.#chains.length : chain] = stay
  }

  /** Whether one has ended before the other begins, in every order. */
  #isBefore({ until, untilStep }: Stay, { from, fromStep }: Stay): boolean {
    if (until === undefined || until > from || untilStep === undefined || fromStep === undefined) return false
    return untilStep === fromStep || this.#execution.search.isBefore(untilStep, fromStep)
  }
}
