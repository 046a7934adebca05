import { Reflect } from '../../engine/intrinsics.ts'
import { indexOf, property } from '../execution/keys.ts'
import { isProxy } from '../execution/proxies.ts'
import type { Fn, Handler } from './handler.ts'

const handlers = new Map<unknown, Handler>()

/** The tables of the families of built-ins put their functions here; a function that stands in two has what was said last. */
export function register(table: Iterable<readonly [Fn, Handler]>): void {
  for (const [fn, handler] of table) handlers.set(fn, handler)
}

/** A function that stands in the place of a built-in means the same. */
export function handlesLike(fn: Fn, native: Fn): void {
  const handler = handlers.get(native)
  if (handler) handlers.set(fn, handler)
}

/** What a call of this very function means, however it was reached; undefined for functions that are in no table. */
export function handlerOf(fn: unknown): Handler | undefined {
  return handlers.get(fn)
}

export function registerAccessors(names: Iterable<PropertyKey>): void {
  for (const name of names) property(name).isOfAccessors = true
}

/** What reading or assigning a property means, where it is an accessor that is known. */
export function accessorHandler(object: object, key: PropertyKey, part: 'get' | 'set'): Handler | undefined {
  if (indexOf(key) >= 0 || !property(key).isOfAccessors) return undefined
  for (let holder: object | null = object; holder && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, key)
    if (own) return own[part] && handlers.get(own[part])
  }
  return undefined
}
