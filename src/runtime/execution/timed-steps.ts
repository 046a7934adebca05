/** A timer, by the number of the step that set it and its length in milliseconds. */
export interface SetTimer {
  readonly step: number
  readonly length: number
}

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

  /** The timer fires in the step. */
  fires(step: number, timer: SetTimer): void {
    this.#atLeast(step, timer.step, timer.length)
    this.#atLeast(timer.step, step, -timer.length)
  }

  /** The timer has not fired in the step, or before it. */
  waits(step: number, timer: SetTimer): void {
    this.#atLeast(timer.step, step, -timer.length)
  }

  /** @param isBefore whether a step happens before another one, by their numbers */
  isPossible(isBefore: (first: number, second: number) => boolean): boolean {
    if (this.#constraints.length <= 2) return true
    const steps = [...this.#steps].toSorted((a, b) => a - b)
    const orders = steps.flatMap((step, i) => steps.slice(0, i).flatMap((other) => (isBefore(other, step) ? [{ step, other, plus: 0 }] : [])))
    const constraints = [...this.#constraints, ...orders]
    const times = new Map(steps.map((step) => [step, 0]))
    // Bellman and Ford: a circle along which times only grow is impossible.
    for (let round = 0; round <= steps.length; round++) {
      let isStable = true
      for (const { step, other, plus } of constraints) {
        const least = times.get(other)! + plus
        if (times.get(step)! >= least) continue
        times.set(step, least)
        isStable = false
      }
      if (isStable) return true
    }
    return false
  }

  #atLeast(step: number, other: number, plus: number): void {
    this.#constraints.push({ step, other, plus })
    this.#steps.add(step)
    this.#steps.add(other)
  }
}
