import { OutOfTime } from './errors.ts'
import type { Pace } from './pace.ts'
import { realProcess } from './real-process.ts'

/** Errors that no code can catch come to the exploration first (`watchUncaught`). */
const hearsOfUncaught = typeof realProcess?.listeners === 'function'

/** Reactions of promises in one event, at most. */
const mostReactions = 2 ** 18

/** What ends code that does not end by itself: an event that goes on for ever is cut short, a step that is not over in time is given up from within. */
export class Cut {
  /** Why the execution ends there. */
  by: 'endless' | 'out of time' | undefined
  /** A step was given up. */
  isGivenUp = false
  /** Why, where it is not for its time. */
  givenUpFor: string | undefined

  readonly #pace: Pace
  /** In the running event. */
  #reactions = 0
  #done = 0
  #isTooLate = false
  #unstoppable = 0

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** What runs now has to run to its end all the same. */
  goesOn(): void {
    this.by = undefined
    this.#isTooLate = false
  }

  eventBegins(): void {
    this.#reactions = 0
  }

  /** One more reaction in the running event. An event that goes on for ever is cut short: what it goes on with from then on never comes. */
  countReaction(): void {
    if ((++this.#reactions & 1023) !== 0) return
    if (this.#reactions >= mostReactions) this.by ??= 'endless'
    else if (this.#pace.isTooLate) this.by ??= 'out of time'
  }

  /** One more look or call in the running step, by itself or within a look at all of something. A step cannot be interrupted from outside: one that is not over in time is given up from within, by what it does next. */
  countDone(): void {
    if ((++this.#done & 1023) === 0) this.#isTooLate ||= this.#pace.isFarTooLate
    if (!this.#isTooLate || this.#unstoppable > 0) return
    this.#giveUp()
  }

  /** The runtime itself has looked at so many objects for the running step. */
  countWork(looks: number): void {
    const before = this.#done >> 10
    this.#done += looks
    if (this.#done >> 10 !== before) this.#isTooLate ||= this.#pace.isFarTooLate
  }

  /** Nothing can be said of what the body goes on with, for this reason. */
  giveUp(reason: string): never {
    this.givenUpFor ??= reason
    this.#isTooLate = true
    return this.#giveUp()
  }

  #giveUp(): never {
    this.isGivenUp = true
    this.by ??= 'out of time'
    throw new OutOfTime()
  }

  /** Runs listeners, of which no code can catch what they throw: where the test runner would hear of it, nothing is given up within. */
  unstoppable<T>(run: () => T): T {
    if (hearsOfUncaught) return run()
    this.#unstoppable++
    try {
      return run()
    } finally {
      this.#unstoppable--
    }
  }
}
