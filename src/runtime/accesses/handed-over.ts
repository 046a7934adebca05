import type { SiteId } from '../../engine/ids.ts'
import { isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE, property } from '../execution/keys.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { isBytes, writeBytes, type Bytes } from './bytes.ts'
import { changeState } from './operations.ts'
import { addKey, changed, dropKey, entryKey, isObject, recordWrite, seen } from './telling.ts'
import { isIterator } from './walks.ts'
import { readWhole } from './whole.ts'

/**
 * What code that is not instrumented gets into its hands: everything that can be reached counts as looked at, and what it has
 * changed is found by comparing. Code that gives a location the value that it had anyway changes nothing.
 */
export class HandedOver {
  readonly #execution: Execution
  readonly #before = new Map<object, Contents>()

  constructor(execution: Execution, roots: Iterable<unknown>, site: SiteId) {
    this.#execution = execution
    const all = reachable(roots)
    for (const object of all) {
      if (object instanceof WeakMap || object instanceof WeakSet) this.#mayChangeEntries(object, all, site)
      if (isProxy(object)) {
        seen(execution, object, OPAQUE, site, undefined)
        continue
      }
      // Where nothing has a name it came from such code: it is named now, all of it.
      if (execution.identities.known(object) === undefined) execution.identities.cameIn(object, { mayBeOlder: true })
      if (isIterator(object)) changeState(execution, object, site)
      else readWhole(execution, object, site)
      this.#before.set(object, contentsOf(object))
    }
  }

  /** Nobody can compare what such a collection holds: its entries for all objects at hand count as changed. */
  #mayChangeEntries(collection: object, keys: Iterable<object>, site: SiteId): void {
    for (const key of keys) changed(this.#execution, collection, entryKey(this.#execution, key), site, undefined)
  }

  /** Tells what has changed since it was told last. */
  tellChanges(site: SiteId): void {
    for (const [object, before] of this.#before) {
      const now = contentsOf(object)
      if (isSame(before, now)) continue
      this.#before.set(object, now)
      this.#tell(object, { before, now }, site)
    }
  }

  #tell(object: object, { before, now }: { readonly before: Contents; readonly now: Contents }, site: SiteId): void {
    const execution = this.#execution
    if (execution.identities.age(object) !== 'of this execution') execution.journal.change(() => putBack(object, before))
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const value = now.get(key)
      if (before.has(key) && now.has(key) && Object.is(before.get(key), value)) continue
      if (isObject(value)) execution.identities.cameIn(value, { mayBeOlder: true })
      if (isBytes(object)) {
        writeBytes(execution, object, site, { start: key as number, end: (key as number) + 1 })
        continue
      }
      const isEntry = object instanceof Map || object instanceof Set
      const named = isEntry ? entryKey(execution, key) : property(key as PropertyKey)
      if (isEntry) changed(execution, object, named, site, value)
      else recordWrite(execution, object, key as PropertyKey, site, value)
      if (Array.isArray(object)) continue
      if (!before.has(key)) addKey(execution, object, named, site)
      if (!now.has(key)) dropKey(execution, object, named, site)
    }
  }
}

/** Entries of a Map, members of a Set, bytes by their offset, or own properties that hold values. */
type Contents = ReadonlyMap<unknown, unknown>

function contentsOf(object: object): Contents {
  if (object instanceof Map) return new Map(Map.prototype.entries.call(object))
  if (object instanceof Set) return new Map(Set.prototype.entries.call(object))
  if (isBytes(object)) return new Map(bytesIn(object).entries())
  const contents = new Map<unknown, unknown>()
  for (const key of Reflect.ownKeys(object)) {
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own && 'value' in own) contents.set(key, own.value)
  }
  return contents
}

function bytesIn(object: Bytes): Uint8Array {
  // What has lost its bytes can have no view.
  if (object.byteLength === 0) return new Uint8Array(0)
  return ArrayBuffer.isView(object) ? new Uint8Array(object.buffer, object.byteOffset, object.byteLength) : new Uint8Array(object)
}

function isSame(before: Contents, now: Contents): boolean {
  if (before.size !== now.size) return false
  const order = now.keys()
  for (const [key, value] of before) {
    if (!Object.is(order.next().value, key) || !Object.is(now.get(key), value)) return false
  }
  return true
}

function putBack(object: object, before: Contents): void {
  if (object instanceof Map) {
    Map.prototype.clear.call(object)
    for (const [key, value] of before) Map.prototype.set.call(object, key, value)
  } else if (object instanceof Set) {
    Set.prototype.clear.call(object)
    for (const key of before.keys()) Set.prototype.add.call(object, key)
  } else if (isBytes(object)) {
    const bytes = bytesIn(object)
    for (const [offset, value] of before) bytes[offset as number] = value as number
  } else {
    for (const key of Reflect.ownKeys(object)) if (!before.has(key)) Reflect.deleteProperty(object, key)
    for (const [key, value] of before) if (!Object.is(Reflect.getOwnPropertyDescriptor(object, key as PropertyKey)?.value, value)) Reflect.set(object, key as PropertyKey, value)
  }
}

/** Objects that one call is handed, at most. */
const mostObjects = 2_000

function reachable(roots: Iterable<unknown>): Set<object> {
  const found = new Set<object>()
  const waiting = [...roots]
  while (waiting.length > 0 && found.size < mostObjects) {
    const next = waiting.pop()
    const object = isObject(next) && isProxy(next) ? (targetOf(next) ?? next) : next
    if (!isObject(object) || found.has(object) || isNobodysData(object)) continue
    found.add(object)
    if (!isProxy(object)) waiting.push(...innerValues(object))
  }
  return found
}

function innerValues(object: object): unknown[] {
  if (typeof object === 'function') {
    return Object.values(Object.getOwnPropertyDescriptors(object)).flatMap((own) => (own.enumerable ? [own.value as unknown] : []))
  }
  if (isBytes(object)) return []
  const contents = contentsOf(object)
  return object instanceof Map ? [...contents.keys(), ...contents.values()] : [...contents.values()]
}

/** What is neither looked at nor changed as data: promises, modules, functions without properties, what the platform made. */
function isNobodysData(object: object): boolean {
  if (isProxy(object)) return false
  if (typeof object === 'function') return Object.keys(object).length === 0
  return object instanceof Promise || object === globalThis || isOfPlatform(object) || isModule(object)
}

function isModule(object: object): boolean {
  return Reflect.getOwnPropertyDescriptor(object, Symbol.toStringTag)?.value === 'Module'
}
