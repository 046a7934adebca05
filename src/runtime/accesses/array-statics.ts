import type { Fn, Handler } from './handler.ts'
import { iterate } from './iteration.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'

/** What a function that takes an iterable, or else something with a length, looks at of it. */
export function collecting(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const [items, ...others] = args
    const isIterated = isObject(items) && typeof (items as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
    if (!isIterated) readWhole(execution, items, site)
    const result = Reflect.apply(fn, receiver, [isIterated ? iterate(items, site) : items, ...others])
    if (isObject(result)) execution.identities.made(result)
    return result
  }
}

/** Looks at nothing, and returns something new. */
export function making(fn: Fn): Handler {
  return (execution, receiver, args) => {
    const result = Reflect.apply(fn, receiver, args)
    if (isObject(result)) execution.identities.made(result)
    return result
  }
}

/** Functions of `Array` itself. */
export function arrayStaticHandlers(): [Fn, Handler][] {
  return [
    [Array.from, collecting(Array.from as Fn)],
    [Array.of, making(Array.of)],
  ]
}
