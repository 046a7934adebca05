import { Array, ArrayBuffer } from '../../engine/intrinsics.ts'
import { sizeOf } from './brands.ts'
import type { ObjectId } from './identity.ts'
import type { Key } from './keys.ts'
import { hasListeners } from './listened.ts'
import { isProxy } from './proxies.ts'
import { recordedValue, type RecordedValue } from './values.ts'

/** A key as it is written down: plain data, with the names of objects instead of the objects. */
export type RecordedKey =
  | Exclude<Key, { readonly kind: 'property' | 'entry' | 'entry of object' | 'order' | 'turn' }>
  | { readonly kind: 'property'; readonly name: string }
  /** A property whose name is a symbol. */
  | { readonly kind: 'symbol'; readonly description: string }
  | { readonly kind: 'entry'; readonly key: RecordedValue }
  /** `size`: the property that says how many there are, if the object has one. */
  | { readonly kind: 'order'; readonly size?: 'length' | 'size' }
  /** Who listens to an event. */
  | { readonly kind: 'listeners'; readonly event: RecordedValue }
  /** `name` is what a reader calls the object. */
  | { readonly kind: 'entry of object'; readonly object: ObjectId; readonly name: string }

export function recordedKey(key: Key, { object, nameOf }: { readonly object: object | undefined; readonly nameOf: (object: ObjectId) => string }): RecordedKey {
  switch (key.kind) {
    case 'property':
      return typeof key.name === 'symbol' ? { kind: 'symbol', description: key.name.description ?? '' } : { kind: 'property', name: String(key.name) }
    case 'entry':
      return object && hasListeners(object) ? { kind: 'listeners', event: recordedValue(key.key, undefined) } : { kind: 'entry', key: recordedValue(key.key, undefined) }
    case 'entry of object':
      return { kind: 'entry of object', object: key.object, name: nameOf(key.object) }
    case 'order':
      return object ? { kind: 'order', ...sizeName(object) } : { kind: 'order' }
    case 'turn':
      throw new TypeError('turns are not written down')
    default:
      return key
  }
}

function sizeName(object: object): { readonly size?: 'length' | 'size' } {
  if (isProxy(object)) return {}
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return { size: 'length' }
  return sizeOf(object) === undefined ? {} : { size: 'size' }
}
