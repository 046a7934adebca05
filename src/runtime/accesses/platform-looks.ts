import { Array, ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { bufferOf, isError, isMap, isSet } from '../execution/brands.ts'
import { contentsOf, isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { isBytes } from './bytes.ts'
import type { Fn } from './handler.ts'
import { lookWhatItInherits } from './inheritance.ts'
import { looksAtInspectOptions } from './inspect-options.ts'
import { isNative } from './native-results.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'

/**
 * Functions of the platform that are in no table, and make a text, a number or a verdict of all the data that they are given:
 * `util.inspect`, `assert.deepEqual`, `Intl.ListFormat`.
 */

/** Modules of Node most functions of which do. */
const modules = ['node:assert', 'node:util', 'node:buffer', 'node:querystring', 'node:path', 'node:url', 'node:v8', 'node:zlib', 'node:crypto', 'node:fs', 'node:fs/promises']

/** Functions among them that tell one object from another, or look at its class. */
const identifying = new Set(['assert', 'ok', 'strictEqual', 'notStrictEqual', 'ifError', 'promisify', 'callbackify', 'deprecate', 'inherits', 'isArray'])

let functions: WeakSet<object> | undefined

function collect(): WeakSet<object> {
  const found = new WeakSet<object>()
  const add = (holder: unknown): void => {
    if (!isObject(holder)) return
    for (const own of Object.values(Object.getOwnPropertyDescriptors(holder))) {
      if (typeof own.value === 'function' && !identifying.has((own.value as Fn).name)) found.add(own.value as object)
    }
  }
  for (const name of modules) {
    const module: unknown = globalThis.process?.getBuiltinModule?.(name as 'node:util')
    add(module)
    if (name === 'node:assert') add((module as { strict?: unknown } | undefined)?.strict)
  }
  for (const kind of Object.values(Object.getOwnPropertyDescriptors(Intl))) if (typeof kind.value === 'function') add((kind.value as { prototype?: unknown }).prototype)
  return found
}

/** Functions of the language that only tell what they are given from others, or hand it on. */
const passing = new Set<unknown>([
  globalThis.Object, Boolean, Object.is, Array.isArray, Object.prototype.isPrototypeOf, Object.prototype.valueOf, ...Object.values(Object.getOwnPropertyDescriptors(Reflect.getPrototypeOf(function* () {}.prototype as object)!)).map(({ value }) => value as unknown),
])

/** A function of the platform is about to look at its arguments. */
export function lookAtGiven(execution: Execution, fn: Fn, args: readonly unknown[], site: SiteId): void {
  functions ??= collect()
  if (!functions.has(fn)) return lookAtOptions(execution, fn, args, site)
  looksAtInspectOptions(execution, fn, site)
  const visited = new Set<object>()
  for (const arg of args) lookAtData(execution, arg, site, visited)
}

/** What the language takes options from, or a list of names: objects without a class. */
function lookAtOptions(execution: Execution, fn: Fn, args: readonly unknown[], site: SiteId): void {
  if (!isNative(fn) || passing.has(fn)) return
  for (const arg of args) if (isObject(arg) && !isProxy(arg) && (Array.isArray(arg) || isPlain(execution, arg, site))) readWhole(execution, arg, site)
}

function isPlain(execution: Execution, object: object, site: SiteId): boolean {
  lookWhatItInherits(execution, object, site)
  const prototype = Reflect.getPrototypeOf(object)
  return prototype === null || prototype === Object.prototype
}

/** Objects that one call looks at, at most. */
const mostObjects = 10_000

/** Looks at what is plain data, and at what it leads to: not into what the platform made for its own ends. */
function lookAtData(execution: Execution, value: unknown, site: SiteId, visited: Set<object>): void {
  if (typeof value !== 'object' || value === null || visited.has(value) || visited.size >= mostObjects) return
  visited.add(value)
  if (isProxy(value)) return readWhole(execution, value, site)
  lookWhatItInherits(execution, value, site)
  if (!isData(value)) return
  readWhole(execution, value, site)
  for (const inner of contentsOf(value)) if (!isMemoryOf(value, inner)) lookAtData(execution, inner, site, visited)
}

/** Of what a view shows all was looked at, and of the rest nothing is. */
const isMemoryOf = (view: object, inner: unknown): boolean => ArrayBuffer.isView(view) && inner === bufferOf(view)

function isData(object: object): boolean {
  return Array.isArray(object) || isMap(object) || isSet(object) || isError(object) || isBytes(object) || isOfUser(object)
}

/** Of no class, or of one that the user wrote. */
function isOfUser(object: object): boolean {
  const prototype = Reflect.getPrototypeOf(object)
  return prototype === null || prototype === Object.prototype || !isOfPlatform(prototype)
}
