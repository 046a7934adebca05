/** A timer that was set. */
export interface SetTimer {
  /** Number of the step that set it. */
  readonly step: number
  /** Milliseconds. */
  readonly length: number
  /** Its place among all that were set. */
  readonly order: number
  /** No timer, but what `setImmediate` was given. */
  readonly isImmediate: boolean
}

/** A step in which a timer fires, or has not fired yet. */
interface Sight {
  readonly step: number
  readonly timer: SetTimer
}

/** No job that is ready at once. */
const isTimer = ({ timer }: Sight): boolean => timer.length > 0

/** What comes behind the timers that are due by then. */
const isBehindTimers = (sight: Sight): boolean => isTimer(sight) || sight.timer.isImmediate

/** Of two timers that are due at one time the one that was set first comes first: by so many milliseconds. */
const little = 1e-6

/**
 * The most that it takes until an immediate runs, in milliseconds: another turn of the event loop begins before one that an immediate has set, and a timer
 * that has become due meanwhile fires first. Many of them are less than what any two timers differ by.
 */
const turn = 1e-3

/** The time of one step is at least that of another plus so many milliseconds. */
interface AtLeast {
  readonly step: number
  readonly other: number
  readonly plus: number
}

/**
 * Whether the steps of an execution can have happened at times at which each timer fired when it was due, however long everything else took. Of what is
 * ordered only by timers, `RacingTimers` admits some orders that are not possible, as it looks at two timers at a time.
 */
export class TimedSteps {
  readonly #constraints: AtLeast[] = []
  readonly #steps = new Set<number>()
  readonly #fired: Sight[] = []
  readonly #waiting: Sight[] = []

  /** The timer fires in the step. */
  fires(step: number, timer: SetTimer): void {
    this.#atLeast(step, timer.step, timer.length)
    this.#atLeast(timer.step, step, -mostUntil(timer))
    this.#fired.push({ step, timer })
  }

  /** The timer has not fired in the step, or before it. */
  waits(step: number, timer: SetTimer): void {
    this.#atLeast(timer.step, step, -timer.length)
    this.#waiting.push({ step, timer })
  }

  /** @param isBefore whether a step happens before another one, by their numbers */
  isPossible(isBefore: (first: number, second: number) => boolean): boolean {
    if (this.#constraints.length <= 2) return true
    const steps = [...this.#steps].toSorted((a, b) => a - b)
    const orders = steps.flatMap((step, i) => steps.slice(0, i).flatMap((other) => (isBefore(other, step) ? [{ step, other, plus: 0 }] : [])))
    const constraints = [...this.#constraints, ...orders, ...this.#overtaken(isBefore)]
    const times = new Map(steps.map((step) => [step, 0]))
    // Bellman and Ford: a circle along which times only grow is impossible.
    for (let round = 0; round <= steps.length; round++) {
      let isStable = true
      for (const { step, other, plus } of constraints) {
        const least = times.get(other)! + plus
        if (times.get(step)! >= least - little / 1000) continue
        times.set(step, least)
        isStable = false
      }
      if (isStable) return true
    }
    return false
  }

  /** A timer that comes after one that was set later, or after an immediate, is due later. What else is ready at once stands in queues of its own, before any timer. */
  *#overtaken(isBefore: (first: number, second: number) => boolean): Iterable<AtLeast> {
    for (const { step, timer } of this.#fired.filter(isBehindTimers)) {
      for (const other of [...this.#fired, ...this.#waiting].filter(isTimer)) {
        const wasSetFirst = other.timer.order < timer.order && (other.timer.step === timer.step || isBefore(other.timer.step, timer.step))
        if (wasSetFirst && isBefore(step, other.step)) yield { step: other.timer.step, other: step, plus: little - other.timer.length }
      }
    }
  }

  #atLeast(step: number, other: number, plus: number): void {
    this.#constraints.push({ step, other, plus })
    this.#steps.add(step)
    this.#steps.add(other)
  }
}

/** Milliseconds from when it is set. */
function mostUntil({ length, isImmediate }: SetTimer): number {
  return isImmediate ? turn : length
}
