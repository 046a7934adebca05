import { Array, ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { ABSENT, type Look } from '../../engine/index.ts'
import { entry, entryOfObject, EXTENSIBILITY, indexOf, nameOfSymbol, ORDER, property, type Key } from '../execution/keys.ts'
import { bytesOf, isBytes, isExtent, mayBeOfBytes, lookAtSize, readBytes, saveBytes, writeBytes } from './bytes.ts'
import { beforeElements, fillHole, lengthened, lookAtLength, lookAtOrder, nothing, readElement, redefineElement, restructured, writeElement } from './elements.ts'
import { isProxy } from '../execution/proxies.ts'
import { isEmitter, lookAtAllListeners, mayBeListeners } from './listeners.ts'
import { oldPropertyChanges } from './platform-methods.ts'
import { kindOfArray, lengthOf, sizeOf } from '../execution/brands.ts'
import { ownKeysOf } from '../execution/named-keys.ts'

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

let tellKey: (key: object) => void = () => {}

/** Calls back before an object becomes a key. */
export function whenKeyIsMade(tell: (key: object) => void): void {
  tellKey = tell
}

/** What a key becomes: of an object that runs code of the user. Array indices as numbers and as text are one key. */
export function keyOf(key: unknown): PropertyKey {
  if (typeof key === 'symbol' || typeof key === 'string') return key
  if (!isObject(key)) return String(key)
  tellKey(key)
  return Reflect.ownKeys({ [key as unknown as string]: undefined })[0]!
}

/** A look at something of an object took place. */
export function seen(execution: Execution, object: object, key: Key, site: SiteId, value: unknown): void {
  execution.accesses.read(execution.identities.of(object), key, site, value)
}

/** A change of something of an object took place. */
export function changed(execution: Execution, object: object, key: Key, site: SiteId, value: unknown): void {
  execution.accesses.write(execution.identities.of(object), key, site, value)
}

/** A look at a property, or at a private field that stands for one. */
export function recordRead(execution: Execution, object: object, name: PropertyKey, site: SiteId, value: unknown, look: Look = 'value'): void {
  if (Array.isArray(object)) {
    const index = indexOf(name)
    if (index >= 0) return readElement(execution, object, index, site, value)
    if (name === 'length') return lookAtLength(execution, object, site)
  } else if (mayBeOfBytes(name) && isBytes(object)) {
    const range = bytesOf(object, name)
    if (range) return readBytes(execution, object, site, range)
    if (isExtent(name)) return lookAtSize(execution, object, site)
  } else if (mayBeListeners(name) && isEmitter(object)) lookAtAllListeners(execution, object, site)
  execution.accesses.read(execution.identities.of(object), property(name), site, value, look)
}

/** A change of a property, or of a private field that stands for one. Of an array, `beforeChange` comes before it. */
export function recordWrite(execution: Execution, object: object, name: PropertyKey, site: SiteId, value: unknown): void {
  if (Array.isArray(object)) {
    const index = indexOf(name)
    if (index >= 0) return writeElement(execution, object, index, site, value)
    if (name === 'length') return lengthened(execution, object, site)
  } else if (mayBeOfBytes(name) && isBytes(object)) {
    const range = bytesOf(object, name)
    if (range) return writeBytes(execution, object, site, range)
  }
  const id = execution.identities.of(object)
  if (!execution.accesses.changesOwn(id, site)) execution.accesses.write(id, property(name), site, value)
}

/** A property is defined anew, or fixed: that depends on what it was. Of an array, `beforeChange` comes before it. */
export function recordDefinition(execution: Execution, object: object, name: PropertyKey, site: SiteId, value: unknown): void {
  const index = Array.isArray(object) ? indexOf(name) : -1
  if (Array.isArray(object) && index >= 0) redefineElement(execution, object, index, site, value)
  else recordWrite(execution, object, name, site, value)
}

/** The entry of a collection: keys that are equal to a Map are equal here. */
export function entryKey(execution: Execution, key: unknown): Key {
  if (isObject(key)) return entryOfObject(execution.identities.of(key))
  const symbol = typeof key === 'symbol' ? nameOfSymbol(key) : undefined
  return symbol === undefined ? entry(key) : entryOfObject(symbol)
}

/** A key comes. WARNING: only together with a look at, or a `changed` of, what the key leads to. */
export function addKey(execution: Execution, object: object, key: Key, site: SiteId): void {
  const { accesses, identities } = execution
  const id = identities.of(object)
  identities.bornKeys.isKept(identities.location(id, key), false)
  accesses.insert(id, ORDER, site, nameAmongKeys(key))
}

/** A key goes. WARNING: only together with a look at, or a `changed` of, what the key leads to. */
export function dropKey(execution: Execution, object: object, key: Key, site: SiteId): void {
  const { accesses, identities } = execution
  const id = identities.of(object)
  accesses.remove(id, ORDER, site, nameAmongKeys(key))
  if (identities.bornKeys.remove(identities.location(id, key))) accesses.startAnew()
}

/** What a key is called among the keys of its object. */
function nameAmongKeys(key: Key): unknown {
  if (key.kind === 'entry') return key.key
  return key.kind === 'property' ? key.name : key
}

/** A property or entry gets a value, whatever was there. `isThere`: the object has it already. */
export function keyAssigned(execution: Execution, object: object, key: Key, site: SiteId, { value, isThere, name }: KeyAssignment): void {
  const { accesses, identities } = execution
  const id = identities.of(object)
  if (accesses.changesOwn(id, site)) return
  accesses.assign(id, key, site, value)
  if (!identities.bornKeys.isKept(identities.location(id, key), isThere)) accesses.insert(id, ORDER, site, name)
}

interface KeyAssignment {
  readonly value: unknown
  readonly isThere: boolean
  /** What the key is called among the keys of the object. */
  readonly name: unknown
}

/** A property or entry is taken away, whether it was there or not. */
export function keyRemoved(execution: Execution, object: object, key: Key, site: SiteId, name: unknown): void {
  const { accesses, identities } = execution
  const id = identities.of(object)
  accesses.assign(id, key, site, ABSENT)
  accesses.remove(id, ORDER, site, name)
  if (identities.bornKeys.remove(identities.location(id, key))) accesses.startAnew()
}

/** A property of any object gets a value, whatever was there. Of an array, `beforeChange` comes before it. */
export function propertyAssigned(execution: Execution, object: object, name: PropertyKey, site: SiteId, { value, isThere }: PropertyAssignment): void {
  if (!Array.isArray(object) && !(mayBeOfBytes(name) && isBytes(object))) return keyAssigned(execution, object, property(name), site, { value, isThere, name })
  recordWrite(execution, object, name, site, value)
  if (isThere || !Array.isArray(object)) return
  const index = indexOf(name)
  if (index < 0) restructured(execution, object, site, nothing)
  else fillHole(execution, object, index, site)
}

interface PropertyAssignment {
  readonly value: unknown
  readonly isThere: boolean
}

/** A property of any object is taken away, whether it was there or not. */
export function propertyRemoved(execution: Execution, object: object, name: PropertyKey, site: SiteId): void {
  if (!Array.isArray(object) && !(mayBeOfBytes(name) && isBytes(object))) return keyRemoved(execution, object, property(name), site, name)
  if (!Array.isArray(object)) return recordWrite(execution, object, name, site, undefined)
  const index = indexOf(name)
  if (index < 0) changed(execution, object, property(name), site, undefined)
  // An element that was there leaves a hole: the same length, another list of keys.
  restructured(execution, object, site, index < 0 ? nothing : { start: index, end: index + 1 })
}

/** A look at which keys there are and in which order, or only at how many. */
export function lookAtKeys(execution: Execution, object: object, site: SiteId, look: 'order' | 'size' = 'order'): void {
  if (Array.isArray(object)) return look === 'size' ? lookAtLength(execution, object, site) : lookAtOrder(execution, object, site)
  if (ArrayBuffer.isView(object)) lookAtSize(execution, object, site)
  execution.accesses.read(execution.identities.of(object), ORDER, site, keyCount(object), look)
}

/** Nothing of the user's runs for it. */
function keyCount(object: object): number {
  if (isProxy(object)) return -1
  const elements = ArrayBuffer.isView(object) && kindOfArray(object) !== undefined ? lengthOf(object) : 0
  return sizeOf(object) ?? elements + ownKeysOf(object).length
}

/** Whether the object is fixed decides whether it changes. That nobody fixes one is taken for granted. */
export function lookWhetherFixed(execution: Execution, object: object): void {
  const { accesses, identities } = execution
  if (!identities.assumptions.extensible.has('')) accesses.look(identities.of(object), EXTENSIBILITY)
}

/** Saves what a change would destroy, where the object may be older than the execution. */
export function beforeChange(execution: Execution, object: object, key?: PropertyKey): void {
  if (Array.isArray(object)) beforeElements(execution, object)
  lookWhetherFixed(execution, object)
  if ((key === undefined || indexOf(key) >= 0) && isBytes(object)) return saveBytes(execution, object)
  const age = execution.identities.age(object)
  if (age === 'of this execution') return
  if (key !== undefined) oldPropertyChanges(execution, object, key)
  const index = key !== undefined && Array.isArray(object) ? indexOf(key) : -1
  if (index >= 0) execution.journal.element(object as unknown[], index)
  else if (key !== undefined && !(Array.isArray(object) && key === 'length')) execution.journal.property(object, key, { isOlder: age === 'older' })
  else execution.journal.contents(object, { isOlder: age === 'older' })
}

/** The same before a property goes, of which there are others in an order. */
export function beforeRemoval(execution: Execution, object: object, key: PropertyKey): void {
  beforeChange(execution, object, key)
  if (object === globalThis || indexOf(key) >= 0 || !Object.hasOwn(object, key)) return
  const age = execution.identities.age(object)
  if (age !== 'of this execution') execution.journal.order(object, { isOlder: age === 'older' })
}

/** Saves what a built-in keeps inside, where the object may be older than the execution. */
export function beforeStateChange(execution: Execution, object: object): void {
  const age = execution.identities.age(object)
  if (age !== 'of this execution') execution.journal.state(object, { isOlder: age === 'older' })
}
