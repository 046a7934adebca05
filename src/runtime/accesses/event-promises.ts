import type { SiteId } from '../../engine/ids.ts'
import { arrived } from '../events/from-outside.ts'
import { cellOf } from '../events/promise-cell.ts'
import { unseen } from '../events/promise-hooks.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { eventTargetPrototypes } from '../execution/event-target-classes.ts'
import { hear } from '../execution/native.ts'
import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { running } from '../execution/running.ts'
import { recordOf } from '../promises/foreign-promises.ts'
import { followCall } from '../promises/platform-jobs.ts'
import type { Fn } from './handler.ts'
import { isOfPlatform, isRealTarget } from './real-things.ts'
import { isObject } from './telling.ts'

/**
 * `once` and `on` of `node:events`. What they give is settled by listeners, in the moment in which somebody emits. Nothing stands between
 * that and whoever waits, so it comes as the platform has it; and where somebody emits outside of all steps, it is the listeners that wait for their turn.
 */

const events = globalThis.process?.getBuiltinModule?.('node:events') as unknown as typeof import('node:events') | undefined
const settling: readonly unknown[] = events ? [events.once, events.on] : []

/** Its listeners are registered now. */
let isRegistering = false
/** One of them waits for its turn. */
let hasRegistered = false

/** Whether a call gives what such listeners settle, and nothing else. */
export function settlesByListeners(fn: Fn, [emitter, , options]: readonly unknown[]): boolean {
  if (events === undefined || !settling.includes(fn) || !isByListeners(options)) return false
  return isRealTarget(emitter) || eventTargetPrototypes.some((prototype) => isInstance(emitter, prototype)) || isInstance(emitter, events.EventEmitter.prototype)
}

/** Who aborts, or closes an iterator, does so by listeners as well. */
function isByListeners(options: unknown): boolean {
  if (options === undefined) return true
  if (!isObject(options) || isProxy(options)) return false
  const { signal, ...others } = Object.getOwnPropertyDescriptors(options) as Readonly<Record<string, PropertyDescriptor>>
  const isSignal = signal === undefined || ('value' in signal && (signal.value === undefined || (isInstance(signal.value, AbortSignal.prototype) && !isRealTarget(signal.value))))
  return isSignal && Object.keys(others).every((name) => name === 'close')
}

/** What an event target that is not of the platform's own is handed in the place of these arguments, where such a call registers its listener, or has done so. */
export function argumentsInTurn(execution: Execution, { name, args }: { readonly name: string; readonly args: readonly unknown[] }, site: SiteId): readonly unknown[] {
  const [type, listener, ...options] = args
  if (typeof listener !== 'function') return args
  return [type, name === 'addEventListener' ? listenerInTurn(execution, listener as Fn, site) : registeredInTurn(listener), ...options]
}

/** Whether what registers a listener now is such a call. */
export const registersForPromise = (): boolean => isRegistering

/** A listener that is registered now will wait for its turn. */
export function listenerWaits(): void {
  hasRegistered = true
}

/** Makes such a call on this emitter; `isHeld` is whether a listener of it waits for its turn. */
export function registering<T>(execution: Execution, emitter: unknown, call: () => T): { readonly result: T; readonly isHeld: boolean } {
  // One that nobody has met might be at work for others.
  if (isObject(emitter)) execution.identities.of(emitter)
  isRegistering = true
  hasRegistered = false
  try {
    return { result: call(), isHeld: hasRegistered }
  } finally {
    isRegistering = false
  }
}

const inTurns = new WeakMap<object, Fn>()

/** What is registered in the place of a listener of such a call. */
export function listenerInTurn(execution: Execution, listener: Fn, site: SiteId): Fn {
  if (!isRegistering) return listener
  listenerWaits()
  const waits = function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    if (running === execution) followCall(execution)
    if (running === execution || execution.foreign.isClosed) return Reflect.apply(listener, this, args) as unknown
    arrived(execution, site, () => void Reflect.apply(listener, this, args))
    return undefined
  }
  inTurns.set(listener, waits)
  return waits
}

/** The same where it is removed. */
export const registeredInTurn = (listener: unknown): unknown => (typeof listener === 'function' ? inTurns.get(listener) : undefined) ?? listener

/**
 * What such a call on this emitter has given, or the iterator that it has given. Something real may have a part in it all the same: it is waited for, but where the
 * emitter is real itself, whose listeners wait for their turn.
 */
export function settledByListeners(execution: Execution, emitter: unknown, promise: unknown, site: SiteId): void {
  if (!isObject(promise) || !isPromise(promise)) return
  if (!execution.events) return isOutside(emitter) ? undefined : settledInSteps(execution, promise, site)
  const cell = cellOf(execution, promise)
  if (!cell || cell.isSettled || cell.isControlled) return
  cell.isControlled = true
  if (isOutside(emitter)) return
  const token = {}
  execution.foreign.watchEmission(token)
  const settled = (): void => void execution.foreign.unwatch(token)
  unseen(() => hear(promise, settled, settled))
}

/** Its listeners wait for their turn anyway. */
const isOutside = (emitter: unknown): boolean => isRealTarget(emitter) || isOfPlatform(emitter as object)

/** Where every `await` is a step, somebody may wait for the promise long after a step has settled it, and comes after that step. */
function settledInSteps(execution: Execution, promise: Promise<unknown>, site: SiteId): void {
  const record = recordOf(execution, promise, site)
  record.handled = false
  record.isOverheard = true
}
