import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import { isAsynchronous } from '../execution/asynchronous.ts'
import { isProxy } from '../execution/proxies.ts'
import { placeOf } from '../execution/sources.ts'
import type { PatternShape } from './emitted.ts'

/** The errors of the platform where it would show emitted code: with the text of the source, as V8 words it, and the user's frames first. */

/** A body may put others in their place for a while. */
const { Error, TypeError } = globalThis

const ownFolder = decodeURIComponent(new URL('..', import.meta.url).pathname)

/** The error as if the code that made the call had thrown it: its stack begins there. */
function thrownByCaller<E extends Error>(error: E): E {
  const lines = error.stack?.split('\n') ?? []
  const first = lines.findIndex((line) => line.startsWith('    at '))
  if (first === -1) return error
  const last = lines.findIndex((line, i) => i >= first && !line.includes(ownFolder))
  if (last !== -1) Object.defineProperty(error, 'stack', { value: [...lines.slice(0, first), ...lines.slice(last)].join('\n'), configurable: true, writable: true })
  return error
}

/** A property of null or undefined is looked at. */
export function nothingToRead(object: null | undefined, key: unknown): TypeError {
  return thrownByCaller(new TypeError(`Cannot read properties of ${object}${shownAs('reading', key)}`))
}

/** A property of null or undefined is assigned. */
export function nothingToSet(object: null | undefined, key: unknown): TypeError {
  return thrownByCaller(new TypeError(`Cannot set properties of ${object}${shownAs('setting', key)}`))
}

const textAt = (site: number | undefined): string => (site === undefined ? '' : (placeOf(site)?.text ?? ''))

/** A call's text without its arguments. */
const calleeAt = (site: number, fallback: string): string => calleeOf(textAt(site), fallback)

function calleeOf(text: string, fallback: string): string {
  if (!text.endsWith(')')) return text || fallback
  let depth = 0
  for (let i = text.length - 1; i > 0; i--) {
    if (text[i] === ')') depth++
    else if (text[i] === '(' && --depth === 0) return text.slice(0, i)
  }
  return fallback
}

function shownAs(what: string, key: unknown): string {
  const text = shownKey(key)
  return text === undefined ? '' : ` (${what} '${text}')`
}

/** The text of a key, for which no code of the user may run; undefined where it would have to. */
function shownKey(key: unknown): string | undefined {
  if (!isObject(key)) return typeof key === 'symbol' ? key.toString() : String(key)
  if (isProxy(key)) return '#<Object>'
  if (typeof key === 'function') return Function.prototype.toString.call(key)
  if (key instanceof Error && !Object.hasOwn(key, 'toString')) return Error.prototype.toString.call(key)
  if (dataOf(key, 'toString') !== Object.prototype.toString) return undefined
  const maker = dataOf(key, 'constructor')
  return typeof maker === 'function' ? `#<${maker.name || 'Object'}>` : undefined
}

/** What an object has or inherits as a property that is no accessor. */
function dataOf(object: object, key: string): unknown {
  for (let holder: object | null = object; holder && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(holder, key)
    if (descriptor) return descriptor.value as unknown
  }
  return undefined
}

/** The error of a call of what is no function. */
export function notAFunction(site: number, key: unknown): TypeError {
  const callee = calleeAt(site, shownKey(key) ?? '(intermediate value)')
  return thrownByCaller(new TypeError(`${shown(callee.startsWith('(0,') ? callee.replace(/^\(0,\s*/, '(0 , ') : withoutBrackets(callee))} is not a function`))
}

export function notAConstructor(site: number): TypeError {
  const text = withoutBrackets(calleeAt(site, '').replace(/^new\s*/, ''))
  return thrownByCaller(new TypeError(`${shown(text) || '(intermediate value)'} is not a constructor`))
}

/** `(o.f)` -> `o.f`. */
const withoutBrackets = (text: string): string => /^\(([\w$.]+(?:\(.*\))?)\)$/.exec(text)?.[1] ?? text

/** The same, of an async function whose stand-in has begun to run. */
export const notConstructed = (name: string): TypeError => thrownByCaller(new TypeError(`${name || '(intermediate value)'} is not a constructor`))

/** What a class extends. */
export function base<T>(value: T): T {
  if (typeof value !== 'function' || isProxy(value) || !isAsynchronous(value)) return value
  throw thrownByCaller(new TypeError(`Class extends value ${Function.prototype.toString.call(value)} is not a constructor or null`))
}

/** V8 shows no arguments, no definitions and no brackets around names. */
function shown(callee: string): string {
  const text = withoutGroup(callee.replace(/\?\.$/, '').replace(/^super(?=[.[])/, '(intermediate value)'))
  return withoutArguments(text).replace(/(?:\?\.)?\[(["'])([^"']*)\1\]/g, (found, _, name) => `${(found as string).startsWith('?') ? '?.' : '.'}${name}`).replace(/\.(#\w+)/g, '[$1]')
}

const definition = /=>|\bfunction\b|\bclass\b|\bawait\b/

/** `(() => {}).x` -> `(intermediate value).x`. */
function withoutGroup(text: string): string {
  if (text[0] !== '(') return definition.test(text) ? '(intermediate value)' : text
  const end = closing(text, 0)
  return definition.test(text.slice(0, end)) ? `(intermediate value)${text.slice(end + 1)}` : text
}

/** `f(1).m` -> `f(...).m`. */
function withoutArguments(text: string): string {
  let written = ''
  for (let i = 0; i < text.length; i++) {
    written += text[i]
    if (text[i] !== '(' || !/[\w$\])]/.test(text[i - 1] ?? '') || text.startsWith('(intermediate', i)) continue
    written += '...)'
    i = closing(text, i)
  }
  return written
}

/** The position of the parenthesis that closes the one at `start`. */
function closing(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return i
  }
  return text.length
}

/** Whether there is such a method, without asking for it: that is done once, by the iteration. */
function mayHave(value: unknown, method: symbol): boolean {
  if (value === undefined || value === null) return false
  if (Array.isArray(value) || isProxy(value)) return true
  const object = globalThis.Object(value) as object
  if (!Object.hasOwn(object, method)) return method in object
  const own = Reflect.getOwnPropertyDescriptor(object, method)!
  return own.get !== undefined || typeof own.value === 'function'
}

const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function'

export function checkIterable(value: unknown, site: number): void {
  if (mayHave(value, Symbol.iterator)) return
  const text = textAt(site)
  if (text.startsWith('...')) {
    const isNothing = value === undefined || value === null
    throw thrownByCaller(new TypeError(isNothing ? `${text.slice(3)} is not iterable (cannot read property ${value})` : 'Spread syntax requires ...iterable[Symbol.iterator] to be a function'))
  }
  if (text.startsWith(delegated)) throw thrownByCaller(new TypeError(/[.()[\]]/.test(text) ? `${delegated}(intermediate value) is not iterable` : `${described(value)} is not iterable (cannot read property Symbol(Symbol.iterator))`))
  // A parameter has no text but its own pattern: its default may still apply.
  if (!text.startsWith('[')) throw thrownByCaller(new TypeError(`${looked(text) || String(value)} is not iterable`))
}

/** `a.b['c']` */
const path = /^[\p{ID_Start}$_#][\p{ID_Continue}$.#[\]'"]*$/u

/** How V8 names a value that is to be iterated over: of a call it blames that as well. */
function looked(text: string): string {
  if (text.includes('?.')) return '(intermediate value)'
  let callee = withoutBrackets(text).replace(/^new\s+/, '')
  // Of a call of what a call gives, the first.
  while (callee.endsWith(')') && !callee.startsWith('(')) callee = calleeOf(callee, '')
  if (callee.startsWith('(')) callee = withoutBrackets(calleeOf(callee, ''))
  return callee !== text && path.test(callee) ? `${shown(callee)} is not a function or its return value` : text
}

/** The same of what `for await` is given. */
export function checkAsyncIterable(value: unknown, site: number): void {
  if (mayHave(value, Symbol.asyncIterator) || mayHave(value, Symbol.iterator)) return
  if (value === undefined || value === null) throw nothingToRead(value, Symbol.asyncIterator)
  const text = textAt(site)
  throw thrownByCaller(new TypeError(text.startsWith(delegated) ? 'undefined is not a function' : `${text || String(value)} is not async iterable`))
}

/** How the text of what `yield*` is given begins. */
const delegated = 'yield* '

/** What V8 says of a value that it cannot name. */
function described(value: unknown): string {
  if (typeof value === 'string') return `string "${value}"`
  return value === undefined ? 'undefined' : value === null || typeof value === 'number' || typeof value === 'boolean' ? `${typeof value} ${String(value)}` : typeof value
}

/** Where a value cannot be taken apart the native error would show emitted code. */
export function checkPattern(value: unknown, shape: PatternShape): void {
  if (value !== null && value !== undefined) return
  const key = shape[0]?.[0]
  if (key !== undefined) checkTaken(value, key, shape[0]![1])
}

/** The same of its first property, or of none. Without a site: of a parameter. */
export function checkTaken(value: null | undefined, key: string | null, site: number | undefined): void {
  if (key === null) throw thrownByCaller(new TypeError(`Cannot destructure '${textAt(site)}' as it is ${value}.`))
  const text = site === undefined ? `${value}.${key}` : textAt(site)
  // A parameter has no text but its own name: its default may still apply.
  if (!text.endsWith(`.${key}`)) return
  throw thrownByCaller(new TypeError(`Cannot destructure property '${key}' of '${text.slice(0, -key.length - 1)}' as it is ${value}.`))
}
