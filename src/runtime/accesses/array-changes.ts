import { Array, Math, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { named, position, rangeOf } from './array-looks.ts'
import { coerced } from './coercions.ts'
import { appendElements, everything, lookAtLength, mostMoved, moved, nothing, readElement, readElements, restructured, writeElement, type Range } from './elements.ts'
import { USED, type Fn, type Handler } from './handler.ts'
import { beforeChange, beforeRemoval, isObject, propertyAssigned, propertyRemoved } from './telling.ts'
import { subjectOfChange } from './subjects.ts'
import { isUnusual } from './unusual-arrays.ts'
import { readWhole } from './whole.ts'

/** Methods of arrays that change them. */

/** Tells what the method looks at, before the change; returns which elements it touches. */
type Change = (execution: Execution, array: unknown[], args: unknown[], site: SiteId) => Range

const [pop, shift] = ['pop', 'shift'].map((name) => Reflect.get(Array.prototype, name) as Fn)

/** Nothing is taken from an array that has nothing: a look. */
const takesNothing = (array: unknown[], method: Fn): boolean => array.length === 0 && (method === pop || method === shift) && !isUnusual(array)

function changing(method: Fn, change: Change): Handler {
  return (execution, receiver, args, site) => {
    if (!isPlainArray(receiver)) return changeAny(execution, { method, receiver, args }, site)
    if (takesNothing(receiver, method)) {
      lookAtLength(execution, receiver, site)
      return Reflect.apply(method, receiver, args)
    }
    // Of an array that is older than the execution one element is saved, or all.
    if (method === pop && receiver.length > 0) beforeChange(execution, receiver, String(receiver.length - 1))
    else beforeChange(execution, receiver)
    const touched = (isUnusual(receiver) ? all : change)(execution, receiver, args, site)
    try {
      return named(execution, receiver, Reflect.apply(method, receiver, args))
    } finally {
      restructured(execution, receiver, site, touched)
    }
  }
}

interface Call {
  readonly method: Fn
  readonly receiver: unknown
  readonly args: unknown[]
}

const isPlainArray = (value: unknown): value is unknown[] => Array.isArray(value) && !isProxy(value)

/** A Proxy of an array, or what looks like an array and is none: all of it is looked at and changed. */
function changeAny(execution: Execution, { method, receiver, args }: Call, site: SiteId): unknown {
  const call = (): unknown => Reflect.apply(method, receiver, args)
  const object = isObject(receiver) ? subjectOfChange(execution, receiver, site) : undefined
  if (!object) return call()
  readWhole(execution, object, site)
  const before = Reflect.ownKeys(object)
  for (const key of new Set([...before, 'length'])) beforeRemoval(execution, object, key)
  const result = call()
  if (Array.isArray(object)) restructured(execution, object, site)
  else changedKeys(execution, object, before, site)
  return named(execution, receiver, result)
}

function changedKeys(execution: Execution, object: object, before: readonly (string | symbol)[], site: SiteId): void {
  const now = Reflect.ownKeys(object)
  for (const key of now) if (!before.includes(key)) execution.journal.change(() => void Reflect.deleteProperty(object, key))
  for (const key of before) if (!now.includes(key)) propertyRemoved(execution, object, key, site)
  for (const key of now) propertyAssigned(execution, object, key, site, { value: Reflect.getOwnPropertyDescriptor(object, key)?.value, isThere: before.includes(key) })
}

const all: Change = (execution, array, _args, site) => {
  readElements(execution, array, site)
  return everything
}

const last: Change = (execution, array, _args, site) => {
  lookAtLength(execution, array, site)
  const index = array.length - 1
  if (index >= 0) readElement(execution, array, index, site, array[index])
  return { start: index, end: array.length }
}

/** The first element goes, or others come before it. Where there are many, that they moved tells that they were looked at. */
const atStart =
  (isTaken: boolean): Change =>
  (execution, array, args, site) => {
    if (array.length <= mostMoved) {
      all(execution, array, args, site)
      return moved
    }
    lookAtLength(execution, array, site)
    if (isTaken) readElement(execution, array, 0, site, array[0])
    return moved
  }

/** Everything behind the place where elements come or go is moved. */
const spliced: Change = (execution, array, args, site) => {
  // To make a number of an object is to call it, which only the method itself does.
  if (isObject(args[0]) || isObject(args[1])) return all(execution, array, args, site)
  const { length } = array
  const start = position(args[0], { length, absent: args.length === 0 ? length : 0 })
  const removed = args.length < 2 ? length - start : Math.min(Math.max(Math.trunc(Number(args[1])) || 0, 0), length - start)
  const isMoved = args.length === 0 || removed !== args.length - 2
  const touched = { start, end: isMoved ? length : start + removed, isMoved }
  readElements(execution, array, site, isMoved && length - start > mostMoved ? { start, end: start + removed } : touched)
  return args.length === 0 ? nothing : touched
}

const sorted: Change = (execution, array, args, site) => {
  readElements(execution, array, site)
  if (args[0] === undefined) for (const value of array) coerced(execution, value, site)
  return everything
}

const copied: Change = (execution, array, args, site) => {
  if (args.some(isObject)) return all(execution, array, args, site)
  readElements(execution, array, site, rangeOf(args[1], args[2], array.length))
  return { start: position(args[0], { length: array.length, absent: 0 }), end: array.length }
}

/** Values come to the end; which index they have matters to nobody, unless how many there are then is used. */
const push: Handler = (execution, receiver, args, site, use = USED) => {
  const method = Array.prototype.push as Fn
  if (!isPlainArray(receiver)) return changeAny(execution, { method, receiver, args }, site)
  beforeChange(execution, receiver, String(receiver.length))
  if (!use.isUsed) {
    appendElements(execution, receiver, site, args)
    return Reflect.apply(method, receiver, args)
  }
  lookAtLength(execution, receiver, site)
  const length: unknown = Reflect.apply(method, receiver, args)
  restructured(execution, receiver, site, nothing)
  return length
}

/** Writes one value to some elements. */
const fill: Handler = (execution, receiver, args, site) => {
  const method = Array.prototype.fill as Fn
  if (!isPlainArray(receiver)) return changeAny(execution, { method, receiver, args }, site)
  if (isObject(args[1]) || isObject(args[2])) return changing(method, all)(execution, receiver, args, site)
  const { start, end } = rangeOf(args[1], args[2], receiver.length)
  beforeChange(execution, receiver)
  lookAtLength(execution, receiver, site)
  let result: unknown
  try {
    result = Reflect.apply(method, receiver, args)
  } catch (error) {
    // One of them could not be written: those before it have been.
    readElements(execution, receiver, site, { start, end })
    restructured(execution, receiver, site, { start, end })
    throw error
  }
  for (let i = start; i < end; i++) writeElement(execution, receiver, i, site, args[0])
  return result
}

const changes: Record<string, Change> = {
  copyWithin: copied,
  pop: last,
  reverse: all,
  shift: atStart(true),
  sort: sorted,
  splice: spliced,
  unshift: atStart(false),
}

/** What the methods of arrays that change them access. */
export function arrayChangeHandlers(): [Fn, Handler][] {
  const methods = Array.prototype as unknown as Record<string, Fn>
  return [
    ...Object.entries(changes).map(([name, change]): [Fn, Handler] => [methods[name]!, changing(methods[name]!, change)]),
    [methods.push!, push],
    [methods.fill!, fill],
  ]
}
