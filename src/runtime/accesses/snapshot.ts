import { ArrayBuffer, Math, Object, Reflect } from '../../engine/intrinsics.ts'
import { isMap, isSet, isStack, memoryOf, sizeOf as sizeOfCollection } from '../execution/brands.ts'
import { isInternal } from '../execution/internal-state.ts'
import { putInOrder } from '../execution/key-order.ts'
import { ownKeysOf } from '../execution/named-keys.ts'
import { isBytes, isHuge, sizeOf, type Bytes } from './bytes.ts'

/** All of one object that code which has it in its hands may change, and that can be compared; nothing of the user's runs for it. */
export interface Snapshot {
  readonly properties: ReadonlyMap<PropertyKey, PropertyDescriptor>
  /** The entries of a Map, the members of a Set. */
  readonly entries: ReadonlyMap<unknown, unknown> | undefined
  readonly bytes: CopiedBytes | undefined
  readonly prototype: object | null
  readonly isExtensible: boolean
}

export interface CopiedBytes {
  readonly size: number
  /** Undefined of what is huge. */
  readonly copy: Uint8Array | undefined
}

/** The object is no Proxy. */
export function snapshotOf(object: object): Snapshot {
  return {
    properties: propertiesOf(object),
    entries: entriesOf(object),
    bytes: bytesOf(object),
    prototype: Reflect.getPrototypeOf(object),
    isExtensible: Reflect.isExtensible(object),
  }
}

function propertiesOf(object: object): ReadonlyMap<PropertyKey, PropertyDescriptor> {
  const properties = new Map<PropertyKey, PropertyDescriptor>()
  // The elements of a typed array are its bytes.
  for (const key of ownKeysOf(object)) if (isCompared(object, key)) properties.set(key, Reflect.getOwnPropertyDescriptor(object, key)!)
  return properties
}

const isCompared = (object: object, key: PropertyKey): boolean => !isStack(object, key) && !isInternal(key)

function entriesOf(object: object): ReadonlyMap<unknown, unknown> | undefined {
  if (isMap(object)) return new Map(Map.prototype.entries.call(object))
  return isSet(object) ? new Map(Set.prototype.entries.call(object)) : undefined
}

function bytesOf(object: object): CopiedBytes | undefined {
  return isBytes(object) ? { size: sizeOf(object), copy: isHuge(object) ? undefined : bytesIn(object).slice() } : undefined
}

function bytesIn(object: Bytes): Uint8Array {
  // What has lost its bytes can have no view.
  if (sizeOf(object) === 0) return new Uint8Array(0)
  return ArrayBuffer.isView(object) ? memoryOf(object) : new Uint8Array(object)
}

/** Whether the object, which is no Proxy, is still as it was then. Most are, and this is asked of all that such code has at each of its calls: no copy is made for it, but of bytes. */
export function isStill(object: object, then: Snapshot): boolean {
  if (Reflect.getPrototypeOf(object) !== then.prototype || Reflect.isExtensible(object) !== then.isExtensible) return false
  if (!hasProperties(object, then.properties) || !hasEntries(object, then.entries)) return false
  return then.bytes === undefined || areSameBytes(then.bytes, bytesOf(object))
}

/** The same keys in the same order, with the same values. */
function hasProperties(object: object, properties: ReadonlyMap<PropertyKey, PropertyDescriptor>): boolean {
  const keys = ownKeysOf(object)
  let i = 0
  for (const [key, then] of properties) {
    while (i < keys.length && !isCompared(object, keys[i]!)) i++
    if (i === keys.length || keys[i] !== key) return false
    const now = Reflect.getOwnPropertyDescriptor(object, key)
    if (now === undefined || !isSameProperty(then, now)) return false
    i++
  }
  while (i < keys.length && !isCompared(object, keys[i]!)) i++
  return i === keys.length
}

/** The same of the entries of a Map, or the members of a Set. */
function hasEntries(object: object, entries: ReadonlyMap<unknown, unknown> | undefined): boolean {
  if (entries === undefined) return true
  if (sizeOfCollection(object) !== entries.size) return false
  const now: Iterator<[unknown, unknown]> = isMap(object) ? Map.prototype.entries.call(object) : Set.prototype.entries.call(object)
  for (const [key, value] of entries) {
    const entry = now.next().value as [unknown, unknown]
    if (!Object.is(key, entry[0]) || !Object.is(value, entry[1])) return false
  }
  return true
}

/** Of what is huge nobody knows. */
function areSameBytes(one: CopiedBytes | undefined, other: CopiedBytes | undefined): boolean {
  if (!one || !other) return one === other
  return one.copy !== undefined && other.copy !== undefined && one.size === other.size && firstDifference(one.copy, other.copy) === one.size
}

/** The first byte from `start` on in which two copies differ, if only as one has none there. */
export function firstDifference(one: Uint8Array, other: Uint8Array, start = 0): number {
  const shared = Math.min(one.length, other.length)
  let i = start
  const [words, others] = [wordsOf(one), wordsOf(other)]
  while (i % 4 !== 0 && i < shared && one[i] === other[i]) i++
  if (i % 4 === 0) while (i + 4 <= shared && words[i / 4] === others[i / 4]) i += 4
  while (i < shared && one[i] === other[i]) i++
  return i
}

/** Copies begin with their buffers. */
const wordsOf = (copy: Uint8Array): Uint32Array => new Uint32Array(copy.buffer, 0, Math.floor(copy.length / 4))

/** The values that an object leads to. */
export function valuesIn({ properties, entries }: Snapshot): unknown[] {
  const values = [...properties.values()].map((own) => own.value as unknown)
  return entries ? [...entries.keys(), ...entries.values(), ...values] : values
}

export function isSameProperty(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return Object.is(one.value, other.value) && one.get === other.get && one.set === other.set && hasSameAttributes(one, other)
}

export function hasSameAttributes(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return one.enumerable === other.enumerable && one.configurable === other.configurable && one.writable === other.writable
}

/** Whether the keys that both have are in the same order. */
export function isSameOrder(one: ReadonlyMap<unknown, unknown>, other: ReadonlyMap<unknown, unknown>): boolean {
  const order = [...other.keys()].filter((key) => one.has(key))
  let position = 0
  for (const key of one.keys()) if (other.has(key) && !Object.is(order[position++], key)) return false
  return true
}

/** Gives the object back what it had, as far as that can be done. */
export function putBack(object: object, { properties, entries, bytes, prototype }: Snapshot): void {
  Reflect.setPrototypeOf(object, prototype)
  for (const key of propertiesOf(object).keys()) if (!properties.has(key)) Reflect.deleteProperty(object, key)
  for (const [key, own] of properties) {
    const now = Reflect.getOwnPropertyDescriptor(object, key)
    if (!now || !isSameProperty(now, own)) Reflect.defineProperty(object, key, own)
  }
  if (!isSameOrder(propertiesOf(object), properties)) putInOrder(object, [...properties.keys()])
  if (isMap(object)) {
    Map.prototype.clear.call(object)
    for (const [key, value] of entries!) Map.prototype.set.call(object, key, value)
  } else if (isSet(object)) {
    Set.prototype.clear.call(object)
    for (const key of entries!.keys()) Set.prototype.add.call(object, key)
  } else if (bytes && isBytes(object)) putBackBytes(object, bytes)
}

function putBackBytes(object: Bytes, { size, copy }: CopiedBytes): void {
  if (object instanceof globalThis.ArrayBuffer && object.resizable) object.resize(size)
  if (copy && sizeOf(object) >= size) bytesIn(object).set(copy)
}
