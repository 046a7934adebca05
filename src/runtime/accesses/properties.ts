import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { EXTENSIBILITY, indexOf, property as propertyKey } from '../execution/keys.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import { mayBeOfBytes } from './bytes.ts'
import { coerced } from './coercions.ts'
import { increaseElement, readElement } from './elements.ts'
import type { Whole } from './entries.ts'
import { isEnvironment } from './environment.ts'
import { isUnchangedMethod, lookAtInherited, lookAtPrimitive, lookFor } from './inheritance.ts'
import { UNUSED, USED } from './handler.ts'
import { tellGetter } from './opaque-accessors.ts'
import { assignBySetter } from './opaque-setters.ts'
import { isFixedMethod, methodChanges } from './platform-methods.ts'
import { propertyRedefined } from './redefinition.ts'
import { accessorHandler } from './registry.ts'
import { readThroughProxy, removeThroughProxy, writeThroughProxy } from './proxied.ts'
import { beforeChange, isObject, keyOf, lookAtKeys, propertyAssigned, propertyRemoved, recordRead, seen } from './telling.ts'

/** Of no subclass, which may have a size of its own. */
function isPlainCollection(object: object): object is Whole {
  const prototype = Reflect.getPrototypeOf(object)
  return prototype === Map.prototype || prototype === Set.prototype
}

/** `object[key]`, recorded. */
export function readProperty(execution: Execution, object: object, key: unknown, site: SiteId): unknown {
  if (isProxy(object)) return readThroughProxy(execution, object, keyOf(key), site)
  if (typeof key === 'number' && Array.isArray(object) && Object.hasOwn(object, key) && indexOf(key) >= 0) {
    const value: unknown = object[key]
    readElement(execution, object, key, site, value)
    return value
  }
  if (key === 'size' && isPlainCollection(object)) {
    lookAtKeys(execution, object, site, 'size')
    return object.size
  }
  const property = keyOf(key)
  const getter = accessorHandler(object, property, 'get')
  if (getter) {
    if (!execution.identities.assumptions.fixed.has(property)) lookFor(execution, object, property, site)
    return getter(execution, object, [], site, USED)
  }
  if (!Array.isArray(object)) {
    const own = Reflect.getOwnPropertyDescriptor(object, property)
    if (own && 'value' in own) {
      readField(execution, object, property, site, own.value)
      return own.value
    }
    tellGetter(execution, object, property, site)
  }
  const value = (object as Record<PropertyKey, unknown>)[property]
  recordRead(execution, object, property, site, value)
  if (Object.hasOwn(object, property)) return value
  lookAtInherited(execution, object, property, site)
  // What an accessor of the platform keeps, such as the signal of a controller.
  if (typeof value === 'object' && value !== null && !isEnvironment(value) && inheritsAccessor(object, property)) {
    execution.identities.derive(value, `${String(property)} of ${execution.identities.of(object)}`)
  }
  return value
}

/** `object.key`, about to be called. */
export function readMethod(execution: Execution, object: unknown, key: unknown, site: number): unknown {
  const property = keyOf(key)
  if (!isObject(object)) {
    lookAtPrimitive(execution, object, property, site)
    return (object as Record<PropertyKey, unknown>)[property]
  }
  const subject = rawOf(object)
  const isOwn = subject === object && Object.hasOwn(object, property)
  if (isOwn) tellGetter(execution, object, property, site)
  const fn = (object as Record<PropertyKey, unknown>)[property]
  if (isFixedMethod(execution, object, property, fn)) return fn
  if (subject === object && isUnchangedMethod(execution, object, property, fn)) return fn
  recordRead(execution, object, property, site, fn)
  if (isOwn || !subject) return fn
  if (subject === object) {
    const inherited = lookAtInherited(execution, object, property, site)
    if (inherited?.get) tellGetter(execution, object, property, site)
  } else if (!isProxy(subject) && !Object.hasOwn(subject, property)) lookAtInherited(execution, subject, property, site)
  return fn
}

/** A property that the object itself has, which is no array, or a private field of it. */
export function readField(execution: Execution, object: object, property: PropertyKey, site: SiteId, value: unknown): void {
  const { accesses, identities } = execution
  if (mayBeOfBytes(property)) return recordRead(execution, object, property, site, value)
  const key = propertyKey(property)
  const id = identities.of(object)
  if (identities.assumptions.unchanged.has(key)) accesses.readUnchanged(site, value)
  else accesses.read(id, key, site, value)
}

/** `object[key] = value`, recorded; the code of a setter records what it does itself. */
export function writeProperty(execution: Execution, object: object, key: unknown, value: unknown, site: SiteId): void {
  const property = keyOf(key)
  if (isProxy(object)) return writeThroughProxy(execution, object, property, value, site)
  const own = Reflect.getOwnPropertyDescriptor(object, property)
  if (!own && !execution.identities.assumptions.assignable.has(property)) lookAtAssigned(execution, object, property, site)
  const isPlain = own ? !own.set && !own.get : !inheritsAccessor(object, property)
  if (!isPlain) {
    const setter = accessorHandler(object, property, 'set')
    if (setter) setter(execution, object, [value], site, UNUSED)
    else {
      lookFor(execution, object, property, site)
      assignBySetter(execution, { object, key: property, value }, site, () => assign(object, property, value))
    }
    return
  }
  beforeChange(execution, object, property)
  try {
    assign(object, property, value)
  } catch (error) {
    cannotChange(execution, object, property, site)
    throw error
  }
  if (typeof value === 'function' || typeof own?.value === 'function') methodChanges(execution, object, property)
  propertyAssigned(execution, object, property, site, { value, isThere: own !== undefined })
}

/** Whether the object has the property, or what it inherits from, decides what an assignment does. */
function lookAtAssigned(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  recordRead(execution, object, name, site, false, 'presence')
  lookAtInherited(execution, object, name, site)
}

/** Frozen, sealed or not extensible: that it could not be written or removed is what was seen of it. */
export function cannotChange(execution: Execution, object: object, property: PropertyKey, site: SiteId): void {
  recordRead(execution, object, property, site, undefined)
  seen(execution, object, EXTENSIBILITY, site, undefined)
}

/** The number in a property that can be written; undefined where there is something else. */
export function numberIn(object: object, name: PropertyKey): number | undefined {
  if (isProxy(object) || ArrayBuffer.isView(object) || (Array.isArray(object) && indexOf(name) < 0)) return undefined
  const own = Reflect.getOwnPropertyDescriptor(object, name)
  return own?.writable === true && typeof own.value === 'number' ? own.value : undefined
}

/** A number that is added to, or taken from, a location. */
export interface Increase {
  readonly sign: 1 | -1
  readonly operand: () => any
}

/** `object[key] += operand()` where nobody sees the result: integers commute with other integers. The property is read first. */
export function increaseProperty(execution: Execution, object: object, key: unknown, site: SiteId, { sign, operand }: Increase): void {
  const property = keyOf(key)
  const found = numberIn(object, property)
  if (found === undefined) {
    const old: any = readProperty(execution, object, property, site)
    coerced(execution, old, site)
    writeProperty(execution, object, property, sign === 1 ? old + operand() : old - operand(), site)
    return
  }
  const amount: unknown = operand()
  if (typeof amount !== 'number') {
    recordRead(execution, object, property, site, found)
    writeProperty(execution, object, property, sign === 1 ? (found as any) + amount : found - (amount as any), site)
    return
  }
  increaseNumber(execution, object, property, site, { found, amount: sign * amount })
}

/** Adds to a number that `numberIn` has found. */
export function increaseNumber(execution: Execution, object: object, name: PropertyKey, site: SiteId, change: { readonly found: number; readonly amount: number }): void {
  beforeChange(execution, object, name)
  assign(object, name, change.found + change.amount)
  if (Array.isArray(object)) increaseElement(execution, object, indexOf(name), site, change)
  else execution.accesses.increase(execution.identities.of(object), propertyKey(name), site, change)
}

export function removeProperty(execution: Execution, object: object, key: unknown, site: SiteId): boolean {
  const property = keyOf(key)
  if (isProxy(object)) return removeThroughProxy(execution, object, property, site)
  const own = Reflect.getOwnPropertyDescriptor(object, property)
  if (own?.configurable === false) {
    cannotChange(execution, object, property, site)
    return remove(object, property)
  }
  beforeChange(execution, object, property)
  const done = remove(object, property)
  if (own && (!own.writable || typeof own.value === 'function')) propertyRedefined(execution, object, { key: property, before: own, now: undefined })
  propertyRemoved(execution, object, property, site)
  return done
}

/** Assigns as strict code does, with the platform's own errors. */
function assign(object: object, key: PropertyKey, value: unknown): void {
  const target = object as Record<PropertyKey, unknown>
  target[key] = value
}

function remove(object: object, key: PropertyKey): boolean {
  const target = object as Record<PropertyKey, unknown>
  return delete target[key]
}

function inheritsAccessor(object: object, key: PropertyKey): boolean {
  let holder: object | null = Reflect.getPrototypeOf(object)
  while (holder) {
    const found = Reflect.getOwnPropertyDescriptor(holder, key)
    if (found) return found.set !== undefined || found.get !== undefined
    holder = Reflect.getPrototypeOf(holder)
  }
  return false
}
