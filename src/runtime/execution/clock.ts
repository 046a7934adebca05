import type { SiteId } from '../../engine/ids.ts'
import { inContext } from './contexts.ts'
import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'
import { FIRED } from './keys.ts'
import type { Call, Continuation, Process } from './process.ts'
import { running } from './running.ts'
import { FixedOrder, type Turn } from './turns.ts'

/** What `setTimeout` and its like are given. */
export interface TimerRequest {
  readonly name: string
  readonly callback: () => unknown
  /** Milliseconds of virtual time. */
  readonly delay: number
  readonly repeats: boolean
  readonly site: SiteId
  /** With whose timers it keeps its order, if not with those of the running process. */
  readonly creator?: Process
}

/**
 * Virtual time. It advances only when nothing else can run, to the next timer: an `await` takes no
 * time, so a timer never fires before something that is ready. Timers due at one moment may fire in
 * any order, except those of one process and those of one length that were set at one moment, which keep theirs.
 */
export class VirtualClock {
  readonly #epoch: number
  /** A step is an event: the platform itself keeps microtasks and ticks, and the order of timers. */
  readonly #isByEvent: boolean
  #pending: Timer[] = []
  #count = 0
  /**
   * By length: the timers set at this moment. By the time at which they are due where steps are events: what is set by what happens
   * later cannot be due earlier.
   */
  #alike: Map<number, FixedOrder> | undefined
  #orders: Readonly<Record<Queue, FixedOrder>> | undefined
  /** Milliseconds since the start of the execution. */
  now = 0

  constructor(epoch: number, { isByEvent = false } = {}) {
    this.#epoch = epoch
    this.#isByEvent = isByEvent
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
  startNow(execution: Execution, request: TimerRequest, queue: Queue): Timer {
    const timer = new Timer(execution, request, queue)
    timer.wasDue = true
    const orders = (this.#orders ??= { microtasks: new FixedOrder(), ticks: new FixedOrder(), turns: new FixedOrder() })
    timer.turn = queue === 'turns' ? orders.turns.enter(execution, orders.microtasks, orders.ticks) : orders[queue].enter(execution)
    execution.wake(timer)
    return timer
  }

  schedule(timer: Timer): void {
    const length = Math.max(1, Number.isFinite(timer.request.delay) ? Math.trunc(timer.request.delay) : 1)
    timer.due = this.now + length
    const alike = (this.#alike ??= new Map())
    const likeness = this.#isByEvent ? timer.due : length
    let order = alike.get(likeness)
    if (!order) alike.set(likeness, (order = new FixedOrder()))
    timer.turn = order.enter(timer.execution)
    timer.order = this.#count++
    this.#pending.push(timer)
  }

  remove(timer: Timer): void {
    const index = this.#pending.indexOf(timer)
    if (index < 0) return
    this.#pending.splice(index, 1)
    timer.turn?.skip()
  }

  /** Moves time to the next timer; returns those now due, in the order of their making. */
  advance(): Timer[] {
    if (this.#pending.length === 0) return []
    const now = Math.min(...this.#pending.map((timer) => timer.due))
    this.now = now
    if (this.#isByEvent) this.#alike?.delete(now)
    else this.#alike?.clear()
    const due = this.#pending.filter((timer) => timer.due === now).toSorted((a, b) => a.order - b.order)
    this.#pending = this.#pending.filter((timer) => timer.due !== now)
    const last = new Map<Process, Timer>()
    for (const timer of due) {
      timer.wasDue = true
      if (this.#isByEvent) continue
      const earlier = last.get(timer.creator)
      last.set(timer.creator, timer)
      if (earlier) timer.turn!.follow(earlier.turn!)
    }
    return due
  }
}

type Queue = 'microtasks' | 'ticks' | 'turns'

/** One timer: a process whose steps are the calls of its callback. */
export class Timer implements Continuation {
  readonly request: TimerRequest
  readonly #callback: () => unknown
  readonly queue: Queue
  readonly creator: Process
  readonly site: SiteId
  process: Process
  due = 0
  order = 0
  /** It has been ready to fire, at least once. */
  wasDue = false
  isCleared = false
  turn: Turn | undefined
  readonly execution: Execution
  readonly #object: ObjectId

  constructor(execution: Execution, request: TimerRequest, queue: Queue = 'turns') {
    this.execution = execution
    this.queue = queue
    this.request = request
    this.#callback = inContext(request.callback)
    this.creator = request.creator ?? execution.process
    this.site = request.site
    this.#object = execution.identities.fresh()
    this.process = execution.spawn(request.name)
    this.process.repeats = request.repeats
    execution.recorder?.owners.tell(this.#object, () => `timer ${this.process.name}`)
  }

  /** `clearTimeout`. Races with the firing, once the timer is due. */
  clear(): void {
    this.isCleared = true
    this.execution.clock.remove(this)
    if (this.wasDue && running === this.execution) running.accesses.write(this.#object, FIRED, this.site, 'cleared')
  }

  /** `timer.refresh()`: it fires later than it would have, and once more if it has fired. What was cleared stays so. */
  refresh(): void {
    if (this.isCleared) return
    this.execution.clock.remove(this)
    this.execution.clock.schedule(this)
    if (this.wasDue && running === this.execution) running.accesses.write(this.#object, FIRED, this.site, 'refreshed')
  }

  resume(): void {
    const execution = this.execution
    execution.accesses.read(this.#object, FIRED, this.site, this.isCleared ? 'cleared' : 'due')
    if (this.isCleared || this.due > execution.clock.now) return
    if (this.request.repeats) execution.clock.schedule(this)
    try {
      this.#callback()
    } catch (error) {
      execution.uncaught(error)
    }
  }

  delegate(): Call | undefined {
    return undefined
  }
}
