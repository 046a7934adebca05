import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import { STATE } from '../execution/keys.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Execution } from '../execution/execution.ts'
import type { Timer, TimerRequest } from '../execution/timer.ts'
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
    const request: TimerRequest = {
      name: 'sleep',
      callback: () => record.resolve(value),
      delay: Number(delay ?? 1),
      repeats: false,
      site: record.site,
      mayRace: true,
    }
    const timer = isImmediate ? startImmediate(execution, request, { isAwaited: true }) : execution.clock.start(execution, request)
    whenAborted(signal, (reason) => {
      timer.clear()
      record.reject(reason)
    })
    return record.promise
  }
}

function whenAborted(signal: AbortSignal | undefined, callback: (reason: Error) => void): void {
  const listener = (): void => callback(abortError(signal!))
  standsForPlatform(listener)
  signal?.addEventListener('abort', listener, { once: true })
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
    next: () => made.next(),
    return: (value?: unknown) => made.return(value),
    throw: (error?: unknown) => made.throw(error),
    [Symbol.asyncIterator]: () => iterator,
  }
  for (const fn of Reflect.ownKeys(iterator)) standsForPlatform(Reflect.get(iterator, fn) as AnyFunction)
  return iterator
}

class Ticks {
  readonly #execution: Execution
  readonly #ticking: Ticking
  readonly #object: ObjectId
  #timer: Timer | undefined
  /** Those that nobody has asked for yet. */
  #count = 0
  readonly #waiting: Deferred[] = []
  #error: { readonly thrown: unknown } | undefined
  #isOver = false

  constructor(execution: Execution, ticking: Ticking) {
    this.#execution = execution
    this.#ticking = ticking
    this.#object = execution.identities.fresh()
  }

  next(): Promise<unknown> {
    const record = this.#record()
    this.#begin()
    if (this.#error && !this.#isOver) {
      this.#isOver = true
      record.reject(this.#error.thrown)
    } else if (this.#isOver) {
      record.resolve({ value: undefined, done: true })
    } else if (this.#count > 0) {
      this.#count--
      record.resolve({ value: this.#ticking.value, done: false })
    } else {
      this.#waiting.push(record)
    }
    return record.promise
  }

  return(value: unknown): Promise<unknown> {
    const record = this.#record()
    this.#end()
    record.resolve({ value, done: true })
    return record.promise
  }

  throw(error: unknown): Promise<unknown> {
    const record = this.#record()
    this.#end()
    record.reject(error)
    return record.promise
  }

  #record(): Deferred {
    const record = deferred(this.#execution)
    this.#tell()
    return record
  }

  #tell(): void {
    const execution = this.#execution
    execution.accesses.write(this.#object, STATE, execution.call?.site ?? execution.lastSite, undefined)
  }

  #begin(): void {
    const { delay, signal } = this.#ticking
    if (this.#timer || this.#isOver || this.#error) return
    if (signal?.aborted) {
      this.#error = { thrown: abortError(signal) }
      return
    }
    const execution = this.#execution
    this.#timer = execution.clock.start(execution, { name: 'interval', callback: () => this.#tick(), delay, repeats: true, site: execution.call?.site ?? 0, mayRace: true })
    whenAborted(signal, (reason) => this.#abort(reason))
  }

  #tick(): void {
    this.#tell()
    const record = this.#waiting.shift()
    if (record) record.resolve({ value: this.#ticking.value, done: false })
    else this.#count++
  }

  #abort(reason: Error): void {
    if (this.#isOver) return
    this.#tell()
    this.#timer?.clear()
    const record = this.#waiting.shift()
    if (record) {
      this.#end()
      record.reject(reason)
    } else {
      this.#error = { thrown: reason }
    }
  }

  #end(): void {
    this.#isOver = true
    this.#timer?.clear()
    for (const record of this.#waiting.splice(0)) record.resolve({ value: undefined, done: true })
  }
}
