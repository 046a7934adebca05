import { Reflect } from '../../engine/intrinsics.ts'
import type { Fn } from './handler.ts'

/** What all classes of typed arrays extend, which no global has. */
export interface TypedArrayClass {
  readonly from: Fn
  readonly of: Fn
  readonly prototype: Readonly<Record<PropertyKey, Fn | undefined>>
}

const { BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, Uint8ClampedArray } = globalThis

/** Mostly it is one. A context of Vitest's own (`pool: 'vmThreads'`) is given `Uint8Array` from without, and has the others of its own. */
export const typedArrayClasses: readonly TypedArrayClass[] = [
  ...new Set([BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint16Array, Uint32Array, Uint8ClampedArray].map((one) => Reflect.getPrototypeOf(one) as unknown as TypedArrayClass)),
]
