import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import type { Operation } from './family.ts'
import { beforeStateChange, changed, isObject, seen } from './telling.ts'

/** The operations that many families share. One location, `STATE`, stands for all that an object keeps inside. */

/** Calls the function and names what it returns, which is new. */
export const pure: Operation = (native) => (execution, receiver, args) => named(execution, Reflect.apply(native, receiver, args as never[]))

/** Looks at what the object keeps inside. */
export const looks: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) lookAtState(execution, receiver, site)
  return named(execution, Reflect.apply(native, receiver, args as never[]))
}

/** Changes what the object keeps inside, to something that may depend on what was there. */
export const changes: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) changeState(execution, receiver, site)
  return named(execution, Reflect.apply(native, receiver, args as never[]))
}

/** An object that belongs to its owner: found by it, named after it. */
export const component: Operation = (native) => (execution, receiver, args) => {
  const found: unknown = Reflect.apply(native, receiver, args as never[])
  // That of an older one may have been found by another way before.
  if (isObject(found) && isObject(receiver) && execution.identities.age(receiver) === 'of this execution') {
    execution.identities.derive(found, `${native.name} of ${execution.identities.of(receiver)}`)
  }
  return found
}

/** The state of an object is looked at. */
export function lookAtState(execution: Execution, object: object, site: SiteId): void {
  seen(execution, object, STATE, site, undefined)
}

/** The state of an object changes; one that may be older than the execution is saved first. */
export function changeState(execution: Execution, object: object, site: SiteId): void {
  beforeStateChange(execution, object)
  changed(execution, object, STATE, site, undefined)
}

/** A result of the platform's own making, which has a name from now on. */
export function named<T>(execution: Execution, result: T): T {
  if (typeof result === 'object' && result !== null) execution.identities.made(result)
  return result
}
