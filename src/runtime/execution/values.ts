import { Array, JSON, Object, Reflect } from '../../engine/intrinsics.ts'
import type { ObjectId } from './identity.ts'
import { expressionOf, isDate, sizeOf, timeOf } from './brands.ts'
import { isProxy, targetOf } from './proxies.ts'

/** A value as it is written down: nothing of the user's runs for it, neither a getter nor `toJSON` nor a trap of a Proxy. */
export interface RecordedValue {
  readonly type: 'undefined' | 'null' | 'boolean' | 'number' | 'string' | 'bigint' | 'symbol' | 'function' | 'object'
  /** The value on one short line. */
  readonly text: string
  /** More of it, where that line leaves something out. */
  readonly whole?: string
  /** Of an object: its identity, so that two that look the same can be told apart. */
  readonly identity: ObjectId | undefined
}

export function recordedValue(value: unknown, identity: ObjectId | undefined): RecordedValue {
  const text = show(value, short)
  const whole = (typeof value === 'string' && value.length > text.length - 2) || (typeof value === 'object' && leavesOut(text)) ? show(value, long) : text
  return { type: value === null ? 'null' : typeof value, text, identity, ...(whole !== text && { whole }) }
}

/** Whether an object may have more than its text shows: that says so of what was cut off, and of arrays of which only the count is shown. */
const leavesOut = (text: string): boolean => text.includes('…') || text.includes('item')

/** The name of an object's class, or of the nearest one above that has a name, as far as no getter has to run for it. */
export function classNameOf(object: object): string {
  if (isProxy(object)) return ''
  for (let holder = Reflect.getPrototypeOf(object); holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    if (isProxy(holder)) return ''
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(holder, 'constructor')?.value
    const name = typeof constructor === 'function' ? functionName(constructor) : ''
    if (name !== '') return name
  }
  return ''
}

/** The same; empty where the nearest prototype does not say whose it is, as one does not that was made by hand from that of another class. */
export function ownClassNameOf(object: object): string {
  const prototype = isProxy(object) ? null : Reflect.getPrototypeOf(object)
  return prototype === null || isProxy(prototype) || !Object.hasOwn(prototype, 'constructor') ? '' : classNameOf(object)
}

export function functionName(fn: object): string {
  if (isProxy(fn)) return ''
  const name: unknown = Reflect.getOwnPropertyDescriptor(fn, 'name')?.value
  return typeof name === 'string' ? name : ''
}

interface Limits {
  /** Objects within objects are shown to this depth. */
  readonly deepest: number
  readonly longest: number
  /** Of arrays with more items, or a longer text, only the count is shown. */
  readonly mostItems: number
  readonly longestArray: number
}

const short: Limits = { deepest: 3, longest: 40, mostItems: 5, longestArray: 24 }
const long: Limits = { deepest: 6, longest: 800, mostItems: 50, longestArray: 600 }

function show(value: unknown, limits: Limits): string {
  return shorten(write(value, 0, limits), limits)
}

function write(value: unknown, depth: number, limits: Limits): string {
  const { longest } = limits
  switch (typeof value) {
    case 'string':
      return quoted(value.length > 2 * longest ? value.slice(0, 2 * longest) : value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return functionName(value) === '' ? '[function]' : `[function ${functionName(value)}]`
    case 'object':
      return value === null ? 'null' : writeObject(value, depth, limits)
    default:
      return String(value)
  }
}

/** As it would be written in a program: what has quotes in it, such as JSON, between single ones. */
function quoted(text: string): string {
  if (!text.includes('"') || text.includes("'")) return JSON.stringify(text)
  return `'${text.split('"').map((part) => JSON.stringify(part).slice(1, -1)).join('"')}'`
}

function writeObject(value: object, depth: number, limits: Limits): string {
  if (isProxy(value)) {
    const target = targetOf(value)
    return target === undefined || isProxy(target) || typeof target === 'function' ? '[Proxy]' : writeObject(target, depth, limits)
  }
  if (Array.isArray(value)) return writeArray(value, depth, limits)
  const name = classNameOf(value) || 'Object'
  if (inherits(value, Error.prototype)) return `${name}(${write(dataOf(value, 'message'), depth, limits)})`
  const inside = isDate(value) ? timeOf(value) : sizeOf(value)
  if (inside !== undefined) return `${name}(${inside})`
  const expression = expressionOf(value)
  if (expression !== undefined) return expression
  if (name !== 'Object') return `[${name}]`
  if (depth >= limits.deepest) return '{…}'
  let text = ''
  // What comes after so much is cut off.
  for (const key of Reflect.ownKeys(value)) {
    if (text.length > limits.longest) break
    const own = typeof key === 'string' ? Reflect.getOwnPropertyDescriptor(value, key) : undefined
    if (own?.enumerable) text += `${text && ','}${JSON.stringify(key)}:${writeProperty(own, depth, limits)}`
  }
  return `{${text}}`
}

const writeProperty = (own: PropertyDescriptor, depth: number, limits: Limits): string => ('value' in own ? write(own.value, depth + 1, limits) : '…')

/** What is in it, as far as that is short. */
function writeArray(array: readonly unknown[], depth: number, limits: Limits): string {
  const { deepest, mostItems, longestArray } = limits
  const count = `[${array.length} ${array.length === 1 ? 'item' : 'items'}]`
  if (array.length > mostItems || depth >= deepest) return array.length === 0 ? '[]' : count
  let text = ''
  for (let i = 0; i < array.length; i++) {
    const own = Reflect.getOwnPropertyDescriptor(array, i)
    text += `${i > 0 ? ',' : ''}${own ? writeProperty(own, depth, limits) : ''}`
    if (text.length + 2 > longestArray) return count
  }
  return `[${text}]`
}

/** As `instanceof`, but for what is behind a Proxy: to ask that would run its traps. */
export function inherits(object: object, prototype: object): boolean {
  for (let holder = Reflect.getPrototypeOf(object); holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    if (holder === prototype) return true
    if (isProxy(holder)) return false
  }
  return false
}

/** An own or inherited property, unless it is an accessor or behind a Proxy. */
function dataOf(object: object, key: string): unknown {
  for (let holder: object | null = object; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, key)
    if (own) return own.value
  }
  return undefined
}

function shorten(text: string, { longest }: Limits): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
