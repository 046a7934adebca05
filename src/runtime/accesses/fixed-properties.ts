import { Array, ArrayBuffer, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { copyOfDescriptor, fields } from './descriptors.ts'

/**
 * Properties that an execution fixes for good on objects that are older. They could not be taken away again before the next execution, so until
 * then they are not: what the program would see of that is told as if they were.
 */

const fixed = new PerExecution((execution) => {
  const objects = new Map<object, Set<PropertyKey>>()
  execution.journal.whereItStays(() => {
    for (const object of objects.keys()) fixForGood(execution, object)
  })
  return objects
})

const isFixed = (execution: Execution, object: object, key: PropertyKey): boolean => fixed.known(execution)?.get(object)?.has(key) === true

/** What the program takes for the own property of an object. */
export function ownProperty(execution: Execution, object: object, key: PropertyKey): PropertyDescriptor | undefined {
  const own = Reflect.getOwnPropertyDescriptor(object, key)
  if (own && isFixed(execution, object, key)) own.configurable = false
  return own
}

/** Corrects what a built-in has said of properties of an object. */
export function tellFixed(execution: Execution, object: object, found: Readonly<Record<PropertyKey, PropertyDescriptor | undefined>>): void {
  for (const key of fixed.known(execution)?.get(object) ?? []) {
    const own = Reflect.getOwnPropertyDescriptor(found, key)?.value as PropertyDescriptor | undefined
    if (own) own.configurable = false
  }
}

/** Does to an object that has the same property, really fixed, what cannot be done: with the platform's own errors. */
export function standInFor(execution: Execution, object: object, key: PropertyKey): object | undefined {
  if (!isFixed(execution, object, key)) return undefined
  const standIn = typeof object === 'function' ? function () {} : (Object.create(Reflect.getPrototypeOf(object)) as object)
  return Object.defineProperty(standIn, key, { ...Reflect.getOwnPropertyDescriptor(object, key), configurable: false })
}

/**
 * Defines a property.
 *
 * @param run does it to an object with a descriptor
 */
export function defineFixed(execution: Execution, object: object, { key, descriptor }: { readonly key: PropertyKey; readonly descriptor: unknown }, run: (object: object, descriptor: unknown) => unknown): unknown {
  const standIn = standInFor(execution, object, key)
  if (standIn) {
    const done = run(standIn, descriptor)
    return done === false ? false : run(object, configurable(descriptor))
  }
  if (!fixes(execution, object, key, descriptor)) return run(object, descriptor)
  const done = run(object, configurable(descriptor))
  if (done !== false) hold(execution, object, key)
  return done
}

/** Whether a property of an older object cannot be taken away any more afterwards. */
function fixes(execution: Execution, object: object, key: PropertyKey, descriptor: unknown): boolean {
  if (typeof descriptor !== 'object' || descriptor === null || isProxy(descriptor) || isProxy(object)) return false
  if (Array.isArray(object) || ArrayBuffer.isView(object) || !Reflect.isExtensible(object) || execution.identities.age(object) !== 'older') return false
  const own = Reflect.getOwnPropertyDescriptor(object, key)
  if (own?.configurable === false || fields.some((field) => Reflect.getOwnPropertyDescriptor(descriptor, field)?.get)) return false
  const { configurable: given } = descriptor as PropertyDescriptor
  return own ? Reflect.has(descriptor, 'configurable') && !given : !given
}

const configurable = (descriptor: unknown): PropertyDescriptor => ({ ...copyOfDescriptor(descriptor as object), configurable: true })

function hold(execution: Execution, object: object, key: PropertyKey): void {
  const objects = fixed.of(execution)
  const keys = objects.get(object)
  if (keys) keys.add(key)
  else objects.set(object, new Set([key]))
}

/** From now on they are what they are told as. */
export function fixForGood(execution: Execution, object: object): void {
  const objects = fixed.known(execution)
  for (const key of objects?.get(object) ?? []) Reflect.defineProperty(object, key, { configurable: false })
  objects?.delete(object)
}
