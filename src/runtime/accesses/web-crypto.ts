import { Reflect } from '../../engine/intrinsics.ts'
import type { Family, Operation } from './family.ts'
import { isObject } from './telling.ts'

/** `globalThis.crypto` and its `subtle`: getters that make what they give when they are asked for the first time, which nobody sees. */
const ask = (key: string): Operation => (native) => (execution, receiver, args) => {
  const value: unknown = Reflect.apply(native, receiver, args as never[])
  if (isObject(receiver) && isObject(value)) execution.identities.derive(value, `${key} of ${execution.identities.of(receiver)}`)
  return value
}

export const webCrypto: readonly Family[] = [
  { holder: globalThis, getters: { crypto: ask('crypto') } },
  { holder: globalThis.crypto && (Reflect.getPrototypeOf(globalThis.crypto) as object), getters: { subtle: ask('subtle') } },
]
