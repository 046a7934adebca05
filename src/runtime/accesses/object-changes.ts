import { Array, ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { EXTENSIBILITY, indexOf, ORDER } from '../execution/keys.ts'
import { isProxy } from '../execution/proxies.ts'
import { lookAtLength } from './elements.ts'
import { defineFixed, fixForGood, ownProperty } from './fixed-properties.ts'
import type { Fn, Handler } from './handler.ts'
import { prototypeChanged } from './inheritance.ts'
import { cannotChange, readProperty, writeProperty } from './properties.ts'
import { definitionOf } from './platform-methods.ts'
import { objectFixed, propertyRedefined } from './redefinition.ts'
import { snapshotOf } from './snapshot.ts'
import { subjectOfChange } from './subjects.ts'
import { beforeChange, changed, isObject, keyOf, propertyAssigned, recordDefinition, seen } from './telling.ts'
import { noticeElement } from './unusual-arrays.ts'
import { enumerateProperties, readWhole } from './whole.ts'

/** Functions of `Object`, `Reflect` and every object that change it. */

/** `assign(target, ...sources)`: reads and writes property by property, as the language says. */
const assignAll: Handler = (execution, _receiver, args, site) => {
  const target = globalThis.Object(args[0]) as object
  if (target !== args[0]) return Object.assign(args[0] as object, ...args.slice(1)) as unknown
  for (const arg of args.slice(1)) {
    if (arg === undefined || arg === null) continue
    const source = globalThis.Object(arg) as object
    enumerateProperties(execution, source, site)
    for (const key of Reflect.ownKeys(source)) {
      if (!Object.prototype.propertyIsEnumerable.call(source, key)) continue
      writeProperty(execution, target, key, readProperty(execution, source, key, site), site, { throws: true })
    }
  }
  return target
}

interface Before {
  readonly key: PropertyKey
  readonly own: PropertyDescriptor | undefined
}

function beforeDefinition(execution: Execution, object: object, key: PropertyKey): Before {
  beforeChange(execution, object, key)
  return { key, own: ownProperty(execution, object, key) }
}

/** A property was defined: one that is new is a key, and one that is enumerated now, or no longer, changes what the keys are. */
function defined(execution: Execution, object: object, { key, own }: Before, site: SiteId): void {
  const now = ownProperty(execution, object, key)
  noticeElement(object, key, now)
  // Whether it is new is looked at, so first comes what looks: a mere assignment would commute with others.
  recordDefinition(execution, object, key, site, now?.value)
  if (!own && now) propertyAssigned(execution, object, key, site, { value: now.value, isThere: false })
  // It could be defined, and may be fixed from now on.
  const isOtherElement = Array.isArray(object) && indexOf(key) >= 0 && (allowed(own) !== allowed(now) || isValue(own) !== isValue(now))
  if (allowed(own) === allowed(now) && !isOtherElement) seen(execution, object, EXTENSIBILITY, site, undefined)
  else changed(execution, object, EXTENSIBILITY, site, undefined)
  // What methods of arrays do with all elements they do otherwise from now on.
  if (isOtherElement) objectFixed(execution, object)
  propertyRedefined(execution, object, { key, before: own, now })
  if (own && own.enumerable !== now?.enumerable) changed(execution, object, ORDER, site, undefined)
}

/** Which of being written and removed a property allows, as a number; one that does not exist, or is an accessor, can be written. */
function allowed(property: PropertyDescriptor | undefined): number {
  return (property?.writable === false ? 0 : 1) + (property?.configurable === false ? 0 : 2)
}

const isValue = (property: PropertyDescriptor | undefined): boolean => property === undefined || 'value' in property

/** Defines properties. Where that fails, some of them may have been defined. */
function define(execution: Execution, object: object, keys: readonly PropertyKey[], site: SiteId, run: () => unknown): unknown {
  const before = keys.map((key) => beforeDefinition(execution, object, key))
  try {
    return run()
  } catch (error) {
    for (const key of keys) cannotChange(execution, object, key, site)
    throw error
  } finally {
    for (const one of before) defined(execution, object, one, site)
  }
}

/** Whether nobody else knows the object, nor what is said of a property of it: as of one that is being made. */
function isOnlyMine(execution: Execution, object: object, descriptor: unknown, site: SiteId): boolean {
  const { accesses, identities } = execution
  if (!isObject(descriptor) || isProxy(descriptor) || isProxy(object) || Array.isArray(object) || ArrayBuffer.isView(object) || !identities.isNew(identities.of(object))) return false
  return (accesses.isUntold || identities.isNew(identities.of(descriptor))) && accesses.changesOwn(identities.of(object), site)
}

/** That need not be told; but what is taken for granted of methods may not be so of this one. */
function defineOwn(execution: Execution, object: object, key: PropertyKey, run: () => unknown): unknown {
  const before = Reflect.getOwnPropertyDescriptor(object, key)
  try {
    return run()
  } finally {
    propertyRedefined(execution, object, { key, before, now: Reflect.getOwnPropertyDescriptor(object, key) })
  }
}

/** `defineProperty(object, key, descriptor)`. */
function defining(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const [given, key, descriptor] = args
    const object = isObject(given) ? subjectOfChange(execution, given, site) : undefined
    if (!object) return Reflect.apply(fn, receiver, args)
    const name = keyOf(key)
    if (isOnlyMine(execution, object, descriptor, site)) return defineOwn(execution, object, name, () => Reflect.apply(fn, receiver, [given, name, descriptor]))
    readWhole(execution, descriptor, site)
    const definition = definitionOf(execution, object, name, descriptor)
    const run = (target: object, by: unknown): unknown => Reflect.apply(fn, receiver, [target === object ? given : target, name, by])
    return define(execution, object, [name], site, () => defineFixed(execution, object, { key: name, descriptor: definition }, run))
  }
}

/** `__defineGetter__(key, getter)`. */
function definingAccessor(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const object = isObject(receiver) ? subjectOfChange(execution, receiver, site) : undefined
    if (!object) return Reflect.apply(fn, receiver, args)
    return define(execution, object, [keyOf(args[0])], site, () => Reflect.apply(fn, receiver, args))
  }
}

/** Looks at descriptors, which are objects themselves. */
function lookAtDescriptors(execution: Execution, descriptors: unknown, site: SiteId): PropertyKey[] {
  if (!isObject(descriptors)) return []
  enumerateProperties(execution, descriptors, site)
  const keys = Reflect.ownKeys(descriptors)
  for (const key of keys) readWhole(execution, Reflect.getOwnPropertyDescriptor(descriptors, key)?.value, site)
  return keys
}

const defineProperties: Handler = (execution, receiver, args, site) => {
  const [given, descriptors] = args
  const object = isObject(given) ? subjectOfChange(execution, given, site) : undefined
  if (!object) return Reflect.apply(Object.defineProperties as Fn, receiver, args)
  const keys = lookAtDescriptors(execution, descriptors, site)
  return define(execution, object, keys, site, () => {
    const isComputed = isProxy(descriptors) || keys.some((key) => Reflect.getOwnPropertyDescriptor(descriptors as object, key)?.get)
    if (keys.length === 0 || isComputed || execution.identities.age(object) !== 'older') return Reflect.apply(Object.defineProperties as Fn, receiver, args)
    // As the language says: first all of them are looked at.
    const all = keys.filter((key) => Object.prototype.propertyIsEnumerable.call(descriptors, key)).map((key) => ({ key, descriptor: (descriptors as Record<PropertyKey, unknown>)[key] }))
    Object.defineProperties({}, descriptors as PropertyDescriptorMap)
    for (const one of all) defineFixed(execution, object, one, (target, by) => Object.defineProperty(target, one.key, by as PropertyDescriptor))
    return given
  })
}

const create: Handler = (execution, receiver, args, site) => {
  lookAtDescriptors(execution, args[1], site)
  const result = Reflect.apply(Object.create as Fn, receiver, args)
  if (isObject(result)) execution.identities.made(result)
  return result
}

const isFixed = (object: object): boolean => !Reflect.isExtensible(object)

/** `freeze`, `seal`, `preventExtensions`: no key comes any more, and of what is frozen no property changes. What is so already only looks. */
function fixing(fn: Fn, { isDone, fixesValues = false }: { readonly isDone: (object: object) => boolean; readonly fixesValues?: boolean }): Handler {
  return (execution, receiver, args, site) => {
    const object = isObject(args[0]) ? subjectOfChange(execution, args[0], site) : undefined
    if (object && isDone(object)) {
      seen(execution, object, EXTENSIBILITY, site, undefined)
      if (isDone !== isFixed) enumerateProperties(execution, object, site)
      return Reflect.apply(fn, receiver, args)
    }
    if (object) {
      fixForGood(execution, object)
      const age = execution.identities.age(object)
      if (age !== 'of this execution') execution.journal.fixes(object, { isOlder: age === 'older', site })
      if (Array.isArray(object)) lookAtLength(execution, object, site)
      changed(execution, object, EXTENSIBILITY, site, undefined)
      changed(execution, object, ORDER, site, undefined)
      objectFixed(execution, object)
    }
    const before = object && snapshotOf(object).properties
    const result = Reflect.apply(fn, receiver, args)
    if (object && before) {
      for (const [key, own] of before) {
        if (fixesValues) recordDefinition(execution, object, key, site, own.value)
        propertyRedefined(execution, object, { key, before: own, now: Reflect.getOwnPropertyDescriptor(object, key) })
      }
    }
    return result
  }
}

/** `object.__proto__ = prototype`. */
const protoSetter = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')?.set as Fn | undefined

function changingPrototype(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const given = fn === protoSetter ? receiver : args[0]
    const object = isObject(given) ? subjectOfChange(execution, given, site) : undefined
    if (!object) return Reflect.apply(fn, receiver, args)
    const before = Reflect.getPrototypeOf(object)
    // What cannot be extended keeps its prototype.
    seen(execution, object, EXTENSIBILITY, site, undefined)
    const result = Reflect.apply(fn, receiver, args)
    prototypeChanged(execution, object, { before, now: Reflect.getPrototypeOf(object) }, site)
    return result
  }
}

/** `util.inherits`. */
const inherits = globalThis.process?.getBuiltinModule?.('node:util').inherits as Fn | undefined

const inheriting: Handler = (execution, receiver, args, site, use) => {
  const [constructor, base] = args as ((Fn & { readonly prototype: unknown }) | undefined)[]
  if (typeof constructor !== 'function' || typeof base !== 'function' || !isObject(base.prototype) || !isObject(constructor.prototype)) return Reflect.apply(inherits!, receiver, args)
  defining(Reflect.defineProperty)(execution, Reflect, [constructor, 'super_', { value: base, writable: true, configurable: true }], site, use)
  changingPrototype(Object.setPrototypeOf as Fn)(execution, Object, [constructor.prototype, base.prototype], site, use)
  return undefined
}

const own = Object.prototype as unknown as Record<string, Fn | undefined>

export function objectChangeHandlers(): [Fn, Handler][] {
  const accessors = ['__defineGetter__', '__defineSetter__'].map((name) => own[name]).filter((fn) => fn !== undefined)
  return [
    [Object.assign, assignAll],
    [Object.create, create],
    [Object.defineProperty, defining(Object.defineProperty)],
    [Reflect.defineProperty, defining(Reflect.defineProperty)],
    [Object.defineProperties, defineProperties],
    ...(inherits ? [[inherits, inheriting] as [Fn, Handler]] : []),
    ...accessors.map((fn): [Fn, Handler] => [fn, definingAccessor(fn)]),
    [Object.freeze, fixing(Object.freeze, { isDone: Object.isFrozen, fixesValues: true })],
    [Object.seal, fixing(Object.seal, { isDone: Object.isSealed })],
    [Object.preventExtensions, fixing(Object.preventExtensions, { isDone: isFixed })],
    [Reflect.preventExtensions, fixing(Reflect.preventExtensions, { isDone: isFixed })],
    ...(protoSetter ? [[protoSetter, changingPrototype(protoSetter)] satisfies [Fn, Handler]] : []),
    [Object.setPrototypeOf, changingPrototype(Object.setPrototypeOf)],
    [Reflect.setPrototypeOf, changingPrototype(Reflect.setPrototypeOf)],
  ]
}
