import { Array, ArrayBuffer, Object } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { bufferOf } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { EXTENSIBILITY, ORDER, property, type Key } from '../execution/keys.ts'
import { changeSize, endOfLocation, writeBytes, type Bytes } from './bytes.ts'
import { asFirstSeen } from './first-seen.ts'
import { prototypeChanged } from './inheritance.ts'
import { propertyRedefined } from './redefinition.ts'
import { firstDifference, hasSameAttributes, isSameOrder, isSameProperty, putBack, type CopiedBytes, type Snapshot } from './snapshot.ts'
import { addKey, changed, dropKey, entryKey, isObject, recordWrite } from './telling.ts'

interface Change<T> {
  readonly before: T
  readonly now: T
}

/** Tells what code that is not instrumented has changed of an object; what may be older than the execution is put back after it. */
export function tellDifferences(execution: Execution, object: object, { before, now }: Change<Snapshot>, site: SiteId): void {
  const first = asFirstSeen(execution, object)
  if (first) execution.journal.change(() => putBack(object, first))
  tellProperties(execution, object, { before, now }, site)
  if (before.entries && now.entries) tellEntries(execution, object, { before: before.entries, now: now.entries }, site)
  if (before.bytes && now.bytes) tellBytes(execution, object as Bytes, { before: before.bytes, now: now.bytes }, site)
  if (before.prototype !== now.prototype) prototypeChanged(execution, object, { before: before.prototype, now: now.prototype }, site)
  if (before.isExtensible !== now.isExtensible) changed(execution, object, EXTENSIBILITY, site, undefined)
}

function tellProperties(execution: Execution, object: object, { before, now }: Change<Snapshot>, site: SiteId): void {
  for (const key of new Set([...before.properties.keys(), ...now.properties.keys()])) {
    const old = before.properties.get(key)
    const own = now.properties.get(key)
    if (old && own && isSameProperty(old, own)) continue
    const value: unknown = own?.value
    if (isObject(value)) execution.identities.cameIn(value, { mayBeOlder: true })
    recordWrite(execution, object, key, site, value)
    propertyRedefined(execution, object, { key, before: old, now: own })
    if (old && own && !hasSameAttributes(old, own)) for (const part of [EXTENSIBILITY, ORDER]) changed(execution, object, part, site, undefined)
    if (!Array.isArray(object)) tellKey(execution, object, property(key), { before: old !== undefined, now: own !== undefined }, site)
  }
  if (!isSameOrder(before.properties, now.properties)) changed(execution, object, ORDER, site, undefined)
}

function tellEntries(execution: Execution, object: object, { before, now }: Change<ReadonlyMap<unknown, unknown>>, site: SiteId): void {
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const value = now.get(key)
    if (before.has(key) && now.has(key) && Object.is(before.get(key), value)) continue
    for (const part of [key, value]) if (isObject(part)) execution.identities.cameIn(part, { mayBeOlder: true })
    const named = entryKey(execution, key)
    changed(execution, object, named, site, value)
    tellKey(execution, object, named, { before: before.has(key), now: now.has(key) }, site)
  }
  if (!isSameOrder(before, now)) changed(execution, object, ORDER, site, undefined)
}

function tellKey(execution: Execution, object: object, key: Key, { before, now }: Change<boolean>, site: SiteId): void {
  if (!before) addKey(execution, object, key, site)
  if (!now) dropKey(execution, object, key, site)
}

function tellBytes(execution: Execution, object: Bytes, { before, now }: Change<CopiedBytes>, site: SiteId): void {
  if (before.copy && now.copy) tellRanges(execution, object, { before: before.copy, now: now.copy }, site)
  else writeBytes(execution, object, site)
  if (before.size !== now.size) changeSize(execution, ArrayBuffer.isView(object) ? bufferOf(object) : object, site)
}

function tellRanges(execution: Execution, object: Bytes, { before, now }: Change<Uint8Array>, site: SiteId): void {
  for (let start = firstDifference(before, now); start < now.length; ) {
    const end = endOfLocation(object, start)
    writeBytes(execution, object, site, { start, end })
    start = firstDifference(before, now, end)
  }
}
