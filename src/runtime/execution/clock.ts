import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'
import { FIRED } from './keys.ts'
import type { Call, Continuation, Process } from './process.ts'
import { running } from './running.ts'

/** What `setTimeout` and its like are given. */
export interface TimerRequest {
  readonly name: string
  readonly callback: () => unknown
  /** Milliseconds of virtual time. */
  readonly delay: number
  readonly repeats: boolean
  readonly site: SiteId
}

/**
 * Virtual time. It advances only when nothing else can run, to the next timer: an `await` takes no
 * time, so a timer never fires before something that is ready. Timers due at one moment may fire in
 * any order, except those of one process, which keep theirs.
 */
export class VirtualClock {
  readonly #epoch: number
  #pending: Timer[] = []
  #count = 0
  /** Milliseconds since the start of the execution. */
  now = 0

  constructor(epoch: number) {
    this.#epoch = epoch
  }

  /** Milliseconds since the epoch, what `Date.now()` answers. */
  get date(): number {
    return this.#epoch + this.now
  }

  start(execution: Execution, request: TimerRequest): Timer {
    const timer = new Timer(execution, request)
    this.schedule(timer)
    return timer
  }

  /** A job that is ready at once: of `queueMicrotask`, `process.nextTick` or `setImmediate`. */
  startNow(execution: Execution, request: TimerRequest, queue: Timer['queue']): Timer {
    const timer = new Timer(execution, request, queue)
    timer.wasDue = true
    execution.wake(timer)
    return timer
  }

  schedule(timer: Timer): void {
    timer.due = this.now + Math.max(1, Number.isFinite(timer.request.delay) ? Math.trunc(timer.request.delay) : 1)
    timer.order = this.#count++
    this.#pending.push(timer)
  }

  remove(timer: Timer): void {
    const index = this.#pending.indexOf(timer)
    if (index >= 0) this.#pending.splice(index, 1)
  }

  /** Moves time to the next timer; returns those now due, in the order of their making. */
  advance(): Timer[] {
    if (this.#pending.length === 0) return []
    const now = Math.min(...this.#pending.map((timer) => timer.due))
    this.now = now
    const due = this.#pending.filter((timer) => timer.due === now).toSorted((a, b) => a.order - b.order)
    this.#pending = this.#pending.filter((timer) => timer.due !== now)
    const last = new Map<Process, Timer>()
    const first: Timer[] = []
    for (const timer of due) {
      timer.wasDue = true
      const earlier = last.get(timer.creator)
      last.set(timer.creator, timer)
      if (earlier) earlier.next = timer
      else first.push(timer)
    }
    return first
  }
}

/** One timer: a process whose steps are the calls of its callback. */
export class Timer implements Continuation {
  readonly request: TimerRequest
  readonly queue: 'microtasks' | 'ticks' | 'turns'
  readonly creator: Process
  readonly site: SiteId
  process: Process
  due = 0
  order = 0
  /** It has been ready to fire, at least once. */
  wasDue = false
  isCleared = false
  /** The timer of the same process that may fire only after this one. */
  next: Timer | undefined
  readonly #execution: Execution
  readonly #object: ObjectId
  #after: Timer | undefined

  constructor(execution: Execution, request: TimerRequest, queue: 'microtasks' | 'ticks' | 'turns' = 'turns') {
    this.#execution = execution
    this.queue = queue
    this.request = request
    this.creator = execution.process
    this.site = request.site
    this.#object = execution.identities.fresh()
    this.process = execution.spawn(request.name)
    execution.recorder?.owners.tell(this.#object, () => `timer ${this.process.name}`)
  }

  /** `clearTimeout`. Races with the firing, once the timer is due. */
  clear(): void {
    this.isCleared = true
    this.#execution.clock.remove(this)
    if (this.wasDue && running === this.#execution) running.accesses.write(this.#object, FIRED, this.site, 'cleared')
  }

  resume(): void {
    const execution = this.#execution
    if (this.#after) execution.accesses.wait(this.#after.#object, FIRED, this.site)
    execution.accesses.read(this.#object, FIRED, this.site, this.isCleared ? 'cleared' : 'due')
    this.#releaseNext()
    if (this.isCleared) return
    if (this.request.repeats) execution.clock.schedule(this)
    try {
      this.request.callback()
    } catch (error) {
      execution.uncaught(error)
    }
  }

  delegate(): Call | undefined {
    return undefined
  }

  #releaseNext(): void {
    const next = this.next
    this.next = undefined
    if (!next) return
    this.#execution.accesses.settle(this.#object, FIRED, this.site)
    next.#after = this
    this.#execution.wake(next)
  }
}
