import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { UNUSED, USED, type Handler } from './handler.ts'
import { tellOpaque } from './implicit-calls.ts'
import { handlerOf } from './registry.ts'
import { beforeChange, keyOf, propertyAssigned, recordRead } from './telling.ts'

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
    // An accessor of the platform only looks, so that asking it again does no harm.
    handlerOf(own?.get)?.(execution, receiver, [], site, USED)
    if (!isOfPlatform(holder)) recordRead(execution, holder, property, site, own?.value)
    if (own && 'value' in own && Object.is(own.value, value)) return
  }
}

/** `super.p` is about to be read: a getter may put something in its own place. */
export function lookForGetter(execution: Execution, receiver: object, name: PropertyKey, site: SiteId): void {
  const holders = [...inherited(receiver)]
  const last = holders.findIndex((holder) => !isOfPlatform(holder) && Reflect.getOwnPropertyDescriptor(holder, name)?.get !== undefined)
  for (const holder of holders.slice(0, last + 1)) recordRead(execution, holder, name, site, Object.hasOwn(holder, name), 'presence')
  for (const holder of holders) tellOpaque(execution, Reflect.getOwnPropertyDescriptor(holder, name)?.get, receiver, site)
}

/** What assigning to a property of the base does, where that is an accessor of the platform. */
function platformSetter(receiver: object, key: PropertyKey): Handler | undefined {
  for (const holder of inherited(receiver)) {
    const setter = handlerOf(Reflect.getOwnPropertyDescriptor(holder, key)?.set)
    if (setter) return setter
  }
  return undefined
}

/** `super.p = v`: sets a property of the receiver, unless what it inherits has a setter. */
export function superWritten(execution: Execution, receiver: object, { key, value, site }: SuperAccess, assign: (key: PropertyKey, value: unknown) => void): void {
  const property = keyOf(key)
  if (isProxy(receiver)) return assign(property, value)
  const setter = platformSetter(receiver, property)
  if (setter) return void setter(execution, receiver, [value], site, UNUSED)
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
