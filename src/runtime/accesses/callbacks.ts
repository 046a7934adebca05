import { Array, Reflect } from '../../engine/intrinsics.ts'
import { nativeThen, NativePromise } from '../execution/native.ts'
import { typedArrayClasses } from './typed-array-classes.ts'

/** The arguments that a built-in calls, and does nothing else with: by position. */
const positions = new Map<unknown, readonly number[]>()

function takes(fn: unknown, ...at: number[]): void {
  if (typeof fn === 'function') positions.set(fn, at)
}

function methodsTake(prototype: object | undefined, names: readonly string[], ...at: number[]): void {
  if (!prototype) return
  for (const name of names) takes(Reflect.getOwnPropertyDescriptor(prototype, name)?.value, ...at)
}

const iterators: object = Reflect.getPrototypeOf(Reflect.getPrototypeOf([][Symbol.iterator]())!)!

const ofElements = [
  'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap', 'forEach', 'map', 'reduce', 'reduceRight', 'some', 'sort', 'toSorted',
]
const prototypes = [Array.prototype, ...typedArrayClasses.map((one) => one.prototype), iterators]
for (const prototype of prototypes) methodsTake(prototype, ofElements, 0)
methodsTake(Map.prototype, ['forEach'], 0)
methodsTake(Set.prototype, ['forEach'], 0)
methodsTake(globalThis.URLSearchParams?.prototype, ['forEach'], 0)
methodsTake(globalThis.Headers?.prototype, ['forEach'], 0)
methodsTake(globalThis.FormData?.prototype, ['forEach'], 0)
methodsTake(String.prototype, ['replace', 'replaceAll'], 1)
methodsTake(Array, ['from', 'fromAsync'], 1)
methodsTake(Object, ['groupBy'], 1)
methodsTake(Map, ['groupBy'], 1)
for (const one of typedArrayClasses) methodsTake(one, ['from'], 1)
methodsTake(JSON, ['parse', 'stringify'], 1)
methodsTake(NativePromise, ['try'], 0)
methodsTake(NativePromise.prototype, ['catch', 'finally'], 0)
takes(nativeThen, 0, 1)
takes(globalThis.queueMicrotask, 0)
takes(globalThis.process?.nextTick, 0)

/** A function that stands in the place of a built-in calls the same arguments. */
export function callsBackLike(fn: unknown, native: unknown): void {
  const at = positions.get(native)
  if (at) positions.set(fn, at)
}

const none: readonly number[] = []

export function callbackPositions(fn: unknown): readonly number[] {
  return positions.get(fn) ?? none
}
