import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { isProxy } from '../execution/proxies.ts'
import { UNUSED, USED, type Handler } from './handler.ts'
import { tellOpaque } from './implicit-calls.ts'
import { handlerOf } from './registry.ts'
import { beforeChange, beforeStateChange, changed, keyOf, propertyAssigned, recordRead } from './telling.ts'

interface SuperAccess {
  readonly key: unknown
  readonly value: unknown
  readonly site: SiteId
}

/** The objects that `super` may mean: those that the receiver inherits from. */
function* inherited(receiver: object): Iterable<object> {
  if (isProxy(receiver)) return
  for (let holder = Reflect.getPrototypeOf(receiver); holder && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) yield holder
}

/**
 * `super.p` gave this value. No code can tell which of the objects that the receiver inherits from it is searched from, so
 * all of them are looked at up to one that has the value; where none has it, all.
 */
export function superRead(execution: Execution, receiver: object, { key, value, site }: SuperAccess): void {
  const property = keyOf(key)
  for (const holder of inherited(receiver)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, property)
    const look = handlerOf(own?.get)
    if (look && answers(own!.get!, receiver)) look(execution, receiver, [], site, USED)
    if (!isOfPlatform(holder)) recordRead(execution, holder, property, site, own?.value)
    if (own && 'value' in own && Object.is(own.value, value)) return
  }
}

/** Whether an accessor of the platform has been asked: one that belongs to a class which only lends its prototype refuses. It only looks, so that asking it again does no harm. */
function answers(get: () => unknown, receiver: object): boolean {
  try {
    Reflect.apply(get, receiver, [])
    return true
  } catch {
    return false
  }
}

/** `super.p` is about to be read: a getter may put something in its own place. */
export function lookForGetter(execution: Execution, receiver: object, name: PropertyKey, site: SiteId): void {
  const holders = [...inherited(receiver)]
  const last = holders.findIndex((holder) => !isOfPlatform(holder) && Reflect.getOwnPropertyDescriptor(holder, name)?.get !== undefined)
  for (const holder of holders.slice(0, last + 1)) recordRead(execution, holder, name, site, Object.hasOwn(holder, name), 'presence')
  for (const holder of holders) tellOpaque(execution, Reflect.getOwnPropertyDescriptor(holder, name)?.get, receiver, site)
}

interface PlatformSetter {
  readonly set: Handler
  /** Setters of the user's stand before it, of which one may be meant. */
  readonly mayBeHidden: boolean
}

/** What assigning to a property of the base does, where that is an accessor of the platform. */
function platformSetter(receiver: object, key: PropertyKey): PlatformSetter | undefined {
  let mayBeHidden = false
  for (const holder of inherited(receiver)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, key)
    const set = handlerOf(own?.set)
    // A class that only lends its prototype refuses.
    if (set) return mayBeHidden && own!.get && !answers(own!.get, receiver) ? undefined : { set, mayBeHidden }
    mayBeHidden ||= own?.set !== undefined
  }
  return undefined
}

/** `super.p = v`: sets a property of the receiver, unless what it inherits has a setter. */
export function superWritten(execution: Execution, receiver: object, { key, value, site }: SuperAccess, assign: (key: PropertyKey, value: unknown) => void): void {
  const property = keyOf(key)
  if (isProxy(receiver)) return assign(property, value)
  const setter = platformSetter(receiver, property)
  if (setter && !setter.mayBeHidden) return void setter.set(execution, receiver, [value], site, UNUSED)
  if (setter) {
    beforeStateChange(execution, receiver)
    changed(execution, receiver, STATE, site, undefined)
  }
  for (const holder of inherited(receiver)) tellOpaque(execution, Reflect.getOwnPropertyDescriptor(holder, property)?.set, receiver, site)
  const before = Reflect.getOwnPropertyDescriptor(receiver, property)
  beforeChange(execution, receiver, property)
  try {
    assign(property, value)
  } catch (error) {
    recordRead(execution, receiver, property, site, undefined)
    throw error
  }
  const after = Reflect.getOwnPropertyDescriptor(receiver, property)
  if (after && 'value' in after) propertyAssigned(execution, receiver, property, site, { value, isThere: before !== undefined })
}
