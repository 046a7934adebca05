import { Reflect } from '../../engine/intrinsics.ts'
import { isProxy } from '../execution/proxies.ts'

/** Where a property was found, and what it is. */
export interface Found {
  readonly holder: object
  readonly own: PropertyDescriptor
}

/** Finds a property, own or inherited, as far as no code of the user runs for it; undefined where there is none. */
export function findProperty(object: object, key: PropertyKey): Found | undefined {
  for (let holder: object | null = object; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, key)
    if (own) return { holder, own }
  }
  return undefined
}

export function isAccessor(own: PropertyDescriptor): boolean {
  return own.get !== undefined || own.set !== undefined
}
