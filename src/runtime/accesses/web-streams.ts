import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { running } from '../execution/running.ts'

import { detach } from './detaching.ts'
import { isBuffer } from './bytes.ts'
import { each, type Family, type Operation } from './family.ts'
import { changeLinked, link } from './linked.ts'
import { named } from './operations.ts'
import { signalIn, whenAborted } from './signal-dependents.ts'
import { algorithmsTold, iterationTold, partsTold, takesFrom } from './stream-parts.ts'
import { isObject, seen } from './telling.ts'

/**
 * Streams of the web: a stream, its reader or writer and its controller are one location, that of what they have in common,
 * which Node keeps under a symbol. Where it cannot be found, all streams are one location.
 */
interface Inside {
  readonly stream?: object
  readonly started?: boolean
  readonly readable?: object
  readonly writable?: object
  readonly controller?: object
}

function insideOf(object: object): Inside | undefined {
  const key = Object.getOwnPropertySymbols(object).find((symbol) => symbol.description === 'kState')
  const inside: unknown = key && (object as Record<symbol, unknown>)[key]
  return isObject(inside) ? inside : undefined
}

/** Stands for all streams whose inside is not found. */
const anywhere = {}

/** Streams under construction: only their controllers are known to anybody. */
let constructing = 0

/** What a stream, and all that belongs to it, has in common. */
function commonOf(execution: Execution, object: object): object {
  const own = insideOf(object)
  const common = own?.stream ? insideOf(own.stream) : own
  const isNew = constructing > 0 && own?.stream !== undefined && own.started !== true
  return nameCommon(execution, common ?? anywhere, { isNew })
}

function nameCommon(execution: Execution, common: object, { isNew }: { isNew: boolean }): object {
  const { identities } = execution
  if (isNew) identities.made(common)
  else if (!identities.has(common)) identities.assign(common, identities.named('any web stream'))
  return common
}

/** The stream belongs to an object that this execution made, and has its name from that. */
export function nameStream(execution: Execution, stream: object, owner: object): void {
  const common = insideOf(stream)
  if (common && execution.identities.age(owner) === 'of this execution') execution.identities.derive(common, `stream of ${execution.identities.of(owner)}`)
}

/** Both sides of what transforms, by the platform's class or any object with two sides. */
function sidesOf(execution: Execution, object: object): object[] {
  const { readable, writable } = object as Inside
  return [object, readable, writable].filter(isObject).filter(insideOf).map((side) => commonOf(execution, side))
}

const streamClasses = (): object[] => [globalThis.ReadableStream, globalThis.WritableStream, globalThis.TransformStream].filter(isObject)

const isStreamClass = (constructor: unknown): boolean => streamClasses().includes(constructor as never)

/** Constructs a stream: what it has in common gets its name from the step that makes it. */
export function constructingStream<T extends object>(execution: Execution, { maker, args }: { readonly maker: unknown; readonly args: unknown[] }, make: (args: unknown[]) => T): T {
  if (!isStreamClass(maker)) return extendsStream(maker) ? workTold(make(args)) : make(args)
  constructing++
  try {
    let stream: object | undefined
    const made = make(isObject(args[0]) ? [partsTold(args[0], () => changesNow(stream)), ...args.slice(1)] : args)
    stream = made
    const { readable, writable } = (insideOf(made) ?? {}) as Inside
    const parts = [made, readable, writable].filter(isObject).map((part) => nameCommon(execution, insideOf(part) ?? anywhere, { isNew: true }))
    if (parts.length > 1) link(parts)
    return made
  } finally {
    constructing--
  }
}

const extendsStream = (constructor: unknown): boolean => streamClasses().some((one) => Object.prototype.isPrototypeOf.call(one, constructor as object))

/** What a class makes that extends one of a stream: `super` has handed the source or the sink to Node, which keeps what it has made of it. */
function workTold<T extends object>(made: T): T {
  const { readable, writable } = (insideOf(made) ?? {}) as Inside
  for (const stream of [made, readable, writable]) {
    const { controller } = ((isObject(stream) && insideOf(stream)) || {}) as Inside
    const kept = controller && insideOf(controller)
    if (kept) algorithmsTold(kept, () => changesNow(stream))
  }
  return made
}

/** The running step changes the stream, without a call of its own that says so. */
function changesNow(stream: object | undefined): void {
  if (running !== null && stream) changeStream(running, stream, running.call?.site ?? 0)
}

/** Makes a stream of what can be iterated over. */
const from: Operation = (native) => (execution, receiver, args) => {
  let stream: unknown
  const given = isObject(args[0]) ? [iterationTold(args[0], () => isObject(stream) && changesNow(stream)), ...args.slice(1)] : args
  stream = named(execution, Reflect.apply(native, receiver, given as never[]))
  if (isObject(stream)) nameCommon(execution, insideOf(stream) ?? anywhere, { isNew: true })
  return stream
}

/** Takes from a stream, puts into it, or changes who may. */
const change: Operation = (native) => (execution, receiver, args, site) => {
  if (!isObject(receiver)) return Reflect.apply(native, receiver, args as never[])
  changeStream(execution, receiver, site)
  return named(execution, Reflect.apply(native, receiver, args as never[]))
}

/** The same with a view whose buffer is handed over. */
const takeOver: Operation = (native) => {
  const changing = change(native)
  return (execution, receiver, args, site, use) => {
    const [view] = args
    const buffer: unknown = ArrayBuffer.isView(view) ? view.buffer : undefined
    // The platform hands over buffers of its own as well, which nobody has come across.
    if (isBuffer(buffer) && execution.identities.isOwn(buffer)) detach(execution, buffer, site)
    return changing(execution, receiver, args, site, use)
  }
}

function changeStream(execution: Execution, object: object, site: SiteId): void {
  const common = commonOf(execution, object)
  beforeStreamChanges(execution, common, insideOf(object)?.stream ?? object)
  changeLinked(execution, common, site)
}

/** What waits in a stream that is older nobody can put back. */
function beforeStreamChanges(execution: Execution, common: object, stream: object): void {
  const { identities, journal } = execution
  if (identities.age(common) === 'of this execution') return
  if (identities.age(common) === 'older' || identities.age(stream) === 'older') journal.state(stream, { isOlder: true })
}

const look: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) seen(execution, commonOf(execution, receiver), STATE, site, undefined)
  return Reflect.apply(native, receiver, args as never[])
}

/** Data flows between this stream, what the call is given and what it returns. */
const connect: Operation = (native) => (execution, receiver, args, site) => {
  if (!isObject(receiver)) return Reflect.apply(native, receiver, args as never[])
  const own = commonOf(execution, receiver)
  link([own, ...args.slice(0, 1).filter(isObject).flatMap((arg) => sidesOf(execution, arg))])
  beforeStreamChanges(execution, own, receiver)
  changeLinked(execution, own, site)
  whenAborted(execution, signalIn(args[1]), () => changeLinked(execution, own, site))
  const result: unknown = named(execution, Reflect.apply(native, receiver, args as never[]))
  if (!Array.isArray(result)) return result
  // The branches of `tee`.
  const branches = (result as object[]).map((branch) => nameCommon(execution, insideOf(named(execution, branch)) ?? anywhere, { isNew: true }))
  link([own, ...branches])
  return result
}

/** An iterator that takes from the stream. */
const iterate: Operation = (native) => (execution, receiver, args, site) => {
  const iterator = named(execution, Reflect.apply(native, receiver, args as never[])) as AsyncIterator<unknown>
  if (!isObject(receiver)) return iterator
  changeStream(execution, receiver, site)
  takesFrom(iterator, () => changesNow(receiver))
  return iterator
}

const prototypeOf = (name: string): object | undefined => (globalThis as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype

const readers = ['ReadableStreamDefaultReader', 'ReadableStreamBYOBReader']
const controllers = [
  'ReadableStreamDefaultController', 'ReadableByteStreamController', 'WritableStreamDefaultController', 'TransformStreamDefaultController',
]

export const webStreams: readonly Family[] = [
  { holder: globalThis.ReadableStream as object | undefined, methods: { from } },
  {
    holder: prototypeOf('ReadableStream'),
    methods: { ...each(['cancel', 'getReader'], change), ...each(['tee', 'pipeTo', 'pipeThrough'], connect), ...each(['values', Symbol.asyncIterator], iterate) },
    getters: { locked: look },
    isWatched: true,
  },
  { holder: prototypeOf('WritableStream'), methods: each(['abort', 'close', 'getWriter'], change), getters: { locked: look }, isWatched: true },
  ...readers.map((name) => ({ holder: prototypeOf(name), methods: { ...each(['releaseLock', 'cancel'], change), read: name === 'ReadableStreamBYOBReader' ? takeOver : change }, getters: { closed: look }, isWatched: true })),
  {
    holder: prototypeOf('WritableStreamDefaultWriter'),
    methods: each(['abort', 'close', 'releaseLock', 'write'], change),
    getters: each(['closed', 'desiredSize', 'ready'], look),
    isWatched: true,
  },
  ...controllers.map((name) => ({
    holder: prototypeOf(name),
    methods: { ...each(['close', 'enqueue', 'error', 'terminate'], change), ...(name === 'ReadableByteStreamController' && { enqueue: takeOver }) },
    getters: each(['desiredSize', 'byobRequest'], look),
    isWatched: true,
  })),
]
