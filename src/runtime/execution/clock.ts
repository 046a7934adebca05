import { Math } from '../../engine/intrinsics.ts'
import type { Execution } from './execution.ts'
import type { ObjectId } from './identity.ts'
import { CLOCK } from './keys.ts'
import { nativePerformance } from './native.ts'
import type { Process } from './process.ts'
import { RacingTimers, type Moment } from './racing-timers.ts'
import { TimedSteps } from './timed-steps.ts'
import { lengthOf, Timer, type JobQueue, type TimerRequest } from './timer.ts'
import { FixedOrder } from './fixed-order.ts'
import { JobQueues } from './job-queues.ts'
import type { Turn } from './turns.ts'

/** Looks at the time in one step after which each takes a millisecond: it waits for time to pass. */
const looksForNothing = 5000
/** Looks at the time in one step, at most. */
const mostLooks = 100_000

/** Looks at the time in one step that take some of it each. */
const finestLooks = 1000
/** About a microsecond, in milliseconds: sums of it are exact. */
const tick = 2 ** -10

/** When this program began; the epoch where nothing says so. */
const begun = (nativePerformance as typeof nativePerformance | undefined)?.timeOrigin ?? 0

/** How virtual time passes: when nothing else can run, or also before anything that waits, which may take any time. */
export type Time = 'idle' | 'race'

/**
 * Virtual time. By `'idle'` it advances only when nothing else can run, to the next timer: an `await` takes no
 * time, so a timer never fires before something that is ready. Timers due at one moment may fire in
 * any order, except those of one process and those of one length that were set at one moment, which keep theirs.
 *
 * By `'race'` a timer can fire as soon as it is set (`RacingTimers`). Firing takes the clock on to when it is due, if it is not there
 * yet: that commutes with other firings, and conflicts with who asks for the time.
 */
export class VirtualClock {
  readonly #epoch: number
  /** Milliseconds that the program had run for when the execution began. */
  readonly #age: number
  /** A step is an event: the platform itself keeps microtasks and ticks, and the order of timers. */
  readonly #isByEvent: boolean
  /** With `time: 'race'`. */
  readonly #racing: RacingTimers | undefined
  /** The location of the time, of which nobody has to know by `'idle'`. */
  #object: ObjectId | undefined
  /** Those that fire when nothing else can run, the next one last. */
  readonly #pending: Timer[] = []
  #count = 0
  /**
   * By length: the timers set at this moment. By the time at which they are due where steps are events: what is set by what happens
   * later cannot be due earlier.
   */
  #alike: Map<number, FixedOrder> | undefined
  #jobs: JobQueues | undefined
  #pauses: FixedOrder | undefined
  /** The timers that became due last, and when that was. Where steps are events. */
  #due: { readonly now: number; readonly order: FixedOrder } | undefined
  /** Milliseconds since the start of the execution. */
  now = 0
  /** What looks at the time have taken, in milliseconds. Timers know nothing of it. */
  #taken = 0
  /** A timer was set so often that it may not race any more. */
  hasBounded = false
  /** Some of the execution would have fired, but for the end of all else. */
  hasDropped = false
  /** A test's own clock was moved by what waits for all else that can run. */
  movesFakeClock = false
  /** Those of which not every order is possible that turns admit. */
  readonly #watched: FixedOrder[] = []
  /** With `time: 'race'`: what is known of the times of steps. */
  readonly #times: TimedSteps | undefined
  /** The step in which somebody has asked for the time, and how often. */
  #lookedIn = -1
  #looks = 0
  /** When the running step happens. With `time: 'race'` only. */
  moment: Moment = { base: 0, offset: 0 }

  constructor(epoch: number, { isByEvent = false, time = 'idle' }: { readonly isByEvent?: boolean; readonly time?: Time } = {}) {
    this.#epoch = epoch
    this.#age = Math.max(1, Math.floor(epoch - begun))
    this.#isByEvent = isByEvent
    if (time !== 'race') return
    this.#racing = new RacingTimers({ isByEvent })
    this.#times = new TimedSteps()
  }

  /** Milliseconds since the epoch, what `Date.now()` answers. */
  get date(): number {
    return this.#epoch + this.now
  }

  /** Whether timers may fire before what waits for other things. */
  get races(): boolean {
    return this.#racing !== undefined
  }

  /** Somebody asks for the time. */
  look(execution: Execution): void {
    this.#countLook(execution)
    const { loop } = execution.accesses
    // It takes its time then, however often it asks.
    if (loop && this.#racing) loop.hasEffect()
    else loop?.asksTime(this.now)
    if (!execution.accesses.isExploring || !(this.#racing || this.#timeMatters(execution))) return
    execution.accesses.read(this.#location(execution), CLOCK, execution.here, this.now)
    if (this.#racing) this.#loseTimeless(execution)
  }

  /** When the program began: milliseconds since the epoch, what `performance.timeOrigin` answers. */
  get origin(): number {
    return this.#epoch - this.#age
  }

  /** Milliseconds since the program began, and parts of them. */
  get fine(): number {
    return this.#age + this.now + this.#taken
  }

  /**
   * A process is told the time. Between two times that the same teller is asked it does something, and nothing takes no time at all. It has passed for all others as well:
   * nobody sees it go back.
   */
  tell({ process, accesses }: Execution, teller: string): number {
    if (process.told.get(teller) === this.fine && this.#looks < finestLooks && (accesses.loop?.takesTime ?? true)) this.#taken += tick
    process.told = new Map(process.told).set(teller, this.fine)
    return this.fine
  }

  /**
   * Code that is not instrumented is told the time in a turn of the event loop of its own: how long it works there is no part of an execution, as
   * React's scheduler would leave the rest for another turn on a busy machine. A look takes some time, so that who waits for it to pass does not wait for ever.
   */
  tellInTurn(): number {
    this.#taken += tick
    return this.fine
  }

  /** A loop that only looks at the time until it has passed: by `'idle'` it does. */
  #countLook(execution: Execution): void {
    if (execution.stepCount !== this.#lookedIn) {
      this.#lookedIn = execution.stepCount
      this.#looks = 0
    } else if (++this.#looks > mostLooks) {
      execution.refuse('it waits for time to pass without letting anything else run, and virtual time passes only when nothing else can', 'Await a timer instead')
    } else if (!this.#racing && this.#looks > looksForNothing) {
      this.#passWithin(execution)
    }
  }

  /** By `'idle'`: time passes within the running step. What others see of it depends on which of them come before that. */
  #passWithin(execution: Execution): void {
    this.now++
    if (!execution.accesses.isExploring) return
    this.#loseTimeless(execution)
    execution.accesses.write(this.#location(execution), CLOCK, execution.here, this.now)
  }

  start(execution: Execution, request: TimerRequest): Timer {
    const timer = new Timer(execution, request, 'turns', execution.processes.spawnTimer(request.name))
    if (!request.repeats) timer.joinLoop('timer')
    this.schedule(timer)
    return timer
  }

  /** A job that is ready at once: of `queueMicrotask`, `process.nextTick` or `setImmediate`. */
  startNow(execution: Execution, request: TimerRequest, queue: JobQueue): Timer {
    const timer = new Timer(execution, request, queue)
    timer.joinLoop('at once')
    timer.wasDue = true
    const { microtasks, ticks, turns } = this.#queues
    if (this.#racing) timer.moment = this.moment
    timer.order = this.#count++
    if (this.#racing) timer.setIn = execution.search.step
    if (queue !== 'turns') timer.turn = this.#enter(execution, queue)
    else if (this.#racing) timer.turn = this.#racing.enter(execution, { due: this.moment, length: 0, others: [microtasks, ticks] })
    else timer.turn = turns.enter(execution, { others: [microtasks, ticks] })
    if (queue === 'turns') {
      execution.foreign.heldReading.setsImmediate(timer.turn)
      execution.foreign.lateCloses.setsImmediate(timer.turn)
    }
    execution.wake(timer)
    return timer
  }

  /**
   * A pause of no length, where steps are events: it ends once those immediates have run that are there by now, and timers that are due no later, whatever
   * else may still come. No time passes for it.
   */
  startPause(execution: Execution, request: TimerRequest): Timer {
    const timer = new Timer(execution, request)
    timer.joinLoop('at once')
    timer.wasDue = true
    timer.order = this.#count++
    timer.process.isUsers = true
    const { microtasks, ticks, turns } = this.#queues
    const earlier = this.#pending.filter((other) => other.due <= this.now + 1).map(({ turn }) => turn!)
    const due = this.#due?.now === this.now ? this.#due.order.toCome : []
    timer.turn = (this.#pauses ??= new FixedOrder()).enter(execution, { others: [microtasks, ticks, turns], earlier: [...turns.toCome, ...due, ...earlier] })
    execution.wake(timer)
    return timer
  }

  /** The place of something that comes as a callback of `queueMicrotask` does. */
  enterMicrotasks(execution: Execution): Turn {
    return this.#enter(execution, 'microtasks').placed()
  }

  #enter(execution: Execution, queue: 'microtasks' | 'ticks'): Turn {
    if (queue === 'microtasks') execution.identities.assumptions.noMicrotasks.lose(MICROTASKS)
    return this.#queues.enter(execution, queue)
  }

  /** Of what `queueMicrotask` is given; undefined in an exploration where it has been given nothing. */
  microtasks({ identities }: Execution): FixedOrder | undefined {
    return identities.assumptions.noMicrotasks.has(MICROTASKS) ? undefined : this.#queues.microtasks
  }

  schedule(timer: Timer, length = lengthOf(timer.request)): void {
    timer.due = this.now + length
    timer.order = this.#count++
    if (this.#racing) return this.#scheduleRacing(this.#racing, timer, length)
    if (this.#timeMatters(timer.execution) && timer.execution.accesses.isExploring) timer.execution.accesses.look(this.#location(timer.execution), CLOCK)
    const alike = (this.#alike ??= new Map())
    const likeness = this.#isByEvent ? timer.due : length
    let order = alike.get(likeness)
    if (!order) alike.set(likeness, (order = new FixedOrder()))
    const turn = order.enter(timer.execution)
    timer.turn = turn
    if (timer.request.waitsForAll) for (const pause of this.#pauses?.toCome ?? []) if (pause.step === turn.step) pause.follow(timer.execution, turn)
    this.#await(timer)
  }

  /** Puts it before those that are due earlier, or were set earlier for the same time. */
  #await(timer: Timer): void {
    let low = 0
    let high = this.#pending.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#pending[middle]!.due > timer.due) low = middle + 1
      else high = middle
    }
    this.#pending.splice(low, 0, timer)
  }

  /** With `time: 'race'`: it can fire from now on, unless it is one of too many. */
  #scheduleRacing(racing: RacingTimers, timer: Timer, length: number): void {
    const { execution } = timer
    const { microtasks, ticks } = this.#queues
    const due = { base: this.moment.base, offset: this.moment.offset + length }
    timer.moment = due
    timer.setIn = execution.search.step
    timer.turn = racing.enter(execution, { due, length, others: [microtasks, ticks] })
    timer.isRacing = execution.accesses.isExploring && racing.admits(timer.request, length, execution.process)
    if (!timer.isRacing && timer.request.mayRace && execution.accesses.isExploring) this.hasBounded = true
    timer.process.timers = execution.process.timers
    timer.hasFired = false
    timer.queue = timer.isRacing || execution.accesses.isExploring ? 'timers' : 'turns'
    if (timer.isRacing) {
      timer.wasDue = true
      if (this.#timeMatters(execution)) execution.accesses.look(this.#location(execution), CLOCK)
      execution.wake(timer)
    } else {
      this.#await(timer)
      this.#loseTimeless(execution)
    }
  }

  /** Whether anybody can tell when something was done. */
  #timeMatters(execution: Execution): boolean {
    return !execution.identities.assumptions.timeless.has(TIME)
  }

  /** When timers are due depends on when they are set, and somebody may tell. */
  #loseTimeless(execution: Execution): void {
    if (execution.identities.assumptions.timeless.lose(TIME)) execution.accesses.startAnew()
  }

  /** The timer has not fired up to a step, by default the running one. */
  waits(timer: Timer, step = timer.execution.search.step): void {
    if (timer.isRacing && timer.execution.accesses.isExploring) this.#times?.waits(step, timer.asSet)
  }

  /** What gets into this queue says which orders are possible. */
  watch(queue: FixedOrder): void {
    this.#watched.push(queue)
  }

  /** Whether an execution may turn out to be one that cannot happen. */
  get isConstrained(): boolean {
    return this.#watched.length > 0 || this.#times !== undefined
  }

  /** Whether the steps of the execution can have happened in this order: each timer fires when it is due, and what waits in a queue comes as it got there. */
  isPossible({ search }: Execution): boolean {
    const isBefore = (first: number, second: number): boolean => search.isBefore(first, second)
    return this.#watched.every((queue) => queue.isPossible(isBefore)) && (!this.#times || this.#times.isPossible(isBefore))
  }

  /** The timer fires: it is that late, at least. */
  reach(timer: Timer): void {
    if (!this.#racing) return
    const isJob = timer.due === 0
    const isExact = isJob || timer.isRacing
    if (isExact && timer.execution.accesses.isExploring) this.#times?.fires(timer.execution.search.step, timer.asSet)
    if (isJob) return
    this.now = Math.max(this.now, timer.due)
    timer.execution.accesses.combine(this.#location(timer.execution), CLOCK, timer.site, this.now)
  }

  #location(execution: Execution): ObjectId {
    return (this.#object ??= execution.identities.named('clock'))
  }

  remove(timer: Timer): void {
    const index = this.#pending.indexOf(timer)
    if (index < 0) return
    this.#pending.splice(index, 1)
    timer.turn?.skip(this.#racing && timer.execution)
  }

  /** Those that are to fire later. */
  get timers(): readonly Timer[] {
    return this.#pending
  }

  /** Whether all of them were set before the execution. */
  get hasOnlyOlder(): boolean {
    return this.#pending.length > 0 && this.#pending.every(({ request }) => request.isOlder)
  }

  /** Milliseconds until the next of them is due. */
  get untilNext(): number {
    return (this.#pending.at(-1)?.due ?? Infinity) - this.now
  }

  /** Moves time to the next timer, or by so many milliseconds at most; returns those now due, in the order of their making. */
  advance(most = Infinity): Timer[] {
    if (this.#pending.length === 0 && most === Infinity) return []
    const next = Math.min(this.now + most, this.#pending.at(-1)?.due ?? Infinity)
    this.now = Math.max(this.now, next)
    if (this.#isByEvent) {
      const order = this.#alike?.get(next)
      if (order) this.#due = { now: this.now, order }
      this.#alike?.delete(next)
    } else this.#alike?.clear()
    const due: Timer[] = []
    while (this.#pending.at(-1)?.due === next) due.push(this.#pending.pop()!)
    const last = new Map<Process, Timer>()
    for (const timer of due) {
      timer.wasDue = true
      if (this.#isByEvent) continue
      const earlier = last.get(timer.creator)
      last.set(timer.creator, timer)
      if (earlier) timer.turn!.follow(timer.execution, earlier.turn!)
    }
    return due
  }

  /** Of the timers that fire when nothing else can run those that are due first, and not held back by others. They take time on when they fire. */
  get next(): readonly Timer[] {
    const next: Timer[] = []
    for (let i = this.#pending.length - 1; i >= 0; i--) {
      const timer = this.#pending[i]!
      if (next[0] && timer.due > next[0].due) break
      if (!timer.turn?.isHeld) next.push(timer)
    }
    return next
  }

  /** With `time: 'race'`: the timer fires, as nothing else could run. */
  take(timer: Timer): void {
    this.#pending.splice(this.#pending.indexOf(timer), 1)
    timer.wasDue = true
  }

  get #queues(): JobQueues {
    return (this.#jobs ??= new JobQueues({ isTakenTogether: this.#isByEvent }))
  }
}


/** Milliseconds since the program began and parts of them, which the running step asks for. */
export function timeNow(execution: Execution): number {
  execution.clock.look(execution)
  return execution.clock.fine
}

/** The same for what measures how long something takes. */
export function timeTold(execution: Execution, teller: 'now' | 'hrtime' | 'mark'): number {
  execution.clock.look(execution)
  return execution.clock.tell(execution, teller)
}

/** `Date.now()`, which the running step asks for. */
export function dateNow(execution: Execution): number {
  execution.clock.look(execution)
  return execution.clock.date
}

/** The one name in `Assumptions.timeless`. */
const TIME = 'time'

/** The one name in `Assumptions.noMicrotasks`. */
const MICROTASKS = 'microtasks'
