import { Reflect } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { classNameOf } from '../execution/values.ts'
import type { Fn } from './handler.ts'
import { isRealTarget, isThing } from './real-things.ts'

/** What Node has open is not opened again: who comes next finds it closed. */

const names = ['close', 'closeAllConnections', 'terminate', 'kill', 'disconnect', 'destroy']

/** A function of Node's is called: perhaps it closes something that is older than the execution. */
export function mayClose(execution: Execution, fn: Fn, receiver: unknown): void {
  if (isProxy(receiver) || !(isThing(receiver) || isRealTarget(receiver)) || !names.some((name) => Reflect.get(receiver, name) === fn)) return
  if (isOlder(execution, receiver)) execution.journal.loses(`a ${classNameOf(receiver)}, which stays closed`)
}

const { MessagePort: Port } = globalThis as { readonly MessagePort?: new () => object }

/** The ports of a channel are made by the platform, which names none of them. */
function isOlder(execution: Execution, thing: object): boolean {
  if (execution.foreign.wasOpen(thing)) return true
  return !(Port && thing instanceof Port) && !execution.identities.isKnownNew(thing)
}
