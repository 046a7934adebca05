import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import type { Handler } from './handlers.ts'
import { nameResult } from './native-results.ts'
import { readWhole } from './object-functions.ts'
import { changeState } from './stateful.ts'

type Next = (this: unknown, ...args: unknown[]) => unknown

const iterators: object = Reflect.getPrototypeOf(Reflect.getPrototypeOf([][Symbol.iterator]())!)!

/** An iterator of the platform, or a generator: something with a position that those who share it compete for. */
export function isIterator(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(iterators, value)
}

interface Walk {
  readonly source: object
  /** The step in which all of the source was looked at last. */
  seen: number
}

const walks = new WeakMap<object, Walk>()

/** Notes what an iterator of `keys()`, `values()` or `entries()` walks over. */
export function walksOver(iterator: object, source: object): void {
  walks.set(iterator, { source, seen: -1 })
}

/** The iterator moves on, and looks at what it walks over. */
export function recordNext(execution: Execution, iterator: object, site: SiteId): void {
  changeState(execution, iterator, site)
  const walk = walks.get(iterator)
  if (!walk || walk.seen === execution.stepCount) return
  walk.seen = execution.stepCount
  readWhole(execution, walk.source, site)
}

/** `next` of the platform's own iterators. */
export function iteratorHandlers(): [Next, Handler][] {
  return [[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator]()].map((iterator) => {
    const next = iterator.next as Next
    return [
      next,
      (execution, receiver, args, site) => {
        if (isIterator(receiver)) recordNext(execution, receiver, site)
        const result = Reflect.apply(next, receiver, args)
        nameResult(execution, next, result)
        return result
      },
    ]
  })
}
