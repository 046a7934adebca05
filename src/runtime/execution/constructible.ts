import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isAsynchronous } from './asynchronous.ts'
import { isGenerator } from './generators.ts'

/** Whether `new` accepts it; its own code does not run. */
export function isConstructor(value: unknown): value is ((...args: any[]) => unknown) & (new (...args: any[]) => unknown) {
  if (typeof value !== 'function' || isAsynchronous(value)) return false
  const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')
  if (prototype) return !isGenerator(prototype.value)
  try {
    Reflect.construct(globalThis.Object, [], value)
    return true
  } catch {
    return false
  }
}
