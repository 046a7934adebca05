import { Reflect } from '../../engine/intrinsics.ts'
import { isMap, isSet } from '../execution/brands.ts'

/** The entries of collections, whatever a subclass says of them: nothing of the user's runs for it. */

export type Collection = Map<unknown, unknown> | Set<unknown> | WeakMap<object, unknown> | WeakSet<object>
export type Whole = Map<unknown, unknown> | Set<unknown>

type Method = (...args: unknown[]) => unknown

const { get: mapGet, has: mapHas, keys: mapKeys, values: mapValues, [Symbol.iterator]: mapIterator } = Map.prototype
const { has: setHas, values: setValues } = Set.prototype
const { get: weakMapGet, has: weakMapHas } = WeakMap.prototype
const { has: weakSetHas } = WeakSet.prototype

const types = globalThis.process?.getBuiltinModule?.('node:util')?.types
export const isWeakCollection = (object: object): boolean => isWeakMap(object) || isWeakSet(object)

const isWeakMap = (object: object): boolean => types?.isWeakMap(object) ?? object instanceof WeakMap
const isWeakSet = (object: object): boolean => types?.isWeakSet(object) ?? object instanceof WeakSet

/** Whether it has entries that can be gone through. */
export const isWhole = (value: unknown): value is Whole => typeof value === 'object' && value !== null && (isMap(value) || isSet(value))

function hasEntry(collection: object, key: unknown): boolean {
  const method = isMap(collection) ? mapHas : isSet(collection) ? setHas : isWeakMap(collection) ? weakMapHas : isWeakSet(collection) ? weakSetHas : undefined
  return method !== undefined && (Reflect.apply(method as Method, collection, [key]) as boolean)
}

/** The value of a Map, or whether a Set has it. */
export function valueIn(collection: object, key: unknown): unknown {
  if (isMap(collection)) return Reflect.apply(mapGet, collection, [key])
  return isWeakMap(collection) ? Reflect.apply(weakMapGet as Method, collection, [key]) : hasEntry(collection, key)
}

export const keysIn = (collection: Whole): Iterable<unknown> => Reflect.apply(isMap(collection) ? mapKeys : setValues, collection, []) as Iterable<unknown>

export const valuesIn = (collection: Whole): Iterable<unknown> => Reflect.apply(isMap(collection) ? mapValues : setValues, collection, []) as Iterable<unknown>

/** Whether iterating is going through the entries. */
export const walksEntries = (method: unknown): boolean => method === mapIterator || method === setValues
