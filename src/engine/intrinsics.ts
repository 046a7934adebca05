/**
 * The platform's own functions as they were when this file was loaded: a program under test may put others in their place, which
 * must not run in what explores it. Import what a file calls by these names.
 */

type Statics<T> = { readonly [Key in keyof T]: T[Key] }

function copyOf<T extends object>(holder: T): Statics<T> {
  const { defineProperties, freeze, getOwnPropertyDescriptors } = globalThis.Object
  return freeze(defineProperties({}, getOwnPropertyDescriptors(holder)) as Statics<T>)
}

const { toString } = globalThis.Function.prototype

/** `Function.prototype.toString` */
export const textOfFunction = (fn: object): string => Reflect.apply(toString, fn, [])

export const Array = copyOf(globalThis.Array)
export const JSON = copyOf(globalThis.JSON)
export const Math = copyOf(globalThis.Math)
export const Number = copyOf(globalThis.Number)
export const Object = copyOf(globalThis.Object)
export const Reflect = copyOf(globalThis.Reflect)
