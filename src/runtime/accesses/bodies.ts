import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isUnderWay } from '../events/arrivals.ts'
import { accepts } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { platformPrototype } from '../execution/extended-classes.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { isBuffer } from './bytes.ts'
import { USED } from './handler.ts'
import { each, type Family, type Operation } from './family.ts'
import { readMultimap } from './multimaps.ts'
import { changes, changeState, component, lookAtState, looks, named, pure } from './operations.ts'
import { isObject } from './telling.ts'
import { nameStream } from './web-streams.ts'

/** Requests and responses: a body can be taken once. Blobs never change. */

export const messagePrototypes = [globalThis.Request, globalThis.Response].map((type) => platformPrototype(type, 'clone'))

/** What gives the headers or the body of a request or response; undefined of anything else. */
function getterOf(message: object, name: 'headers' | 'body'): (() => unknown) | undefined {
  const prototype = messagePrototypes.find((one) => isInstance(message, one))
  const getter = prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get
  return getter && accepts(getter)(message) ? getter : undefined
}

/** That itself, as the program gets it. */
function partOf(execution: Execution, message: object, name: 'headers' | 'body'): object | undefined {
  const getter = getterOf(message, name)
  return getter && ((component(getter)(execution, message, [], 0, USED) ?? undefined) as object | undefined)
}

/** Looks at all that a request or response holds. */
export function lookAtMessage(execution: Execution, message: object, site: SiteId): void {
  lookAtState(execution, message, site)
  const headers = partOf(execution, message, 'headers')
  if (headers) readMultimap(execution, headers, site)
}

/** A request is made of another: it takes its body, if there is one. */
export function takeBody(execution: Execution, message: unknown, site: SiteId): void {
  if (isObject(message) && partOf(execution, message, 'body')) changeState(execution, message, site)
}

/** Requests and responses of whose bodies nothing real has a part: text, bytes, or a stream of the program's. */
const atHand = new WeakSet<object>()

/** A request or response was made, by a constructor of these: nobody else has its body. */
export function noticeBody(execution: Execution, message: object, given: readonly unknown[] = []): void {
  const body = partOf(execution, message, 'body')
  if (body) nameStream(execution, body, message)
  if (body === undefined || isAtHand(givenBody(message, given))) atHand.add(message)
}

/** Of a request it is among the options, of a response it comes first. */
function givenBody(message: object, [first, options]: readonly unknown[]): unknown {
  if (!isInstance(message, messagePrototypes[0])) return first
  return isObject(options) && !isProxy(options) ? Reflect.getOwnPropertyDescriptor(options, 'body')?.value : undefined
}

function isAtHand(body: unknown): boolean {
  if (!isObject(body)) return body !== undefined
  return ArrayBuffer.isView(body) || isBuffer(body) || (!isProxy(body) && [globalThis.URLSearchParams, globalThis.ReadableStream].some((type) => isInstance(body, type.prototype)))
}

/** Makes a request or response. @param isOfSuch whether nothing real has a part in its body, by what makes it */
const making = (isOfSuch: (receiver: unknown) => boolean): Operation => (native) => (execution, receiver, args) => {
  const message = named(execution, Reflect.apply(native, receiver, args as never[]))
  if (!isObject(message)) return message
  noticeBody(execution, message)
  if (isOfSuch(receiver)) atHand.add(message)
  return message
}

const makingOfText = making(() => true)
const makingOfSuch = making((receiver) => isObject(receiver) && atHand.has(receiver))

/** A copy has the headers as well. */
const cloning: Operation = (native) => (execution, receiver, args, site) => {
  if (!isObject(receiver)) return Reflect.apply(native, receiver, args as never[])
  changeState(execution, receiver, site)
  const headers = partOf(execution, receiver, 'headers')
  if (headers) readMultimap(execution, headers, site)
  return makingOfSuch(native)(execution, receiver, args, site, USED)
}

/** Node reads what is in a `Blob` in ticks and turns of the event loop, and a body may be one. */
const inTurns = (operation: Operation): Operation => (native) => {
  const run = operation(native)
  return (execution, receiver, ...call) => {
    if (!isObject(receiver) || !atHand.has(receiver)) execution.foreign.started()
    return run(execution, receiver, ...call)
  }
}

/** Of a body of no more bytes whoever has sent it waits for nobody to take it. */
const mostSentAtOnce = 16 * 1024

const getHeader = globalThis.Headers?.prototype.get

/** Whether it is a response that was sent as a whole, as far as its headers tell. */
function isSentAtOnce(message: unknown): boolean {
  const getter = isObject(message) && isInstance(message, messagePrototypes[1]) ? getterOf(message, 'headers') : undefined
  if (!getter) return false
  const length = Reflect.apply(getHeader, Reflect.apply(getter, message, []) as Headers, ['content-length'])
  return length !== null && +length <= mostSentAtOnce
}

/** Takes all of a body, which has been sent by the time that a response is there unless it is large. */
const taking: Operation = (native) => {
  const take = inTurns(changes)(native)
  return (execution, receiver, ...call) => {
    const result = take(execution, receiver, ...call)
    if (isObject(result) && isSentAtOnce(receiver)) isUnderWay(result)
    return result
  }
}

const ofMessages = { ...each(['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData'], taking), clone: cloning }

export const bodies: readonly Family[] = [
  ...messagePrototypes.map((holder) => ({
    holder,
    methods: ofMessages,
    getters: { bodyUsed: looks, body: looks, headers: component, signal: component },
  })),
  { holder: globalThis.Blob?.prototype, methods: { ...each(['text', 'arrayBuffer', 'bytes', 'stream'], inTurns(pure)), slice: pure } },
  { holder: globalThis.Response, methods: each(['json', 'error', 'redirect'], makingOfText) },
]
