import { Array, Object, Reflect, textOfFunction } from '../../engine/intrinsics.ts'
import { isInstrumented } from './instrumented.ts'

/**
 * The test environment: the documents, elements, events and storage of jsdom or happy-dom. All of it leads to all of it, so it
 * counts as one thing with one state. Without such an environment nothing belongs to it.
 */
export function hasEnvironment(): boolean {
  const document: unknown = Reflect.get(globalThis, 'document')
  return typeof document === 'object' && document !== null
}

const known = new WeakMap<object, boolean>()

/** Whether the object is the window, or of a class that the environment has put on the global object. Not for a Proxy. */
export function isOfEnvironment(object: object): boolean {
  if (object === globalThis) return hasEnvironment()
  const prototype = Reflect.getPrototypeOf(object)
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype || prototype === Function.prototype) return false
  let is = known.get(prototype)
  if (is === undefined) known.set(prototype, (is = hasEnvironment() && (isGlobalClass(prototype) || isOfEnvironment(prototype))))
  return is
}

const nativeText = '{ [native code] }'

/** The prototype of a class on the global object that is written in JavaScript, but not by the user. */
function isGlobalClass(prototype: object): boolean {
  const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  if (typeof constructor !== 'function') return false
  const name: unknown = Reflect.getOwnPropertyDescriptor(constructor, 'name')?.value
  // Test runners put such classes there by accessors.
  if (typeof name !== 'string' || !Object.hasOwn(globalThis, name) || Reflect.get(globalThis, name) !== constructor) return false
  return !textOfFunction(constructor).endsWith(nativeText) && !isInstrumented(constructor)
}
