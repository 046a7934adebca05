import { Math } from '../../engine/intrinsics.ts'
import { nativeNow } from './native.ts'

/** What is to be done before the next step. */
export type Pause = 'none' | 'turn' | 'out of time'

export interface PaceLimits {
  /** Real time at which all has to be over, milliseconds since the epoch. */
  readonly deadline: number
  /** Real time after which no step begins. */
  readonly end: number
}

/** Longest time without a turn of the event loop, so that the test runner stays alive. Milliseconds. */
const turnEvery = 30
/** The same within an execution, where a turn costs more than it does between two. */
const turnWithin = 100
/** Looking at the clock takes as long as a short step does: of short ones every so many are timed together. */
const together = 4
/** Milliseconds that steps timed together may take; if they take longer, the next ones are timed one by one. */
const short = 2

/** Looks at the clock between steps: a step cannot be interrupted, so the time that the longest has taken is kept in hand. */
export class Pace {
  readonly #deadline: number
  /** The end as it was given, */
  readonly #given: number
  /** milliseconds that do not count, */
  #free = 0
  /** and what is left to tell, whatever was given. */
  #left = -Infinity
  #hasDeadlineAlone = false
  readonly #allowed: number
  /** Milliseconds that the steps of the plain run have taken, */
  #worked = 0
  /** and may take: what works takes many times what it does without instrumentation. */
  #mayWork = Infinity
  #lastTurn = nativeNow()
  #lastLook = 0
  #isInStep = false
  #longestStep = 0
  /** Short steps to come that need not be timed. */
  #untimed = 0

  constructor({ deadline, end }: PaceLimits) {
    this.#deadline = deadline
    this.#given = end
    this.#allowed = end - nativeNow()
  }

  /** The exploration is over: so many milliseconds are left to tell of it, whatever it was given itself. */
  leaveTime(milliseconds: number): void {
    this.#left = Math.max(this.#left, nativeNow() + milliseconds)
  }

  /**
   * The plain run begins. In all, so many milliseconds have nothing to do with the time that was given: what it waits for takes its time in any case.
   *
   * @param isFirst no other has run in this thread: its code is not compiled yet, and what it uses is loaded now, so those that come after it take far less
   */
  plainRunBegins(free: number, { isWantedInAnyCase, isFirst }: { readonly isWantedInAnyCase: boolean; readonly isFirst: boolean }): void {
    this.#free = free
    this.#worked = 0
    this.#mayWork = isWantedInAnyCase ? Infinity : Math.max(2 * this.#allowed, isFirst ? free : 0)
  }

  plainRunEnds(free: number): void {
    this.#free = free
    this.#mayWork = Infinity
  }

  /** Something has to be done though the time for the exploration is over: only the deadline ends it. */
  async toDeadline<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#hasDeadlineAlone
    this.#hasDeadlineAlone = true
    try {
      return await work()
    } finally {
      this.#hasDeadlineAlone = before
    }
  }

  get #end(): number {
    return this.#hasDeadlineAlone ? Infinity : Math.max(this.#given + this.#free, this.#left)
  }

  /** To be asked right before a step, and right after. */
  look(): Pause {
    if (this.#isInStep && --this.#untimed > 0) return 'none'
    const now = nativeNow()
    const took = now - this.#lastLook
    if (this.#isInStep) {
      if (took > this.#longestStep) this.#longestStep = took
      this.#worked += took
    }
    this.#untimed = took <= short ? together : 0
    this.#isInStep = false
    this.#lastLook = now
    if (now + this.#longestStep >= this.#deadline || now >= this.#end || this.hasWorkedTooLong) return 'out of time'
    return now - this.#lastTurn >= turnWithin ? 'turn' : 'none'
  }

  /** No step follows at once: what is waited for does not count as one. */
  rests(): void {
    this.#isInStep = false
    this.#untimed = 0
  }

  /** Whether it is too late for the step that runs now. */
  get isTooLate(): boolean {
    const now = nativeNow()
    return now >= this.#deadline || now >= this.#end
  }

  /** Whether the step that runs now is to be given up: not for a little, as what it has done so far is lost. */
  get isFarTooLate(): boolean {
    const now = nativeNow()
    return now >= this.#deadline || now >= this.#end + this.#allowed || this.hasWorkedTooLong
  }

  /** Whether the plain run has worked for so long that the others would not be over in time. */
  get hasWorkedTooLong(): boolean {
    return !this.#hasDeadlineAlone && this.#worked + (this.#isInStep ? nativeNow() - this.#lastLook : 0) >= this.#mayWork
  }

  /** Real milliseconds until it is too late. */
  get timeLeft(): number {
    return Math.max(0, Math.min(this.#deadline, this.#end) - nativeNow())
  }

  stepBegins(): void {
    this.#isInStep = true
  }

  /** Between two executions. */
  get isTurnDue(): boolean {
    return nativeNow() - this.#lastTurn >= turnEvery
  }

  turnTaken(): void {
    this.#lastTurn = nativeNow()
  }

  /** Whether work that takes so many milliseconds would be over in time. */
  hasTimeFor(duration: number): boolean {
    return nativeNow() + duration < this.#deadline
  }
}
