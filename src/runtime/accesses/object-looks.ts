import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { EXTENSIBILITY, property } from '../execution/keys.ts'
import { collecting } from './array-statics.ts'
import { tellFixed } from './fixed-properties.ts'
import type { Fn, Handler } from './handler.ts'
import { lookAtInherited, lookAtPrototypes } from './inheritance.ts'
import { iterate } from './iteration.ts'
import { nameNew } from './new-graphs.ts'
import { subjectOfLook } from './subjects.ts'
import { isObject, keyOf, lookAtKeys, recordRead, seen } from './telling.ts'
import { enumerateProperties } from './whole.ts'

/** Functions of `Object`, `Reflect` and every object that only look. */

type Look = (execution: Execution, object: object, key: unknown, site: SiteId) => void

/** Looks at the first argument. */
function looking(fn: Fn, look: Look): Handler {
  return (execution, receiver, args, site) => {
    const object = isObject(args[0]) ? subjectOfLook(execution, args[0], site) : undefined
    if (object) look(execution, object, args[1], site)
    const result = Reflect.apply(fn, receiver, args)
    if (object && isObject(result)) tellOf(execution, object, fn, args[1], result)
    const depth = newDepths.get(fn)
    if (depth !== undefined) nameNew(execution, result, { depth })
    return result
  }
}

/** What is told of properties that cannot be taken away any more. */
function tellOf(execution: Execution, object: object, fn: Fn, key: unknown, result: object): void {
  if (fn === Object.getOwnPropertyDescriptors) tellFixed(execution, object, result as PropertyDescriptorMap)
  else if (fn === Object.getOwnPropertyDescriptor || fn === Reflect.getOwnPropertyDescriptor) tellFixed(execution, object, { [keyOf(key)]: result })
}

/** Looks at the receiver. */
function lookingAtReceiver(fn: Fn, look: Look): Handler {
  return (execution, receiver, args, site) => {
    const object = isObject(receiver) ? subjectOfLook(execution, receiver, site) : undefined
    if (object) look(execution, object, args[0], site)
    return Reflect.apply(fn, receiver, args)
  }
}

const keys: Look = (execution, object, _key, site) => lookAtKeys(execution, object, site)
const values: Look = (execution, object, _key, site) => enumerateProperties(execution, object, site)
const extensible: Look = (execution, object, _key, site) => seen(execution, object, EXTENSIBILITY, site, undefined)
const prototype: Look = (execution, object, _key, site) => seen(execution, object, property('__proto__'), site, undefined)

/** Nothing can be frozen or sealed that can be extended; whether there are properties at all may be what decides. */
const fixed: Look = (execution, object, key, site) => {
  extensible(execution, object, key, site)
  if (!Reflect.isExtensible(object)) descriptors(execution, object, key, site)
}

const descriptor: Look = (execution, object, key, site) => {
  const name = keyOf(key)
  recordRead(execution, object, name, site, Reflect.getOwnPropertyDescriptor(object, name)?.value)
  // Whoever seals the object changes what a descriptor says.
  extensible(execution, object, key, site)
}

const descriptors: Look = (execution, object, _key, site) => {
  lookAtKeys(execution, object, site)
  for (const key of Reflect.ownKeys(object)) descriptor(execution, object, key, site)
}

const presence: Look = (execution, object, key, site) => {
  const name = keyOf(key)
  recordRead(execution, object, name, site, Object.hasOwn(object, name), 'presence')
}

const inheritedPresence: Look = (execution, object, key, site) => {
  presence(execution, object, key, site)
  if (!Object.hasOwn(object, keyOf(key))) lookAtInherited(execution, object, keyOf(key), site, 'presence')
}

const looks: [Fn, Look][] = [
  [Object.keys, keys],
  [Object.getOwnPropertyNames, keys],
  [Object.getOwnPropertySymbols, keys],
  [Reflect.ownKeys, keys],
  [Object.values, values],
  [Object.entries, values],
  [Object.getOwnPropertyDescriptor, descriptor],
  [Reflect.getOwnPropertyDescriptor, descriptor],
  [Object.getOwnPropertyDescriptors, descriptors],
  [Object.hasOwn, presence],
  [Reflect.has, inheritedPresence],
  [Object.isExtensible, extensible],
  [Reflect.isExtensible, extensible],
  [Object.isFrozen, fixed],
  [Object.isSealed, fixed],
  [Object.getPrototypeOf, prototype],
  [Reflect.getPrototypeOf, prototype],
]

/** How deep what a function returns is new: a list of new lists, or of what there was. */
const newDepths = new Map<unknown, number>([
  ...[Object.keys, Object.getOwnPropertyNames, Object.getOwnPropertySymbols, Reflect.ownKeys, Object.values].map((fn) => [fn, 1] as const),
  ...[Object.getOwnPropertyDescriptor, Reflect.getOwnPropertyDescriptor].map((fn) => [fn, 1] as const),
  ...[Object.entries, Object.getOwnPropertyDescriptors].map((fn) => [fn, 2] as const),
])

const own = Object.prototype as unknown as Record<string, Fn | undefined>

const methods: [Fn | undefined, Look][] = [
  [Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')?.get, prototype],
  [own.hasOwnProperty, presence],
  [own.propertyIsEnumerable, descriptor],
  ...['__lookupGetter__', '__lookupSetter__'].map((name): [Fn | undefined, Look] => [own[name], descriptor]),
]

/** `isPrototypeOf(value)`: how what it is given inherits. */
const isPrototypeOf: Handler = (execution, receiver, args, site) => {
  const object = isObject(args[0]) ? subjectOfLook(execution, args[0], site) : undefined
  if (object) lookAtPrototypes(execution, object, site, receiver)
  return Reflect.apply(own.isPrototypeOf as Fn, receiver, args)
}

/** `fromEntries(pairs)`: a pair is an object with the properties 0 and 1. */
const fromEntries: Handler = (execution, receiver, args, site) => {
  const pair = [['0', site], ['1', site]] as const
  const pairs = isObject(args[0]) ? iterate(args[0], site, { site, each: pair }) : args[0]
  const result = Reflect.apply(Object.fromEntries as Fn, receiver, [pairs])
  if (isObject(result)) execution.identities.made(result)
  return result
}

/** `groupBy` of `Object` and `Map`: new lists in something new. */
function grouping(fn: Fn): Handler {
  const collect = collecting(fn)
  return (execution, receiver, args, site) => {
    const groups = collect(execution, receiver, args, site) as object
    for (const list of groups instanceof Map ? groups.values() : Object.values(groups)) execution.identities.made(list as object)
    return groups
  }
}

export function objectLookHandlers(): [Fn, Handler][] {
  const groupers = [(Object as unknown as Record<string, Fn>).groupBy, (Map as unknown as Record<string, Fn>).groupBy]
  return [
    ...looks.map(([fn, look]): [Fn, Handler] => [fn, looking(fn, look)]),
    ...methods.flatMap(([fn, look]): [Fn, Handler][] => (fn ? [[fn, lookingAtReceiver(fn, look)]] : [])),
    ...groupers.flatMap((fn): [Fn, Handler][] => (fn ? [[fn, grouping(fn)]] : [])),
    [own.isPrototypeOf!, isPrototypeOf],
    [Object.fromEntries, fromEntries],
  ]
}
