import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { ORDER, STATE } from '../execution/keys.ts'
import type { Execution } from '../execution/execution.ts'
import type { Fn, Handler } from './handler.ts'
import { isWeakCollection, isWhole, keysIn, type Collection, type Whole } from './entries.ts'
import { beforeChange, entryKey, isObject, keyAssigned, keyRemoved, lookAtKeys, seen } from './telling.ts'
import { isIterator, walksOver } from './walks.ts'
import { readEntries } from './whole.ts'

/** The class that a method is of: what the entries are, whatever a subclass says of them. */
interface Kind {
  readonly has: Fn
  /** Of a class whose entries have values. */
  readonly get: Fn | undefined
  readonly put: Fn
  readonly remove: Fn
  readonly isWeak: boolean
}

/** `get`: looks at one entry. */
const get =
  (method: Fn, kind: Kind): Handler =>
  (execution, receiver, args, site) => {
    const result = Reflect.apply(method, receiver, args)
    lookWhoHasIt(execution, kind, receiver as Collection, site)
    seen(execution, receiver as Collection, entryKey(execution, args[0]), site, result)
    return result
  }

/** `has`: looks whether there is an entry. */
const has =
  (method: Fn, kind: Kind): Handler =>
  (execution, receiver, args, site) => {
    const result = Reflect.apply(method, receiver, args)
    lookWhoHasIt(execution, kind, receiver as Collection, site)
    execution.accesses.read(execution.identities.of(receiver as Collection), entryKey(execution, args[0]), site, result, 'presence')
    return result
  }

/** `set`, `add`: gives an entry a value. */
const put =
  (method: Fn, kind: Kind): Handler =>
  (execution, receiver, args, site) => {
    const collection = receiver as Collection
    const [name] = args
    const isThere = hasEntry(kind, collection, name)
    lookWhoHasIt(execution, kind, collection, site)
    save(execution, kind, collection, { key: name, goes: false })
    const result = Reflect.apply(method, collection, args)
    const value = kind.get ? args[1] : true
    keyAssigned(execution, collection, entryKey(execution, name), site, { value, isThere, name })
    return result
  }

/** `delete`: takes an entry away; the result tells whether there was one. */
const drop =
  (method: Fn, kind: Kind): Handler =>
  (execution, receiver, args, site, use) => {
    const collection = receiver as Collection
    const [name] = args
    const key = entryKey(execution, name)
    if (use?.isUsed !== false) {
      execution.accesses.read(execution.identities.of(collection), key, site, hasEntry(kind, collection, name), 'presence')
    }
    lookWhoHasIt(execution, kind, collection, site)
    save(execution, kind, collection, { key: name, goes: true })
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
    // Which entries there are decides which are told.
    execution.accesses.look(execution.identities.of(collection), ORDER)
    for (const name of keysIn(collection)) keyRemoved(execution, collection, entryKey(execution, name), site, name)
    execution.accesses.write(execution.identities.of(collection), ORDER, site, 0)
    return Reflect.apply(method, collection, args)
  }

/** Looks at everything, and at everything of the collections it is given. */
const look =
  (method: Fn): Handler =>
  (execution, receiver, args, site) => {
    for (const collection of [receiver, ...args]) {
      if (isWhole(collection)) readEntries(execution, collection, site)
    }
    const result = Reflect.apply(method, receiver, args)
    if (isObject(result)) execution.identities.made(result)
    return result
  }

const mapKeys: unknown = Reflect.get(Map.prototype, 'keys')

/** Makes an iterator, which tells what it looks at as it goes. */
const walk =
  (method: Fn, kind: Kind): Handler =>
  (execution, receiver, args, site) => {
    // Keys are all that a Set has, and whatever comes or goes changes their order.
    const isOfKeys = kind.get === undefined || method === mapKeys
    const iterator = Reflect.apply(method, receiver, args)
    // Code that is not instrumented may be what walks it.
    if (isOfKeys) lookAtKeys(execution, receiver as Whole, site)
    else readEntries(execution, receiver as Whole, site)
    if (isIterator(iterator)) {
      execution.identities.made(iterator)
      walksOver(iterator, receiver as Whole, { isOfKeys })
    }
    return iterator
  }

/** Code that is not instrumented and has a weak collection in its hands may change any entry of it, and nobody can compare. */
function lookWhoHasIt(execution: Execution, { isWeak }: Kind, collection: Collection, site: SiteId): void {
  if (isWeak && isObject(collection)) seen(execution, collection, STATE, site, undefined)
}

/** What is no collection is left to the method that is called, which throws. */
function hasEntry(kind: Kind, collection: object, key: unknown): boolean {
  try {
    return Reflect.apply(kind.has, collection, [key]) as boolean
  } catch {
    return false
  }
}

/** Before a change of an entry of a collection that may be older than the execution. */
function save(execution: Execution, kind: Kind, collection: Collection, { key, goes }: { readonly key: unknown; readonly goes: boolean }): void {
  if (!isObject(collection)) return
  if (!kind.isWeak) {
    if (goes) {
      // Nothing changes where there is no such key.
      if (hasEntry(kind, collection, key)) beforeChange(execution, collection)
    } else if (isWhole(collection) && execution.identities.age(collection) !== 'of this execution') execution.journal.entry(collection, key)
    return
  }
  if (execution.identities.age(collection) === 'of this execution' || !isObject(key) || !isWeakCollection(collection)) return
  const had = hasEntry(kind, collection, key)
  const before: unknown = had && kind.get ? Reflect.apply(kind.get, collection, [key]) : undefined
  execution.journal.change(() => void Reflect.apply(had ? kind.put : kind.remove, collection, [key, before]))
}

const table: Readonly<Record<string, (method: Fn, kind: Kind) => Handler>> = {
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
    const kind = { has: methods.has!, get: methods.get, put: (methods.set ?? methods.add)!, remove: methods.delete!, isWeak: prototype === WeakMap.prototype || prototype === WeakSet.prototype }
    for (const [name, make] of Object.entries(table)) {
      const method = methods[name]
      if (method) handlers.push([method, make(method, kind)])
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
