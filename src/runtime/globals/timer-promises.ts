import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import { unseen } from '../events/promise-hooks.ts'
import { STATE } from '../execution/keys.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Execution } from '../execution/execution.ts'
import type { Timer, TimerRequest } from '../execution/timer.ts'
import { inMicrotask } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { standsForPlatform } from '../accesses/function-kinds.ts'
import { deferred, type Deferred } from '../promises/capability.ts'
import { startImmediate, type AnyFunction } from './timers.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** What Node rejects with where a signal ends a wait. */
function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' })
}

/** Whether Node takes these arguments. If not it says so itself: nothing has begun then that could take time. */
function areTaken(delay: unknown, options: unknown): boolean {
  if (delay !== undefined && typeof delay !== 'number') return false
  if (options === undefined) return true
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false
  const { signal, ref } = options as { readonly signal?: unknown; readonly ref?: unknown }
  return (signal === undefined || (typeof signal === 'object' && signal !== null && 'aborted' in signal)) && (ref === undefined || typeof ref === 'boolean')
}

const isScheduler = (value: unknown): boolean => value === globalThis.process?.getBuiltinModule?.('node:timers/promises').scheduler

/** `timers/promises`: a promise that a virtual timer fulfils. */
export function sleepFunction(native: AnyFunction, { isImmediate }: { isImmediate: boolean }): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null) return Reflect.apply(native, this, args)
    const [delay, value, options] = isImmediate ? [0, ...args] : args
    if (!areTaken(delay, options)) return Reflect.apply(native, this, args)
    const { signal } = (options ?? {}) as Options
    const record = deferred(execution)
    if (signal?.aborted) {
      record.reject(abortError(signal))
      return record.promise
    }
    let listening: Listening | undefined
    const settle = (run: () => void): void => (listening ? listening.end(execution, run) : run())
    const request: TimerRequest = {
      name: 'sleep',
      callback: () => settle(() => record.resolve(value)),
      delay: Number(delay ?? 1),
      repeats: false,
      site: record.site,
      mayRace: true,
    }
    const timer = isImmediate ? startImmediate(execution, request, { isAwaited: true }) : execution.clock.start(execution, request)
    if (signal) {
      listening = new Listening(signal, (reason) => {
        timer.clear()
        settle(() => record.reject(reason))
      })
    }
    return record.promise
  }
}

/** A wait that a signal ends. */
class Listening {
  readonly #signal: AbortSignal
  readonly #listener: () => void

  constructor(signal: AbortSignal, aborted: (reason: Error) => void) {
    this.#signal = signal
    this.#listener = () => aborted(abortError(signal))
    standsForPlatform(this.#listener)
    signal.addEventListener('abort', this.#listener, { once: true })
  }

  stop(): void {
    this.#signal.removeEventListener('abort', this.#listener)
  }

  /** The wait is over: Node takes its listener off again, as `finally` does, and passes the outcome on. */
  end(execution: Execution, run: () => void): void {
    afterJobs(execution, 2, () => {
      this.stop()
      afterJobs(execution, 3, run)
    })
  }
}

/** Runs what Node does so many jobs later, within the running step. */
function afterJobs(execution: Execution, count: number, run: () => void): void {
  if (count === 0) return run()
  const job = (): void => afterJobs(execution, count - 1, run)
  if (execution.events) unseen(() => inMicrotask(job))
  else execution.jobs.later(job)
}

/** What `util.promisify(setTimeout)` gives. */
export function promisified(fn: AnyFunction, native: any): AnyFunction {
  const promisify = Symbol.for('nodejs.util.promisify.custom')
  const original = native[promisify] as AnyFunction | undefined
  if (original) {
    const isImmediate = native.name === 'setImmediate'
    Object.defineProperty(fn, promisify, { value: sleepFunction(original, { isImmediate }), configurable: true })
  }
  return fn
}

/** `scheduler.wait(delay, options)`. */
export function waitFunction(native: AnyFunction): AnyFunction {
  const sleep = sleepFunction(native, { isImmediate: false })
  return function (this: unknown, delay: unknown, options?: Options) {
    return running === null || !isScheduler(this) || !areTaken(delay, options) ? Reflect.apply(native, this, [delay, options]) : sleep(delay, undefined, options)
  }
}

/** `scheduler.yield()`. */
export function yieldFunction(native: AnyFunction): AnyFunction {
  const sleep = sleepFunction(native, { isImmediate: true })
  return function (this: unknown) {
    return running === null || !isScheduler(this) ? Reflect.apply(native, this, []) : sleep()
  }
}

/** `setInterval` of `timers/promises`: an iterator that begins with its first `next()`. */
export function ticksFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, delay?: unknown, value?: unknown, options?: Options) {
    const execution = running
    return execution === null || !areTaken(delay, options) ? Reflect.apply(native, this, [delay, value, options]) : ticks(execution, { delay: Number(delay ?? 1), value, signal: options?.signal })
  }
}

interface Ticking {
  readonly delay: number
  readonly value: unknown
  readonly signal: AbortSignal | undefined
}

function ticks(execution: Execution, ticking: Ticking): object {
  const made = new Ticks(execution, ticking)
  const iterator = {
    next: () => made.ask('next'),
    return: (value?: unknown) => made.ask('return', value),
    throw: (error?: unknown) => made.ask('throw', error),
    [Symbol.asyncIterator]: () => iterator,
  }
  for (const fn of Reflect.ownKeys(iterator)) standsForPlatform(Reflect.get(iterator, fn) as AnyFunction)
  return iterator
}

type Kind = 'next' | 'return' | 'throw'

interface Request {
  readonly kind: Kind
  readonly value: unknown
  readonly record: Deferred
}

/** An async generator of Node's: it answers one request after another. */
class Ticks {
  readonly #execution: Execution
  readonly #ticking: Ticking
  readonly #object: ObjectId
  #timer: Timer | undefined
  #listening: Listening | undefined
  /** Those that nobody has asked for yet. */
  #count = 0
  /** The first one is being answered. */
  readonly #requests: Request[] = []
  /** The first request waits for the next tick. */
  #isWaiting = false
  #aborted: Error | undefined
  #isOver = false

  constructor(execution: Execution, ticking: Ticking) {
    this.#execution = execution
    this.#ticking = ticking
    this.#object = execution.identities.fresh()
  }

  ask(kind: Kind, value?: unknown): Promise<unknown> {
    const record = deferred(this.#execution)
    this.#tell()
    this.#requests.push({ kind, value, record })
    if (this.#requests.length === 1) this.#serve()
    return record.promise
  }

  #tell(): void {
    const execution = this.#execution
    execution.accesses.write(this.#object, STATE, execution.here, undefined)
  }

  #serve(): void {
    const { kind, value, record } = this.#requests[0]!
    if (kind === 'throw') {
      this.#end()
      this.#answer(() => record.reject(value))
    } else if (kind === 'return') {
      // The language awaits what `return` is given, and only then goes on.
      this.#after(1, () => {
        this.#end()
        record.resolve({ value, done: true })
      })
    } else if (this.#isOver) {
      this.#answer(() => record.resolve({ value: undefined, done: true }))
    } else {
      this.#next()
    }
  }

  #next(): void {
    this.#begin()
    if (this.#count > 0) this.#yields()
    else if (this.#aborted) this.#fail(this.#aborted)
    else this.#isWaiting = true
  }

  #begin(): void {
    const { delay, signal } = this.#ticking
    if (this.#timer) return
    if (signal?.aborted) {
      this.#aborted ??= abortError(signal)
      return
    }
    const execution = this.#execution
    this.#timer = execution.clock.start(execution, { name: 'interval', callback: () => this.#tick(), delay, repeats: true, site: execution.call?.site ?? 0, mayRace: true })
    if (signal) this.#listening = new Listening(signal, (reason) => this.#abort(reason))
  }

  #tick(): void {
    this.#tell()
    this.#count++
    if (!this.#isWaiting) return
    this.#isWaiting = false
    afterJobs(this.#execution, 1, () => this.#yields())
  }

  /** One tick is what the first request gets. */
  #yields(): void {
    const { record } = this.#requests[0]!
    this.#count--
    this.#after(1, () => record.resolve({ value: this.#ticking.value, done: false }))
  }

  #abort(reason: Error): void {
    if (this.#isOver) return
    this.#tell()
    this.#timer?.clear()
    this.#aborted = reason
    if (!this.#isWaiting) return
    this.#isWaiting = false
    // It waits for a promise that is resolved with one that is rejected.
    afterJobs(this.#execution, 3, () => this.#fail(reason))
  }

  #fail(reason: Error): void {
    const { record } = this.#requests[0]!
    this.#end()
    this.#answer(() => record.reject(reason))
  }

  #after(jobs: number, answer: () => void): void {
    afterJobs(this.#execution, jobs, () => this.#answer(answer))
  }

  /** The first request is answered, and the next one comes. */
  #answer(answer: () => void): void {
    answer()
    this.#requests.shift()
    if (this.#requests.length > 0) this.#serve()
  }

  #end(): void {
    this.#isOver = true
    this.#timer?.clear()
    this.#listening?.stop()
  }
}
