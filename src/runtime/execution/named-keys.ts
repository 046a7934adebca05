import { ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import { bufferOf, kindOfArray, lengthOf, offsetOf } from './brands.ts'
import { indexOf } from './keys.ts'

/**
 * Keys that are no elements of a typed array: there may be millions of elements, which nobody has to list to know that there is nothing beside them.
 * Nothing of the user's runs for it.
 */

const isDeepStrictEqual = globalThis.process?.getBuiltinModule?.('node:util')?.isDeepStrictEqual
const ofBuffers: object | undefined = globalThis.Buffer?.prototype

type Kind = new (buffer: ArrayBufferLike, offset: number, length: number) => object

const kinds = new Map<string, Kind>(
  [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array].map((kind) => [kind.name, kind as Kind]),
)

/** Of so many elements the keys are listed as fast as they are compared. */
const fewElements = 16

/** The keys of an object: of a typed array those that are enumerated and are no elements. */
export function ownKeysOf(object: object): readonly PropertyKey[] {
  const kind = ArrayBuffer.isView(object) ? kindOfArray(object) : undefined
  if (kind === undefined) return Reflect.ownKeys(object)
  if (hasOnlyElements(object as Uint8Array, kinds.get(kind))) return []
  return Reflect.ownKeys(object).filter((key) => indexOf(key) < 0 && Reflect.getOwnPropertyDescriptor(object, key)!.enumerable)
}

/** As the platform compares it with another view of the same bytes, which has nothing else. False where it cannot, or where the user's code may be asked for that. */
function hasOnlyElements(array: Uint8Array, kind: Kind | undefined): boolean {
  const length = lengthOf(array)
  if (!isDeepStrictEqual || !kind || length <= fewElements || !isOfNoSubclass(array)) return false
  const other = new kind(bufferOf(array), offsetOf(array), length)
  const prototype = Reflect.getPrototypeOf(array)
  if (Reflect.getPrototypeOf(other) !== prototype) Reflect.setPrototypeOf(other, prototype)
  return isDeepStrictEqual(array, other)
}

/** Of this realm or of another one. */
function isOfNoSubclass(array: object): boolean {
  if (Object.hasOwn(array, Symbol.toStringTag)) return false
  const prototype = Reflect.getPrototypeOf(array)
  return prototype !== null && (prototype === ofBuffers || prototypesOf(prototype) === 2)
}

function prototypesOf(object: object): number {
  let count = 0
  for (let prototype = Reflect.getPrototypeOf(object); prototype !== null; prototype = Reflect.getPrototypeOf(prototype)) count++
  return count
}
