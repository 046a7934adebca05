import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import type { Handler } from './handlers.ts'
import { isPermanent } from './identity.ts'
import { nameResult } from './native-results.ts'
import { bufferOf, readProperty, recordRead, recordWrite } from './properties.ts'

type Fn = (...args: any[]) => unknown

/** Names of methods that only look. Everything else that these classes have changes their state. */
const looks = /^(get|has|to|keys|values|entries|forEach|valueOf|size|emit|dispatchEvent|listeners|listenerCount|eventNames|rawListeners)/

/**
 * Objects with state inside that no property shows: one location stands for all of it. Emitting an
 * event looks at the list of listeners.
 */
export function stateHandlers(): [Fn, Handler][] {
  const events = globalThis.process?.getBuiltinModule?.('node:events') as { EventEmitter: unknown } | undefined
  const classes: (((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown) | undefined)[] = [
    Date, URLSearchParams, DataView, EventTarget, events?.EventEmitter as (new () => unknown) | undefined,
    globalThis.Headers, globalThis.FormData, globalThis.AbortController as unknown as new () => unknown,
  ]
  const handlers: [Fn, Handler][] = []
  const generators = Reflect.getPrototypeOf(Reflect.getPrototypeOf((function* () {})())!)!
  for (const prototype of [...classes.map((found) => found?.prototype as object | undefined), generators]) {
    if (!prototype) continue
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = Reflect.getOwnPropertyDescriptor(prototype, name)?.value as unknown
      if (typeof method === 'function' && name !== 'constructor') handlers.push([method as Fn, stateHandler(method as Fn, name)])
    }
  }
  return handlers
}

const STATE = 'internal state'

/** `getInt32(offset)` and the like, on the bytes of the buffer. */
function viewAccess(execution: Execution, view: DataView, { name, offset, site }: { name: string; offset: number; site: SiteId }): void {
  const bits = /^[gs]et\D+(\d+)$/.exec(name)
  if (!bits) return
  const record = name.startsWith('get') ? recordRead : recordWrite
  const buffer = bufferOf(execution, view)
  for (let i = 0; i < Number(bits[1]) / 8; i++) record(execution, buffer, `byte ${view.byteOffset + offset + i}`, site, undefined)
}

/** Aborting changes what the signal says, and calls its listeners. */
function abortSignal(execution: Execution, controller: AbortController, site: SiteId): void {
  signalAborted(execution, readProperty(execution, controller, 'signal', site) as AbortSignal, site)
}

export function signalAborted(execution: Execution, signal: AbortSignal, site: SiteId): void {
  recordWrite(execution, signal, 'aborted', site, true)
  recordWrite(execution, signal, STATE, site, undefined)
}

/** The state of such an object changes in a way that no method of its class shows. */
export function changeState(execution: Execution, object: object, site: SiteId): void {
  recordWrite(execution, object, STATE, site, undefined)
}

function stateHandler(method: Fn, name: string): Handler {
  const isLook = looks.test(name)
  return (execution, receiver, args, site) => {
    if (receiver instanceof DataView) {
      viewAccess(execution, receiver, { name, offset: Number(args[0]), site })
    } else if (typeof receiver === 'object' && receiver !== null) {
      if (isLook) recordRead(execution, receiver, STATE, site, undefined)
      else {
        if (isPermanent(receiver)) execution.journal.state(receiver)
        recordWrite(execution, receiver, STATE, site, undefined)
      }
      if (receiver instanceof AbortController) abortSignal(execution, receiver, site)
    }
    const result = Reflect.apply(method, receiver, args)
    nameResult(execution, method, result)
    return result
  }
}
