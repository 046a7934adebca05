import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Undo } from './undo.ts'

/** Where Node's EventEmitter keeps its listeners. */
export interface NodeEmitter {
  _events: Record<PropertyKey, unknown> | undefined
  _eventsCount: number
  _maxListeners?: number | undefined
}

type Listener = (this: unknown, ...args: any[]) => any

/** Under this Node counts on the list of an event how many emissions go through it: then it is copied before it changes. Older ones copy it for each emission. */
const counting = countingSymbol()

function countingSymbol(): symbol | undefined {
  const events = globalThis.process?.getBuiltinModule?.('node:events')
  if (!events) return undefined
  const emitter = new events().on('event', () => {}).on('event', () => {}) as unknown as NodeEmitter
  return Object.getOwnPropertySymbols(emitter._events!.event)[0]
}

/** Several listeners of an event, as Node keeps them. */
function nodesList(listeners: readonly unknown[]): unknown[] {
  const list = [...listeners]
  if (counting) Reflect.set(list, counting, 0)
  return list
}

/** The events that somebody listens to. */
export function eventsWithListeners(emitter: Partial<NodeEmitter>): PropertyKey[] {
  return Reflect.ownKeys(emitter._events ?? {})
}

/** What Node makes with an emitter or a stream, and keeps its state in. */
export const nodesPartsOf = (emitter: object): object[] =>
  ['_events', '_readableState', '_writableState'].map((name) => Reflect.getOwnPropertyDescriptor(emitter, name)?.value as unknown).filter((part) => typeof part === 'object' && part !== null)

/** Listeners of an emitter as they are going to be put back. */
interface Saved {
  readonly lists: Map<PropertyKey, readonly unknown[]>
  /** Of all events, not only of those that have had listeners. */
  readonly isWhole: boolean
}

const savedOf = new WeakMap<NodeEmitter, Set<Saved>>()

function listOf(emitter: NodeEmitter, event: PropertyKey): readonly unknown[] {
  const listeners = emitter._events?.[event]
  return Array.isArray(listeners) ? [...(listeners as unknown[])] : listeners === undefined ? [] : [listeners]
}

function keep(emitter: NodeEmitter, events: readonly PropertyKey[], { isWhole }: { isWhole: boolean }): Saved {
  const saved = { lists: new Map(events.map((event) => [event, listOf(emitter, event)])), isWhole }
  const all = savedOf.get(emitter)
  if (all) all.add(saved)
  else savedOf.set(emitter, new Set([saved]))
  return saved
}

const { EventEmitter } = globalThis.process?.getBuiltinModule?.('node:events') ?? {}

/** What stands for a listener that is called once knows for ever that it was called: another one takes its place. */
function toBeCalled(emitter: NodeEmitter, event: PropertyKey, standing: unknown): unknown {
  const once = EventEmitter?.prototype.once
  if (!once || typeof standing !== 'function' || !('listener' in standing) || typeof standing.listener !== 'function' || !isOfNode(standing)) return standing
  let made: unknown = standing
  const own = Object.getOwnPropertyDescriptor(emitter, 'on')
  // It is made with the emitter, which hands it to its `on`.
  if (!Reflect.defineProperty(emitter, 'on', { value: (_: unknown, wrapped: unknown) => void (made = wrapped), configurable: true, writable: true })) return standing
  try {
    Reflect.apply(once, emitter, [event, standing.listener])
  } finally {
    if (own) Object.defineProperty(emitter, 'on', own)
    else Reflect.deleteProperty(emitter, 'on')
  }
  return made
}

const isOfNode = (standing: object): boolean => Reflect.get(standing, 'name') === 'bound onceWrapper'

/** The listeners of some events become others, in the order of events that was. */
function putBack(emitter: NodeEmitter, saved: Saved, order: readonly PropertyKey[]): void {
  savedOf.get(emitter)?.delete(saved)
  const now: Record<PropertyKey, unknown> = saved.isWhole ? {} : { ...emitter._events }
  for (const [event, before] of saved.lists) {
    const heard = listOf(emitter, event)
    const list = before.map((listener) => (heard.includes(listener) ? listener : toBeCalled(emitter, event, listener)))
    if (list.length === 0) delete now[event]
    else now[event] = list.length === 1 ? list[0] : nodesList(list)
  }
  const events = Object.create(null) as Record<PropertyKey, unknown>
  for (const event of new Set([...order, ...Reflect.ownKeys(now)])) if (event in now) events[event] = now[event]
  emitter._events = events
  emitter._eventsCount = Reflect.ownKeys(events).length
}

/** All listeners, and how many there may be before Node warns. */
export function saveEmitter(emitter: NodeEmitter): Undo {
  const limit = Object.getOwnPropertyDescriptor(emitter, '_maxListeners')
  const order = eventsWithListeners(emitter)
  const saved = keep(emitter, order, { isWhole: true })
  return () => {
    putBack(emitter, saved, order)
    if (limit) Object.defineProperty(emitter, '_maxListeners', limit)
    else delete emitter._maxListeners
  }
}

/** The listeners of one event; those of others may have been changed meanwhile by who does not belong to the execution. */
export function saveListeners(emitter: NodeEmitter, event: PropertyKey): Undo {
  const order = eventsWithListeners(emitter)
  const saved = keep(emitter, [event], { isWhole: false })
  return () => putBack(emitter, saved, order)
}

const changing = new Set<NodeEmitter>()

/**
 * Listeners are going to change by a call that is not of the execution, as a pool listens to those of its clients that nobody has. What is put back after the execution
 * has that change. Returns what to call then.
 */
export function changesOutside(emitter: NodeEmitter): (() => void) | undefined {
  const all = savedOf.get(emitter)
  if (!all?.size || changing.has(emitter)) return undefined
  changing.add(emitter)
  const before = new Map(eventsWithListeners(emitter).map((event) => [event, listOf(emitter, event)]))
  return () => {
    changing.delete(emitter)
    for (const event of new Set([...before.keys(), ...eventsWithListeners(emitter)])) {
      const change = { before: before.get(event) ?? [], after: listOf(emitter, event) }
      for (const { lists, isWhole } of all) if (isWhole || lists.has(event)) lists.set(event, changed(lists.get(event) ?? [], change))
    }
  }
}

/** A list of listeners after the same change as that of another one. */
function changed(list: readonly unknown[], { before, after }: { readonly before: readonly unknown[]; readonly after: readonly unknown[] }): readonly unknown[] {
  const added = without(after, before)
  const kept = without(list, without(before, after))
  const isFirst = before.length > 0 && after[0] !== before[0] && after.at(-1) === before.at(-1)
  return isFirst ? [...added, ...kept] : [...kept, ...added]
}

/** What is in one list and not in another, as often as it is there more. Of equal ones the last goes first, as when a listener is removed. */
function without(list: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const rest = [...list]
  for (const other of others) {
    const index = rest.lastIndexOf(other)
    if (index >= 0) rest.splice(index, 1)
  }
  return rest
}

/** Puts other listeners in the place of those of an emitter, and tells nobody. Not of those that are called once. */
export function replaceListeners(emitter: NodeEmitter, other: (event: PropertyKey, listener: Listener) => Listener): void {
  const replaced = (event: PropertyKey, listener: Listener): Listener => ('listener' in listener ? listener : other(event, listener))
  for (const event of eventsWithListeners(emitter)) {
    const listeners = emitter._events![event] as Listener | Listener[] | undefined
    // Node prepares for some events.
    if (listeners !== undefined) emitter._events![event] = Array.isArray(listeners) ? nodesList(listeners.map((listener) => replaced(event, listener))) : replaced(event, listeners)
  }
}
