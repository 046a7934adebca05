import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isOfPlatform } from '../execution/contents.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import { areKeptApart } from '../execution/replaced-tools.ts'
import { isTrap } from '../execution/traps.ts'
import { copyOfDescriptor } from './descriptors.ts'
import { findProperty } from './lookup.ts'
import { errorTypeOf, isTool } from './own-tools.ts'
import { isNative } from './native-results.ts'

/** Methods of the platform, where the platform put them. That nobody changes or hides one is taken for granted (see `Assumptions`). */

const namespaces = new Set<object>([globalThis, globalThis.JSON, globalThis.Reflect, Atomics, globalThis.Math, Intl, console])

function belongsToPlatform(object: object): boolean {
  return isOfPlatform(object) || namespaces.has(object)
}

/** Whether `object[name]`, which is `fn`, is such a method, so that it need not be told that somebody looked for it. */
export function isFixedMethod(execution: Execution, object: object, name: PropertyKey, fn: unknown): boolean {
  if (typeof fn !== 'function' || !isNative(fn)) return false
  // A trap would see the question.
  const subject = rawOf(object)
  if (!subject || isProxy(subject) || (Object.hasOwn(subject, name) && !belongsToPlatform(subject))) return false
  return execution.identities.assumptions.fixed.has(name)
}

/**
 * With which descriptor a property is defined. What stands in the place of what the runtime works with can be taken away again, and has to
 * be, also where the body has it stay.
 */
export function definitionOf(execution: Execution, object: object, name: PropertyKey, descriptor: unknown): unknown {
  const errorType = errorTypeOf(object, name)
  if (!(errorType || isTool(object, name)) || typeof descriptor !== 'object' || descriptor === null) return descriptor
  execution.changesTool(object, name, errorType)
  const given = copyOfDescriptor(descriptor)
  if (!Object.hasOwn(object, name)) given.configurable = true
  else if (given.configurable === false) delete given.configurable
  return given
}

/** A property of an object that is older than the execution changes. */
export function oldPropertyChanges(execution: Execution, object: object, name: PropertyKey): void {
  if (isTool(object, name)) execution.changesTool(object, name)
  const errorType = errorTypeOf(object, name)
  if (errorType) errorTypeChanges(execution, object, name, errorType)
  if (belongsToPlatform(object)) change(execution, name)
}

/** By execution: what the running step has found in the places of errors that it has changed. */
const foundByStep = new WeakMap<Execution, Map<PropertyKey, unknown>>()

/** Nobody looks meanwhile but the step itself, if it puts back what it has found: that somebody looks for an error by its name is not told. */
function errorTypeChanges(execution: Execution, object: object, name: PropertyKey, ofPlatform: PropertyDescriptor): void {
  if (areKeptApart) return execution.changesTool(object, name, ofPlatform)
  let found = foundByStep.get(execution)
  if (!found) {
    foundByStep.set(execution, (found = new Map()))
    execution.atStepEnd(() => {
      foundByStep.delete(execution)
      const left = [...found!].filter(([key, before]) => Reflect.get(object, key) !== before)
      // Who runs the body works with them as well.
      for (const [key, before] of left) Reflect.set(object, key, before)
      if (left.length > 0) execution.changesTool(object, left[0]![0])
    })
  }
  if (!found.has(name)) found.set(name, Reflect.get(object, name))
}

/** A function comes to stand in a property of an object, or one that stood there goes: a method, or a trap of a Proxy. */
export function methodChanges(execution: Execution, object: object, name: PropertyKey): void {
  if (isTrap(object, name)) return change(execution, name)
  const prototype = Reflect.getPrototypeOf(object)
  const inherited: unknown = prototype && findProperty(prototype, name)?.own.value
  if (typeof inherited === 'function' && isNative(inherited)) change(execution, name)
  // The platform asks every object that is awaited for it. What others cannot have seen so far nobody has awaited.
  if (name === 'then' && !execution.identities.isOfRunningStep(execution.identities.of(object))) change(execution, name)
}

/** A property of an object hides, or no longer hides, an accessor that it has from the platform. */
export function hidesAccessor(execution: Execution, object: object, name: PropertyKey): void {
  const prototype = Reflect.getPrototypeOf(object)
  const getter = prototype && findProperty(prototype, name)?.own.get
  if (getter && isNative(getter)) change(execution, name)
}

/** An object has another prototype than others may have seen. */
export function prototypeReplaced(execution: Execution, object: object): void {
  if (!execution.identities.isOfRunningStep(execution.identities.of(object))) change(execution, '__proto__')
}

/** An object inherits another property than before. */
export function inheritedMethodChanges(execution: Execution, name: PropertyKey, value: unknown): void {
  if (typeof value === 'function' && isNative(value)) change(execution, name)
}

function change(execution: Execution, name: PropertyKey): void {
  if (execution.identities.assumptions.fixed.lose(name)) execution.accesses.startAnew()
}
