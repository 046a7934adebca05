import { Array, Reflect } from '../../engine/intrinsics.ts'
import { type Collection, fromAsync } from '../promises/from-async.ts'
import { tellElements, tellLength } from './conversions.ts'
import type { Fn, Handler } from './handler.ts'
import { invoke } from './invoke.ts'
import { isProxy } from '../execution/proxies.ts'
import { lookWhetherRevoked } from '../execution/watched-proxies.ts'
import { lookFor } from './inheritance.ts'
import { iterate } from './iteration.ts'
import { readMethod, readProperty } from './properties.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'

const { fromAsync: nativeFromAsync } = Array as unknown as { readonly fromAsync?: Fn }

/** What a function that takes an iterable, or else something with a length, looks at of it. */
export function collecting(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const [items, ...others] = args
    // The platform has the error, before it looks at anything.
    if (others.length > 0 && others[0] !== undefined && typeof others[0] !== 'function') return Reflect.apply(fn, receiver, args)
    // It is asked for its iterator once: a Proxy sees that.
    const iterated = isObject(items) ? iterate(items, site) : items
    if (iterated === items) {
      if (isObject(items) && !isProxy(items)) lookFor(execution, items, Symbol.iterator, site)
      readWhole(execution, items, site)
      if (isObject(items)) tellLength(execution, items, site)
    }
    if (fn !== Array.from) tellElements(execution, items, site)
    const result = Reflect.apply(fn, receiver, [iterated, ...others])
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

/** `fromAsync(items, map, self)`: what it is given is iterated like anything else, and it waits like any other code. */
const fromAsyncHandler =
  (native: Fn): Handler =>
  (execution, receiver, args, site) => {
    const [items, map, self] = args
    // The platform has the errors.
    if (items === null || items === undefined || (map !== undefined && typeof map !== 'function')) return Reflect.apply(native, receiver, args)
    const collection: Collection = {
      items,
      map: map && ((item, index) => invoke(execution, map as Fn, self, [item, index], site)),
      make(length) {
        const all = typeof receiver === 'function' && receiver !== globalThis.Array ? (Reflect.construct(receiver, length === undefined ? [] : [length]) as unknown[]) : []
        execution.identities.made(all)
        return all
      },
      elementOf: (list, key) => readProperty(execution, list, key, site),
    }
    return fromAsync(collection, site, { walk: (source) => iterate(source, site) as Iterable<unknown>, method: (object, name) => readMethod(execution, object, name, site) })
  }

/** A Proxy has no trap for the question what it stands for, and no answer once it is revoked. */
const isArray: Handler = (_execution, _receiver, args) => {
  if (isObject(args[0])) lookWhetherRevoked(args[0], 'IsArray')
  return Array.isArray(args[0])
}

/** Functions of `Array` itself. */
export function arrayStaticHandlers(): [Fn, Handler][] {
  return [
    [Array.from, collecting(Array.from as Fn)],
    [Array.of, making(Array.of)],
    [Array.isArray, isArray],
    ...(nativeFromAsync ? [[nativeFromAsync, fromAsyncHandler(nativeFromAsync)] satisfies [Fn, Handler]] : []),
  ]
}
