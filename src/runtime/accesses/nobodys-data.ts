import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isPromise } from '../execution/brands.ts'
import { isOfPlatform } from '../execution/contents.ts'
import { isOfEnvironment } from '../execution/environment.ts'
import { isRealTimer } from '../execution/native.ts'
import { isProxy } from '../execution/proxies.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

const ofRuntime = new WeakSet<object>()

/** Calls of code that is not instrumented change nothing of this object that the runtime does not see. */
export function isSeenOtherwise(object: object): void {
  ofRuntime.add(object)
}

/** What is neither looked at nor changed as data: promises, modules, functions without properties, what the platform made. */
export function isNobodysData(object: object): boolean {
  if (isProxy(object)) return false
  if (ofRuntime.has(object)) return true
  if (typeof object === 'function') return Object.keys(object).length === 0 && !isClass(object)
  return isPromise(object) || object === globalThis || isRealTimer(object) || isOfPlatform(object) || isOfEnvironment(object) || isModule(object) || isHandle(object)
}

/** What Node has of a thing that is open outside, as the pipe by which the test runner hears of a worker: it changes whenever something comes. */
function isHandle(object: object): boolean {
  for (let prototype = Reflect.getPrototypeOf(object); prototype !== null && !isProxy(prototype); prototype = Reflect.getPrototypeOf(prototype)) {
    const method: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'getAsyncId')?.value
    if (typeof method === 'function') return kindOf(method as Fn) !== 'own'
  }
  return false
}

/** A class that instrumented code declares. */
export function isClass(object: object): boolean {
  return typeof object === 'function' && Reflect.getOwnPropertyDescriptor(object, 'prototype')?.writable === false && kindOf(object as Fn) === 'own'
}

function isModule(object: object): boolean {
  return Reflect.getOwnPropertyDescriptor(object, Symbol.toStringTag)?.value === 'Module'
}
