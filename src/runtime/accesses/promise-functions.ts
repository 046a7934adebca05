import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { NativePromise, nativeThen } from '../execution/native.ts'
import { isPromiseClass } from '../promises/capability.ts'
import { combine, combineInClass, type Combinator } from '../promises/combinators.ts'
import { attempt, rejectedWith, resolvedWith, withResolvers } from '../promises/making.ts'
import { finallyDo, hasOwnThen, onSettled } from '../promises/reactions.ts'
import type { Fn, Handler } from './handler.ts'
import { iterate } from './iteration.ts'

/** What the functions of `Promise` and its instances do: promises that are controlled. */
export function promiseHandlers(): [Fn, Handler][] {
  const { catch: nativeCatch, finally: nativeFinally } = NativePromise.prototype
  return [
    [
      nativeThen,
      (execution, receiver, args, site) =>
        isNativePromise(receiver) ? onSettled(execution, receiver, args, site) : Reflect.apply(nativeThen, receiver, args as []),
    ],
    [
      nativeCatch,
      (execution, receiver, args, site) =>
        hasOwnThen(receiver) ? onSettled(execution, receiver, [undefined, args[0]], site) : Reflect.apply(nativeCatch, receiver, args as []),
    ],
    [
      nativeFinally,
      (execution, receiver, args, site) =>
        hasOwnThen(receiver) ? finallyDo(execution, receiver, args, site) : Reflect.apply(nativeFinally, receiver, args as []),
    ],
    ...statics({
      resolve: (execution, receiver, args, site) => resolvedWith(execution, receiver, args[0], site),
      reject: (execution, receiver, args, site) => rejectedWith(execution, receiver, args[0], site),
      withResolvers: (execution, receiver, _args, site) => withResolvers(execution, receiver, site),
      try: attempt,
      all: combination('all'),
      allSettled: combination('allSettled'),
      race: combination('race'),
      any: combination('any'),
    }),
  ]
}

type StaticHandler = (execution: Execution, receiver: unknown, args: unknown[], site: SiteId) => unknown

/** What a combinator is given is iterated like anything else. */
function combination(kind: Combinator): StaticHandler {
  return (execution, receiver, [given], site) => {
    const values = (): Iterable<unknown> => iterate(given, site) as Iterable<unknown>
    return receiver === NativePromise ? combine(execution, kind, values, site) : combineInClass(execution, { kind, receiver, iterate: values }, site)
  }
}

/** Functions of `Promise` itself; on what is no class of promises they do what the platform does. */
function statics(table: Record<string, StaticHandler>): [Fn, Handler][] {
  const functions = NativePromise as unknown as Record<string, Fn | undefined>
  return Object.entries(table).flatMap(([name, handle]): [Fn, Handler][] => {
    const fn = functions[name]
    if (!fn) return []
    return [
      [
        fn,
        (execution, receiver, args, site) =>
          isPromiseClass(receiver) ? handle(execution, receiver, args, site) : Reflect.apply(fn, receiver, args as never[]),
      ],
    ]
  })
}
