import { Object, Reflect } from '../../engine/intrinsics.ts'
import { asynchronous, asynchronousOnce, withAsyncMethods } from '../execution/asynchronous.ts'
import { definitionBegins } from './definitions.ts'
import { isConstructor } from '../execution/constructible.ts'
import { rememberDriver } from '../execution/loaded-drivers.ts'
import { keepVariables } from '../execution/kept-variables.ts'
import { hideOwnFrames } from '../execution/stack-frames.ts'
import { isSloppy, registerAside, registerFile } from '../execution/sources.ts'
import { globalName, type Emitted, type Scope } from './emitted.ts'
import { rememberEarly } from './early-files.ts'
import { defineFlags } from './flags.ts'
import { showWrittenTexts } from './function-texts.ts'
import { showKinds } from './shown-kinds.ts'
import { base, checkAsyncIterable, checkIterable, checkPattern, checkTaken, nothingToRead, nothingToSet, notAConstructor, notAFunction, notConstructed } from './messages.ts'

/**
 * What instrumented code does outside an exploration: exactly what it did before, with the messages
 * of the original's errors.
 */

/** A key that is an object is made a text once. */
const asKey = (key: unknown): unknown => ((typeof key === 'object' && key !== null) || typeof key === 'function' ? Reflect.ownKeys({ [key as never]: 0 })[0] : key)

/** In sloppy code what cannot be assigned or removed stays as it is without a word. */
function put(object: any, key: any, value: any, site: number): unknown {
  if (isSloppy(site)) Reflect.set(globalThis.Object(object) as object, key as PropertyKey, value, object)
  else object[key] = value
  return value
}

function iterable<T>(value: T, site: number): T {
  checkIterable(value, site)
  return value
}

function asyncIterable<T>(value: T, site: number): T {
  checkAsyncIterable(value, site)
  return value
}

const rootScope: Scope = { scope: undefined }

export const inert: Emitted = {
  file(name, places, count, ...told) {
    rememberEarly(told)
    return registerFile(name, places, count, told[3])
  },
  left() {},
  keeps: keepVariables,
  connects: rememberDriver,
  aside: registerAside,
  loads: (run) => run(),
  defining: definitionBegins,
  defined: (end) => end?.(),

  made(value, _site, methods) {
    if (methods) withAsyncMethods(value as object, methods)
    return value
  },
  asynchronous,
  asynchronousOnce,
  asynchronousMembers: withAsyncMethods,
  base,
  closure: (fn) => fn,
  callee: (fn, site) => (typeof fn === 'function' ? fn : () => inert.invoke(fn, undefined, site, [])),
  method(object, key, site) {
    const fn = object[key]
    return (...args: unknown[]) => inert.invoke(fn, object, site, args)
  },
  invoke(fn, receiver, site, args) {
    if (typeof fn !== 'function') throw notAFunction(site, '(intermediate value)')
    return Reflect.apply(fn, receiver, args)
  },
  look: (value) => value,
  isReplaced: false,
  builtIn() {},
  global: (_name, _site, value) => value,
  settles: (assertion) => assertion,
  asserted: (_matcher, _site, _given, args) => args,
  coerced: (value) => value,
  noConstructor(name) {
    throw notConstructed(name)
  },
  construct(constructor, site, args) {
    if (!isConstructor(constructor)) throw notAConstructor(site)
    return Reflect.construct(constructor, args) as unknown
  },
  get(object, key) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    return object[key]
  },
  set(object, key, value, site) {
    if (object === null || object === undefined) throw nothingToSet(object, key)
    return put(object, key, value, site)
  },
  update(object, key, site, next) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    return put(object, key, next(object[key]), site)
  },
  assignIf(object, key, site, operator, value) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    const old = object[key]
    const assigns = operator === '??' ? old === null || old === undefined : operator === '||' ? !old : old
    return assigns ? put(object, key, value(), site) : old
  },
  increment(object, key, site, by, prefix) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    if (isSloppy(site)) {
      const read: unknown = object[key]
      const old: any = typeof read === 'bigint' ? read : Number(read)
      const next = typeof old === 'bigint' ? old + BigInt(by) : old + by
      put(object, key, next, site)
      return prefix ? next : old
    }
    if (prefix) return by === 1 ? ++object[key] : --object[key]
    return by === 1 ? object[key]++ : object[key]--
  },
  increasing(object, key, site, sign) {
    const { key: property, old } = inert.reading(object, key, site)
    return { object, key: property, site, old, sign, isPlace: false, found: undefined }
  },
  increased({ object, key, site, old, sign }, operand) {
    put(object, key, sign === 1 ? old + operand : old - operand, site)
  },
  reading(object, key, site) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    const property: unknown = asKey(key)
    return { object, key: property, site, old: object[property as never] }
  },
  assigned: ({ object, key, site }, value) => put(object, key, value, site),
  remove: (object, key, site) => (isSloppy(site) && object !== null && object !== undefined ? Reflect.deleteProperty(globalThis.Object(object) as object, key as PropertyKey) : delete object[key]),
  has: (key, object) => key in object,
  instanceOf: (value, type) => value instanceof type,
  call(object, key, site, args) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    const method = object[key]
    if (typeof method !== 'function') throw notAFunction(site, key)
    return Reflect.apply(method, object, args)
  },
  found(object, key, site) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    return { object, key, fn: object[key], site }
  },
  callFound({ object, key, fn, site }, args) {
    if (typeof fn !== 'function') throw notAFunction(site, key)
    return Reflect.apply(fn, object, args)
  },
  callIf(object, key, site, args, rest) {
    if (object === null || object === undefined) throw nothingToRead(object, key)
    const method = object[key]
    if (method === null || method === undefined) return undefined
    const given = args()
    if (typeof method !== 'function') throw notAFunction(site, key)
    const result = Reflect.apply(method, object, given)
    return rest ? rest(result) : result
  },
  optional: (object, rest) => (object === null || object === undefined ? undefined : rest(object)),
  given: (value, rest) => rest(value),
  reference: (object, key, site) => ({
    get value() {
      return object[key]
    },
    set value(value) {
      put(object, key, value, site)
    },
  }),
  caught() {},
  showing: (fn, text) => Object.defineProperty(fn, 'toString', { value: () => text, configurable: true, writable: true }),
  superKey: (key) => Reflect.ownKeys({ [key as never]: 0 })[0]!,
  superLook: (_receiver, _key, site) => site,
  superGet: (_receiver, _key, _site, value) => value,
  superSet(_receiver, key, _site, value, assign) {
    assign(key, value)
    return value
  },
  superIncrement(_receiver, key, _site, old, by, prefix, assign) {
    const before: unknown = typeof old === 'bigint' ? old : Number(old)
    const after = typeof before === 'bigint' ? before + BigInt(by) : (before as number) + by
    assign(key, after)
    return prefix ? after : before
  },
  superReference: (_receiver, key, _site, assign) => ({
    set value(value: unknown) {
      assign(key, value)
    },
  }) as { value: unknown },
  privateGet: (_object, _key, _site, value) => value,
  privateSet: (_object, _key, _site, _find, value) => value,
  privateIncrements() {},
  privateIncreases: (_object, _key, _site, old, sign, operand) => (sign === 1 ? old + operand : old - operand),
  privatesGiven() {},
  privateLook: (_object, _key, site) => site,
  privateHas: (_object, _key, _site, isThere) => isThere,
  privateReference: (_object, _key, _site, get, set) => ({
    get value() {
      return get()
    },
    set value(value) {
      set(value)
    },
  }),
  pattern(value, shape) {
    checkPattern(value, shape)
    return value
  },
  iterate: iterable,
  iterable,
  asyncIterable,
  taken(value, key, site) {
    if (value === null || value === undefined) checkTaken(value as null | undefined, key, site)
    return value
  },
  enumerate: (object) => object,

  scope: () => rootScope,
  older: () => rootScope,
  read: (_scope, _name, _site, value) => value,
  write: (_scope, _name, _site, _old, value) => value,
  increments() {},
  increases: (_scope, _name, _site, old, sign, operand) => (sign === 1 ? old + operand : old - operand),
  variable: (_scope, _name, _site, get, set) => ({
    get value() {
      return get()
    },
    set value(value) {
      set(value)
    },
  }),

  live: (_name, _site, value) => value,
  paired: (value) => value,
  pair: (list) => list,

  run: (body) => body(),
  drives: () => false,
  drive() {
    throw new Error('vitest-dpor: nothing drives a generator outside an exploration; please report this')
  },
  forwards() {},
  waits: (value) => value,
  returned: (value) => value,
  suspend: (value) => value,
  imported: (args, load) => load(args),
  again: () => true,
  recurs() {},
  generate: (generator) => generator,
  iterateAsync: asyncIterable,
  disposedAsync: (value) => value,
}

/** Gives instrumented code a runtime in a thread where nothing is ever explored. */
export function installInert(): void {
  hideOwnFrames()
  showWrittenTexts()
  showKinds()
  defineFlags({ isNaming: false })
  Reflect.set(globalThis, globalName, inert)
}
