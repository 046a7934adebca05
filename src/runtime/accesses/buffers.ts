import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstance } from '../execution/proxies.ts'
import { rangeOf } from './array-looks.ts'
import { isBuffer, lookAtSize, noticeView, readBytes, writeBytes } from './bytes.ts'
import { coerced } from './coercions.ts'
import type { Range } from './elements.ts'
import type { Fn, Handler } from './handler.ts'
import { lookAtInstance } from './inheritance.ts'
import { accessNumber } from './numbers-in-bytes.ts'
import { beforeChange, isObject } from './telling.ts'
import { made, newView } from './typed-arrays.ts'
import { readDeep, readWhole } from './whole.ts'

/** Node's Buffer: methods that typed arrays have not, and functions of `Buffer` itself. */

type View = Uint8Array
type Methods = Record<string, Fn | undefined>

const isView = (value: unknown): value is View => isInstance(value, Uint8Array.prototype)

/** The bytes that `readInt32LE(offset)`, `writeUIntBE(value, offset, length)` and the like are about. */
function numberRange(name: string, args: unknown[]): Range | undefined {
  const parts = /^(?:read|write)(?:Big)?(?:U?[Ii]nt|Float|Double)(\d*)/.exec(name)
  if (!parts) return undefined
  const [offset, length] = name.startsWith('read') ? args : args.slice(1)
  const start = Number(offset ?? 0)
  const size = name.includes('Double') ? 8 : name.includes('Float') ? 4 : parts[1] ? Number(parts[1]) / 8 : Number(length)
  return { start, end: start + size }
}

function numberAccess(method: Fn, name: string): Handler {
  const isLook = name.startsWith('read')
  return (execution, receiver, args, site) => {
    if (!isView(receiver)) return Reflect.apply(method, receiver, args)
    const range = numberRange(name, args)
    return accessNumber(execution, { view: receiver, range, written: isLook ? undefined : { value: args[0] }, site }, () => Reflect.apply(method, receiver, args))
  }
}

/** Looks at the receiver, and at the bytes of what it is given. */
function looking(method: Fn, range: (view: View, args: unknown[]) => Range | undefined = () => undefined): Handler {
  return (execution, receiver, args, site) => {
    if (isView(receiver)) readBytes(execution, receiver, site, range(receiver, args))
    for (const arg of args) readWhole(execution, arg, site)
    const result: unknown = Reflect.apply(method, receiver, args)
    if (isObject(result)) execution.identities.made(result)
    return result
  }
}

/** Changes the receiver; `range` says where, with the result of the call. */
function changing(method: Fn, range: (view: View, args: unknown[], result: unknown) => Range | undefined): Handler {
  return (execution, receiver, args, site) => {
    if (!isView(receiver)) return Reflect.apply(method, receiver, args)
    for (const arg of args) readWhole(execution, arg, site)
    beforeChange(execution, receiver)
    const result: unknown = Reflect.apply(method, receiver, args)
    writeBytes(execution, receiver, site, range(receiver, args, result))
    return result
  }
}

/** `copy(target, targetStart, sourceStart, sourceEnd)` returns how many bytes it copied. */
const copying = (method: Fn): Handler => (execution, receiver, args, site) => {
  const [target, targetStart, sourceStart] = args
  if (!isView(receiver) || !isView(target)) return Reflect.apply(method, receiver, args)
  const from = Number(sourceStart ?? 0)
  readBytes(execution, receiver, site, rangeOf(from, args[3], receiver.length))
  beforeChange(execution, target)
  const count = Number(Reflect.apply(method, receiver, args))
  const to = Number(targetStart ?? 0)
  writeBytes(execution, target, site, { start: to, end: to + count })
  return count
}

/** Swapping reads what it writes. */
const swapping = (method: Fn): Handler => (execution, receiver, args, site) => {
  if (isView(receiver)) readBytes(execution, receiver, site)
  return changing(method, () => undefined)(execution, receiver, args, site)
}

/** A part shares the bytes of the whole. */
const cutting = (method: Fn): Handler => (execution, receiver, args) => made(execution, receiver, Reflect.apply(method, receiver, args))

/** `write(text, offset, length, encoding)`, where the numbers may be left out. */
const written = (_view: View, args: unknown[], result: unknown): Range => {
  const start = typeof args[1] === 'string' ? 0 : Number(args[1] ?? 0)
  return { start, end: start + Number(result) }
}

/** `fill(value, offset, end, encoding)`. */
const filled = (view: View, args: unknown[]): Range => {
  const [start, end] = typeof args[1] === 'string' ? [] : typeof args[2] === 'string' ? [args[1]] : args.slice(1)
  return rangeOf(start, end, view.length)
}

/** `utf8Slice(start, end)` and its like. */
const sliced = (view: View, args: unknown[]): Range => rangeOf(args[0], args[1], view.length)

const described = (view: View, args: unknown[]): Range => rangeOf(args[1], args[2], view.length)

const methods: Record<string, (method: Fn) => Handler> = {
  compare: (method) => looking(method),
  copy: copying,
  equals: (method) => looking(method),
  fill: (method) => changing(method, filled),
  includes: (method) => looking(method),
  indexOf: (method) => looking(method),
  inspect: (method) => looking(method),
  lastIndexOf: (method) => looking(method),
  slice: cutting,
  subarray: cutting,
  swap16: swapping,
  swap32: swapping,
  swap64: swapping,
  toJSON: (method) => looking(method),
  toLocaleString: (method: Fn) => looking(method, described),
  toString: (method: Fn) => looking(method, described),
  write: (method) => changing(method, written),
}

/** `from(source)`: bytes are copied, but for an ArrayBuffer, which is shared. */
const from = (fn: Fn): Handler => (execution, receiver, args, site) => {
  const [source, ...others] = args
  if (isBuffer(source)) {
    lookAtSize(execution, source, site)
    const result: unknown = Reflect.apply(fn, receiver, args)
    nameShared(execution, result)
    return result
  }
  if (isObject(source)) {
    readDeep(execution, source, site)
    coerced(execution, source, site)
  }
  return made(execution, undefined, Reflect.apply(fn, receiver, [source, ...others]))
}

function nameShared(execution: Execution, result: unknown): void {
  if (!isView(result)) return
  execution.identities.made(result)
  noticeView(execution, result)
}

/** Functions that make a new Buffer, and look at all bytes that they are given. */
const making = (fn: Fn): Handler => newView(looking(fn))

const concat = (fn: Fn): Handler => (execution, receiver, args, site) => {
  const [list] = args
  if (Array.isArray(list)) {
    readWhole(execution, list, site)
    for (const part of list as unknown[]) if (isView(part)) readBytes(execution, part, site)
  }
  return made(execution, undefined, Reflect.apply(fn, receiver, args))
}

const instanceCheck = (fn: Fn): Handler => (execution, receiver, args, site) => {
  lookAtInstance(execution, args[0], globalThis.Buffer, site)
  return Reflect.apply(fn, receiver, args)
}

const statics: Record<string, (fn: Fn) => Handler> = {
  alloc: making,
  allocUnsafe: making,
  allocUnsafeSlow: making,
  compare: (fn) => looking(fn),
  concat,
  copyBytesFrom: making,
  from,
  isBuffer: instanceCheck,
  of: making,
}

/** What the methods and functions of Node's Buffer access; nothing where there is none. */
export function bufferHandlers(): [Fn, Handler][] {
  const NodeBuffer = globalThis.Buffer as (typeof Buffer & Methods) | undefined
  if (!NodeBuffer) return []
  const prototype = NodeBuffer.prototype as unknown as Methods
  const names = Object.getOwnPropertyNames(prototype)
  const numbers = names.filter((name) => numberRange(name, []) !== undefined)
  return [
    ...numbers.map((name): [Fn, Handler] => [prototype[name]!, numberAccess(prototype[name]!, name)]),
    ...names.filter((name) => /[a-z\d]Slice$/.test(name)).map((name): [Fn, Handler] => [prototype[name]!, looking(prototype[name]!, sliced)]),
    ...names.filter((name) => /[a-z\d]Write$/.test(name)).map((name): [Fn, Handler] => [prototype[name]!, changing(prototype[name]!, written)]),
    ...tabled(prototype, methods),
    ...tabled(NodeBuffer as unknown as Methods, statics),
  ]
}

function tabled(functions: Methods, table: Record<string, (fn: Fn) => Handler>): [Fn, Handler][] {
  return Object.entries(table).flatMap(([name, make]): [Fn, Handler][] => {
    const fn = functions[name]
    return fn ? [[fn, make(fn)]] : []
  })
}
