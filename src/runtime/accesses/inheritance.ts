import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Look } from '../../engine/index.ts'
import { isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE, property } from '../execution/keys.ts'
import { isProxy, rawOf, targetOf } from '../execution/proxies.ts'
import { boundOf } from './bound.ts'
import { prototypeReplaced } from './platform-methods.ts'
import { inheritedChanges } from './redefinition.ts'
import { changed, isObject, lookAtKeys, recordRead, recordWrite, seen } from './telling.ts'
import { enumerateProperties } from './whole.ts'

/** What a look that goes on from an object to those that it inherits from finds, and what changes that. */

const PROTOTYPE = property('__proto__')

/** What an object inherits from, but for the platform's, up to a Proxy. */
function* prototypesOf(object: object): Iterable<object> {
  for (let holder = Reflect.getPrototypeOf(object); holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    if (!isOfPlatform(holder)) yield holder
  }
}

/**
 * A property was looked for that the object, which is no Proxy, does not have itself: so were all that it inherits from, up to
 * the one that has it. Returns what was found, as far as no Proxy is in the way.
 */
export function lookAtInherited(execution: Execution, object: object, name: PropertyKey, site: SiteId, look: Look = 'value'): PropertyDescriptor | undefined {
  const isFixed = execution.identities.assumptions.fixed.has(name)
  for (let holder = Reflect.getPrototypeOf(object); holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    if (isProxyHolder(holder)) {
      lookThrough(execution, holder, name, site)
      return undefined
    }
    const own = Reflect.getOwnPropertyDescriptor(holder, name)
    if (!isFixed || !isOfPlatform(holder)) recordRead(execution, holder, name, site, look === 'presence' ? own !== undefined : own?.value, look)
    if (own) return own
  }
  return undefined
}

/** Whether `object[name]`, which is `fn`, is a method that nobody changes, found without a Proxy or an accessor: that it was looked for need not be told. */
export function isUnchangedMethod(execution: Execution, object: object, name: PropertyKey, fn: unknown): boolean {
  if (typeof fn !== 'function' || !execution.identities.assumptions.unchanged.has(property(name))) return false
  for (let holder: object | null = object; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    if (holder !== object && isProxyHolder(holder)) return false
    if (Object.hasOwn(holder, name)) return Reflect.getOwnPropertyDescriptor(holder, name)!.get === undefined
  }
  return false
}

/** A property of a primitive was looked for, all of which is of the platform: of that it is taken for granted that nobody changes it. */
export function lookAtPrimitive(execution: Execution, value: unknown, name: PropertyKey, site: SiteId): void {
  if (value === null || value === undefined || execution.identities.assumptions.fixed.has(name)) return
  lookAtInherited(execution, globalThis.Object(value) as object, name, site)
}

/** Prototypes that were asked before: it is quicker to remember them than to ask again. */
const noProxies = new WeakSet<object>()

export function isProxyHolder(holder: object): boolean {
  if (noProxies.has(holder)) return false
  if (isProxy(holder)) return true
  noProxies.add(holder)
  return false
}

/** A property was looked for, wherever it is; the object is no Proxy. */
export function lookFor(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  const own = Reflect.getOwnPropertyDescriptor(object, name)
  recordRead(execution, object, name, site, own?.value)
  if (!own) lookAtInherited(execution, object, name, site)
}

/** The same of a Proxy, which goes on for itself. */
function lookThrough(execution: Execution, proxy: object, name: PropertyKey, site: SiteId): void {
  const target = targetOf(proxy)
  if (!target || isProxy(target)) return seen(execution, proxy, OPAQUE, site, undefined)
  recordRead(execution, target, name, site, Reflect.getOwnPropertyDescriptor(target, name)?.value)
  if (!Object.hasOwn(target, name)) lookAtInherited(execution, target, name, site)
}

/** The names of what an object inherits were looked at. */
export function lookAtInheritedKeys(execution: Execution, object: object, site: SiteId): void {
  lookAtPrototypes(execution, object, site)
  const isPlatformFixed = !execution.identities.assumptions.fixed.hasLost
  for (const holder of chainOf(Reflect.getPrototypeOf(object))) if (!isPlatformFixed || !isOfPlatform(holder)) lookAtKeys(execution, holder, site)
}

/** What an object inherits from was looked at, up to one of these. */
export function lookAtPrototypes(execution: Execution, object: object, site: SiteId, last?: unknown): void {
  seen(execution, object, PROTOTYPE, site, undefined)
  for (const holder of prototypesOf(object)) {
    if (holder === last) return
    seen(execution, holder, PROTOTYPE, site, undefined)
  }
}

/** Of which class the object is decides what follows. That its prototype stays the same is taken for granted. */
export function lookWhatItInherits(execution: Execution, object: object, site: SiteId): void {
  if (!execution.identities.assumptions.fixed.has('__proto__')) lookAtPrototypes(execution, object, site)
}

/** Everything that an object inherits was looked at, but for what is of these holders, which have been looked at before. */
export function lookAtAllInherited(execution: Execution, object: object, site: SiteId, before: Set<object>): void {
  seen(execution, object, PROTOTYPE, site, undefined)
  for (const holder of prototypesOf(object)) {
    if (before.has(holder)) return
    before.add(holder)
    seen(execution, holder, PROTOTYPE, site, undefined)
    lookAtOwn(execution, holder, site)
  }
  for (const name of execution.identities.assumptions.fixed.lost) lookFor(execution, object, name, site)
}

/** Of what an object inherits, what is enumerated was looked at. */
export function lookAtEnumerated(execution: Execution, object: object, site: SiteId, before: Set<object>): void {
  lookWhatItInherits(execution, object, site)
  for (const holder of prototypesOf(object)) {
    if (before.has(holder)) return
    before.add(holder)
    enumerateProperties(execution, holder, site, 'size')
  }
}

/** Every property was looked at that the object itself has, whether it is enumerated or not. */
export function lookAtOwn(execution: Execution, object: object, site: SiteId): void {
  lookAtKeys(execution, object, site)
  for (const key of Reflect.ownKeys(object)) recordRead(execution, object, key, site, Reflect.getOwnPropertyDescriptor(object, key)?.value)
}

/** `value instanceof type` */
export function lookAtInstance(execution: Execution, value: unknown, type: object, site: SiteId): void {
  const bound = boundOf(type)
  if (bound) return lookAtInstance(execution, value, bound.target, site)
  const constructor = isProxy(type) ? targetOf(type) : type
  if (!constructor) return seen(execution, type, OPAQUE, site, undefined)
  if (!isOfPlatform(constructor)) {
    for (const name of [Symbol.hasInstance, 'prototype']) lookFor(execution, constructor, name, site)
  }
  const object = isObject(value) && isProxy(value) ? targetOf(value) : value
  if (isObject(object)) lookAtPrototypes(execution, object, site, Reflect.getOwnPropertyDescriptor(constructor, 'prototype')?.value)
}

/** An object has another prototype: every property that is inherited, or was, may be another. */
export function prototypeChanged(execution: Execution, object: object, { before, now }: PrototypeChange, site: SiteId): void {
  if (execution.identities.age(object) !== 'of this execution') execution.journal.change(() => void Reflect.setPrototypeOf(object, before))
  changed(execution, object, PROTOTYPE, site, now)
  prototypeReplaced(execution, object)
  for (const holder of notShared(before, now)) {
    for (const key of Reflect.ownKeys(holder)) {
      recordWrite(execution, object, key, site, undefined)
      inheritedChanges(execution, key, Reflect.getOwnPropertyDescriptor(holder, key)!)
    }
  }
}

interface PrototypeChange {
  readonly before: object | null
  readonly now: object | null
}

/** What only one of two prototypes is or inherits from. */
function notShared(one: object | null, other: object | null): object[] {
  const [chain, otherChain] = [chainOf(one), chainOf(other)]
  while (chain.length > 0 && chain.at(-1) === otherChain.at(-1)) {
    chain.pop()
    otherChain.pop()
  }
  return [...chain, ...otherChain]
}

/** It and what it inherits from, through Proxies. */
function chainOf(prototype: object | null): object[] {
  const chain: object[] = []
  for (let holder = rawOrNull(prototype); holder !== null; holder = rawOrNull(Reflect.getPrototypeOf(holder))) chain.push(holder)
  return chain
}

/** Where the target of a Proxy is not known, nothing is. */
function rawOrNull(object: object | null): object | null {
  return (object && rawOf(object)) ?? null
}
