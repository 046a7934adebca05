import { Object, Reflect } from '../../engine/intrinsics.ts'

/**
 * Gives the keys of an object the order back that they had: one that was removed and put back comes last. Keys that were not there come after them.
 * False where that cannot be: one that may not be removed stands where another one belongs.
 */
export function putInOrder(object: object, keys: readonly PropertyKey[]): boolean {
  const now = Reflect.ownKeys(object)
  const there = new Set<PropertyKey>(now)
  const known = new Set(keys)
  const wanted = [...keys.filter((key) => there.has(key)), ...now.filter((key) => !known.has(key))]
  const first = now.findIndex((key, i) => key !== wanted[i])
  if (first === -1) return true
  const moved = wanted.slice(first).map((key) => ({ key, own: Reflect.getOwnPropertyDescriptor(object, key)! }))
  if (!Reflect.isExtensible(object) || moved.some(({ own }) => !own.configurable)) return false
  // Meanwhile an object of the platform lacks what a loop over a list would call.
  for (let i = 0; i < moved.length; i++) Reflect.deleteProperty(object, moved[i]!.key)
  for (let i = 0; i < moved.length; i++) Object.defineProperty(object, moved[i]!.key, moved[i]!.own)
  return true
}
