import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isInstrumented } from '../execution/instrumented.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { platformModuleFunctions } from './platform-modules.ts'
import { isObject } from './telling.ts'

/** What Node has open outside: sockets, streams, servers, child processes. */

const base = (globalThis.process?.getBuiltinModule?.('node:events') as { EventEmitter?: { readonly prototype: object } } | undefined)?.EventEmitter

/** Of a class of Node's that emits by itself: a socket, a stream, a server. */
export function isOfPlatform(emitter: object): boolean {
  for (let prototype = isProxy(emitter) ? null : Reflect.getPrototypeOf(emitter); prototype !== null && !isProxy(prototype); prototype = Reflect.getPrototypeOf(prototype)) {
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    if (constructor === base) return false
    if (typeof constructor === 'function' && constructor !== globalThis.Object && platformModuleFunctions().has(constructor)) return true
  }
  return false
}

const streams = globalThis.process?.getBuiltinModule?.('node:stream') as unknown as Readonly<Record<string, unknown>> | undefined

/** What is in memory alone: streams that nothing but the program, or another thing, gives and takes data from. */
const inMemory: ReadonlySet<unknown> = new Set([
  ...['Stream', 'Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough'].map((name) => streams?.[name]),
  globalThis.Buffer, globalThis.Headers, globalThis.URL, globalThis.URLSearchParams, globalThis.TextEncoder, globalThis.TextDecoder,
])

/** Whether what is done with it may show outside. Node has classes of its own beneath those, as for streams of HTTP/2, which nobody else knows. */
export function leadsOutside(thing: object): boolean {
  for (let prototype = Reflect.getPrototypeOf(thing); prototype !== null && !isProxy(prototype); prototype = Reflect.getPrototypeOf(prototype)) {
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    if (inMemory.has(constructor)) return false
    if (typeof constructor === 'function' && !isInstrumented(constructor)) return true
  }
  return true
}

/** Where such an object keeps others that are over before it is: the pipes of a child process, what answers a request. */
const partNames = ['stdin', 'stdout', 'stderr', 'res', 'req']

export const partsOf = (emitter: object): object[] => partNames.map((name) => Reflect.getOwnPropertyDescriptor(emitter, name)?.value as unknown).filter(isThing)

/** Whether it is one of these. */
export function isThing(value: unknown): value is object {
  return isInstance(value, base?.prototype) && isOfPlatform(value)
}

/** What an event of such an object comes from: its last one also from its parts. Of a call that nobody has named the event of that is taken for the last one. */
export function thingsBehind(emitter: object, event: unknown = 'close'): object[] {
  return event === 'close' ? [emitter, ...partsOf(emitter)] : [emitter]
}

/** What the answer to a call comes from: all that the call is about. */
export function thingsOfCall(receiver: unknown, args: readonly unknown[]): object[] {
  const event = args.find((arg) => typeof arg === 'string')
  return [...new Set([receiver, ...args].filter(isThing).flatMap((thing) => thingsBehind(thing, event)))]
}

/** Event targets that get what comes from elsewhere: messages, and what a server sends. */
export const realTargetClasses = ['MessagePort', 'BroadcastChannel', 'WebSocket', 'EventSource'].map((name) => Reflect.get(globalThis, name) as { readonly prototype: object } | undefined).filter((found) => found !== undefined)

export function isRealTarget(target: unknown): target is object {
  return isObject(target) && realTargetClasses.some(({ prototype }) => Object.prototype.isPrototypeOf.call(prototype, target))
}
