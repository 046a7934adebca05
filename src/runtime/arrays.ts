import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import type { Handler } from './handlers.ts'
import { isIterator, walksOver } from './iterators.ts'
import { beforeChange, isObject, recordRead, recordWrite } from './properties.ts'

type ArrayLike = unknown[] & object

/** Records that the length and every element are looked at. */
export function readAll(execution: Execution, array: ArrayLike, site: SiteId): void {
  recordRead(execution, array, 'length', site, array.length)
  for (let i = 0; i < array.length; i++) recordRead(execution, array, String(i), site, array[i])
}

function writeAll(execution: Execution, array: ArrayLike, length: number, site: SiteId): void {
  recordWrite(execution, array, 'length', site, array.length)
  for (let i = 0; i < length; i++) recordWrite(execution, array, String(i), site, array[i])
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Whole-array reads. What they return is new. */
function reading(method: Method): Handler {
  return (execution, receiver, args, site) => {
    readAll(execution, receiver as ArrayLike, site)
    for (const arg of args) if (Array.isArray(arg)) readAll(execution, arg, site)
    const result = Reflect.apply(method, receiver, args)
    if (isIterator(result)) {
      walksOver(result, receiver as ArrayLike)
      execution.identities.made(result)
    } else if (isObject(result) && isNew(result, receiver)) {
      execution.identities.made(result)
    }
    return result
  }
}

/** Elements that a search returns are not new. */
function isNew(result: object, receiver: unknown): boolean {
  return Array.isArray(result) && result !== receiver && !(receiver as unknown[]).includes(result)
}

/** Changes of the whole array. */
function changing(method: Method): Handler {
  return (execution, receiver, args, site) => {
    const array = receiver as ArrayLike
    beforeChange(execution, array)
    const before = array.length
    readAll(execution, array, site)
    const result = Reflect.apply(method, array, args)
    writeAll(execution, array, Math.max(before, array.length), site)
    if (Array.isArray(result) && isNew(result, array)) execution.identities.made(result)
    return result
  }
}

const push: Handler = (execution, receiver, args, site) => {
  const array = receiver as ArrayLike
  beforeChange(execution, array)
  const before = array.length
  recordRead(execution, array, 'length', site, before)
  const result = Reflect.apply(Array.prototype.push, array, args)
  for (let i = before; i < array.length; i++) recordWrite(execution, array, String(i), site, array[i])
  recordWrite(execution, array, 'length', site, array.length)
  return result
}

const pop: Handler = (execution, receiver, _args, site) => {
  const array = receiver as ArrayLike
  beforeChange(execution, array)
  const last = String(Math.max(0, array.length - 1))
  recordRead(execution, array, 'length', site, array.length)
  recordRead(execution, array, last, site, array.at(-1))
  const result = Array.prototype.pop.call(array)
  recordWrite(execution, array, last, site, undefined)
  recordWrite(execution, array, 'length', site, array.length)
  return result
}

const at: Handler = (execution, receiver, args, site) => {
  const array = receiver as ArrayLike
  const position = Math.trunc(Number(args[0])) || 0
  if (position < 0) recordRead(execution, array, 'length', site, array.length)
  const index = position < 0 ? array.length + position : position
  recordRead(execution, array, String(index), site, array[index])
  return array[index]
}

const readers = [
  'concat', 'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flat', 'flatMap', 'forEach', 'includes',
  'indexOf', 'join', 'lastIndexOf', 'map', 'reduce', 'reduceRight', 'slice', 'some', 'toLocaleString', 'toReversed',
  'toSorted', 'toSpliced', 'toString', 'with', 'entries', 'keys', 'values', 'subarray',
]
const changers = ['copyWithin', 'fill', 'reverse', 'shift', 'sort', 'splice', 'unshift', 'set']

/** What each method of arrays and typed arrays accesses. */
export function arrayHandlers(): [Method, Handler][] {
  const handlers: [Method, Handler][] = [
    [Array.prototype.push as Method, push],
    [Array.prototype.pop as Method, pop],
    [Array.prototype.at as Method, at],
  ]
  const typedArray: object = Reflect.getPrototypeOf(Uint8Array.prototype)!
  for (const prototype of [Array.prototype, typedArray]) {
    const methods = prototype as unknown as Record<string, Method | undefined>
    for (const name of readers) if (methods[name]) handlers.push([methods[name], reading(methods[name])])
    for (const name of changers) if (methods[name]) handlers.push([methods[name], changing(methods[name])])
  }
  return handlers
}
