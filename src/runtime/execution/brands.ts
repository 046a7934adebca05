import { Reflect } from '../../engine/intrinsics.ts'
import { NativePromise } from './native.ts'
import { isProxy } from './proxies.ts'

/** What an object is inside, whatever it inherits from. Nothing of the user's runs for it, and a Proxy is none of these. */

const util = globalThis.process?.getBuiltinModule?.('node:util')
const types = util?.types

const mapSize = Reflect.getOwnPropertyDescriptor(Map.prototype, 'size')!.get!
const setSize = Reflect.getOwnPropertyDescriptor(Set.prototype, 'size')!.get!
// oxlint-disable-next-line typescript/unbound-method
const { getTime } = Date.prototype

export const isMap: (object: object) => object is Map<unknown, unknown> = types?.isMap ?? accepts(mapSize)
export const isSet: (object: object) => object is Set<unknown> = types?.isSet ?? accepts(setSize)
export const isDate: (object: object) => object is Date = types?.isDate ?? accepts(getTime)
export const isError: (object: object) => object is Error =
  types?.isNativeError ?? ((object): object is Error => !isProxy(object) && object instanceof Error)
export const isPromise: (object: object) => object is Promise<unknown> =
  types?.isPromise ?? ((object): object is Promise<unknown> => !isProxy(object) && object instanceof Promise)

/** A promise of this realm. What only inherits from one is a thenable like any other. */
export const isNativePromise = (value: unknown): value is Promise<unknown> => value instanceof NativePromise && isPromise(value)

/** Whether a promise is settled, as far as the platform tells at once. */
export function isSettled(promise: Promise<unknown>): boolean {
  return util !== undefined && !/^[^{]*{ <pending>/.test(shown(promise))
}

/** Whether it is fulfilled, in the same way. */
export function isFulfilled(promise: Promise<unknown>): boolean {
  return util !== undefined && !/^[^{]*{ <(?:pending|rejected)>/.test(shown(promise))
}

const shown = (promise: Promise<unknown>): string => util!.inspect(promise, { depth: 0, customInspect: false, maxArrayLength: 0, maxStringLength: 0, breakLength: Infinity })

/** A text, which is made when it is asked for, by code that may be anybody's. */
export function isStack(object: object, key: PropertyKey): boolean {
  return key === 'stack' && isError(object)
}

/** The number of entries of a Map or Set, whatever a subclass says; undefined of all others. */
export function sizeOf(object: object): number | undefined {
  if (isMap(object)) return Reflect.apply(mapSize, object, []) as number
  return isSet(object) ? (Reflect.apply(setSize, object, []) as number) : undefined
}

const arrays = Reflect.getPrototypeOf(Uint8Array.prototype)!
const { get: lengthOfArray } = Reflect.getOwnPropertyDescriptor(arrays, 'length') as { get: () => number }

/** How many elements a typed array has, whatever it says of itself. */
export function lengthOf(array: object): number {
  return Reflect.apply(lengthOfArray, array, [])
}

const { get: kindOfAny } = Reflect.getOwnPropertyDescriptor(arrays, Symbol.toStringTag) as { get: () => string | undefined }

/** The name of its kind; undefined of what is no typed array. */
export function kindOfArray(array: object): string | undefined {
  return Reflect.apply(kindOfAny, array, [])
}

export function timeOf(date: Date): number {
  return Reflect.apply(getTime, date, [])
}

const getterOf = (prototype: object, name: string): (() => unknown) => Reflect.getOwnPropertyDescriptor(prototype, name)!.get!
const isDataView: (object: object) => boolean = types?.isDataView ?? accepts(getterOf(DataView.prototype, 'buffer'))

const isRegExp: (object: object) => boolean = types?.isRegExp ?? accepts(getterOf(RegExp.prototype, 'dotAll'))
const sourceOf = getterOf(RegExp.prototype, 'source')
const flags = ([['g', 'global'], ['i', 'ignoreCase'], ['m', 'multiline'], ['s', 'dotAll'], ['u', 'unicode'], ['y', 'sticky']] as const).map(([letter, name]) => [letter, getterOf(RegExp.prototype, name)] as const)

/** A regular expression as it would be written in a program, whatever a subclass says; undefined of all others. */
export function expressionOf(object: object): string | undefined {
  if (!isRegExp(object)) return undefined
  return `/${String(Reflect.apply(sourceOf, object, []))}/${flags.map(([letter, get]) => (Reflect.apply(get, object, []) === true ? letter : '')).join('')}`
}

/** A property that typed arrays and DataViews have, whatever a view says of itself. */
function ofViews<T>(name: 'buffer' | 'byteOffset' | 'byteLength'): (view: ArrayBufferView) => T {
  const [ofData, ofArray] = [getterOf(DataView.prototype, name), getterOf(arrays, name)]
  return (view) => Reflect.apply(isDataView(view) ? ofData : ofArray, view, []) as T
}

export const bufferOf = ofViews<ArrayBufferLike>('buffer')
/** In bytes. */
export const offsetOf = ofViews<number>('byteOffset')
/** In bytes. */
export const widthOf = ofViews<number>('byteLength')

/** The bytes that a view shows. */
export function memoryOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(bufferOf(view), offsetOf(view), widthOf(view))
}

/** Where the platform does not tell: a function of the class works on nothing else. What inherits from the prototype need not be one. */
export function accepts<T extends object>(read: (...args: never[]) => unknown, args: readonly unknown[] = []): (object: object) => object is T {
  return (object): object is T => {
    try {
      Reflect.apply(read, object, args as never[])
      return true
    } catch {
      return false
    }
  }
}
