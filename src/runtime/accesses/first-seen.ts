import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { isOpaqueFunction } from './function-kinds.ts'
import type { OpaqueGroup } from './opaque-groups.ts'
import { packageOf } from './packages.ts'
import type { Snapshot } from './snapshot.ts'

/** What older objects were when code that is not instrumented got them first in an execution; undefined of those in the midst of a change then. */
const firstSeen = new PerExecution(() => new Map<object, Snapshot | undefined>())

/** Such code gets an object that is older than the execution, within calls of `running`. */
export function seeFirst(execution: Execution, object: object, { now, running }: { readonly now: Snapshot; readonly running: readonly OpaqueGroup[] }): void {
  const seen = firstSeen.of(execution)
  if (!seen.has(object)) seen.set(object, isBeingChanged(object, running) ? undefined : now)
}

/** What an object is to be again after the execution; undefined where nobody knows what it was before. */
export const asFirstSeen = (execution: Execution, object: object): Snapshot | undefined => firstSeen.known(execution)?.get(object)

/**
 * Whether a call that has not returned may be about to change the object, which it was not handed: that is of a class of its own package, or of one
 * that nobody knows. A queue is then `busy`, and will not be so again.
 */
function isBeingChanged(object: object, running: readonly OpaqueGroup[]): boolean {
  if (running.length === 0) return false
  const prototype = Reflect.getPrototypeOf(object)
  const constructor: unknown = prototype && !isProxy(prototype) ? Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value : undefined
  if (!isOpaqueFunction(constructor)) return false
  const own = packageOf(constructor)
  return own === undefined || running.some(({ packageName }) => packageName === undefined || packageName === own)
}
