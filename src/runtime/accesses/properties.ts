import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isStack } from '../execution/brands.ts'
import { EXTENSIBILITY, indexOf, property as propertyKey } from '../execution/keys.ts'
import { isSloppy } from '../execution/sources.ts'
import { areKeptApart, asProgram, lookUp } from '../execution/replaced-tools.ts'
import { isProxy, rawOf, targetOf } from '../execution/proxies.ts'
import { isBytes, mayBeOfBytes } from './bytes.ts'
import { coerced } from './coercions.ts'
import { readElement } from './elements.ts'
import { noticeAdapter } from './fetches.ts'
import type { Whole } from './entries.ts'
import { isEnvironment } from './environment.ts'
import { ownProperty, standInFor } from './fixed-properties.ts'
import { isProxyHolder, isUnchangedMethod, lookAtInherited, lookAtPrimitive, lookFor } from './inheritance.ts'
import { tellOfNamespace } from './live-bindings.ts'
import { UNUSED, USED } from './handler.ts'
import { mayBeListeners } from './listeners.ts'
import { tellGetter } from './opaque-accessors.ts'
import { tellTraps } from './opaque-traps.ts'
import { assignBySetter } from './opaque-setters.ts'
import { isFixedMethod, methodChanges } from './platform-methods.ts'
import { propertyRedefined } from './redefinition.ts'
import { accessorHandler } from './registry.ts'
import { readThroughProxy, removeThroughProxy, writeThroughProxy } from './proxied.ts'
import { beforeChange, beforeRemoval, isObject, keyOf, lookAtKeys, lookWhetherFixed, propertyAssigned, propertyRemoved, recordRead, seen } from './telling.ts'
import { untold } from './watching.ts'

/** Of no subclass, which may have a size of its own. */
function isPlainCollection(object: object): object is Whole {
  const prototype = Reflect.getPrototypeOf(object)
  return prototype === Map.prototype || prototype === Set.prototype
}

/** `object[key]`, recorded. */
export function readProperty(execution: Execution, object: object, key: unknown, site: SiteId): unknown {
  if (isProxy(object)) return readThroughProxy(execution, object, keyOf(key), site)
  if (execution.accesses.isUntold && !areKeptApart) {
    const own = ownValue(object, key)
    if (own) {
      execution.accesses.passes(site)
      return own.value
    }
  }
  if (typeof key === 'number' && Array.isArray(object) && Object.hasOwn(object, key) && indexOf(key) >= 0) {
    const value: unknown = areKeptApart ? lookUp(object, key) : object[key]
    readElement(execution, object, key, site, value)
    return value
  }
  if (key === 'size' && !areKeptApart && isPlainCollection(object)) {
    lookAtKeys(execution, object, site, 'size')
    return object.size
  }
  const property = keyOf(key)
  if (property === 'stack') makeStack(execution, object, site)
  const getter = accessorHandler(object, property, 'get')
  if (getter) {
    if (!execution.identities.assumptions.fixed.has(property)) lookFor(execution, object, property, site)
    return getter(execution, object, [], site, USED)
  }
  if (!Array.isArray(object)) {
    const own = Reflect.getOwnPropertyDescriptor(object, property)
    if (own && 'value' in own) {
      if (property === 'adapter') noticeAdapter(own.value, site)
      tellOfNamespace(execution, object, property, site)
      readField(execution, object, property, site, own.value)
      return own.value
    }
    tellGetter(execution, object, property, site)
  }
  const value = execution.recorder ? execution.recorder.uses({ object, name: property, site }, () => valueOf(object, property)) : valueOf(object, property)
  recordRead(execution, object, property, site, value)
  if (Object.hasOwn(object, property)) return value
  lookAtInherited(execution, object, property, site)
  // What an accessor of the platform keeps, such as the signal of a controller.
  if (typeof value === 'object' && value !== null && !isEnvironment(value) && inheritsAccessor(object, property)) {
    execution.identities.derive(value, `${String(property)} of ${execution.identities.of(object)}`)
  }
  return value
}

/** A value that the object itself has there, of which nothing but a look at it could be told. */
function ownValue(object: object, key: unknown): PropertyDescriptor | undefined {
  if ((typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'symbol') || key === 'stack' || key === 'adapter') return undefined
  const own = Reflect.getOwnPropertyDescriptor(object, key)
  return own && 'value' in own ? own : undefined
}

const valueOf = (object: object, property: PropertyKey): unknown => (areKeptApart ? lookUp(object, property) : (object as Record<PropertyKey, unknown>)[property])

/** `object.key`, about to be called. */
export function readMethod(execution: Execution, object: unknown, key: unknown, site: number): unknown {
  const property = keyOf(key)
  if (!isObject(object)) {
    lookAtPrimitive(execution, object, property, site)
    return areKeptApart ? lookUp(object, property) : (object as Record<PropertyKey, unknown>)[property]
  }
  const subject = rawOf(object)
  if (subject !== object) tellTraps(execution, object, site)
  const isOwn = subject === object && Object.hasOwn(object, property)
  // What an accessor does comes after the look for it, where it may be another or none.
  const isTold = isOwn || (subject === object && !execution.identities.assumptions.unchanged.has(propertyKey(property)))
  if (isTold) tellGetter(execution, object, property, site)
  const fn = areKeptApart ? lookUp(object, property) : (object as Record<PropertyKey, unknown>)[property]
  tellOfNamespace(execution, object, property, site)
  if (isFixedMethod(execution, object, property, fn)) return fn
  if (subject === object && isUnchangedMethod(execution, object, property, fn)) return fn
  recordRead(execution, object, property, site, fn)
  if (isOwn || !subject) return fn
  if (subject === object) {
    const inherited = lookAtInherited(execution, object, property, site)
    if (inherited?.get && !isTold) tellGetter(execution, object, property, site)
  } else if (!isProxy(subject) && !Object.hasOwn(subject, property)) lookAtInherited(execution, subject, property, site)
  return fn
}

/** The text of a stack is made when it is first asked for: what is called for that is of nobody's code. */
function makeStack(execution: Execution, object: object, site: SiteId): void {
  if (!isStack(object, 'stack')) return
  recordRead(execution, globalThis.Error, 'prepareStackTrace', site, globalThis.Error.prepareStackTrace)
  untold(() => Reflect.getOwnPropertyDescriptor(object, 'stack'))
}

/** A property that the object itself has, which is no array, or a private field of it. */
export function readField(execution: Execution, object: object, property: PropertyKey, site: SiteId, value: unknown): void {
  const { accesses, identities } = execution
  if (mayBeOfBytes(property) || mayBeListeners(property)) return recordRead(execution, object, property, site, value)
  const key = propertyKey(property)
  const id = identities.of(object)
  if (identities.assumptions.unchanged.has(key)) accesses.readUnchanged(id, site, value)
  else accesses.read(id, key, site, value)
}

/**
 * `object[key] = value`, recorded; the code of a setter records what it does itself.
 * @param throws what cannot be assigned is an error in sloppy code as well
 */
export function writeProperty(execution: Execution, object: object, key: unknown, value: unknown, site: SiteId, how?: { readonly throws: boolean }): void {
  const property = keyOf(key)
  if (isProxy(object)) return writeThroughProxy(execution, object, property, value, site, assigning(site, how))
  if (property === 'stack') makeStack(execution, object, site)
  const own = Reflect.getOwnPropertyDescriptor(object, property)
  lookBeforeAssigning(execution, object, property, site)
  // Newer engines make the stack of an error an accessor.
  const isPlain = isStack(object, property) || (own ? !own.set && !own.get : !inheritsAccessor(object, property))
  if (!isPlain) {
    const setter = accessorHandler(object, property, 'set')
    if (setter) setter(execution, object, [value], site, UNUSED)
    else {
      lookFor(execution, object, property, site)
      assignBySetter(execution, { object, key: property, value }, site, () => assigning(site, how)(object, property, value))
    }
    return
  }
  if (isObject(value) && becomesNumber(object, property)) coerced(execution, value, site)
  beforeChange(execution, object, property)
  try {
    assign(object, property, value)
  } catch (error) {
    cannotChange(execution, object, property, site)
    // Another try runs no code of the user, and throws what sloppy code throws.
    if (how?.throws || !isSloppy(site) || (isObject(value) && becomesNumber(object, property))) throw error
    return assignSloppily(object, property, value)
  }
  if (typeof value === 'function' || typeof own?.value === 'function') methodChanges(execution, object, property)
  propertyAssigned(execution, object, property, site, { value, isThere: own !== undefined })
}

/** What is put there the platform makes a number of. */
function becomesNumber(object: object, name: PropertyKey): boolean {
  return Array.isArray(object) ? name === 'length' : mayBeOfBytes(name) && isBytes(object)
}

/**
 * Whether the object has the property, or what it inherits from, and of which sort it is, decides what an assignment does. That it is
 * always the same is taken for granted.
 */
export function lookBeforeAssigning(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  lookWhetherFixed(execution, object)
  if (execution.identities.assumptions.assignable.has(name)) return
  const isOwn = Object.hasOwn(object, name)
  recordRead(execution, object, name, site, isOwn, 'presence')
  if (!isOwn) lookAtInherited(execution, object, name, site)
}

/** Frozen, sealed or not extensible: that it could not be written or removed is what was seen of it. */
export function cannotChange(execution: Execution, object: object, property: PropertyKey, site: SiteId): void {
  seen(execution, object, EXTENSIBILITY, site, undefined)
  recordRead(execution, object, property, site, undefined)
}

/** Whether the object has the property, and may be without it, decides what to remove it does. */
export function lookBeforeRemoving(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  lookWhetherFixed(execution, object)
  if (!execution.identities.assumptions.assignable.has(name)) recordRead(execution, object, name, site, Object.hasOwn(object, name), 'presence')
}

export function removeProperty(execution: Execution, object: object, key: unknown, site: SiteId): boolean {
  const property = keyOf(key)
  if (isProxy(object)) return removeThroughProxy(execution, object, property, site, isSloppy(site) ? Reflect.deleteProperty : undefined)
  if (property === 'stack') makeStack(execution, object, site)
  const own = ownProperty(execution, object, property)
  lookBeforeRemoving(execution, object, property, site)
  if (own?.configurable === false) {
    cannotChange(execution, object, property, site)
    return !isSloppy(site) && remove(standInFor(execution, object, property) ?? object, property)
  }
  beforeRemoval(execution, object, property)
  const done = remove(object, property)
  if (own && (!own.writable || typeof own.value === 'function')) propertyRedefined(execution, object, { key: property, before: own, now: undefined })
  propertyRemoved(execution, object, property, site)
  return done
}

const assigning = (site: SiteId, how: { readonly throws: boolean } | undefined): typeof assign => (how?.throws || !isSloppy(site) ? assign : assignSloppily)

/** Assigns as strict code does, with the platform's own errors. */
export function assign(object: object, key: PropertyKey, value: unknown): void {
  const target = object as Record<PropertyKey, unknown>
  if (areKeptApart) asProgram(() => (target[key] = value))
  else target[key] = value
}

/** In sloppy code what cannot be assigned stays as it is. */
function assignSloppily(object: object, key: PropertyKey, value: unknown): void {
  if (areKeptApart) asProgram(() => Reflect.set(object, key, value))
  else Reflect.set(object, key, value)
}

function remove(object: object, key: PropertyKey): boolean {
  const target = object as Record<PropertyKey, unknown>
  return areKeptApart ? asProgram(() => delete target[key]) : delete target[key]
}

export function inheritsAccessor(object: object, key: PropertyKey): boolean {
  let holder: object | null | undefined = Reflect.getPrototypeOf(object)
  while (holder) {
    // No trap runs for what only we ask for.
    if (isProxyHolder(holder)) holder = targetOf(holder)
    if (!holder) return false
    const found = Reflect.getOwnPropertyDescriptor(holder, key)
    if (found) return found.set !== undefined || found.get !== undefined
    holder = Reflect.getPrototypeOf(holder)
  }
  return false
}
