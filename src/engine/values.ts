import { Math } from './intrinsics.ts'

/** Of a string longer than this only the ends and the length count. */
const longest = 128

/** And of one longer than this only the length: who looks at a character of a text that was put together makes the platform copy it, which takes its time where it grows bit by bit. */
const growing = 2 ** 14

const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)

/**
 * A hash, 32 bits wide, of a value that a step read or wrote, for `Search.saw`: equal primitives have equal ones in every
 * execution. Of objects, functions and symbols only the type counts, as every execution makes its own.
 */
export function hashValue(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return hashNumber(value)
    case 'string':
      return hashString(value, 0x2f0b4a27)
    case 'boolean':
      return value ? 0x3c6ef372 : 0x1b873593
    case 'bigint':
      return hashString(`${value}`, 0x5be0cd19)
    case 'undefined':
      return 0x6a09e667
    case 'object':
      return value === null ? 0x510e527f : 0x1f83d9ab
    case 'function':
      return 0x428a2f98
    default:
      return 0x71374491
  }
}

/** The hash of a sequence of values, that of all but the last in hand. */
export function mixHash(before: number, hash: number): number {
  const mixed = Math.imul(before ^ hash, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

/** A value whose every bit depends on every bit of the one given; another one for each salt. Sums of them are hashes of what has no order. */
export function scramble(value: number, salt: number): number {
  let mixed = (value ^ Math.imul(salt, 0x9e3779b1)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function hashNumber(value: number): number {
  if ((value | 0) === value) return value
  if (value !== value) return 0x7ff80000
  float[0] = value
  return mixHash(halves[0] as number, halves[1] as number)
}

function hashString(text: string, start: number): number {
  const { length } = text
  const half = length > longest ? longest / 2 : length
  let hash = start ^ length
  if (length > growing) return hash
  for (let i = 0; i < half; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  for (let i = Math.max(half, length - half); i < length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
