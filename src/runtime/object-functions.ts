import type { SiteId } from '../engine/ids.ts'
import { readAll } from './arrays.ts'
import { readEntries } from './collections.ts'
import type { Execution } from './execution.ts'
import type { Handler } from './handlers.ts'
import { isPermanent } from './identity.ts'
import {
  enumerateProperties, isObject, keyOf, readProperty, recordRead, recordWrite, removeProperty, writeProperty, addKey, beforeChange,
} from './properties.ts'

type Fn = (...args: any[]) => unknown

/** Looks at everything that can be seen of a value without a name: properties, elements or entries. */
export function readWhole(execution: Execution, value: unknown, site: SiteId): void {
  if (!isObject(value)) return
  if (Array.isArray(value)) readAll(execution, value, site)
  else if (value instanceof Map || value instanceof Set) readEntries(execution, value, site)
  else enumerateProperties(execution, value, site)
}

/** Objects that one look at all of a value goes through at most. */
const mostObjects = 10_000

/** Looks at a value and at all that it leads to, as far as no getter has to run for it. */
export function readDeep(execution: Execution, value: unknown, site: SiteId, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || value instanceof Promise) return
  if (seen.has(value) || seen.size >= mostObjects) return
  seen.add(value)
  readWhole(execution, value, site)
  for (const inner of innerValues(value)) readDeep(execution, inner, site, seen)
}

function innerValues(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value.keys(), ...value.values()]
  if (value instanceof Set) return value.values()
  return Object.values(Object.getOwnPropertyDescriptors(value)).map((own) => own.value as unknown)
}

/** `Object.freeze` and its like: no write of any property goes with it. */
function fix(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const [object] = args
    if (isObject(object)) {
      if (isPermanent(object)) execution.journal.state(object)
      addKey(execution, object, site)
      for (const key of Reflect.ownKeys(object)) recordWrite(execution, object, key, site, undefined)
    }
    return Reflect.apply(fn, receiver, args)
  }
}

/** A regular expression that goes on where it stopped has a position. */
function matching(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const keepsPosition = receiver instanceof RegExp && (receiver.global || receiver.sticky)
    if (keepsPosition) beforeChange(execution, receiver, 'lastIndex')
    const result = Reflect.apply(fn, receiver, args)
    if (keepsPosition) {
      recordWrite(execution, receiver, 'lastIndex', site, receiver.lastIndex)
    }
    if (isObject(result)) execution.identities.made(result)
    return result
  }
}

function looking(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    for (const arg of args) readWhole(execution, arg, site)
    const result = Reflect.apply(fn, receiver, args)
    if (typeof result === 'object' && result !== null) execution.identities.made(result)
    return result
  }
}

function assignAll(execution: Execution, args: unknown[], site: SiteId): unknown {
  const target: object = Object(args[0]) as object
  for (const source of args.slice(1)) {
    if (!isObject(source)) {
      if (source !== undefined && source !== null) Object.assign(target, source)
      continue
    }
    enumerateProperties(execution, source, site)
    for (const key of Reflect.ownKeys(source)) {
      if (!Object.prototype.propertyIsEnumerable.call(source, key)) continue
      writeProperty(execution, target, key, readProperty(execution, source, key, site), site)
    }
  }
  return target
}

function define(fn: Fn): Handler {
  return (execution, receiver, args, site) => {
    const [object, key] = args
    if (!isObject(object)) return Reflect.apply(fn, receiver, args)
    beforeChange(execution, object, keyOf(key))
    const isNew = !Object.hasOwn(object, keyOf(key))
    const result = Reflect.apply(fn, receiver, args)
    recordWrite(execution, object, keyOf(key), site, undefined)
    if (isNew) addKey(execution, object, site)
    return result
  }
}

function owns(fn: Fn, { receiverIsObject }: { receiverIsObject: boolean }): Handler {
  return (execution, receiver, args, site) => {
    const object = receiverIsObject ? receiver : args[0]
    const key = keyOf(receiverIsObject ? args[0] : args[1])
    const result = Reflect.apply(fn, receiver, args)
    if (isObject(object)) recordRead(execution, object, key, site, undefined)
    return result
  }
}

const atomicWriters = ['add', 'and', 'compareExchange', 'exchange', 'or', 'store', 'sub', 'xor']

/** Functions of `Object`, `Reflect`, `JSON`, `Array` and `Atomics` that look at or change the objects they are given. */
export function objectHandlers(): [Fn, Handler][] {
  const handlers: [Fn, Handler][] = [
    [Object.assign, (execution, _receiver, args, site) => assignAll(execution, args, site)],
    [Object.defineProperty, define(Object.defineProperty)],
    [Reflect.defineProperty, define(Reflect.defineProperty)],
    [Object.hasOwn, owns(Object.hasOwn, { receiverIsObject: false })],
    [Reflect.has, owns(Reflect.has, { receiverIsObject: false })],
    [Object.prototype.hasOwnProperty, owns(Object.prototype.hasOwnProperty, { receiverIsObject: true })],
    [
      JSON.stringify,
      (execution, receiver, args, site) => {
        readDeep(execution, args[0], site)
        return Reflect.apply(JSON.stringify, receiver, args)
      },
    ],
    [
      Reflect.get,
      (execution, receiver, args, site) =>
        args.length === 2 && isObject(args[0])
          ? readProperty(execution, args[0], args[1], site)
          : Reflect.apply(Reflect.get, receiver, args),
    ],
    [
      Reflect.set,
      (execution, receiver, args, site) => {
        if (args.length !== 3 || !isObject(args[0])) return Reflect.apply(Reflect.set, receiver, args)
        try {
          writeProperty(execution, args[0], args[1], args[2], site)
          return true
        } catch (error) {
          if (error instanceof TypeError) return false
          throw error
        }
      },
    ],
    [
      Reflect.deleteProperty,
      (execution, receiver, args, site) =>
        isObject(args[0])
          ? removeProperty(execution, args[0], args[1], site)
          : Reflect.apply(Reflect.deleteProperty, receiver, args),
    ],
  ]
  for (const fn of [
    Object.keys, Object.values, Object.entries, Object.fromEntries, Object.getOwnPropertyNames, Object.getOwnPropertySymbols,
    Object.getOwnPropertyDescriptors, Reflect.ownKeys, Array.from, Array.of,
  ] as Fn[]) {
    handlers.push([fn, looking(fn)])
  }
  for (const fn of [Object.freeze, Object.seal, Object.preventExtensions] as Fn[]) handlers.push([fn, fix(fn)])
  for (const fn of [RegExp.prototype.test, RegExp.prototype.exec] as Fn[]) handlers.push([fn, matching(fn)])
  for (const name of [...atomicWriters, 'load']) {
    const fn = (Atomics as unknown as Record<string, Fn>)[name]
    if (fn) handlers.push([fn, atomic(fn, name !== 'load')])
  }
  return handlers
}

function atomic(fn: Fn, isWrite: boolean): Handler {
  return (execution, receiver, args, site) => {
    const result = Reflect.apply(fn, receiver, args)
    const record = isWrite ? recordWrite : recordRead
    record(execution, args[0] as object, keyOf(args[1]), site, result)
    return result
  }
}
