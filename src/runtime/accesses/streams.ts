import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isDecidedBy } from '../events/arrivals.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstance } from '../execution/proxies.ts'
import { running } from '../execution/running.ts'
import { nameChunk } from './bytes.ts'
import { each, type Family, type Operation } from './family.ts'
import type { Fn } from './handler.ts'
import { changeLinked, link } from './linked.ts'
import { lookAtState, named } from './operations.ts'
import { isCallOfThing } from './calls-of-things.ts'
import { heldBack } from './real-callbacks.ts'
import { resultTold, takesFrom } from './stream-parts.ts'
import { isThing, leadsOutside, thingsOfCall } from './real-things.ts'
import { isObject } from './telling.ts'
import { isIterator } from './walks.ts'
import { asPart } from './watching.ts'

/** Node's streams: one location for each, which everything but a look changes. Streams that are piped change together. */

type StreamModule = typeof import('node:stream')

const module = globalThis.process?.getBuiltinModule?.('node:stream') as unknown as StreamModule | undefined
const promises = globalThis.process?.getBuiltinModule?.('node:stream/promises') as unknown as object | undefined
const prototypes = module ? [module.Readable.prototype, module.Writable.prototype, module.Duplex.prototype, module.Transform.prototype] : []

/** Where the stream is a socket or its like, whoever is at its other end gets to know. */
const sending = ['destroy', 'read', 'pipe', 'resume', 'write', 'uncork', 'end']
const changing = [
  'push', 'unshift', 'setEncoding', 'unpipe', 'pause', 'wrap', 'compose',
  'on', 'addListener', 'removeListener', 'off', 'removeAllListeners', 'cork', 'setDefaultEncoding',
  'asIndexedPairs', 'drop', 'filter', 'flatMap', 'map', 'take', 'every', 'forEach', 'reduce', 'toArray', 'some', 'find',
]
const nativeChanges = prototypes.flatMap((prototype) => ['push', 'unshift', 'read', 'write', 'end', 'destroy'].map((name) => Reflect.get(prototype, name) as unknown))

const isStream = (value: unknown): value is object => isInstance(value, module?.Stream.prototype)

/** By the functions that Node gives to `_write` of a stream, to be called when that is done. */
const written = new WeakMap<object, object>()

function knowWritten(stream: object): void {
  const state: unknown = isInstance(stream, module?.Writable.prototype) || isInstance(stream, module?.Duplex.prototype) ? Reflect.get(stream, '_writableState') : undefined
  const done: unknown = isObject(state) ? Reflect.get(state, 'onwrite') : undefined
  if (typeof done === 'function') written.set(done, stream)
}

/** Whether this is such a function: what it does then is known. */
export function endsWrite(execution: Execution, fn: object, site: SiteId): boolean {
  const stream = written.get(fn)
  if (stream) changeStream(execution, stream, site)
  return stream !== undefined
}

/** What flows between streams does so in ticks after the call. */
function changeStream(execution: Execution, stream: object, site: SiteId): void {
  knowWritten(stream)
  changeLinked(execution, stream, site)
  execution.goesOnInTicks()
}

/** The running step changes the stream, without a call of its own that says so. */
function changesNow(stream: object | undefined): void {
  if (running !== null && stream) changeStream(running, stream, running.call?.site ?? 0)
}

/** Each event of a stream shows that its state has changed. */
export function emitted(execution: Execution, emitter: object, args: readonly unknown[], site: SiteId): void {
  if (!isStream(emitter)) return
  changeStream(execution, emitter, site)
  for (const arg of args) nameChunk(execution, arg)
}

/** Everything that has to do with the flow of data; what it calls of the same stream is part of it. */
const change: Operation = (native) => (execution, receiver, args, site) => {
  const run = (): unknown => asPart({ receiver, parts: nativeChanges }, () => Reflect.apply(native, receiver, args as never[]))
  if (!isStream(receiver)) return run()
  if (isStream(args[0])) link([receiver, args[0]])
  changeStream(execution, receiver, site)
  const result = run()
  nameChunk(execution, result)
  // `map` and its like give a stream that takes from this one.
  if (isStream(result) && result !== receiver && result !== args[0]) link([receiver, named(execution, result)])
  return result
}

/** An iterator that takes from the stream. */
const iterate: Operation = (native) => {
  const flow = change(native)
  return (execution, receiver, args, site, use) => {
    const iterator = flow(execution, receiver, args, site, use) as AsyncIterator<unknown>
    if (isStream(receiver)) takesFrom(iterator, () => changesNow(receiver))
    return iterator
  }
}

const send = (name: string): Operation => (native) => {
  const flow = change(native)
  return (execution, receiver, args, site) => {
    for (const thing of [receiver, args[0]]) isCallOfThing(execution, thing)
    const isOutside = isThing(receiver) && leadsOutside(receiver)
    return flow(execution, receiver, isOutside ? heldBack(execution, native, { receiver, args, name }, site) : args, site)
  }
}

const look: Operation = (native) => (execution, receiver, args, site) => {
  if (isStream(receiver)) lookAtState(execution, receiver, site)
  return Reflect.apply(native, receiver, args as never[])
}

/** They take their streams in one array as well. */
const pipelines: ReadonlySet<unknown> = new Set([module?.pipeline, promises && Reflect.get(promises, 'pipeline')])

/** A function of the module that makes data flow between what it is given and what it returns. */
const connecting: Operation = (native) => (execution, receiver, args, site) => {
  const given = args.flat().filter((arg) => isStream(arg) || isIterator(arg)) as object[]
  const handed = execution.foreign.mayBeInvolved ? heldBack(execution, native, { receiver, args }, site) : args
  let all: readonly object[] = given
  const changed = (): void => changesNow(all[0])
  const told = (arg: unknown): unknown => (pipelines.has(native) && Array.isArray(arg) ? arg.map(told) : typeof arg === 'function' ? resultTold(arg as Fn, changed) : arg)
  const result: unknown = Reflect.apply(native, receiver, handed.map(told) as never[])
  if (isObject(result) && isPromise(result)) isDecidedBy(result, () => thingsOfCall(receiver, args))
  all = isStream(result) && !given.includes(result) ? [...given, named(execution, result)] : given
  link(all)
  if (all.length > 0) changeStream(execution, all[0]!, site)
  return result
}

const gettersOf = (prototype: object): string[] =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { get }]) => (get ? [name] : []))

const functions = each(['pipeline', 'compose', 'finished', 'addAbortSignal'], connecting)

export const streams: readonly Family[] = [
  ...prototypes.map((holder) => ({ holder, methods: { ...each(changing, change), ...each(['iterator', Symbol.asyncIterator], iterate), ...Object.fromEntries(sending.map((name) => [name, send(name)])) }, isWatched: true })),
  ...prototypes.map((holder) => ({ holder, methods: { isPaused: look }, getters: each(gettersOf(holder), look) })),
  { holder: module as object | undefined, methods: functions, isWatched: true },
  { holder: promises, methods: functions, isWatched: true },
  ...(module ? [module.Readable, module.Duplex] : []).map((holder) => ({ holder, methods: each(['from', 'fromWeb', 'toWeb'], connecting) })),
]

