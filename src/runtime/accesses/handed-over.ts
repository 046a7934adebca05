import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { bufferOf, isStack } from '../execution/brands.ts'
import { isOfPlatform } from '../execution/contents.ts'
import { isOfEnvironment } from '../execution/environment.ts'
import type { Execution } from '../execution/execution.ts'
import { isInternal } from '../execution/internal-state.ts'
import { EXTENSIBILITY, OPAQUE, ORDER, property, STATE, type Key } from '../execution/keys.ts'
import { isRealTimer } from '../execution/native.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { changeSize, endOfLocation, isBytes, isHuge, saveBytes, writeBytes, type Bytes } from './bytes.ts'
import { isFed } from './digests.ts'
import { asFirstSeen, seeFirst } from './first-seen.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { lookAtAllInherited, lookAtOwn, prototypeChanged } from './inheritance.ts'
import { opaqueGroups } from './opaque-telling.ts'
import { changeState } from './operations.ts'
import { propertyRedefined } from './redefinition.ts'
import { firstDifference, hasSameAttributes, isSame, isSameOrder, isSameProperty, putBack, snapshotOf, valuesIn, type CopiedBytes, type Snapshot } from './snapshot.ts'
import { addKey, changed, dropKey, entryKey, isObject, recordRead, recordWrite, seen } from './telling.ts'
import { isIterator } from './walks.ts'
import { readWhole } from './whole.ts'

/**
 * What code that is not instrumented gets into its hands: everything that can be reached counts as looked at, and what it has
 * changed is found by comparing; of huge buffers, all that is in them. Code that gives a location the value that it had anyway changes nothing.
 */
export class HandedOver {
  readonly #execution: Execution
  readonly #before = new Map<object, Snapshot>()

  constructor(execution: Execution, { kept, args }: Roots, site: SiteId) {
    this.#execution = execution
    execution.accesses.comparesValues = false
    const holders = new Set<object>()
    try {
      const found = new Set<object>()
      nameKept(execution, reach(found, kept))
      for (const object of reach(found, args)) {
        this.#lookAt(object, site)
        lookAtMethods(execution, object, site, holders)
      }
    } finally {
      execution.accesses.comparesValues = true
    }
  }

  #lookAt(object: object, site: SiteId): void {
    const execution = this.#execution
    // Nobody can compare what it holds.
    if (object instanceof WeakMap || object instanceof WeakSet) changed(execution, object, STATE, site, undefined)
    if (isProxy(object)) return seen(execution, object, OPAQUE, site, undefined)
    if (isIterator(object) || isFed(object)) changeState(execution, object, site)
    else readWhole(execution, object, site)
    lookAtHidden(execution, object, site)
    if (isBytes(object) && isHuge(object)) saveBytes(execution, object)
    const now = snapshotOf(object)
    this.#before.set(object, now)
    if (execution.identities.age(object) !== 'of this execution') seeFirst(execution, object, { now, running: opaqueGroups(execution).running })
  }

  /** Tells what has changed since it was told last. */
  tellChanges(site: SiteId): void {
    for (const [object, before] of this.#before) {
      const now = snapshotOf(object)
      if (isSame(before, now)) continue
      this.#before.set(object, now)
      // What may be older than the execution is put back after it.
      const first = asFirstSeen(this.#execution, object)
      if (first) this.#execution.journal.change(() => putBack(object, first))
      this.#tellProperties(object, { before, now }, site)
      if (before.entries && now.entries) this.#tellEntries(object, { before: before.entries, now: now.entries }, site)
      if (before.bytes && now.bytes) this.#tellBytes(object as Bytes, { before: before.bytes, now: now.bytes }, site)
      if (before.prototype !== now.prototype) prototypeChanged(this.#execution, object, { before: before.prototype, now: now.prototype }, site)
      if (before.isExtensible !== now.isExtensible) changed(this.#execution, object, EXTENSIBILITY, site, undefined)
    }
  }

  #tellProperties(object: object, { before, now }: Change<Snapshot>, site: SiteId): void {
    const execution = this.#execution
    for (const key of new Set([...before.properties.keys(), ...now.properties.keys()])) {
      const old = before.properties.get(key)
      const own = now.properties.get(key)
      if (old && own && isSameProperty(old, own)) continue
      const value: unknown = own?.value
      if (isObject(value)) execution.identities.cameIn(value, { mayBeOlder: true })
      recordWrite(execution, object, key, site, value)
      propertyRedefined(execution, object, { key, before: old, now: own })
      if (old && own && !hasSameAttributes(old, own)) for (const part of [EXTENSIBILITY, ORDER]) changed(execution, object, part, site, undefined)
      if (!Array.isArray(object)) this.#tellKey(object, property(key), { before: old !== undefined, now: own !== undefined }, site)
    }
    if (!isSameOrder(before.properties, now.properties)) changed(execution, object, ORDER, site, undefined)
  }

  #tellEntries(object: object, { before, now }: Change<ReadonlyMap<unknown, unknown>>, site: SiteId): void {
    const execution = this.#execution
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const value = now.get(key)
      if (before.has(key) && now.has(key) && Object.is(before.get(key), value)) continue
      for (const part of [key, value]) if (isObject(part)) execution.identities.cameIn(part, { mayBeOlder: true })
      const named = entryKey(execution, key)
      changed(execution, object, named, site, value)
      this.#tellKey(object, named, { before: before.has(key), now: now.has(key) }, site)
    }
    if (!isSameOrder(before, now)) changed(execution, object, ORDER, site, undefined)
  }

  #tellKey(object: object, key: Key, { before, now }: Change<boolean>, site: SiteId): void {
    if (!before) addKey(this.#execution, object, key, site)
    if (!now) dropKey(this.#execution, object, key, site)
  }

  #tellBytes(object: Bytes, { before, now }: Change<CopiedBytes>, site: SiteId): void {
    if (before.copy && now.copy) this.#tellDifferences(object, { before: before.copy, now: now.copy }, site)
    else writeBytes(this.#execution, object, site)
    if (before.size !== now.size) changeSize(this.#execution, ArrayBuffer.isView(object) ? bufferOf(object) : object, site)
  }

  #tellDifferences(object: Bytes, { before, now }: Change<Uint8Array>, site: SiteId): void {
    for (let start = firstDifference(before, now); start < now.length; ) {
      const end = endOfLocation(object, start)
      writeBytes(this.#execution, object, site, { start, end })
      start = firstDifference(before, now, end)
    }
  }
}

/** What may be called of an object, or of what a class makes. Those who inherit from one object see the same of it. */
function lookAtMethods(execution: Execution, object: object, site: SiteId, holders: Set<object>): void {
  if (isProxy(object)) return
  lookAtAllInherited(execution, object, site, holders)
  if (!isClass(object)) return
  lookAtOwn(execution, object, site)
  const prototype: unknown = Reflect.getOwnPropertyDescriptor(object, 'prototype')!.value
  if (!isObject(prototype) || isProxy(prototype) || holders.has(prototype)) return
  holders.add(prototype)
  lookAtOwn(execution, prototype, site)
  lookAtAllInherited(execution, prototype, site, holders)
}

/** What no enumeration shows of an object. */
function lookAtHidden(execution: Execution, object: object, site: SiteId): void {
  if (ArrayBuffer.isView(object)) return
  for (const key of Reflect.ownKeys(object)) {
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own && !own.enumerable && !isStack(object, key) && !isInternal(key)) recordRead(execution, object, key, site, own.value)
  }
}

/** A class that instrumented code declares. */
function isClass(object: object): boolean {
  return typeof object === 'function' && kindOf(object as Fn) === 'own' && Reflect.getOwnPropertyDescriptor(object, 'prototype')?.writable === false
}

interface Change<T> {
  readonly before: T
  readonly now: T
}

/** Where what such code gets into its hands begins. */
interface Roots {
  /** What is its own, and what it was handed before: calls of it are ordered. */
  readonly kept: Iterable<unknown>
  /** What others may look at meanwhile. */
  readonly args: Iterable<unknown>
}

/** What such code keeps to itself has the name of the call that met it first. */
function nameKept({ identities }: Execution, found: Iterable<object>): void {
  for (const object of found) if (identities.known(object) === undefined) identities.cameIn(object, { mayBeOlder: true })
}

/** Objects that one call is handed, at most. */
const mostObjects = 2_000

/** Adds what can be reached. */
function reach(found: Set<object>, roots: Iterable<unknown>): Set<object> {
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
  return isBytes(object) ? [] : valuesIn(snapshotOf(object))
}

const ofRuntime = new WeakSet<object>()

/** Calls of code that is not instrumented change nothing of this object that the runtime does not see. */
export function isSeenOtherwise(object: object): void {
  ofRuntime.add(object)
}

/** What is neither looked at nor changed as data: promises, modules, functions without properties, what the platform made. */
function isNobodysData(object: object): boolean {
  if (isProxy(object)) return false
  if (ofRuntime.has(object)) return true
  if (typeof object === 'function') return Object.keys(object).length === 0 && !isClass(object)
  return object instanceof Promise || object === globalThis || isRealTimer(object) || isOfPlatform(object) || isOfEnvironment(object) || isModule(object)
}

function isModule(object: object): boolean {
  return Reflect.getOwnPropertyDescriptor(object, Symbol.toStringTag)?.value === 'Module'
}
