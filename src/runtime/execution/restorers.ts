import { Object, Reflect } from '../../engine/intrinsics.ts'
import { eventTargetPrototypes } from './event-target-classes.ts'
import { platformPrototype } from './extended-classes.ts'
import { isInstrumented } from './instrumented.ts'
import { saveEmitter } from './saved-listeners.ts'
import { undoUnless, type Undo } from './undo.ts'
import { inherits } from './values.ts'

/**
 * How the state inside a built-in is put back. Each restorer takes what there is now and returns what brings it back. They call the platform's own functions, never an override of the user's.
 *
 * What no function shows cannot be put back: what waits in streams, the bytes that a TextDecoder waits with, the body of a Request or
 * Response, positions of iterators, and the listeners of an EventTarget that is not Node's.
 */
interface Restorer {
  readonly matches: (object: object) => boolean
  readonly save: (object: any) => Undo
}

type Method = (this: unknown, ...args: any[]) => any

const isOf = (constructor: unknown) => (object: object): boolean => typeof constructor === 'function' && object instanceof constructor

/** The platform's own method of a class. */
function own(constructor: unknown, name: string): Method {
  return (constructor as { prototype: Record<string, Method> } | undefined)?.prototype[name] ?? (() => undefined)
}

/** The URLs of the parameters that are a part of one. */
const urls = new WeakMap<object, URL>()

/** The parameters are those of the URL: putting them back is putting back its text. */
export function belongsTo(parameters: URLSearchParams, url: URL): void {
  urls.set(parameters, url)
}

const href = Object.getOwnPropertyDescriptor(platformPrototype(globalThis.URL, 'href') ?? {}, 'href')!
const { AbortSignal: Signal } = globalThis
const aborted = Signal && Object.getOwnPropertyDescriptor(Signal.prototype, 'aborted')!
const setTime = own(Date, 'setTime')
const getTime = own(Date, 'getTime')

function saveURL(url: URL): Undo {
  const before: string = Reflect.apply(href.get!, url, [])
  return () => Reflect.apply(href.set!, url, [before])
}

const isSameList = (now: readonly [string, unknown][], before: readonly [string, unknown][]): boolean =>
  now.length === before.length && now.every(([name, value], i) => name === before[i]![0] && value === before[i]![1])

/** Names with their values, in order: parameters of a URL, headers, the fields of a form. */
function fields(constructor: unknown): Restorer {
  const [entries, remove, append] = ['entries', 'delete', 'append'].map((name) => own(constructor, name)) as [Method, Method, Method]
  const listed = (object: object): [string, unknown][] => [...Reflect.apply(entries, object, [])]
  return {
    matches: isOf(constructor),
    save(object: object) {
      const url = urls.get(object)
      if (url) return saveURL(url)
      const before = listed(object)
      return () => {
        // Those of a response that nobody may change refuse to be put back as well.
        if (isSameList(listed(object), before)) return
        for (const name of new Set(listed(object).map(([present]) => present))) Reflect.apply(remove, object, [name])
        for (const [name, value] of before) Reflect.apply(append, object, [name, value])
      }
    },
  }
}

const { MIMEType, MIMEParams } = (globalThis.process?.getBuiltinModule?.('node:util') ?? {}) as Partial<typeof import('node:util')>

/** Parameters of a media type, of which each has one value. */
function saveParameters(parameters: import('node:util').MIMEParams): Undo {
  const [entries, remove, set] = ['entries', 'delete', 'set'].map((name) => own(MIMEParams, name)) as [Method, Method, Method]
  const listed = (): [string, string][] => [...(Reflect.apply(entries, parameters, []) as Iterable<[string, string]>)]
  const before = listed()
  return () => {
    for (const [name] of listed()) Reflect.apply(remove, parameters, [name])
    for (const [name, value] of before) Reflect.apply(set, parameters, [name, value])
  }
}

function saveMediaType(media: import('node:util').MIMEType): Undo {
  const saved = (['type', 'subtype'] as const).map((name) => {
    const { get, set } = Object.getOwnPropertyDescriptor(MIMEType!.prototype, name)!
    const before: unknown = Reflect.apply(get!, media, [])
    return (): unknown => Reflect.apply(set!, media, [before])
  })
  return () => saved.forEach((put) => put())
}

const statesOfStreams = ['_readableState', '_writableState']
const isStream = (object: object): boolean => statesOfStreams.some((name) => name in object)
const streamModule = globalThis.process?.getBuiltinModule?.('node:stream')
const streamPrototypes = new Set<object | null>(streamModule && [streamModule.Readable, streamModule.Writable, streamModule.Duplex, streamModule.Transform, streamModule.PassThrough].map(({ prototype }) => prototype))

/** A stream that keeps nothing where nobody sees it but what waits in it: of one of these classes, or of one of the program that extends one of them. */
function isPlainStream(object: object): boolean {
  for (let prototype = Reflect.getPrototypeOf(object); prototype; prototype = Reflect.getPrototypeOf(prototype)) {
    if (streamPrototypes.has(prototype)) return true
    const constructor: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    if (typeof constructor !== 'function' || !isInstrumented(constructor)) return false
  }
  return false
}

/** What waits in a stream is not put back. Where nothing did, and nothing does, it is as it was. */
function saveStream(stream: object): Undo {
  const listeners = saveEmitter(stream as Parameters<typeof saveEmitter>[0])
  const before = flagsOf(stream)
  const isAnother = (): boolean => {
    const now = flagsOf(stream)
    return before === undefined || now?.length !== before.length || !now.every((value, i) => value === before[i])
  }
  return undoUnless(isAnother, listeners)
}

/** Undefined where something waits. */
function flagsOf(stream: object): readonly unknown[] | undefined {
  const states = statesOfStreams.map((name) => Reflect.get(stream, name) as Readonly<Record<PropertyKey, unknown>> | null | undefined).filter((state) => typeof state === 'object' && state !== null)
  if (states.some(({ length, decoder }) => length !== 0 || (decoder !== null && decoder !== undefined))) return undefined
  return states.flatMap((state) => Reflect.ownKeys(state).map((key) => state[key]).filter((value) => typeof value === 'number' || typeof value === 'boolean'))
}

const restorers: Restorer[] = [
  {
    matches: isOf(Date),
    save(date: Date) {
      const time: number = Reflect.apply(getTime, date, [])
      return () => Reflect.apply(setTime, date, [time])
    },
  },
  { matches: isOf(globalThis.URL), save: saveURL },
  fields(globalThis.URLSearchParams),
  fields(globalThis.Headers),
  fields(globalThis.FormData),
  { matches: isOf(MIMEParams), save: saveParameters },
  { matches: isOf(MIMEType), save: saveMediaType },
  {
    matches: (object) => eventTargetPrototypes.some((prototype) => inherits(object, prototype)) && listenersIn(object) !== undefined,
    save: saveTarget,
  },
  { matches: (object) => isChannel(object), save: saveChannel },
  { matches: (object) => '_events' in object && !isStream(object), save: saveEmitter },
  { matches: (object) => '_events' in object && isPlainStream(object), save: saveStream },
]

/** What puts the state of an object back as it is now; undefined where that cannot be done. */
export function saveState(object: object): Undo | undefined {
  return restorers.find(({ matches }) => matches(object))?.save(object)
}

// Channels of node:diagnostics_channel ------------------------------------------------------------

/** Where a channel keeps who hears of it, if anybody does. */
interface Channel {
  readonly _subscribers: readonly unknown[] | undefined
  readonly _stores: ReadonlyMap<unknown, unknown> | undefined
  subscribe(subscriber: unknown): void
  unsubscribe(subscriber: unknown): void
  bindStore(store: unknown, transform: unknown): void
  unbindStore(store: unknown): void
}

export const isChannel = isOf(globalThis.process?.getBuiltinModule?.('node:diagnostics_channel').Channel)

function saveChannel(channel: Channel): Undo {
  const heard = (): { readonly subscribers: readonly unknown[]; readonly stores: readonly (readonly [unknown, unknown])[] } => ({ subscribers: [...(channel._subscribers ?? [])], stores: [...(channel._stores ?? [])] })
  const before = heard()
  return () => {
    const { subscribers, stores } = heard()
    for (const subscriber of subscribers) channel.unsubscribe(subscriber)
    for (const [store] of stores) channel.unbindStore(store)
    for (const subscriber of before.subscribers) channel.subscribe(subscriber)
    for (const [store, transform] of before.stores) channel.bindStore(store, transform)
  }
}

// Node's EventTarget ---------------------------------------------------------------------------

/** A listener of Node's EventTarget, in a chain that starts at the entry for its type. */
interface TargetListener {
  next: TargetListener | undefined
  previous: unknown
  removed: boolean
}

interface TargetListeners {
  size: number
  next: TargetListener | undefined
}

/** The listeners by type, of which newer versions of Node make no Map before there is one; undefined where they are kept otherwise. */
function listenersIn(target: object): Map<string, TargetListeners> | undefined {
  const key = Object.getOwnPropertySymbols(target).find((symbol) => symbol.description === 'kEvents')
  const events: unknown = key && (target as Record<symbol, unknown>)[key]
  if (key && events === undefined) return new Map()
  return isMap(events) ? events : undefined
}

/** All own fields of an EventTarget have symbols for names: its listeners, and whether a signal is aborted. */
function saveTarget(target: object): Undo {
  const parts = Object.getOwnPropertySymbols(target).map((key) => [key, Object.getOwnPropertyDescriptor(target, key)!] as const)
  const handlers = parts.flatMap(([key, { value }]) => (key.description === 'kHandlers' && isMap(value) ? [[value, entriesOf(value)] as const] : []))
  const chains = entriesOf(listenersIn(target)!).map(([type, root]) => [type, root, chainOf(root)] as const)
  const isAborted = (): boolean => Signal !== undefined && target instanceof Signal && Boolean(Reflect.apply(aborted.get!, target, []))
  const wasAborted = isAborted()
  return undoUnless(() => isAborted() !== wasAborted, () => {
    for (const [key, before] of parts) Object.defineProperty(target, key, before)
    for (const [map, before] of handlers) replace(map, before)
    for (const [, root, chain] of chains) relink(root, chain)
    replace(listenersIn(target)!, chains.map(([type, root]) => [type, root]))
  })
}

const { entries: mapEntries, clear: mapClear, set: mapSet } = Map.prototype

/** Node's own Maps do not inherit from `Map.prototype`. */
function isMap(value: unknown): value is Map<any, any> {
  try {
    mapEntries.call(value as Map<unknown, unknown>)
    return true
  } catch {
    return false
  }
}

function entriesOf<K, V>(map: Map<K, V>): [K, V][] {
  return [...(mapEntries.call(map) as Iterable<[K, V]>)]
}

function replace(map: Map<unknown, unknown>, entries: Iterable<[unknown, unknown]>): void {
  mapClear.call(map)
  for (const [key, value] of entries) mapSet.call(map, key, value)
}

function chainOf(root: TargetListeners): TargetListener[] {
  const chain: TargetListener[] = []
  for (let listener = root.next; listener; listener = listener.next) chain.push(listener)
  return chain
}

function relink(root: TargetListeners, chain: readonly TargetListener[]): void {
  root.size = chain.length
  root.next = chain[0]
  for (const [i, listener] of chain.entries()) {
    listener.previous = i === 0 ? root : chain[i - 1]
    listener.next = chain[i + 1]
    listener.removed = false
  }
}
