/**
 * The platform's own functions as they were when this file was loaded: a program under test may put others in their place, which
 * must not run in what explores it. Import what a file calls by these names.
 */

type Statics<T> = { readonly [Key in keyof T]: T[Key] }

function openCopyOf<T extends object>(holder: T): Statics<T> {
  const { defineProperties, getOwnPropertyDescriptors } = globalThis.Object
  return defineProperties({}, getOwnPropertyDescriptors(holder)) as Statics<T>
}

function copyOf<T extends object>(holder: T): Statics<T> {
  return globalThis.Object.freeze(openCopyOf(holder))
}

/** On the global object: the platform's `Function.prototype.toString`, where another copy of this package has put its own in its place. */
export const nativeText = Symbol.for('vitest-dpor: text of functions')

const toString = (globalThis.Reflect.get(globalThis, nativeText) ?? globalThis.Function.prototype.toString) as () => string

/** `Function.prototype.toString` */
export const textOfFunction = (fn: object): string => Reflect.apply(toString, fn, [])

export const Array = copyOf(globalThis.Array)
/** Test environments put accessors in the place of it and its like, which take long. */
export const ArrayBuffer = copyOf(globalThis.ArrayBuffer)
export const JSON = copyOf(globalThis.JSON)
export const Math = copyOf(globalThis.Math)
export const Number = copyOf(globalThis.Number)
export const Object = openCopyOf(globalThis.Object)
export const Reflect = openCopyOf(globalThis.Reflect)

type AnyFunction = (...args: unknown[]) => unknown

/** Has the functions of `Object` and `Reflect` called through others, until what it returns is called. */
export function surround(around: (native: AnyFunction, key: PropertyKey) => AnyFunction): () => void {
  const { defineProperty, getOwnPropertyDescriptor, ownKeys } = globalThis.Reflect
  const kept: (() => void)[] = []
  for (const statics of [Object, Reflect]) {
    for (const key of ownKeys(statics)) {
      const own = getOwnPropertyDescriptor(statics, key)!
      if (typeof own.value !== 'function') continue
      defineProperty(statics, key, { ...own, value: around(own.value as AnyFunction, key) })
      kept.push(() => defineProperty(statics, key, own))
    }
  }
  return () => {
    for (const putBack of kept) putBack()
  }
}

/** Gives a class the methods of the one that it extends as they are now. */
function keepMethods<T extends abstract new (...args: never[]) => object>(type: T): T {
  const { constructor: _, ...methods } = globalThis.Object.getOwnPropertyDescriptors(globalThis.Object.getPrototypeOf(type.prototype) as object)
  globalThis.Object.defineProperties(type.prototype, methods)
  return type
}

/** For what is kept outside of explorations as well: a program may put others in the place of the methods of `Map`, `Set` and their weak forms there. */
export const KeptMap = keepMethods(class<K, V> extends Map<K, V> {})
export const KeptSet = keepMethods(class<T> extends Set<T> {})
export const KeptWeakMap = keepMethods(class<K extends WeakKey, V> extends WeakMap<K, V> {})
export const KeptWeakSet = keepMethods(class<T extends WeakKey> extends WeakSet<T> {})
