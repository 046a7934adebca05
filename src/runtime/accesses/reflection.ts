import { Array, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isConstructor } from '../execution/constructible.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { boundOf, rememberBound } from './bound.ts'
import { construct } from './construct.ts'
import type { Fn, Handler } from './handler.ts'
import { lookFor } from './inheritance.ts'
import { bindThrough, invoke } from './invoke.ts'
import { isMaker, makeFunction, makers } from './made-functions.ts'
import { isObject } from './telling.ts'
import { readElements } from './elements.ts'
import { readWhole } from './whole.ts'

const { call: nativeCall, apply: nativeApply, bind: nativeBind } = Function.prototype
const nativeReflectApply = Reflect.apply
const nativeReflectConstruct = Reflect.construct

const listOf = (...items: unknown[]): unknown[] => items

const call: Handler = (execution, receiver, args, site, use) =>
  isCallable(receiver) ? invoke(execution, receiver, args[0], args.slice(1), site, use) : nativeReflectApply(nativeCall, receiver as Fn, args as [])

const apply: Handler = (execution, receiver, args, site, use) => {
  const [self, list] = args
  if (!isCallable(receiver)) return nativeReflectApply(nativeApply, receiver as Fn, args as [])
  if (list === undefined || list === null) return invoke(execution, receiver, self, [], site, use)
  if (isObject(list)) lookAtList(execution, list, site)
  return invoke(execution, receiver, self, nativeReflectApply(listOf, undefined, list as unknown[]), site, use)
}

const reflectApply: Handler = (execution, receiver, args, site, use) => {
  const [fn, self, list] = args
  if (!isCallable(fn) || !isObject(list)) return nativeReflectApply(nativeReflectApply as Fn, receiver, args)
  lookAtList(execution, list, site)
  return invoke(execution, fn, self, nativeReflectApply(listOf, undefined, list as unknown[]), site, use)
}

const reflectConstruct: Handler = (execution, receiver, args, site) => {
  const [constructor, list, newTarget = constructor] = args
  if (!isConstructor(constructor) || !isConstructor(newTarget) || !isObject(list)) return nativeReflectApply(nativeReflectConstruct as Fn, receiver, args)
  lookAtList(execution, list, site)
  return construct(execution, constructor, nativeReflectApply(listOf, undefined, list as unknown[]), site, newTarget)
}

/** What arguments are taken from. */
function lookAtList(execution: Execution, list: object, site: SiteId): void {
  if (Array.isArray(list) && !isProxy(list)) return readElements(execution, list, site)
  readWhole(execution, list, site)
  if (!isProxy(list)) lookFor(execution, list, 'length', site)
}

const bind: Handler = (execution, receiver, args) => {
  if (!isCallable(receiver)) return nativeReflectApply(nativeBind, receiver as Fn, args as [])
  const bound = bindFunction(receiver, args)
  execution.identities.made(bound)
  return bound
}

/** `fn.bind(receiver, ...args)`, inside a step and outside: a function bound when its file was loaded is called in steps. */
export function bindFunction(fn: Fn, given: unknown[]): Fn {
  const bound = bindThrough(nativeBind as Fn, fn, given)
  const [receiver, ...args] = given
  const inner = boundOf(fn)
  rememberBound(bound, inner ? { ...inner, args: [...inner.args, ...args] } : { target: fn, receiver, args })
  return bound
}

/** Whether `object[key](...)` is the call of `bind` itself. */
function isBind(object: unknown, method: unknown): object is Fn {
  return method === nativeBind && isCallable(object)
}

export const callsFunctions = (key: unknown): boolean => key === 'bind' || key === 'apply' || key === 'call'

/** `object.method(...args)` outside an exploration, where what it does matters in one: what is bound or made of a text is called in steps. Else undefined. */
export function calledOutside(object: unknown, method: unknown, args: unknown[], site: SiteId): Fn | undefined {
  if (isBind(object, method)) return bindFunction(object, args)
  if (!isMaker(object)) return undefined
  if (method === nativeCall) return makeFunction(object, args.slice(1), site)
  return method === nativeApply ? makeFunction(object, nativeReflectApply(listOf, undefined, (args[1] ?? []) as unknown[]), site) : undefined
}

function isCallable(value: unknown): value is Fn {
  return typeof value === 'function'
}

/** The functions that call functions: they dispatch again, by the function that they call. */
export function reflectionHandlers(): [Fn, Handler][] {
  return [
    [nativeCall as Fn, call],
    [nativeApply as Fn, apply],
    [nativeBind as Fn, bind],
    [nativeReflectApply as Fn, reflectApply],
    [nativeReflectConstruct as Fn, reflectConstruct],
    ...makers.map((maker): [Fn, Handler] => [maker, (execution, _, args, site) => construct(execution, maker, args, site)]),
  ]
}
