import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import { CLOCK, entry, property } from '../execution/keys.ts'
import { NativePromise } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { standsForPlatform } from '../accesses/function-kinds.ts'
import { isSeenOtherwise } from '../accesses/nobodys-data.ts'
import { invoke } from '../accesses/invoke.ts'
import { advanceAsync, Unattended, type Advance } from './fake-time.ts'
import { FakeTimer } from './fake-timer.ts'
import { clockOf, comesBefore, saveClock, takeOut, timersOf, timerWithId, type SinonClock, type SinonTimer, type TickMode } from './sinon-clock.ts'
import type { AnyFunction } from './timers.ts'

const COUNT = property('count')
const JOBS = property('jobs')

/** What sets a timer, */
const setting = ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame', 'requestIdleCallback'] as const
/** what clears one, */
const clearing = ['clearTimeout', 'clearInterval', 'clearImmediate', 'cancelAnimationFrame', 'cancelIdleCallback'] as const
/** what puts a job into a queue of the clock's own, */
const queueing = ['nextTick', 'queueMicrotask'] as const
/** what moves time and calls callbacks before it returns, */
const advancing = ['tick', 'next', 'runAll', 'runToLast', 'runToFrame', 'runMicrotasks', 'jump', 'reset', 'setSystemTime'] as const
/** and what does so in turns of the event loop. */
const advancingAsync = { tickAsync: 'tick', nextAsync: 'next', runAllAsync: 'all', runToLastAsync: 'last' } as const

/**
 * A clock that a test has put on the global object in place of the real one, while the test is explored. It stays what it is: time
 * moves when the test says so, and what is called while it moves is called in the clock's order. What is told of it: its time, which
 * everything but a look at it reads or writes; in which order timers for one moment are set, which matters when they are called within
 * a step; and how many there are. Where the test waits while time moves, each timer is a process, and those of one moment can be
 * called as soon as nothing else can run.
 */
export class FakeClock {
  readonly clock: SinonClock
  readonly #native = new Map<string, AnyFunction>()
  /** Of the running execution, by id: also those that were called or cleared. */
  #timers = new Map<number, FakeTimer>()
  #execution: Execution | undefined
  #object!: ObjectId
  #isFiring = false
  /** How far the time of day was set forward, so that what is told of timers does not depend on it. */
  #setForward = 0
  /** What waits while time moves. */
  readonly advances = new Set<Advance>()
  /** How often something has become due in the running execution. */
  rounds = 0
  #time: number
  /** As it was found. The runtime moves time itself where it does so unattended. */
  readonly #tickMode: TickMode | undefined
  /** As it is to go on. */
  #nextMode: TickMode | undefined
  #unattended: Unattended | undefined

  constructor(clock: SinonClock) {
    this.clock = clock
    this.#time = clock.now
    this.#tickMode = this.#nextMode = clock.tickMode
    if (movesByItself(clock.tickMode)) Reflect.apply(clock['setTickMode'] as AnyFunction, clock, [{ mode: 'manual' }])
    Object.defineProperty(clock, 'now', { get: this.#now, set: this.#setNow, enumerable: true, configurable: true })
    for (const name of setting) this.#replace(name, this.#setter)
    for (const name of clearing) this.#replace(name, this.#clearer)
    for (const name of queueing) this.#replace(name, this.#queuer)
    for (const name of advancing) this.#replace(name, this.#advancer)
    for (const [name, by] of Object.entries(advancingAsync)) this.#replace(name, (native) => (value) => (running === null ? native(value) : advanceAsync(running, this, { by, value })))
    this.#replace('countTimers', this.#counter)
    this.#replace('setTickMode', this.#tickModeSetter)
    isSeenOtherwise(clock)
    const standIns = clock.methods.flatMap((name) => [Reflect.get(globalThis, name), Reflect.get(globalThis.process ?? {}, name)] as unknown[]).filter((fn) => clockOf(fn) === clock)
    for (const fn of [...standIns, ...Object.values(Object.getOwnPropertyDescriptors(clock)).map(({ value }) => value as unknown), nowOf(clock['Date']), nowOf(clock['performance'])])
      if (typeof fn === 'function') standsForPlatform(fn as AnyFunction)
  }

  /** The clock is as it was, and nobody is told of what it does. */
  release(): void {
    Object.defineProperty(this.clock, 'now', { value: this.#time, enumerable: true, configurable: true, writable: true })
    for (const [name, native] of this.#native) this.clock[name] = native
    if (!movesByItself(this.#nextMode) || this.clock.methods.length === 0) return
    // Whatever it says of itself, it does not: nothing would be done where that is what it is asked for.
    this.clock.tickMode = { ...this.clock.tickMode, mode: 'manual' }
    this.native('setTickMode', this.#nextMode)
  }

  /** From now on it belongs to this execution, after which it is put back. */
  adopt(execution: Execution): void {
    this.clock.duringTick = false
    if (this.clock.tickMode) this.clock.tickMode = this.#tickMode!
    this.#execution = execution
    this.#timers = new Map()
    this.advances.clear()
    this.rounds = 0
    this.#setForward = 0
    this.#object = execution.identities.named('fake clock')
    const restore = saveClock(this.clock)
    execution.journal.change(() => {
      this.#execution = undefined
      this.#nextMode = this.#tickMode
      restore(this.clock)
    })
    for (const timer of timersOf(this.clock)) this.#control(execution, timer)
    this.#setTickMode(execution, this.#tickMode)
  }

  #setTickMode(execution: Execution, mode: TickMode | undefined): void {
    this.#unattended?.end()
    if (this.#unattended) this.advances.delete(this.#unattended)
    this.#unattended = movesByItself(mode) ? new Unattended(execution, this, { keepsPace: mode.mode === 'interval' }) : undefined
    if (this.#unattended) this.advances.add(this.#unattended)
  }

  // What the forms that wait need ------------------------------------------------------------

  /** Those that are called first when time moves on: of one moment, immediates before the others. */
  get next(): readonly SinonTimer[] {
    const all = timersOf(this.clock).toSorted(comesBefore)
    const [first] = all
    return all.filter(({ callAt, immediate }) => callAt === first!.callAt && Boolean(immediate) === Boolean(first!.immediate))
  }

  /** What the clock shows, without a look at it. */
  get time(): number {
    return this.#time
  }

  get last(): SinonTimer | undefined {
    return timersOf(this.clock).toSorted(comesBefore).at(-1)
  }

  /** They can be called from now on, each in a step of its own. */
  makeDue(execution: Execution, timers: readonly SinonTimer[]): void {
    this.rounds++
    const due: FakeTimer[] = []
    for (const timer of timers) {
      const controlled = this.#timers.get(timer.id) ?? this.#control(execution, timer)
      controlled.isDue(due)
      due.push(controlled)
    }
  }

  /** How often something has become due, which the running step goes by. */
  looksAtRounds(execution: Execution): number {
    execution.accesses.read(this.#object, CLOCK, siteIn(execution), this.#time)
    return this.rounds
  }

  /** Calls the original of a function of the clock. */
  native(name: string, ...args: unknown[]): unknown {
    return Reflect.apply(this.#native.get(name) ?? (this.clock[name] as AnyFunction), this.clock, args)
  }

  // What is told -----------------------------------------------------------------------------

  get #running(): Execution | undefined {
    return running !== null && running === this.#execution ? running : undefined
  }

  readonly #now = (): number => {
    const execution = this.#running
    if (execution) execution.accesses.read(this.#object, CLOCK, siteIn(execution), this.#time)
    return this.#time
  }

  readonly #setNow = (time: number): void => {
    const execution = this.#running
    this.#time = time
    if (execution) execution.accesses.write(this.#object, CLOCK, siteIn(execution), time)
  }

  /** Time moves, or may move: ordered with everything else that the clock does. */
  moves(execution: Execution): void {
    execution.accesses.write(this.#object, CLOCK, siteIn(execution), this.#time)
  }

  /** It matters in which order timers for the moment of this one were set. */
  looksAtOrder(execution: Execution, timer: SinonTimer): void {
    execution.accesses.read(this.#object, this.#moment(timer), siteIn(execution), undefined, 'order')
  }

  #moment(timer: SinonTimer): ReturnType<typeof entry> {
    return entry(timer.callAt - this.#setForward)
  }

  #counted(execution: Execution, amount: 1 | -1): void {
    execution.accesses.increase(this.#object, COUNT, siteIn(execution), { found: timersOf(this.clock).length - amount, amount })
  }

  #control(execution: Execution, timer: SinonTimer): FakeTimer {
    const func = timer.func as AnyFunction
    const controlled = new FakeTimer(execution, func.name || 'timer', () => this.#fire(execution, timer))
    this.#timers.set(timer.id, controlled)
    timer.func = (...args: unknown[]): unknown => {
      if (running !== execution) return Reflect.apply(func, undefined, args)
      const site = siteIn(execution)
      // Within a step of whoever moves the time they are called one after the other.
      if (!this.#isFiring) this.looksAtOrder(execution, timer)
      controlled.changes('called')
      if (typeof timer.interval !== 'number') this.#counted(execution, -1)
      const { listener } = execution
      execution.listener = undefined
      const isFiring = this.#isFiring
      this.#isFiring = false
      try {
        return invoke(execution, func, undefined, args, site)
      } finally {
        execution.listener = listener
        this.#isFiring = isFiring
      }
    }
    return controlled
  }

  /** Calls a timer in a step of its own, unless it was called or cleared since it was due. */
  #fire(execution: Execution, timer: SinonTimer): void {
    const { clock } = this
    if (timerWithId(clock, timer.id) !== timer || timer.callAt > this.#time) return
    takeOut(clock, timer)
    this.#isFiring = true
    const { duringTick = false } = clock
    clock.duringTick = true
    try {
      Reflect.apply(timer.func as AnyFunction, null, timer.args ?? [])
    } catch (error) {
      const [advance] = this.advances
      if (advance) advance.failed(error)
      else execution.uncaught(error)
    } finally {
      this.#isFiring = false
      clock.duringTick = duringTick
    }
  }

  // Functions of the clock -------------------------------------------------------------------

  #replace(name: string, make: (native: AnyFunction, name: string) => AnyFunction): void {
    const native = this.clock[name] as AnyFunction | undefined
    if (typeof native !== 'function') return
    this.#native.set(name, native)
    const controlled = make((...args: unknown[]) => Reflect.apply(native, this.clock, args) as unknown, name)
    Object.defineProperties(controlled, Object.getOwnPropertyDescriptors(native))
    standsForPlatform(controlled)
    this.clock[name] = controlled
    this.#promisify(name, controlled)
  }

  /** `util.promisify(setTimeout)`. */
  #promisify(name: string, controlled: AnyFunction): void {
    const custom = Symbol.for('nodejs.util.promisify.custom')
    const standIn = Reflect.get(globalThis, name) as AnyFunction | undefined
    if (typeof standIn !== 'function' || !Object.hasOwn(standIn, custom) || (standIn as { clock?: unknown }).clock !== this.clock) return
    const sleep = name === 'setImmediate' ? (value: unknown) => new NativePromise((done) => void controlled(done, value)) : (delay: unknown, value: unknown) => new NativePromise((done) => void controlled(done, delay, value))
    Object.defineProperty(standIn, custom, { value: sleep, configurable: true, writable: true, enumerable: true })
  }

  readonly #setter = (native: AnyFunction): AnyFunction => (callback, ...rest) => {
    const execution = this.#running
    const result: unknown = native(callback, ...rest)
    if (!execution) return result
    const timer = timerWithId(this.clock, Number(result))
    if (!timer || typeof callback !== 'function') return result
    const { object } = this.#control(execution, timer)
    // Numbers go on from execution to execution.
    if (typeof result === 'number') execution.identities.means(result, `timer ${object}`)
    this.#isSet(execution, timer)
    this.#counted(execution, 1)
    this.#watchRefresh(result, timer)
    for (const advance of this.advances) advance.timerIsSet()
    return result
  }

  #isSet(execution: Execution, timer: SinonTimer): void {
    execution.accesses.append(this.#object, this.#moment(timer), siteIn(execution), {})
  }

  #watchRefresh(handle: unknown, timer: SinonTimer): void {
    if (typeof handle !== 'object' || handle === null || !('refresh' in handle)) return
    const native = handle.refresh as AnyFunction
    const refresh = (): unknown => {
      const execution = this.#running
      const wasThere = timerWithId(this.clock, timer.id) === timer
      const result: unknown = Reflect.apply(native, handle, [])
      if (!execution) return result
      this.#timers.get(timer.id)?.changes('refreshed')
      this.#isSet(execution, timer)
      if (!wasThere) this.#counted(execution, 1)
      return result
    }
    standsForPlatform(refresh)
    handle.refresh = refresh
  }

  readonly #clearer = (native: AnyFunction): AnyFunction => (handle) => {
    const execution = this.#running
    const id = Number(handle)
    const timer = execution && this.#timers.get(id)
    if (!execution || !timer) return native(handle)
    execution.accesses.read(this.#object, CLOCK, siteIn(execution), this.#time)
    timer.changes('cleared')
    const wasThere = timerWithId(this.clock, id) !== undefined
    const result: unknown = native(handle)
    if (wasThere) this.#counted(execution, -1)
    return result
  }

  readonly #queuer = (native: AnyFunction, name: string): AnyFunction => (callback, ...args) => {
    const execution = this.#running
    const real = this.clock[`_${name}`] as AnyFunction | undefined
    // Between steps it is the test runner that asks, which nobody moves the time for.
    if (running === null && typeof real === 'function') return Reflect.apply(real, name === 'nextTick' ? process : undefined, [callback, ...args])
    if (!execution || typeof callback !== 'function') return native(callback, ...args)
    execution.accesses.read(this.#object, CLOCK, siteIn(execution), this.#time)
    execution.accesses.append(this.#object, JOBS, siteIn(execution), {})
    return native((...given: unknown[]) => invoke(execution, callback as AnyFunction, undefined, given, siteIn(execution)), ...args)
  }

  readonly #advancer = (native: AnyFunction, name: string): AnyFunction => (...args) => {
    const execution = this.#running
    if (!execution) return native(...args)
    this.moves(execution)
    execution.accesses.read(this.#object, JOBS, siteIn(execution), undefined, 'order')
    // These move what others have set, in whichever order they did.
    if (name === 'reset' || name === 'jump') for (const timer of timersOf(this.clock)) this.looksAtOrder(execution, timer)
    if (name === 'reset') for (const { id } of timersOf(this.clock)) this.#cleared(execution, id)
    if (name !== 'setSystemTime') return native(...args)
    const before = this.#time
    const result: unknown = native(...args)
    const forward = this.#time - before
    this.#setForward += forward
    for (const advance of this.advances) advance.timeIsSet(forward)
    return result
  }

  #cleared(execution: Execution, id: number): void {
    this.#timers.get(id)?.changes('cleared')
    this.#counted(execution, -1)
  }

  readonly #tickModeSetter = (native: AnyFunction): AnyFunction => (mode: TickMode) => {
    const execution = this.#running
    if (!execution) return native(mode)
    this.moves(execution)
    this.#setTickMode(execution, mode)
    this.#nextMode = this.clock.tickMode = { ...this.clock.tickMode, mode: mode.mode ?? 'manual', delta: mode.delta }
    return undefined
  }

  readonly #counter = (native: AnyFunction): AnyFunction => () => {
    const execution = this.#running
    const count: unknown = native()
    if (!execution) return count
    execution.accesses.read(this.#object, CLOCK, siteIn(execution), this.#time)
    execution.accesses.read(this.#object, COUNT, siteIn(execution), timersOf(this.clock).length)
    execution.accesses.read(this.#object, JOBS, siteIn(execution), undefined, 'order')
    return count
  }
}

function nowOf(holder: unknown): unknown {
  return (holder as { now?: unknown } | undefined)?.now
}

function movesByItself(mode: TickMode | undefined): mode is TickMode {
  return mode?.mode === 'interval' || mode?.mode === 'nextAsync'
}

function siteIn(execution: Execution): SiteId {
  return execution.here
}
