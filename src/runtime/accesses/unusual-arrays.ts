/**
 * Arrays of which an element is an accessor, its own or inherited: to look at it is to call somebody. What their methods access is told
 * without looking, and more coarsely.
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

export function isUnusual(array: object): boolean {
  return isInherited || withAccessors.has(array)
}

/** The element, if that can be said without calling anybody. */
export function elementAt(array: readonly unknown[], index: number): unknown {
  return isUnusual(array) ? (Reflect.getOwnPropertyDescriptor(array, index)?.value as unknown) : array[index]
}
