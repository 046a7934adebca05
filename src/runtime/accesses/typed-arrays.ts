import { Array, ArrayBuffer, Math, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { bufferOf, lengthOf } from '../execution/brands.ts'
import { named, position, rangeOf } from './array-looks.ts'
import { collecting, making } from './array-statics.ts'
import { isPartOf, noticeView, readBytes, writeBytes } from './bytes.ts'
import { tellElements } from './conversions.ts'
import type { Range } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { beforeChange, isObject } from './telling.ts'
import { readWhole } from './whole.ts'
import { typedArrayClasses, type TypedArrayClass } from './typed-array-classes.ts'

/** Methods of typed arrays, in bytes: views over one buffer share them. */

type View = Uint8Array

const isView = (value: unknown): value is View => ArrayBuffer.isView(value) && !(value instanceof DataView)

/** The bytes of elements. */
function inBytes(view: View, { start, end }: Range): Range {
  return { start: start * view.BYTES_PER_ELEMENT, end: end * view.BYTES_PER_ELEMENT }
}

type Look = (view: View, args: unknown[]) => Range | undefined

function looking(method: Fn, range: Look): Handler {
  return (execution, receiver, args, site) => {
    if (!isView(receiver)) return Reflect.apply(method, receiver, args)
    readBytes(execution, receiver, site, args.some(isObject) ? undefined : range(receiver, args))
    return made(execution, receiver, Reflect.apply(method, receiver, args))
  }
}

/** A new view has memory of its own, or shares that of the one it was made from. */
export function made(execution: Execution, receiver: unknown, result: unknown): unknown {
  if (ArrayBuffer.isView(result) && result !== receiver) {
    execution.identities.made(result)
    const isShared = ArrayBuffer.isView(receiver) && bufferOf(result) === bufferOf(receiver)
    if (isShared) isPartOf(execution, result, receiver)
    noticeView(execution, result)
    return result
  }
  return named(execution, receiver, result)
}

interface Touched {
  readonly reads?: Range | undefined
  readonly writes?: Range | undefined
}

function changing(method: Fn, touches: (view: View, args: unknown[]) => Touched): Handler {
  return (execution, receiver, args, site) => {
    if (!isView(receiver)) return Reflect.apply(method, receiver, args)
    // To make a number of an object is to call it, which only the method itself does.
    const { reads, writes } = args.some(isObject) ? { reads: allBytes, writes: allBytes } : touches(receiver, args)
    beforeChange(execution, receiver)
    if (reads) readBytes(execution, receiver, site, reads)
    const result: unknown = Reflect.apply(method, receiver, args)
    writeBytes(execution, receiver, site, writes)
    return result
  }
}

const everything: Look = () => undefined
const allBytes: Range = { start: 0, end: Infinity }

const one: Look = (view, args) => {
  const index = Math.trunc(Number(args[0])) || 0
  const start = index < 0 ? lengthOf(view) + index : index
  return inBytes(view, { start, end: start + 1 })
}

const between = (view: View, args: unknown[]): Range => inBytes(view, rangeOf(args[0], args[1], lengthOf(view)))

/** `set(source, offset)`: the source may be an array, or a view over the same bytes. */
const setting = (method: Fn): Handler => (execution, receiver, args, site) => {
  if (!isView(receiver)) return Reflect.apply(method, receiver, args)
  readWhole(execution, args[0], site)
  tellElements(execution, args[0], site)
  beforeChange(execution, receiver)
  const result: unknown = Reflect.apply(method, receiver, args)
  const start = Math.trunc(Number(args[1])) || 0
  writeBytes(execution, receiver, site, inBytes(receiver, { start, end: start + sizeOf(args[0]) }))
  return result
}

function sizeOf(source: unknown): number {
  if (isView(source)) return lengthOf(source)
  return Array.isArray(source) ? source.length : Infinity
}

/** Shares the bytes, and looks at none of them. */
const subarray = (method: Fn): Handler => (execution, receiver, args) => made(execution, receiver, Reflect.apply(method, receiver, args))

const looks: Record<string, Look> = { at: one, slice: between }
const wholeLooks = [
  'entries', 'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'forEach', 'includes', 'indexOf', 'join', 'keys',
  'lastIndexOf', 'map', 'reduce', 'reduceRight', 'some', 'toLocaleString', 'toReversed', 'toSorted', 'values', 'with',
]

const changes: Record<string, (view: View, args: unknown[]) => Touched> = {
  copyWithin: (view, args) => ({
    reads: inBytes(view, rangeOf(args[1], args[2], lengthOf(view))),
    writes: inBytes(view, { start: position(args[0], { length: lengthOf(view), absent: 0 }), end: lengthOf(view) }),
  }),
  // Some engines take no notice of an end without a start.
  fill: (view, args) => ({ writes: args[1] === undefined ? allBytes : inBytes(view, rangeOf(args[1], args[2], lengthOf(view))) }),
  reverse: () => ({ reads: allBytes }),
  sort: () => ({ reads: allBytes }),
}

export const typedArrayHandlers = (): [Fn, Handler][] => typedArrayClasses.flatMap(handlersOf)

function handlersOf(TypedArray: TypedArrayClass): [Fn, Handler][] {
  const { prototype } = TypedArray
  const handlers: [Fn | undefined, (method: Fn) => Handler][] = [
    ...wholeLooks.map((name): [Fn | undefined, (method: Fn) => Handler] => [prototype[name], (method) => looking(method, everything)]),
    ...Object.entries(looks).map(([name, look]): [Fn | undefined, (method: Fn) => Handler] => [prototype[name], (method) => looking(method, look)]),
    ...Object.entries(changes).map(([name, change]): [Fn | undefined, (method: Fn) => Handler] => [prototype[name], (method) => changing(method, change)]),
    [prototype['set'], setting],
    [prototype['subarray'], subarray],
    [TypedArray.from, (fn) => newView(collecting(fn))],
    [TypedArray.of, (fn) => newView(making(fn))],
  ]
  return handlers.flatMap(([method, make]): [Fn, Handler][] => (method ? [[method, make(method)]] : []))
}

/** What a handler returns is a new view with memory of its own. */
export function newView(handler: Handler): Handler {
  return (execution: Execution, receiver: unknown, args: unknown[], site: SiteId) =>
    made(execution, undefined, handler(execution, receiver, args, site))
}
