import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { suspendAndTell } from '../events/event-call.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { asRuntime, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { suspended } from './async-call.ts'

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

/** An iterator whose methods are looked up as the language does: `next` once, the others when they are needed. */
function iteratorLike(iterator: object, find: Telling['method'], call: (method: Method, args: unknown[]) => Promise<Result>): AsyncIterator<unknown> {
  const next = find(iterator, 'next') as Method
  const optional = (key: 'return' | 'throw'): ((...args: unknown[]) => Promise<Result>) | undefined => {
    const method = find(iterator, key) as Method | null | undefined
    return method === undefined || method === null ? undefined : calledByProgram((...args) => call(method, args))
  }
  return {
    next: calledByProgram((...args: unknown[]) => call(next, args)),
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
  const settled = (result: unknown): Promise<Result> => {
    if ((typeof result !== 'object' && typeof result !== 'function') || result === null) throw new TypeError(`Iterator result ${String(result)} is not an object`)
    const { done, value } = result as Result
    if (running?.events) {
      const unwrapped = nativeThen.call(NativePromise.resolve(value), (given) => ({ done: Boolean(done), value: given }))
      return suspendAndTell(running, unwrapped, site, (given) => told(given as Result, telling)) as Promise<Result>
    }
    return nativeThen.call(suspended(value, site, 1), calledByProgram((given) => told({ done: Boolean(done), value: given } as Result, telling))) as Promise<Result>
  }
  const like = iteratorLike(iterator, Reflect.get, (method, args) => settled(Reflect.apply(method, iterator, args)))
  return {
    next: like.next,
    return: calledByProgram((...args) => like.return?.(...args) ?? settled({ done: true, value: args[0] })),
    throw: calledByProgram((...args) => like.throw?.(...args) ?? NativePromise.reject(args[0])),
  }
}

function told(result: Result, { taken }: Telling): Result {
  if (taken && !result.done) taken(result.value)
  return result
}
