import { Math } from '../../engine/intrinsics.ts'
import { settlesPromise, whereTheyAreOver } from '../events/settling.ts'
import type { Execution } from '../execution/execution.ts'
import { nativeClearTimeout, nativeNow, nativeSetTimeout } from '../execution/native.ts'
import { Process } from '../execution/process.ts'
import { Timer, type Standing, type TimerRequest } from '../execution/timer.ts'

/**
 * Timers that a plain run has left, of which what it has changed stays: as without this package they fire later, whatever runs then. Code that sets a
 * variable while its timer runs would wait for it for ever. While nothing is explored real ones stand for them.
 */
class LeftTimer implements Standing {
  /** The one that was set, or what stood for it in the execution that has left it. */
  readonly #timer: Timer
  /** Milliseconds that are left. What comes between two tests takes no time. */
  readonly #remaining: number
  /** Whether somebody may still wait for promises of its execution. */
  readonly #settles: boolean
  #real: ReturnType<typeof nativeSetTimeout> | undefined

  constructor(timer: Timer, { settles }: { readonly settles: boolean }) {
    this.#timer = timer
    this.#settles = settles
    this.#remaining = timer.due - timer.execution.clock.now
  }

  /** Nothing is explored. */
  run(): void {
    this.#timer.goesOnAs(this)
    this.#real = nativeSetTimeout(() => {
      left.delete(this)
      this.#fires(null)
    }, this.#remaining)
    // The test runner has its own way to end.
    if (typeof this.#real === 'object') this.#real.unref()
  }

  hold(): void {
    nativeClearTimeout(this.#real)
  }

  /** An execution begins: it has a timer of its own in its place. */
  goOnIn(execution: Execution): void {
    const { request } = this.#timer
    const process = new Process(-1, request.name)
    const timer = new Timer(execution, { ...request, callback: (now) => this.#fires(now), creator: process, mayRace: false }, 'turns', process)
    this.#timer.goesOnAs(timer)
    execution.clock.schedule(timer, this.#remaining)
  }

  #fires(now: Execution | null): void {
    if (this.#settles) this.#timer.call(now)
    else whereTheyAreOver(() => this.#timer.call(now))
  }

  clear(): void {
    left.delete(this)
    this.hold()
  }

  refresh(): void {
    this.hold()
    this.run()
  }
}

const left = new Set<LeftTimer>()

/** What `Date.now()` said when they were left. */
let leftAt = 0

/** An exploration begins. Returns when, in milliseconds since the epoch: no earlier than when they were left. */
export function holdLeftTimers(): number {
  for (const timer of left) timer.hold()
  return left.size > 0 ? Math.max(leftAt, nativeNow()) : nativeNow()
}

/** It is over. */
export function runLeftTimers(): void {
  for (const timer of left) timer.run()
}

/** Before each execution. */
export function goOnWithLeftTimers(execution: Execution): void {
  // By `'race'` it would have to be known what they race with.
  if (left.size === 0 || execution.clock.races) return
  for (const timer of left) timer.goOnIn(execution)
}

/** What an execution has changed stays, and with it what it has set. @param settles whether somebody may still wait for promises of it */
export function leaveTimers({ clock }: Execution, { settles }: { readonly settles: boolean }): void {
  if (clock.races) return
  left.clear()
  leftAt = clock.date
  for (const timer of leftBy(clock)) left.add(new LeftTimer(timer, { settles }))
}

/** Whether something is under way that the execution has begun, and that ends with it: calls that wait, what waits for timers by promises, and what is real. With `'race'` all timers end with it. */
export function leavesWork({ clock, suspended, foreign }: Execution): boolean {
  return suspended.size > 0 || foreign.pending || clock.hasDropped || clock.timers.some(({ request }) => request.isOlder !== true && (clock.races || !goesOn(request)))
}

/** Whether there is any. */
export const leavesTimers = ({ clock }: Execution): boolean => !clock.races && leftBy(clock).length > 0

/** Those that may go on, the next one first. */
function leftBy({ timers }: Execution['clock']): Timer[] {
  return timers.toReversed().filter(({ request }) => request.isOlder !== true && goesOn(request))
}

const goesOn = ({ calls, repeats }: TimerRequest): boolean => calls !== undefined && !repeats && !settlesPromise(calls.callback as object)
