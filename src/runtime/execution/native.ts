import { Object, Reflect } from '../../engine/intrinsics.ts'
import { calledByProgram } from './replaced-tools.ts'

/** The platform's own functions, taken before anything is patched. */

// Where a program has put something in the place of built-ins, this runs in between.
const { apply } = globalThis.Reflect

/** Where in this process each copy of the runtime finds who has put something in the place of built-ins. */
const replacedBy = Symbol.for('vitest-dpor: what stands in the place of built-ins')
const registry = (globalThis.process ?? globalThis) as unknown as Record<symbol, (() => void) | undefined>
registry[replacedBy]?.()

/** This copy of the runtime puts something in the place of built-ins; `giveBack` takes it off again, for another copy. */
export function onGiveBack(giveBack: () => void): void {
  if (registry[replacedBy] === giveBack) return
  registry[replacedBy]?.()
  Object.defineProperty(registry, replacedBy, { value: giveBack, configurable: true })
}

export const NativePromise = Promise
/** A program may take it away, as tests of what stands for it do. */
export const NativeAggregateError = AggregateError
export const NativeDate = Date
let dateVersion: unknown = NativeDate

/** A function that stands in the place of `Date` while an exploration runs. */
export function standsForDate(version: unknown): void {
  dateVersion = version
}

/** Whether this is the `Date` of the platform, or what stands in its place. */
export function isNativeDate(constructor: unknown): boolean {
  return constructor === NativeDate || constructor === dateVersion
}

export const nativePerformance = globalThis.performance
export const nativeThen = Promise.prototype.then
let thenVersion: unknown = nativeThen

/** A function that stands in the place of `Promise.prototype.then` while an exploration runs. */
export function standsForThen(version: unknown): void {
  thenVersion = version
}

/** Whether this is the `then` of the platform, or what stands in its place. */
export function isNativeThen(then: unknown): boolean {
  return then === nativeThen || then === thenVersion
}

/** Calls back when a promise is settled. Of a class of the user's `then` would make another one. */
export function hear(promise: Promise<unknown>, fulfilled: ((value: unknown) => void) | undefined, rejected: ((error: unknown) => void) | undefined): void {
  const own = Object.hasOwn(promise, 'constructor') ? Reflect.getOwnPropertyDescriptor(promise, 'constructor') : undefined
  const isPlain = own === undefined && Reflect.getPrototypeOf(promise) === NativePromise.prototype
  const isHidden = !isPlain && Reflect.defineProperty(promise, 'constructor', { value: NativePromise, configurable: true })
  nativeThen.call(promise, fulfilled && calledByProgram(fulfilled), rejected && calledByProgram(rejected))
  if (!isHidden) return
  if (own) Reflect.defineProperty(promise, 'constructor', own)
  else Reflect.deleteProperty(promise, 'constructor')
}

export const nativeSetTimeout = globalThis.setTimeout
export const nativeClearTimeout = globalThis.clearTimeout
export const nativeNow = Date.now

const timeout = nativeSetTimeout(noop, 0)
nativeClearTimeout(timeout)
const immediate = globalThis.setImmediate?.(noop)
globalThis.clearImmediate?.(immediate)
const prototypeOf = (timer: unknown): object | null => (typeof timer === 'object' && timer !== null ? Reflect.getPrototypeOf(timer) : null)
const timeouts = prototypeOf(timeout)
const immediates = prototypeOf(immediate)

/** What Node keeps of a timer that is real: it is linked with those of everybody else. */
export function isRealTimer(object: object): boolean {
  const prototype = Reflect.getPrototypeOf(object)
  return prototype !== null && (prototype === timeouts || prototype === immediates)
}

const nativeSetImmediate = globalThis.setImmediate as typeof setImmediate | undefined
// A body may put something else in its place.
const { process } = globalThis as { process?: NodeJS.Process }
const nativeNextTick = process?.nextTick as ((callback: () => void) => void) | undefined

/** What calls back once the microtask queue is empty; to be called from a microtask or a macrotask. */
export function afterMicrotasks(callback: () => void): () => void {
  if (!nativeNextTick) return () => afterMacrotask(callback)
  // A tick that is queued by a microtask runs when all microtasks have run.
  const callInTick = (): void => apply(nativeNextTick, process!, [callback])
  return () => inMicrotask(callInTick)
}

/** Calls back once what runs now has come to its end; to be called from a macrotask. */
export function inTick(callback: () => void): void {
  if (nativeNextTick) apply(nativeNextTick, process!, [callback])
  else inMicrotask(callback)
}

/** Calls back in a microtask, which `queueMicrotask` of Node takes three times as long for. */
export function inMicrotask(callback: () => void): void {
  nativeThen.call(fulfilled, calledByProgram(callback))
}

const fulfilled = NativePromise.resolve()

/** Whether what reacts to this promise was asked for by `inMicrotask`. */
export const leadsToOwnJobs = (promise: object | undefined): boolean => promise === fulfilled

/** Calls back in a later turn of the event loop, so that timers and I/O of the test runner can proceed. */
export function afterMacrotask(callback: () => void): void {
  if (nativeSetImmediate) nativeSetImmediate(callback)
  else nativeSetTimeout(callback, 0)
}

const { AsyncResource } = (globalThis.process?.getBuiltinModule?.('node:async_hooks') ?? {}) as Partial<typeof import('node:async_hooks')>

/** The number of what Node begins next, promises aside; takes that number. */
export function asyncIdNow(): number {
  return AsyncResource ? new AsyncResource('vitest-dpor').asyncId() : NaN
}

export function noop(): void {}
