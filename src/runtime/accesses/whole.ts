import { Array, ArrayBuffer, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isOfEnvironment } from '../execution/environment.ts'
import { property, type Key } from '../execution/keys.ts'
import { ownKeysOf } from '../execution/named-keys.ts'
import { lookAtEnvironment } from './environment.ts'
import { tellOfNamespace } from './live-bindings.ts'
import { tellGetter } from './opaque-accessors.ts'
import { isError, isStack } from '../execution/brands.ts'
import { isInternal } from '../execution/internal-state.ts'
import { isInstance, isProxy, targetOf } from '../execution/proxies.ts'
import { isBuffer, isBytes, readBytes } from './bytes.ts'
import { lookAtOrder, readElements } from './elements.ts'
import { isWhole, keysIn, valueIn, valuesIn, type Whole } from './entries.ts'
import { readInside } from './inside.ts'
import { subjectOfLook } from './subjects.ts'
import { entryKey, isObject, lookAtKeys, recordRead, seen } from './telling.ts'

/** Looks at more than one location: at all of an object, or at all that it leads to. */

/** What of the keys is looked at: an equality does not depend on their order, a text and a walk do. */
export type KeyLook = 'order' | 'size'

/** Records that every entry is looked at. */
export function readEntries(execution: Execution, collection: Whole, site: SiteId, keys: KeyLook = 'order'): void {
  lookAtKeys(execution, collection, site, keys)
  const named = [...keysIn(collection)].map((key) => ({ key, name: entryKey(execution, key) }))
  for (const { key, name } of inOneOrder(execution, { object: collection, keys }, named)) {
    execution.cut.countDone()
    seen(execution, collection, name, site, valueIn(collection, key))
  }
}

/** What is told of keys whose order is not looked at does not depend on their order. */
function inOneOrder<T extends { readonly name: Key }>(execution: Execution, { object, keys }: { readonly object: object; readonly keys: KeyLook }, named: readonly T[]): readonly T[] {
  if (keys === 'order' || named.length < 2) return named
  const { identities } = execution
  const id = identities.of(object)
  return named.toSorted((one, other) => identities.location(id, one.name) - identities.location(id, other.name))
}

/** Looks at all keys and their values, but for those that are told of in any case. */
export function enumerateProperties(execution: Execution, given: object, site: SiteId, keys: KeyLook = 'order', toldOf: readonly PropertyKey[] = []): void {
  const object = subjectOfLook(execution, given, site)
  if (object === undefined) return
  if (ArrayBuffer.isView(object)) readBytes(execution, object, site)
  lookAtKeys(execution, object, site, keys)
  const named = ownKeysOf(object).map((key) => ({ key, name: property(key) }))
  for (const { key } of inOneOrder(execution, { object, keys }, named)) {
    execution.cut.countDone()
    if (isStack(object, key) || isInternal(key) || toldOf.includes(key)) continue
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (!own?.enumerable) continue
    if (own.get) tellGetter(execution, object, key, site)
    tellOfNamespace(execution, object, key, site)
    recordRead(execution, object, key, site, own.value)
  }
}

/** Looks at everything that can be seen of a value without a name: properties, elements or entries. */
export function readWhole(execution: Execution, given: unknown, site: SiteId, keys: KeyLook = 'order'): void {
  if (!isObject(given)) return
  const value = subjectOfLook(execution, given, site)
  if (value === undefined) return
  if (isOfEnvironment(value)) lookAtEnvironment(execution, site)
  else if (Array.isArray(value)) {
    lookAtOrder(execution, value, site)
    readElements(execution, value, site)
  } else if (isBytes(value)) {
    if (isBuffer(value)) readBytes(execution, value, site)
    enumerateProperties(execution, value, site, keys)
  } else if (isWhole(value)) readEntries(execution, value, site, keys)
  else {
    const parts = isError(value) ? errorParts : []
    enumerateProperties(execution, value, site, keys, parts)
    for (const name of parts) recordRead(execution, value, name, site, Reflect.getOwnPropertyDescriptor(value, name)?.value)
    readInside(execution, value, site)
  }
}

/**
 * What an error keeps in properties that are not enumerated; but a field of a class that stands for one is, and by the V8 of Node 20 only in the first few errors
 * that the class makes.
 */
const errorParts = ['name', 'message', 'cause', 'errors']

/** Objects that one look at all of a value goes through at most. */
const mostObjects = 10_000

/** Looks at a value and at all that it leads to, as far as no getter has to run for it. */
export function readDeep(execution: Execution, given: unknown, site: SiteId, keys: KeyLook = 'order', visited = new Set<unknown>()): void {
  if (typeof given !== 'object' || given === null) return
  const value = isProxy(given) ? targetOf(given) : given
  if (value === undefined) return readWhole(execution, given, site)
  if (isInstance(value, Promise.prototype)) return
  if (visited.has(value) || visited.size >= mostObjects) return
  visited.add(value)
  readWhole(execution, value, site, keys)
  for (const inner of innerValues(value)) readDeep(execution, inner, site, keys, visited)
}

function innerValues(value: object): Iterable<unknown> {
  if (isOfEnvironment(value)) return []
  if (isWhole(value)) return [...keysIn(value), ...valuesIn(value)]
  return ownKeysOf(value).flatMap((key) => (isStack(value, key) || isInternal(key) ? [] : [Reflect.getOwnPropertyDescriptor(value, key)!.value as unknown]))
}
