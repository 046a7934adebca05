import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { suspendAndTell } from '../events/event-call.ts'
import { isNativePromise } from '../execution/brands.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { asRuntime, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { suspended } from './async-call.ts'
import { rejectedWith } from './making.ts'
import { onSettled } from './reactions.ts'

type Result = IteratorResult<unknown>
type Method = (this: unknown, ...args: unknown[]) => unknown

interface Source {
  readonly [Symbol.iterator]?: () => Iterator<unknown>
}

/** How an iteration tells what it looks at. */
export interface Telling {
  /** What to go through in the place of an iterable that is not async. */
  readonly walk: (iterable: Iterable<unknown>) => Iterable<unknown>
  /** Looks for a method. */
  readonly method: (object: object, name: PropertyKey) => unknown
  /** Told of each value that is yielded. */
  readonly taken?: ((value: unknown) => void) | undefined
}

/** `for await (x of e)` and `yield* e` in an async generator: waiting for the next value is an `await` like any other. */
export function iterateAsync(iterable: unknown, site: SiteId, telling: Telling): unknown {
  if (running === null || iterable === null || iterable === undefined) return iterable
  const source = iterable as Source
  return {
    [Symbol.asyncIterator]: calledByProgram(() => {
      const make = telling.method(source, Symbol.asyncIterator) as Method | null | undefined
      if (make === undefined || make === null) return fromSync(telling.walk(source as Iterable<unknown>)[Symbol.iterator](), site, telling)
      return followed(Reflect.apply(make, source, []) as object, site, telling)
    }),
  }
}

type Key = 'next' | 'return' | 'throw'

/** An iterator whose methods are looked up as the language does: `next` once, the others when they are needed. */
function iteratorLike(iterator: object, find: Telling['method'], call: (method: Method, args: unknown[], key: Key) => Promise<Result>): AsyncIterator<unknown> {
  const next = find(iterator, 'next') as Method
  const optional = (key: Key): ((...args: unknown[]) => Promise<Result>) | undefined => {
    const method = find(iterator, key) as Method | null | undefined
    return method === undefined || method === null ? undefined : calledByProgram((...args) => call(method, args, key))
  }
  return {
    next: calledByProgram((...args: unknown[]) => call(next, args, 'next')),
    get return() {
      return asRuntime(() => optional('return'))
    },
    get throw() {
      return asRuntime(() => optional('throw'))
    },
  } as AsyncIterator<unknown>
}

function followed(iterator: object, site: SiteId, telling: Telling): AsyncIterator<unknown> {
  return iteratorLike(iterator, telling.method, (method, args) => {
    const next: unknown = Reflect.apply(method, iterator, args)
    if (running?.events) return suspendAndTell(running, next, site, (result) => told(result as Result, telling)) as Promise<Result>
    const result = suspended(next, site) as Promise<Result>
    return telling.taken ? (nativeThen.call(result, calledByProgram((given) => told(given as Result, telling))) as Promise<Result>) : result
  })
}

/** What a sync iterable gives is awaited, value by value and at its end; it can always be closed. */
function fromSync(iterator: Iterator<unknown>, site: SiteId, telling: Telling): AsyncIterator<unknown> {
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
    throw: calledByProgram((...args) => like.throw?.(...args) ?? failed(closesWhatFails ? withoutThrow(iterator) : args[0], site)),
  }
}

/** One whose class nobody is asked for in vain. */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return isNativePromise(value) && !Object.hasOwn(value, 'constructor') && value.constructor === NativePromise
}

function failed(error: unknown, site: SiteId): Promise<never> {
  return (running === null || running.events ? NativePromise.reject(error) : suspended(rejectedWith(running, NativePromise, error, site), site)) as Promise<never>
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

function told(result: Result, { taken }: Telling): Result {
  if (taken && !result.done) taken(result.value)
  return result
}
