import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import type { Family, Operation } from './family.ts'
import { each } from './family.ts'
import { changeState, looks } from './operations.ts'
import { heldListener, originalOf, registeredFor, removesAll } from './real-callbacks.ts'
import { isRealTarget, realTargetClasses } from './real-things.ts'
import { isObject } from './telling.ts'

/** Event targets that get what comes from elsewhere: messages, and what a server sends. Their listeners wait for their turn. */

const removing = new Set(['removeEventListener', 'off', 'removeListener'])

/** What is handed to `addEventListener` and its like in the place of these arguments. */
export function listenerArguments(execution: Execution, target: object, { name, args }: { readonly name: string; readonly args: readonly unknown[] }, site: SiteId): unknown[] {
  const [event, listener, ...options] = args
  const isOnce = name === 'once' || (isObject(options[0]) && !isProxy(options[0]) && Reflect.getOwnPropertyDescriptor(options[0], 'once')?.value === true)
  const given = { event: String(event), listener, isOnce }
  return [event, removing.has(name) ? registeredFor(execution, target, given) : heldListener(execution, target, given, site), ...options]
}

const listen: Operation = (native) => (execution, receiver, args, site) => {
  if (!isRealTarget(receiver)) return Reflect.apply(native, receiver, args as never[])
  changeState(execution, receiver, site)
  return Reflect.apply(native, receiver, listenerArguments(execution, receiver, { name: native.name, args }, site) as never[])
}

const stopListening: Operation = (native) => (execution, receiver, args, site) => {
  if (isRealTarget(receiver)) {
    changeState(execution, receiver, site)
    removesAll(execution, receiver, args[0])
  }
  return Reflect.apply(native, receiver, args as never[])
}

const assign: Operation = (native) => (execution, receiver, args, site) => {
  if (!isRealTarget(receiver)) return Reflect.apply(native, receiver, args as never[])
  changeState(execution, receiver, site)
  const event = native.name.replace(/^set on/, '')
  return Reflect.apply(native, receiver, [heldListener(execution, receiver, { event, listener: args[0] }, site)] as never[])
}

const lookFor: Operation = (native) => {
  const look = looks(native)
  return (execution, receiver, args, site, use) => originalOf(look(execution, receiver, args, site, use))
}

/** What is given to such a target as a property. */
const events = ['onmessage', 'onmessageerror', 'onopen', 'onclose', 'onerror']

/** What ports have of Node's emitters. */
const ofPorts: Family = { holder: globalThis.MessagePort && (Reflect.getPrototypeOf(globalThis.MessagePort.prototype) as object), methods: { ...each(['on', 'addListener', 'once', 'off', 'removeListener'], listen), removeAllListeners: stopListening } }

export const realTargets: readonly Family[] = [ofPorts, ...realTargetClasses.map(({ prototype }): Family => ({ holder: prototype, getters: each(events, lookFor), setters: each(events, assign) }))]
