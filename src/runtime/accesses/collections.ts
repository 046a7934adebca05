import type { SiteId } from '../../engine/ids.ts'
import { ORDER, STATE } from '../execution/keys.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn, Handler } from './handler.ts'
import { beforeChange, entryKey, isObject, keyAssigned, keyRemoved, seen } from './telling.ts'
import { isIterator, walksOver } from './walks.ts'
import { readEntries, valueIn } from './whole.ts'

type Collection = Map<unknown, unknown> | Set<unknown> | WeakMap<object, unknown> | WeakSet<object>
type Whole = Map<unknown, unknown> | Set<unknown>

/** `get`: looks at one entry. */
const get =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    const result = Reflect.apply(method, receiver, args)
    lookWhoHasIt(execution, receiver as Collection, site)
    seen(execution, receiver as Collection, entryKey(execution, args[0]), site, result)
    return result
  }

/** `has`: looks whether there is an entry. */
const has =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    const result = Reflect.apply(method, receiver, args)
    lookWhoHasIt(execution, receiver as Collection, site)
    execution.accesses.read(execution.identities.of(receiver as Collection), entryKey(execution, args[0]), site, result, 'presence')
    return result
  }

/** `set`, `add`: gives an entry a value. */
const put =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Collection
    const [name] = args
    const isThere = hasEntry(collection, name)
    lookWhoHasIt(execution, collection, site)
    save(execution, collection, name)
    const result = Reflect.apply(method, collection, args)
    const value = collection instanceof Set || collection instanceof WeakSet ? true : args[1]
    keyAssigned(execution, collection, entryKey(execution, name), site, { value, isThere, name })
    return result
  }

/** `delete`: takes an entry away; the result tells whether there was one. */
const drop =
  (method: Fn): Handler =>
  (execution, receiver, args, site, use) => {
    const collection = receiver as Collection
    const [name] = args
    const key = entryKey(execution, name)
    if (use?.isUsed !== false) {
      execution.accesses.read(execution.identities.of(collection), key, site, hasEntry(collection, name), 'presence')
    }
    lookWhoHasIt(execution, collection, site)
    save(execution, collection, name)
    const result = Reflect.apply(method, collection, args)
    keyRemoved(execution, collection, key, site, name)
    return result
  }

/** `clear`: takes away whatever there is. */
const clear =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Whole
    beforeChange(execution, collection)
    for (const name of collection.keys()) keyRemoved(execution, collection, entryKey(execution, name), site, name)
    execution.accesses.write(execution.identities.of(collection), ORDER, site, 0)
    return Reflect.apply(method, collection, args)
  }

/** Looks at everything, and at everything of the collections it is given. */
const look =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    for (const collection of [receiver, ...args]) {
      if (collection instanceof Map || collection instanceof Set) readEntries(execution, collection, site)
    }
    const result = Reflect.apply(method, receiver, args)
    if (isObject(result)) execution.identities.made(result)
    return result
  }

/** Makes an iterator, which tells what it looks at as it goes. */
const walk =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    // Code that is not instrumented may be what walks it.
    readEntries(execution, receiver as Whole, site)
    const iterator = Reflect.apply(method, receiver, args)
    if (isIterator(iterator)) {
      execution.identities.made(iterator)
      walksOver(iterator, receiver as Whole)
    }
    return iterator
  }

/** Code that is not instrumented and has a weak collection in its hands may change any entry of it, and nobody can compare. */
function lookWhoHasIt(execution: Execution, collection: Collection, site: SiteId): void {
  if (collection instanceof WeakMap || collection instanceof WeakSet) seen(execution, collection, STATE, site, undefined)
}

function hasEntry(collection: Collection, key: unknown): boolean {
  return (collection as Set<unknown>).has(key)
}

/** Before a change of an entry of a collection that may be older than the execution. */
function save(execution: Execution, collection: Collection, key: unknown): void {
  if (collection instanceof Map || collection instanceof Set) {
    beforeChange(execution, collection)
    return
  }
  if (execution.identities.age(collection) === 'of this execution' || !isObject(key)) return
  const had = collection.has(key)
  const before = valueIn(collection, key)
  execution.journal.change(() => {
    if (!had) collection.delete(key)
    else if (collection instanceof WeakMap) collection.set(key, before)
    else collection.add(key)
  })
}

const table: Readonly<Record<string, (method: Fn) => Handler>> = {
  get,
  has,
  set: put,
  add: put,
  delete: drop,
  clear,
  forEach: look,
  entries: walk,
  keys: walk,
  values: walk,
  union: look,
  intersection: look,
  difference: look,
  symmetricDifference: look,
  isSubsetOf: look,
  isSupersetOf: look,
  isDisjointFrom: look,
}

/** What each method of Map, Set, WeakMap and WeakSet accesses: disjoint keys are independent. */
export function collectionHandlers(): [Fn, Handler][] {
  const handlers: [Fn, Handler][] = []
  for (const prototype of [Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype]) {
    const methods = prototype as unknown as Record<string, Fn | undefined>
    for (const [name, make] of Object.entries(table)) {
      const method = methods[name]
      if (method) handlers.push([method, make(method)])
    }
  }
  for (const prototype of [Map.prototype, Set.prototype]) {
    const size = Reflect.getOwnPropertyDescriptor(prototype, 'size')!.get as Fn
    handlers.push([size, (execution, receiver, args, site) => {
      const result = Reflect.apply(size, receiver, args)
      execution.accesses.read(execution.identities.of(receiver as Whole), ORDER, site, result, 'size')
      return result
    }])
  }
  return handlers
}
