import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Fn } from './handler.ts'
import { keyOf } from './telling.ts'
import { typedArrayClasses } from './typed-array-classes.ts'

/** Which arguments of which functions of the platform become texts, numbers or keys. */

/** Which arguments become texts or numbers: from one position up to, and without, another. */
export interface Positions {
  readonly from: number
  readonly to: number
  /** What is handed over in their place: they become it once. */
  readonly become?: (value: object, at: number) => unknown
  /** The first argument has to be an object. */
  readonly isOfObject?: true
}

const all: Positions = { from: 0, to: Infinity }

/** Becomes a number when the method asks for it, after it has looked at its receiver, and does so once, whoever else asks. */
function numberOf(value: object): object {
  let number: number | undefined
  return { [Symbol.toPrimitive]: () => (number ??= +(value as unknown as number)) }
}

/** Methods that arrays and typed arrays share. */
const ofLists: readonly (readonly [string, Positions])[] = [
  ...['at', 'copyWithin', 'flat', 'slice', 'subarray'].map((name) => [name, { from: 0, to: Infinity, become: numberOf }] as const),
  ...['splice', 'toSpliced'].map((name) => [name, { from: 0, to: 2, become: numberOf }] as const),
  ...['fill', 'set'].map((name) => [name, { from: 1, to: 3, become: numberOf }] as const),
  // These look at the length before, and at all elements whatever it becomes.
  ...['includes', 'indexOf', 'lastIndexOf'].map((name) => [name, { from: 1, to: 3 }] as const),
  ['with', { from: 0, to: 1, become: numberOf }],
  ['join', { from: 0, to: 1 }],
]

/** Functions that take a key, of the object that comes first or of their receiver. */
const ofObjects: readonly unknown[] = [
  Object.defineProperty, Object.getOwnPropertyDescriptor, Object.hasOwn, Reflect.defineProperty, Reflect.deleteProperty, Reflect.get,
  Reflect.getOwnPropertyDescriptor, Reflect.has, Reflect.set,
]
const ofReceivers = ['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__', 'hasOwnProperty', 'propertyIsEnumerable']

function collectValues(): Map<unknown, Positions> {
  const { Date, Intl, BigInt, Symbol, DataView, URL, Atomics, Number, Math } = globalThis
  const classes = [String, Number, Date, BigInt, Symbol, DataView, URL, Intl.NumberFormat, Intl.DateTimeFormat]
  const holders: readonly object[] = [...classes, ...classes.map(({ prototype }) => prototype as object), RegExp.prototype, Math]
  const found = new Map<unknown, Positions>()
  for (const holder of holders) for (const key of Reflect.ownKeys(holder)) found.set(Reflect.getOwnPropertyDescriptor(holder, key)!.value, all)
  for (const name of Reflect.ownKeys(Atomics)) found.set(Reflect.get(Atomics, name), { from: 1, to: Infinity })
  for (const [name, positions] of ofLists) for (const prototype of [Array.prototype, ...typedArrayClasses.map((one) => one.prototype)]) found.set(Reflect.get(prototype, name), positions)
  for (const one of typedArrayClasses) found.set(one.of, all)
  // What a typed array is filled with becomes a number, or a BigInt.
  for (const { prototype } of typedArrayClasses) found.set(prototype['fill'], { from: 0, to: 3, become: (value: object, at: number) => (at === 0 ? value : numberOf(value)) })
  for (const fn of ofObjects) found.set(fn, { from: 1, to: 2, become: keyOf, isOfObject: true })
  for (const name of ofReceivers) found.set(Reflect.get(Object.prototype, name), { from: 0, to: 1, become: keyOf })
  for (const key of found.keys()) if (typeof key !== 'function') found.delete(key)
  return found
}

const values = collectValues()

/** A function that stands in the place of a built-in makes the same of what it is given. */
export function convertsLike(fn: Fn, native: Fn): void {
  const positions = values.get(native)
  if (positions) values.set(fn, positions)
}

/** Undefined where nothing does. */
export function convertedArguments(fn: Fn): Positions | undefined {
  return values.get(fn)
}
