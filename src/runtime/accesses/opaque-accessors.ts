import { Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { isProxy } from '../execution/proxies.ts'
import { isEnvironment, lookAtEnvironment } from './environment.ts'
import { kindOf } from './function-kinds.ts'
import { isLive, isNamespace, readImported } from './live-bindings.ts'
import { isAssertion } from './test-api.ts'
import { isMock } from './mocks.ts'
import { opaqueGroups, tellLook, tellRunOf } from './opaque-telling.ts'
import { beforeChange, recordRead, seen } from './telling.ts'

export type Accessor = (this: any, ...args: any[]) => unknown
type LookUp = (this: object, key: PropertyKey) => Accessor | undefined

const { __lookupGetter__: lookUpGetter, __lookupSetter__: lookUpSetter } = Object.prototype as unknown as Record<'__lookupGetter__' | '__lookupSetter__', LookUp>

/**
 * A property is about to be read: where an accessor stands there, that is told, because it may put something in its own place;
 * and what it does, if it is not instrumented.
 */
export function tellGetter(execution: Execution, object: object, key: PropertyKey, site: SiteId): void {
  const getter = lookUpGetter.call(object, key)
  if (getter === undefined) return
  if (!isOpaque(getter, object)) {
    if (kindOf(getter) === 'own') recordRead(execution, object, key, site, !isProxy(object) && Object.hasOwn(object, key), 'presence')
    return
  }
  const holder = holderOf(object, key)
  if (isModule(holder)) return isLive(key) ? readImported(execution, String(key), { site, value: undefined }) : undefined
  if (onlyLooks(getter)) return tellLook(execution, opaqueGroups(execution).of(getter, object), site)
  // Some getters put what they have found in their own place.
  if (!isProxy(object) && Object.hasOwn(object, key)) beforeChange(execution, object, key)
  if (isEnvironment(object)) lookAtEnvironment(execution, site)
  else if (isOfPlatform(holder)) seen(execution, object, OPAQUE, site, undefined)
  else tellRunOf(execution, getter, { group: opaqueGroups(execution).of(getter, object), receiver: object, own: [object] }, site)
}

/** The accessor that an assignment calls, where it is not instrumented. */
export function opaqueSetter(object: object, key: PropertyKey): Accessor | undefined {
  const setter = lookUpSetter.call(object, key)
  return setter !== undefined && isOpaque(setter, object) ? setter : undefined
}

/** The object that has the accessor. */
function holderOf(object: object, key: PropertyKey): object | undefined {
  for (let holder: object | null = object; holder && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, key)) return holder
  }
  return undefined
}

/** An accessor that is called like any opaque function: it may change what its receiver keeps to itself. */
function isOpaque(accessor: Accessor, object: object): boolean {
  return kindOf(accessor) === 'opaque' && !isAssertion(object) && !isMock(object)
}

const variable = /^\(\)\s*=>\s*[\w$]+$/

/** `() => name`, by which bundlers make what a module exports: it gives what a variable is now, which only other functions change. */
const onlyLooks = (getter: Accessor): boolean => !isProxy(getter) && variable.test(textOfFunction(getter))

/** What a module exports is read by getters that change nothing: they give what a variable of it is now. */
function isModule(holder: object | undefined): boolean {
  return holder !== undefined && (Reflect.getOwnPropertyDescriptor(holder, '__esModule') !== undefined || isNamespace(holder))
}

/** Whether the accessor is of a class on the global object, as those of the DOM are: what such getters answer, they do not change. */
function isOfPlatform(holder: object | undefined): boolean {
  const constructor: unknown = holder && Reflect.getOwnPropertyDescriptor(holder, 'constructor')?.value
  if (typeof constructor !== 'function') return false
  const name: unknown = Reflect.getOwnPropertyDescriptor(constructor, 'name')?.value
  return typeof name === 'string' && Reflect.getOwnPropertyDescriptor(globalThis, name)?.value === constructor
}
