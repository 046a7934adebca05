import type { Execution } from './execution.ts'
import type { Timer } from './timer.ts'

/** Numbers of timers so far, of all executions. */
let lastNumber = 0
/** Timers that somebody asked for the number of, all of one execution. */
const numbered = new Map<number, Timer>()
let numberedIn: Execution | undefined

/** The timer of the last execution with this number. */
export function timerNumbered(number: number): Timer | undefined {
  return numbered.get(number)
}

/** The exploration is over. */
export function forgetNumbers(): void {
  numbered.clear()
  numberedIn = undefined
}

/** The next number, which the timer is known by from now on. */
export function takeNumber(timer: Timer): number {
  if (numberedIn !== timer.execution) numbered.clear()
  numberedIn = timer.execution
  numbered.set(++lastNumber, timer)
  return lastNumber
}
