import { Array, Object, Reflect } from '../../engine/intrinsics.ts'

/**
 * Arrays of which an element is an accessor, its own or inherited: to look at it is to call somebody. And those that are so long that
 * most of it must be holes. What their methods access is told without looking at each element, and more coarsely.
 */

const withAccessors = new WeakSet<object>()
let isInherited = false

const isIndex = (key: PropertyKey): boolean => typeof key === 'string' && String(Number(key) >>> 0) === key

/** A property was defined. */
export function noticeElement(object: object, key: PropertyKey, own: PropertyDescriptor | undefined): void {
  if (!isIndex(key)) return
  if (object === Array.prototype || object === Object.prototype) isInherited = true
  else if (own && !('value' in own) && Array.isArray(object)) withAccessors.add(object)
}

export function isUnusual(array: readonly unknown[]): boolean {
  return isInherited || isVast(array) || withAccessors.has(array)
}

/** Longer than what is gone through index by index. */
export function isVast({ length }: readonly unknown[]): boolean {
  return length > 1_000_000
}

/** The indices from one up to another at which there are elements. */
export function indicesOf(array: readonly unknown[], start: number, end: number): number[] {
  return Object.keys(array).filter(isIndex).map(Number).filter((index) => index >= start && index < end)
}

/** The element, if that can be said without calling anybody. */
export function elementAt(array: readonly unknown[], index: number): unknown {
  return isUnusual(array) ? (Reflect.getOwnPropertyDescriptor(array, index)?.value as unknown) : array[index]
}
