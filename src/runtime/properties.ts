import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import { KEYS } from './identity.ts'

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Array indices as numbers and as text are one key. */
export function keyOf(key: unknown): PropertyKey {
  return typeof key === 'symbol' || typeof key === 'string' ? key : String(key)
}

/** `object[key]`, recorded. */
export function readProperty(execution: Execution, object: object, key: unknown, site: SiteId): unknown {
  if (key === 'size' && (object instanceof Map || object instanceof Set)) {
    lookAtKeys(execution, object, site)
    return object.size
  }
  const property = keyOf(key)
  const value: unknown = Reflect.get(object, property, object)
  recordRead(execution, object, property, site, value)
  if (value !== undefined && typeof value !== 'function' && !Object.hasOwn(object, property)) {
    const holder = holderOf(object, property)
    if (holder) recordRead(execution, holder, property, site, value)
  }
  return value
}

/** The prototype that a data property is inherited from. */
function holderOf(object: object, key: PropertyKey): object | undefined {
  for (let holder = Reflect.getPrototypeOf(object); holder; holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, key)
    if (own) return own.get ? undefined : holder
  }
  return undefined
}

/** A read that took place: of the property, or of a variable or private field that stands for one. */
export function recordRead(execution: Execution, object: object, key: PropertyKey, site: SiteId, value: unknown): void {
  if (ArrayBuffer.isView(object) && isIndex(key)) {
    for (const byte of bytesOf(object, Number(key))) recordRead(execution, bufferOf(execution, object), byte, site, value)
    return
  }
  const identities = execution.identities
  const id = identities.of(object)
  const location = identities.location(id, key)
  execution.read(location, site)
  execution.recording?.access({ kind: 'read', location, site, object, key, value })
  if (typeof value === 'object' && value !== null) identities.derive(value, id, key)
}

export function recordWrite(execution: Execution, object: object, key: PropertyKey, site: SiteId, value: unknown): void {
  if (ArrayBuffer.isView(object) && isIndex(key)) {
    for (const byte of bytesOf(object, Number(key))) recordWrite(execution, bufferOf(execution, object), byte, site, value)
    return
  }
  const identities = execution.identities
  const location = identities.location(identities.of(object), key)
  execution.write(location, site)
  execution.recording?.access({ kind: 'write', location, site, object, key, value })
}

function isIndex(key: PropertyKey): boolean {
  return typeof key === 'string' && /^\d+$/.test(key)
}

/** The buffer under a view, which other views may share. */
export function bufferOf(execution: Execution, view: ArrayBufferView): object {
  execution.identities.derive(view.buffer, execution.identities.of(view), 'buffer')
  return view.buffer
}

/** The bytes of an element. */
function bytesOf(view: ArrayBufferView, index: number): string[] {
  const size = (view as Partial<Uint8Array>).BYTES_PER_ELEMENT ?? 1
  return Array.from({ length: size }, (_, i) => `byte ${view.byteOffset + index * size + i}`)
}

/** `object[key] = value`, recorded; the code of a setter records what it does itself. */
export function writeProperty(execution: Execution, object: object, key: unknown, value: unknown, site: SiteId): void {
  const property = keyOf(key)
  const own = Reflect.getOwnPropertyDescriptor(object, property)
  const isPlain = own ? !own.set && !own.get : !inheritsAccessor(object, property)
  if (!isPlain) {
    assign(object, property, value)
    return
  }
  beforeChange(execution, object, property)
  const length = Array.isArray(object) ? object.length : 0
  try {
    assign(object, property, value)
  } catch (error) {
    // Frozen: that it could not be written is what was seen of it.
    recordRead(execution, object, property, site, undefined)
    throw error
  }
  recordWrite(execution, object, property, site, value)
  if (Array.isArray(object)) {
    if (property === 'length') for (let i = object.length; i < length; i++) recordWrite(execution, object, String(i), site, undefined)
    else if (object.length !== length) recordWrite(execution, object, 'length', site, object.length)
  } else if (!own) {
    addKey(execution, object, site)
  }
}

export function removeProperty(execution: Execution, object: object, key: unknown, site: SiteId): boolean {
  const property = keyOf(key)
  if (!Object.hasOwn(object, property)) {
    recordRead(execution, object, property, site, undefined)
    return true
  }
  beforeChange(execution, object, property)
  const target = object as Record<PropertyKey, unknown>
  const done = delete target[property]
  recordWrite(execution, object, property, site, undefined)
  addKey(execution, object, site)
  return done
}

/** Looks at all keys and their values. */
export function enumerateProperties(execution: Execution, object: object, site: SiteId): void {
  if (object instanceof Map || object instanceof Set) return
  lookAtKeys(execution, object, site)
  for (const key of Reflect.ownKeys(object)) {
    const own = Reflect.getOwnPropertyDescriptor(object, key)
    if (own?.enumerable && !own.get) recordRead(execution, object, key, site, own.value)
  }
}

/** A key comes or goes. Adding one key and adding another commute; looking at all keys does not commute with either. */
export function addKey(execution: Execution, object: object, site: SiteId): void {
  const location = execution.addKey(execution.identities.of(object), KEYS, site)
  execution.recording?.access({ kind: 'add', location, site, object, key: KEYS })
}

export function lookAtKeys(execution: Execution, object: object, site: SiteId): void {
  const location = execution.lookAtKeys(execution.identities.of(object), KEYS, site)
  execution.recording?.access({ kind: 'read', location, site, object, key: KEYS, value: keyCount(object) })
}

function keyCount(object: object): number {
  return object instanceof Map || object instanceof Set ? object.size : Reflect.ownKeys(object).length
}

/** Saves what a change would destroy, where the object may be older than the execution. */
export function beforeChange(execution: Execution, object: object, key?: PropertyKey): void {
  if (!execution.identities.outlives(object)) return
  if (key !== undefined && !Array.isArray(object)) execution.journal.property(object, key)
  else execution.journal.contents(object)
}

/** Assigns as strict code does, with the platform's own errors. */
function assign(object: object, key: PropertyKey, value: unknown): void {
  const target = object as Record<PropertyKey, unknown>
  target[key] = value
}

function inheritsAccessor(object: object, key: PropertyKey): boolean {
  let holder: object | null = Reflect.getPrototypeOf(object)
  while (holder) {
    const found = Reflect.getOwnPropertyDescriptor(holder, key)
    if (found) return found.set !== undefined || found.get !== undefined
    holder = Reflect.getPrototypeOf(holder)
  }
  return false
}
