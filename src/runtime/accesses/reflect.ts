import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { ownProperty } from './fixed-properties.ts'
import { UNUSED, USED, type Fn, type Handler } from './handler.ts'
import { lookAtInherited, lookFor } from './inheritance.ts'
import { findProperty, isAccessor } from './lookup.ts'
import { tellGetter } from './opaque-accessors.ts'
import { assignBySetter } from './opaque-setters.ts'
import { removeThroughProxy } from './proxied.ts'
import { cannotChange, lookBeforeAssigning, lookBeforeRemoving, readProperty, removeProperty, writeProperty } from './properties.ts'
import { handlerOf } from './registry.ts'
import { subjectOfChange } from './subjects.ts'
import { beforeChange, isObject, keyOf, propertyAssigned, recordRead } from './telling.ts'

/** `Reflect.get`, `Reflect.set` and `Reflect.deleteProperty`: what the expressions do, with a receiver of their own. */

const get: Handler = (execution, receiver, args, site) => {
  const [object, key] = args
  const native = (): unknown => Reflect.apply(Reflect.get as Fn, receiver, args)
  if (!isObject(object)) return native()
  if (isProxy(object) && args.length > 2) return native()
  if (args.length < 3 || args[2] === object) return readProperty(execution, object, key, site)
  const found = findProperty(object, keyOf(key))
  if (found && isAccessor(found.own)) {
    const handler = handlerOf(found.own.get)
    if (handler) return handler(execution, args[2], [], site, USED)
    if (!isProxy(object)) lookFor(execution, object, keyOf(key), site)
    tellGetter(execution, object, keyOf(key), site)
    return native()
  }
  const value = native()
  recordRead(execution, object, keyOf(key), site, value)
  if (!isProxy(object) && found?.holder !== object) lookAtInherited(execution, object, keyOf(key), site)
  return value
}

const set: Handler = (execution, receiver, args, site) => {
  const [object, key, value] = args
  const target = args.length < 4 ? object : args[3]
  const native = (): unknown => Reflect.apply(Reflect.set as Fn, receiver, args)
  if (!isObject(object) || !isObject(target)) return native()
  const name = keyOf(key)
  if (target === object && !isProxy(object)) lookBeforeAssigning(execution, object, name, site)
  const found = findProperty(object, name)
  if (found && isAccessor(found.own)) {
    const handler = handlerOf(found.own.set)
    if (handler) {
      handler(execution, target, [value], site, UNUSED)
      return true
    }
    if (!isProxy(object)) lookFor(execution, object, name, site)
    return isProxy(target) ? native() : assignBySetter(execution, { object: target, key: name, value }, site, native)
  }
  if (isProxy(object) || isProxy(target)) return setThroughProxy(execution, { object, target, name, value, native }, site)
  // To make a number of an object is to call it, and the length may have become read-only meanwhile.
  const isCoerced = name === 'length' && Array.isArray(object) && isObject(value)
  if (target !== object || isCoerced) return setOn(execution, { object, target, name, value, native }, site)
  if (found?.own.writable === false || (!found && !Reflect.isExtensible(object))) {
    cannotChange(execution, object, name, site)
    return native()
  }
  writeProperty(execution, object, name, value, site)
  return true
}

interface Assignment {
  readonly object: object
  readonly target: object
  readonly name: PropertyKey
  readonly value: unknown
  readonly native: () => unknown
}

/** The traps run once, as they do for the platform. */
function setThroughProxy(execution: Execution, { object, target, name, value, native }: Assignment, site: SiteId): unknown {
  const subjects = [object, target].map((proxy) => subjectOfChange(execution, proxy, site)).filter((subject) => subject !== undefined)
  for (const subject of subjects) beforeChange(execution, subject, name)
  const isNew = subjects.map((subject) => !Object.hasOwn(subject, name))
  const done = native()
  for (const [i, subject] of subjects.entries()) {
    propertyAssigned(execution, subject, name, site, { value, isThere: !isNew[i] })
  }
  return done
}

/** The property of one object decides whether that of another changes. */
function setOn(execution: Execution, { object, target, name, value, native }: Assignment, site: SiteId): unknown {
  recordRead(execution, object, name, site, undefined)
  beforeChange(execution, target, name)
  const isNew = !Object.hasOwn(target, name)
  const done = native()
  if (!done) {
    cannotChange(execution, target, name, site)
    return done
  }
  propertyAssigned(execution, target, name, site, { value, isThere: !isNew })
  return done
}

const deleteProperty: Handler = (execution, receiver, args, site) => {
  const [object, key] = args
  if (!isObject(object)) return Reflect.apply(Reflect.deleteProperty as Fn, receiver, args)
  const name = keyOf(key)
  if (isProxy(object)) return removeThroughProxy(execution, object, name, site, Reflect.deleteProperty)
  if (ownProperty(execution, object, name)?.configurable !== false) return removeProperty(execution, object, name, site)
  lookBeforeRemoving(execution, object, name, site)
  cannotChange(execution, object, name, site)
  return false
}

export function reflectHandlers(): [Fn, Handler][] {
  return [
    [Reflect.get, get],
    [Reflect.set, set],
    [Reflect.deleteProperty, deleteProperty],
  ]
}
