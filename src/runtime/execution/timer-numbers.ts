import type { Execution } from './execution.ts'
import type { Timer } from './timer.ts'

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

/** The timer is known by this number from now on, which is the same in each execution. */
export function numberTimer(timer: Timer, number: number): void {
  if (numberedIn !== timer.execution) numbered.clear()
  numberedIn = timer.execution
  numbered.set(number, timer)
}
