import type { Job, Line } from './scheduler.ts'

/** A timer that was set. */
export interface Timer {
  readonly callback: () => unknown
  /** Milliseconds. */
  readonly length: number
  readonly repeats: boolean
  readonly setBy: Line
  /** Its own line of control, the same at every firing. */
  readonly line: Line
  due: number
  /** Counts the settings of timers. */
  order: number
  /** Its latest firing. */
  firing: Job | undefined
}

/** A timer that is due, and the timers due at the same moment that fire before it. */
export interface Due {
  readonly timer: Timer
  readonly after: readonly Timer[]
}

/** Virtual time: passes only when nothing else can run. */
export class Clock {
  /** Milliseconds since the start of the execution. */
  now = 0
  #pending: Timer[] = []
  #count = 0

  set({ delay, ...request }: Pick<Timer, 'callback' | 'repeats' | 'setBy' | 'line'> & { delay: unknown }): Timer {
    const length = Math.max(1, Math.trunc(Number(delay ?? 0)) || 1)
    const timer: Timer = { ...request, length: Number.isFinite(length) ? length : 1, due: 0, order: 0, firing: undefined }
    this.schedule(timer)
    return timer
  }

  schedule(timer: Timer): void {
    this.remove(timer)
    timer.due = this.now + timer.length
    timer.order = this.#count++
    this.#pending.push(timer)
  }

  remove(timer: Timer): void {
    this.#pending = this.#pending.filter((pending) => pending !== timer)
  }

  /** Goes to the next moment at which a timer is due. Timers set by one line keep their order; with `keepsLengths`, those of one length too. */
  advance({ keepsLengths }: { keepsLengths: boolean }): Due[] {
    if (this.#pending.length === 0) return []
    this.now = Math.min(...this.#pending.map((timer) => timer.due))
    const due = this.#pending.filter((timer) => timer.due === this.now).toSorted((a, b) => a.order - b.order)
    this.#pending = this.#pending.filter((timer) => timer.due !== this.now)
    return due.map((timer, i) => ({
      timer,
      after: due.slice(0, i).filter((other) => other.setBy === timer.setBy || (keepsLengths && other.length === timer.length)),
    }))
  }
}
