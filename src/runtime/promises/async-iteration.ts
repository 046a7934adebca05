import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { suspendAndTell } from '../events/event-call.ts'
import { nativeThen } from '../execution/native.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { suspended } from './async-call.ts'
import { fromSync } from './async-from-sync.ts'
import { iteratorLike, told, type Method, type Result, type Telling } from './iterator-like.ts'

interface Source {
  readonly [Symbol.iterator]?: () => Iterator<unknown>
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

function followed(iterator: object, site: SiteId, telling: Telling): AsyncIterator<unknown> {
  return iteratorLike(iterator, telling.method, (method, args) => {
    const next: unknown = Reflect.apply(method, iterator, args)
    if (running?.events) return suspendAndTell(running, next, site, (result) => told(result as Result, telling)) as Promise<Result>
    const result = suspended(next, site) as Promise<Result>
    return telling.taken ? (nativeThen.call(result, calledByProgram((given) => told(given as Result, telling))) as Promise<Result>) : result
  })
}
