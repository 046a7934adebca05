import { Reflect } from '../../engine/intrinsics.ts'
import { functionName } from '../execution/values.ts'
import { kindOf, standsForPlatform } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { isMock } from './mocks.ts'
import { handlesLike } from './registry.ts'
import { typedArrayClasses } from './typed-array-classes.ts'

/** Built-ins that keep data, or make it. What stands for promises and timers decides itself when code goes on, and is left out. */
const holders: readonly object[] = [
  globalThis.Array, globalThis.Array.prototype, Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype, globalThis.Object, globalThis.Reflect, String.prototype, RegExp.prototype, Number, Math, JSON, Date.prototype,
  ...typedArrayClasses.map(({ prototype }) => prototype), DataView.prototype, ArrayBuffer.prototype,
]

const functionOf = (holder: object, key: PropertyKey): unknown => Reflect.getOwnPropertyDescriptor(holder, key)?.value

const natives = holders.flatMap((holder) =>
  Reflect.ownKeys(holder).flatMap((key) => {
    const native = functionOf(holder, key)
    return typeof native === 'function' && key !== 'constructor' ? [{ holder, key, native: native as Fn }] : []
  }),
)

/** What was put in the place of a built-in before anything was explored, by code that is not instrumented (core-js), means what that means. */
export function knowPolyfills(): void {
  for (const { holder, key, native } of natives) {
    const found = functionOf(holder, key)
    if (found === native || typeof found !== 'function' || functionName(found) !== functionName(native) || isMock(found) || kindOf(found as Fn) === 'own') continue
    handlesLike(found as Fn, native)
    standsForPlatform(found as Fn)
  }
}
