import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import type { Handler } from './handlers.ts'
import { isIterator, walksOver } from './iterators.ts'
import { addKey, beforeChange, isObject, lookAtKeys, recordRead, recordWrite } from './properties.ts'

type Collection = Map<unknown, unknown> | Set<unknown> | WeakMap<object, unknown> | WeakSet<object>
type Whole = Map<unknown, unknown> | Set<unknown>
type Method = (this: unknown, ...args: any[]) => unknown

/** The location key of an entry: keys that are equal to a Map are equal here. */
function entryKey(execution: Execution, key: unknown): string {
  if (isObject(key)) return `entry #${execution.identities.of(key)}`
  if (typeof key === 'symbol') return `entry symbol ${key.description ?? ''}`
  return `entry ${typeof key} ${String(key)}`
}

function valueIn(collection: Collection, key: unknown): unknown {
  return collection instanceof Map || collection instanceof WeakMap
    ? (collection as Map<unknown, unknown>).get(key)
    : (collection as Set<unknown>).has(key)
}

/** Records that every entry is looked at. */
export function readEntries(execution: Execution, collection: Whole, site: SiteId): void {
  lookAtKeys(execution, collection, site)
  for (const key of collection.keys()) {
    recordRead(execution, collection, entryKey(execution, key), site, valueIn(collection, key))
  }
}

const lookUp =
  (method: Method): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Collection
    const result = Reflect.apply(method, collection, args)
    recordRead(execution, collection, entryKey(execution, args[0]), site, result)
    return result
  }

const put =
  (method: Method): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Collection
    const isNew = !(collection as Set<unknown>).has(args[0])
    save(execution, collection, args[0])
    const result = Reflect.apply(method, collection, args)
    const isSet = collection instanceof Set || collection instanceof WeakSet
    const key = entryKey(execution, args[0])
    // Adding what a Set already has changes nothing.
    if (isSet && !isNew) {
      recordRead(execution, collection, key, site, true)
      return result
    }
    recordWrite(execution, collection, key, site, isSet ? true : args[1])
    if (isNew) addKey(execution, collection, site)
    return result
  }

const drop =
  (method: Method): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Collection
    const key = entryKey(execution, args[0])
    if (!(collection as Set<unknown>).has(args[0])) {
      recordRead(execution, collection, key, site, undefined)
      return false
    }
    save(execution, collection, args[0])
    const result = Reflect.apply(method, collection, args)
    recordWrite(execution, collection, key, site, undefined)
    addKey(execution, collection, site)
    return result
  }

const clear =
  (method: Method): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Whole
    beforeChange(execution, collection)
    lookAtKeys(execution, collection, site)
    for (const key of collection.keys()) recordWrite(execution, collection, entryKey(execution, key), site, undefined)
    return Reflect.apply(method, collection, args)
  }

const look =
  (method: Method): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Whole
    readEntries(execution, collection, site)
    const result = Reflect.apply(method, collection, args)
    if (isObject(result)) {
      execution.identities.made(result)
      if (isIterator(result)) walksOver(result, collection)
    }
    return result
  }

function save(execution: Execution, collection: Collection, key: unknown): void {
  if (collection instanceof Map || collection instanceof Set) {
    beforeChange(execution, collection)
    return
  }
  if (!execution.identities.outlives(collection) || !isObject(key)) return
  const had = collection.has(key)
  const before = valueIn(collection, key)
  execution.journal.change(() => {
    if (!had) collection.delete(key)
    else if (collection instanceof WeakMap) collection.set(key, before)
    else collection.add(key)
  })
}

/** What each method of Map, Set, WeakMap and WeakSet accesses: disjoint keys are independent. */
export function collectionHandlers(): [Method, Handler][] {
  const handlers: [Method, Handler][] = []
  const makers: Record<string, (method: Method) => Handler> = {
    get: lookUp,
    has: lookUp,
    set: put,
    add: put,
    delete: drop,
    clear,
    forEach: look,
    entries: look,
    keys: look,
    values: look,
    union: look,
    intersection: look,
    difference: look,
    symmetricDifference: look,
    isSubsetOf: look,
    isSupersetOf: look,
    isDisjointFrom: look,
  }
  for (const prototype of [Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype]) {
    const methods = prototype as unknown as Record<string, Method | undefined>
    for (const [name, make] of Object.entries(makers)) {
      const method = methods[name]
      if (method) handlers.push([method, make(method)])
    }
  }
  return handlers
}
