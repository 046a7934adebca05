import { Array, Object } from '../intrinsics.ts'
import { hashValue, mixHash } from '../values.ts'

/** Of a larger object only so many entries count. */
const most = 1000

/**
 * A hash of what an array, a Map, a Set or a plain object holds itself, not of what the objects in it hold: to notice that it was
 * changed in place. 0 for all other values.
 */
export function contentsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return hashOf(value, value.length)
  if (value instanceof Map) return hashOf(flattened(value), value.size)
  if (value instanceof Set) return hashOf(value, value.size)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return 0
  const entries = Object.entries(value)
  return hashOf(flattened(entries), entries.length)
}

function hashOf(values: Iterable<unknown>, size: number): number {
  let hash = mixHash(1, size)
  let count = 0
  for (const value of values) {
    if (count++ > most) break
    hash = mixHash(hash, hashValue(value))
  }
  return hash
}

function* flattened(entries: Iterable<readonly [unknown, unknown]>): Iterable<unknown> {
  for (const entry of entries) yield* entry
}
