import type { Handler } from './handlers.ts'
import { isPermanent } from './identity.ts'
import { nameResult } from './handlers.ts'
import { recordRead, recordWrite } from './properties.ts'

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

function stateHandler(method: Fn, name: string): Handler {
  const isLook = looks.test(name)
  return (execution, receiver, args, site) => {
    if (typeof receiver === 'object' && receiver !== null) {
      if (isLook) recordRead(execution, receiver, STATE, site, undefined)
      else {
        if (isPermanent(receiver)) execution.journal.state(receiver)
        recordWrite(execution, receiver, STATE, site, undefined)
      }
      if (receiver instanceof AbortController) recordWrite(execution, receiver.signal, 'aborted', site, true)
    }
    const result = Reflect.apply(method, receiver, args)
    nameResult(execution, method, result)
    return result
  }
}
