import { Array, Reflect } from '../../engine/intrinsics.ts'

/**
 * The iterator of arrays, which the runtime itself uses: where the program explored has replaced or removed it, its own is set aside
 * between steps.
 */

const native = Array.prototype[Symbol.iterator]
let setAside: { readonly own: PropertyDescriptor | undefined } | undefined

/** A step ends. */
export function takeNativeIterator(): void {
  if (Array.prototype[Symbol.iterator] === native) return
  setAside = { own: Reflect.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator) }
  Reflect.defineProperty(Array.prototype, Symbol.iterator, { value: native, writable: true, enumerable: false, configurable: true })
}

/** A step begins. */
export function putOwnIterator(): void {
  if (setAside === undefined) return
  const { own } = setAside
  setAside = undefined
  if (own) Reflect.defineProperty(Array.prototype, Symbol.iterator, own)
  else Reflect.deleteProperty(Array.prototype, Symbol.iterator)
}

/** An execution ends, whose changes are undone. */
export function forgetOwnIterator(): void {
  setAside = undefined
}
