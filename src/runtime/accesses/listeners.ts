import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { entry, ORDER } from '../execution/keys.ts'
import { eventsWithListeners, type NodeEmitter } from '../execution/saved-listeners.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

/** The listeners of Node's EventEmitters, which it keeps in properties that anybody can read. */

const prototype = globalThis.process?.getBuiltinModule?.('node:events').EventEmitter.prototype
const rawListeners = prototype?.rawListeners

/** Whether a property of this name can hold listeners. */
export function mayBeListeners(name: PropertyKey): boolean {
  return name === '_events' || name === '_eventsCount'
}

export function isEmitter(object: object): object is NodeEmitter {
  return prototype !== undefined && (Object.prototype.isPrototypeOf.call(prototype, object) as boolean)
}

/** Those of one event, by the platform's own method, which tells nothing. */
export const listenersFor = (emitter: object, name: unknown): Fn[] => Reflect.apply(rawListeners!, emitter, [name as never]) as Fn[]

export const listenerCount = (emitter: object, name: unknown): number => listenersFor(emitter, name).length

export const listenersOf = (emitter: NodeJS.EventEmitter): Fn[] => emitter.eventNames().flatMap((event) => emitter.listeners(event) as Fn[])

/** Whether the program listens. */
export const isHeard = (emitter: NodeJS.EventEmitter): boolean => listenersOf(emitter).some((listener) => kindOf(listener) === 'own')

/** Looks at which events have listeners, and at the listeners of each. */
export function lookAtAllListeners(execution: Execution, emitter: object, site: SiteId): void {
  const id = execution.identities.of(emitter)
  const events = eventsWithListeners(emitter)
  execution.accesses.read(id, ORDER, site, events.length, 'order')
  for (const event of events) execution.accesses.read(id, entry(event), site, listenerCount(emitter, event))
}
