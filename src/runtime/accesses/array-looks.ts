import { Array, Math, Number, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { coerced } from './coercions.ts'
import { tellLength } from './conversions.ts'
import { everything, knownLength, lookAtLength, readElement, readElements, readMembers, type Range } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { isObject, lookWhetherFixed } from './telling.ts'
import { isIterator, walksOver } from './walks.ts'
import { isUnusual } from './unusual-arrays.ts'
import { readWhole } from './whole.ts'

/** Methods of arrays that only look. */

type Look = (execution: Execution, array: unknown[], args: unknown[], site: SiteId) => void

/** Tells what a method looks at, then calls it. What looks like an array and is none is looked at as a whole. */
function looking(method: Fn, look: Look): Handler {
  return (execution, receiver, args, site) => {
    if (Array.isArray(receiver) && !isProxy(receiver)) {
      lookWhetherFixed(execution, receiver)
      ;(isUnusual(receiver) ? whole : look)(execution, receiver, args, site)
    } else {
      readWhole(execution, receiver, site)
      if (isObject(receiver)) tellLength(execution, receiver, site)
    }
    return namedAt(site, { execution, receiver, result: Reflect.apply(method, receiver, args) })
  }
}

/** A new array goes by what is made of it there: `const forks = seats.map(...)`. */
function namedAt(site: SiteId, { execution, receiver, result }: { readonly execution: Execution; readonly receiver: unknown; readonly result: unknown }): unknown {
  if (Array.isArray(result) && result !== receiver && !isElement(receiver, result)) execution.recorder?.owners.made(result, site)
  return named(execution, receiver, result)
}

/** A new array, or a new iterator, of a method. */
export function named(execution: Execution, receiver: unknown, result: unknown): unknown {
  if (Array.isArray(result)) {
    if (result !== receiver && !isElement(receiver, result)) execution.identities.made(result)
  } else if (isIterator(result)) {
    execution.identities.made(result)
    if (isObject(receiver)) walksOver(result, receiver)
  }
  return result
}

function isElement(receiver: unknown, value: unknown): boolean {
  const array = isObject(receiver) ? rawOf(receiver) : undefined
  // What a proxy gives that nobody knows is no new array for certain.
  if (array === undefined) return isObject(receiver)
  return Array.isArray(array) && !isUnusual(array) && Array.prototype.includes.call(array, value)
}

/** A relative index as methods take it: from the end if negative, at most the length. */
export function position(value: unknown, { length, absent }: { readonly length: number; readonly absent: number }): number {
  if (value === undefined) return absent
  const index = Math.trunc(globalThis.Number(value)) || 0
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length)
}

export function rangeOf(start: unknown, end: unknown, length: number): Range {
  return { start: position(start, { length, absent: 0 }), end: position(end, { length, absent: length }) }
}

/** Calls back with each element: what the callback gets is looked at when it gets it, for it may end the walk. */
function walking(method: Fn, { value, returnsArrays = false }: { readonly value: 0 | 1; readonly returnsArrays?: boolean }): Handler {
  return (execution, receiver, args, site) => {
    const [callback] = args
    if (!Array.isArray(receiver) || isProxy(receiver) || isUnusual(receiver) || typeof callback !== 'function') return looking(method, whole)(execution, receiver, args, site)
    const array: unknown[] = receiver
    lookWhetherFixed(execution, array)
    lookAtLength(execution, array, site)
    const { length } = array
    const isBackward = backward.has(method)
    let told = 0
    /** Each element in turn: those that are not there call nothing back. */
    const tellHoles = (count: number): void => {
      for (; told < count; told++) {
        const index = isBackward ? length - 1 - told : told
        if (!Object.hasOwn(array, index)) readElement(execution, array, index, site, undefined)
      }
    }
    if (value === 1 && args.length < 2) {
      const first = firstOf(method, array)
      readElements(execution, array, site, first)
      told = first.end - first.start
    }
    let isOver = false
    const watched = calledByProgram(function (this: unknown, ...given: unknown[]): unknown {
      const index = given[value + 1] as number
      tellHoles(isBackward ? length - 1 - index : index)
      readElement(execution, array, index, site, given[value])
      told++
      const result: unknown = Reflect.apply(callback, this, given)
      if (returnsArrays && Array.isArray(result)) readElements(execution, result, site)
      isOver = endsWith.get(method) === Boolean(result)
      return result
    })
    const result: unknown = Reflect.apply(method, array, [watched, ...args.slice(1)])
    if (!isOver) tellHoles(length)
    return namedAt(site, { execution, receiver: array, result })
  }
}

/** Walks that go from the last element to the first. */
const backward = new Set<unknown>([Array.prototype.reduceRight, Reflect.get(Array.prototype, 'findLast'), Reflect.get(Array.prototype, 'findLastIndex')])

/** Walks that are over when the callback has answered so. */
const endsWith = new Map<unknown, boolean>([
  [Array.prototype.every, false],
  ...['some', 'find', 'findIndex', 'findLast', 'findLastIndex'].map((name): [unknown, boolean] => [Reflect.get(Array.prototype, name), true]),
])

/** The elements up to the one with which a reduction begins. */
function firstOf(method: Fn, array: unknown[]): Range {
  return method === Array.prototype.reduce
    ? { start: 0, end: array.findIndex((_, i) => i in array) + 1 }
    : { start: lastIndex(array, (_, i) => i in array), end: array.length, isBackward: true }
}

function lastIndex(array: readonly unknown[], isSought: (value: unknown, i: number) => boolean): number {
  let i = array.length - 1
  while (i >= 0 && !isSought(array[i], i)) i--
  return i
}

const whole: Look = (execution, array, _args, site) => readElements(execution, array, site)

/** Elements become text. */
const written: Look = (execution, array, _args, site) => coerced(execution, array, site)

const ordered: Look = (execution, array, args, site) => {
  readElements(execution, array, site)
  if (args[0] === undefined) for (const value of array) coerced(execution, value, site)
}

const sliced: Look = (execution, array, args, site) => {
  readElements(execution, array, site, args.some(isObject) ? everything : rangeOf(args[0], args[1], array.length))
}

const one: Look = (execution, array, args, site) => {
  // To make a number of an object is to call it, which only the method itself does.
  if (isObject(args[0])) return whole(execution, array, args, site)
  const index = Math.trunc(globalThis.Number(args[0])) || 0
  if (index < 0) lookAtLength(execution, array, site)
  const found = index < 0 ? array.length + index : index
  readElement(execution, array, found, site, array[found])
}

/** The elements up to the one that is found. */
function searched(method: 'indexOf' | 'lastIndexOf' | 'includes'): Look {
  return (execution, array, args, site) => {
    const range = searchedRange(method, array, args)
    // That it is among those which were appended does not say where.
    if (method === 'includes' && args.length === 1 && range.end > knownLength(execution, array)) readMembers(execution, array, site)
    else readElements(execution, array, site, range)
  }
}

function searchedRange(method: 'indexOf' | 'lastIndexOf' | 'includes', array: unknown[], args: unknown[]): Range {
  if (args.length > 1) return everything
  const isSought = method === 'includes' && Number.isNaN(args[0]) ? Number.isNaN : (value: unknown): boolean => value === args[0]
  const found = method === 'lastIndexOf' ? lastIndex(array, isSought) : array.findIndex(isSought)
  if (found < 0) return method === 'lastIndexOf' ? { ...everything, isBackward: true } : everything
  return method === 'lastIndexOf' ? { start: found, end: Infinity, isBackward: true } : { start: 0, end: found + 1 }
}

const joinedWith: Look = (execution, array, args, site) => {
  readElements(execution, array, site)
  for (const arg of args) if (isObject(arg)) readWhole(execution, arg, site)
}

const flattened: Look = (execution, array, args, site) => {
  flatten(execution, array, args[0] === undefined ? 1 : isObject(args[0]) ? Infinity : globalThis.Number(args[0]) || 0, site)
}

function flatten(execution: Execution, array: unknown[], depth: number, site: SiteId): void {
  readElements(execution, array, site)
  if (depth >= 1) for (const inner of array) if (Array.isArray(inner)) flatten(execution, inner, depth - 1, site)
}

/** What each method looks at before it runs. */
const looks: Record<string, Look> = {
  at: one,
  concat: joinedWith,
  entries: whole,
  flat: flattened,
  includes: searched('includes'),
  indexOf: searched('indexOf'),
  join: written,
  keys: (execution, array, _args, site) => lookAtLength(execution, array, site),
  lastIndexOf: searched('lastIndexOf'),
  slice: sliced,
  toLocaleString: written,
  toReversed: whole,
  toSorted: ordered,
  toSpliced: whole,
  toString: written,
  values: whole,
  with: whole,
}

const walks = ['every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'map', 'some']

/** What the methods of arrays that only look access. */
export function arrayLookHandlers(): [Fn, Handler][] {
  const methods = Array.prototype as unknown as Record<string, Fn | undefined>
  const handlers: [Fn | undefined, (method: Fn) => Handler][] = [
    ...Object.entries(looks).map(([name, look]): [Fn | undefined, (method: Fn) => Handler] => [methods[name], (method) => looking(method, look)]),
    ...walks.map((name): [Fn | undefined, (method: Fn) => Handler] => [methods[name], (method) => walking(method, { value: 0 })]),
    [methods.flatMap, (method) => walking(method, { value: 0, returnsArrays: true })],
    [methods.reduce, (method) => walking(method, { value: 1 })],
    [methods.reduceRight, (method) => walking(method, { value: 1 })],
  ]
  return handlers.flatMap(([method, make]): [Fn, Handler][] => (method ? [[method, make(method)]] : []))
}
