import { KeptWeakMap, Object, Reflect } from '../../engine/intrinsics.ts'

/** Proxies and what they stand for: a proxy has the identity of its target, whoever made it. */

const targets = new KeptWeakMap<object, object>()
const handlers = new KeptWeakMap<object, object>()

const askPlatform: (value: unknown) => boolean =
  globalThis.process?.getBuiltinModule?.('node:util')?.types.isProxy ?? ((value) => targets.has(value as object))

/** What was asked about last and is none: one operation asks several times, and the platform is slow to answer. */
let noProxy: unknown
let remembers = false

/** Only in executions: outside of them no object must stay reachable for it. */
export function rememberLast(on: boolean): void {
  remembers = on
  noProxy = undefined
}

/** Whether the object is a Proxy, as far as the platform tells; nothing of the user's runs for it. */
export function isProxy(value: unknown): boolean {
  if (value === noProxy) return false
  if (askPlatform(value)) return true
  if (remembers) noProxy = value
  return false
}

/** Whether the value is an object of the class, as `instanceof` says, but nothing of the user's runs for it: up to a Proxy. */
export function isInstance<T extends object>(value: unknown, prototype: T | undefined): value is T {
  if (prototype === undefined || value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  for (let holder: object | null = value as object; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    if (holder === prototype) return true
  }
  return false
}

/** What a proxy stands for: the innermost target of a proxy over a proxy. Undefined for what is no proxy. */
export function targetOf(object: object): object | undefined {
  let target = targets.get(object)
  if (target === undefined) return undefined
  for (let inner = targets.get(target); inner !== undefined; inner = targets.get(target)) target = inner
  return target
}

/** The object itself, or what it stands for; undefined for a proxy whose target is not known. */
export function rawOf(object: object): object | undefined {
  return isProxy(object) ? targetOf(object) : object
}

/** A proxy was made; without a handler where nothing is known of that. */
export function standsFor(proxy: object, target: object, handler?: object): void {
  targets.set(proxy, target)
  if (handler) handlers.set(proxy, handler)
  noProxy = undefined
}

const given = new KeptWeakMap<object, object>()

/** The traps that a proxy was made with, as far as that is known. */
export function trapsOf(proxy: object): object | undefined {
  return given.get(proxy)
}

export function hasTraps(proxy: object, handler: unknown): void {
  if (typeof handler === 'object' && handler !== null) given.set(proxy, handler)
}

const objects = Object.prototype

/** Whether the object may have the property, as `in` says, but nothing of the user's runs for it: a trap may say anything. */
export function mayHave(object: object, key: PropertyKey): boolean {
  let holder: object | null = object
  while (holder !== null) {
    if (holder === objects) return key in holder
    if (isProxy(holder)) {
      const target = targets.get(holder)
      const handler = given.get(holder)
      if (target === undefined || handler === undefined || mayHave(handler, 'get') || mayHave(handler, 'has')) return true
      holder = target
    } else {
      if (Object.hasOwn(holder, key)) return true
      holder = Reflect.getPrototypeOf(holder)
    }
  }
  return false
}

/** The handler of a proxy, where that and its target are known, and neither is a proxy itself. */
export function plainHandlerOf(proxy: object): object | undefined {
  const target = targets.get(proxy)
  const handler = handlers.get(proxy)
  return target === undefined || isProxy(target) || isProxy(handler) ? undefined : handler
}

/** The function that a call of a proxy ends in, if no trap stands in between. */
export function calledThrough(proxy: object): object | undefined {
  let called: object | undefined = proxy
  while (called !== undefined && isProxy(called)) {
    const handler = handlers.get(called)
    if (handler === undefined || isProxy(handler) || 'apply' in handler) return undefined
    called = targets.get(called)
  }
  return called
}

/** Whether a Proxy is among its prototypes: whoever asks what kind of object it is asks that as well. */
export function inheritsFromProxy(object: object): boolean {
  let holder = Reflect.getPrototypeOf(object)
  while (holder !== null && !isProxy(holder)) holder = Reflect.getPrototypeOf(holder)
  return holder !== null
}
