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

/** Looks at the clock between steps: a step cannot be interrupted, so the time that the longest has taken is kept in hand. */
export class Pace {
  readonly #limits: PaceLimits
  #lastTurn = nativeNow()
  #lastLook = 0
  #isInStep = false
  #longestStep = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  /** To be asked right before a step, and right after. */
  look(): Pause {
    const now = nativeNow()
    if (this.#isInStep && now - this.#lastLook > this.#longestStep) this.#longestStep = now - this.#lastLook
    this.#isInStep = false
    this.#lastLook = now
    if (now + this.#longestStep >= this.#limits.deadline || now >= this.#limits.end) return 'out of time'
    return now - this.#lastTurn >= turnWithin ? 'turn' : 'none'
  }

  /** Whether it is too late for the step that runs now. */
  get isTooLate(): boolean {
    const now = nativeNow()
    return now >= this.#limits.deadline || now >= this.#limits.end
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
    return nativeNow() + duration < this.#limits.deadline
  }
}
