import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { suspendAndTell } from '../events/event-call.ts'
import { isNativePromise } from '../execution/brands.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { suspended } from './async-call.ts'
import { iteratorLike, told, type Key, type Method, type Result, type Telling } from './iterator-like.ts'
import { rejection } from './making.ts'
import { onSettled } from './reactions.ts'

/** What a sync iterable gives is awaited, value by value and at its end; it can always be closed. */
export function fromSync(iterator: Iterator<unknown>, site: SiteId, telling: Telling): AsyncIterator<unknown> {
  const settled = (result: unknown, key: Key): Promise<Result> => {
    const { done, value } = objectOf(result) as Result
    const fails = closesWhatFails && !done && key !== 'return' ? calledByProgram(closing(iterator)) : undefined
    if (running?.events) {
      const unwrapped = nativeThen.call(orFailed(() => NativePromise.resolve(value), fails), (given) => ({ done: Boolean(done), value: given }), fails)
      return suspendAndTell(running, unwrapped, site, (given) => told(given as Result, telling)) as Promise<Result>
    }
    const tells = calledByProgram((given: unknown) => told({ done: Boolean(done), value: given } as Result, telling))
    if (fails && running && isPlainPromise(value)) return nativeThen.call(suspended(onSettled(running, value, [undefined, fails], site), site), tells) as Promise<Result>
    return nativeThen.call(orFailed(() => suspended(value, site, 1), fails), tells, fails) as Promise<Result>
  }
  const like = iteratorLike(iterator, Reflect.get, (method, args, key) => settled(Reflect.apply(method, iterator, args), key))
  return {
    next: like.next,
    return: calledByProgram((...args) => like.return?.(...args) ?? settled({ done: true, value: args[0] }, 'return')),
    throw: calledByProgram((...args) => like.throw?.(...args) ?? (failed(closesWhatFails ? withoutThrow(iterator) : args[0], site) as Promise<never>)),
  }
}

/** One whose class nobody is asked for in vain. */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return isNativePromise(value) && !Object.hasOwn(value, 'constructor') && value.constructor === NativePromise
}

function failed(error: unknown, site: SiteId): Promise<unknown> {
  const rejected = rejection(error, site)
  return running === null || running.events ? rejected : suspended(rejected, site)
}

/** Newer versions of the platform close what gives a promise that is rejected, or has no method `throw`. */
const closesWhatFails = findOut()

function findOut(): boolean {
  let isClosed = false
  const unreadable = Object.defineProperty(NativePromise.resolve(), 'constructor', {
    get() {
      throw isClosed
    },
  })
  const iterator: Iterator<unknown> = {
    next: () => ({ done: false, value: unreadable }),
    return() {
      isClosed = true
      return { done: true, value: undefined }
    },
  }
  void (async () => {
    for await (const value of { [Symbol.iterator]: () => iterator }) void value
  })().catch(() => {})
  return isClosed
}

function objectOf(result: unknown): object {
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null) throw new TypeError(`Iterator result ${String(result)} is not an object`)
  return result
}

/** As the platform does it: an error of the iterator's own goes unheard. */
function closing(iterator: Iterator<unknown>): (error: unknown) => never {
  return (error) => {
    try {
      iterator.return?.()
    } catch {}
    throw error
  }
}

/** A promise whose constructor cannot be read is no value of an iterator. */
function orFailed(make: () => Promise<unknown>, fails: ((error: unknown) => never) | undefined): Promise<unknown> {
  try {
    return make()
  } catch (error) {
    fails?.(error)
    throw error
  }
}

/** What whoever has the iterator throw gets, where it has no such method. */
function withoutThrow(iterator: Iterator<unknown>): unknown {
  try {
    const method = iterator.return as Method | null | undefined
    if (method !== undefined && method !== null) objectOf(Reflect.apply(method, iterator, []))
  } catch (error) {
    return error
  }
  return new TypeError("The iterator does not provide a 'throw' method.")
}
