import type { SiteId } from '../engine/ids.ts'
import { arrayHandlers } from './arrays.ts'
import { collectionHandlers } from './collections.ts'
import type { Execution } from './execution.ts'
import { iteratorHandlers } from './iterators.ts'
import { objectHandlers } from './object-functions.ts'
import { NativePromise, nativeThen } from './native.ts'
import * as promises from './promise-api.ts'
import { stateHandlers } from './stateful.ts'

/** What a call of a built-in function means: does what it does, and records what it accesses. */
export type Handler = (execution: Execution, receiver: unknown, args: unknown[], site: SiteId) => unknown

type Fn = (...args: never[]) => unknown

const promiseHandlers: [Fn, Handler][] = [
  [nativeThen, (execution, receiver, args, site) => promises.onSettled(execution, receiver as Promise<unknown>, args, site)],
  [
    NativePromise.prototype.catch,
    (execution, receiver, args, site) => promises.catchRejection(execution, receiver as Promise<unknown>, args, site),
  ],
  [
    NativePromise.prototype.finally,
    (execution, receiver, args, site) => promises.finallyDo(execution, receiver as Promise<unknown>, args, site),
  ],
  ...statics({
    resolve: (execution, args, site) => promises.resolvedWith(execution, args[0], site),
    reject: (execution, args, site) => promises.rejectedWith(execution, args[0], site),
    withResolvers: (execution, _args, site) => promises.withResolvers(execution, site),
    try: (execution, args, site) => promises.attempt(execution, args, site),
    all: (execution, args, site) => promises.combine(execution, 'all', args[0] as Iterable<unknown>, site),
    allSettled: (execution, args, site) => promises.combine(execution, 'allSettled', args[0] as Iterable<unknown>, site),
    race: (execution, args, site) => promises.combine(execution, 'race', args[0] as Iterable<unknown>, site),
    any: (execution, args, site) => promises.combine(execution, 'any', args[0] as Iterable<unknown>, site),
  }),
]

/** `queueMicrotask` of instrumented code. That of other code stays native: it belongs to the step that it runs in. */
const queueMicrotaskHandler: Handler = (execution, _receiver, [callback], site) => {
  if (typeof callback !== 'function') return globalThis.queueMicrotask(callback as never)
  execution.clock.startNow(execution, {
    name: callback.name || 'microtask',
    callback: () => (callback as () => unknown)(),
    delay: 0,
    repeats: false,
    site,
  })
  return undefined
}

type StaticHandler = (execution: Execution, args: unknown[], site: SiteId) => unknown

/** Functions of `Promise` itself; on a subclass they do what the platform does. */
function statics(table: Record<string, StaticHandler>): [Fn, Handler][] {
  const functions = NativePromise as unknown as Record<string, Fn | undefined>
  return Object.entries(table).flatMap(([name, handle]): [Fn, Handler][] => {
    const fn = functions[name]
    if (!fn) return []
    return [
      [
        fn,
        (execution, receiver, args, site) =>
          receiver === NativePromise ? handle(execution, args, site) : Reflect.apply(fn, receiver, args as never[]),
      ],
    ]
  })
}

const handlers = new Map<unknown, Handler>([
  ...promiseHandlers,
  [globalThis.queueMicrotask, queueMicrotaskHandler],
  ...arrayHandlers(),
  ...collectionHandlers(),
  ...objectHandlers(),
  ...stateHandlers(),
  ...iteratorHandlers(),
])

export function handlerOf(fn: unknown): Handler | undefined {
  return handlers.get(fn)
}
