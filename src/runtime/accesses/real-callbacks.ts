import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { Source, type Heard } from '../events/bursts.ts'
import { executionOf } from '../events/promise-cell.ts'
import { calleeAt } from '../events/answers.ts'
import { haveAddOns } from '../execution/add-on-work.ts'
import type { Execution } from '../execution/execution.ts'
import { entry } from '../execution/keys.ts'
import type { Process } from '../execution/process.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import { replaceListeners, type NodeEmitter } from '../execution/saved-listeners.ts'
import { classNameOf, functionName } from '../execution/values.ts'
import { followCall } from '../promises/platform-jobs.ts'
import { recordOfAny } from '../promises/promise-record.ts'
import { boundOf } from './bound.ts'
import { nameChunk } from './bytes.ts'
import { isComputation } from './computations.ts'
import { followToEnd, isLast, whenMissed } from './endings.ts'
import { listenerInTurn, listenerWaits, registeredInTurn, registersForPromise } from './event-promises.ts'
import type { Fn } from './handler.ts'
import { callInStep } from './calls-of-listeners.ts'
import { isSettling, kindOf } from './function-kinds.ts'
import { isOfOthers } from './listeners-of-others.ts'
import { listenerCount, listenersFor } from './listeners.ts'
import { isMock } from './mocks.ts'
import { isNative } from './native-results.ts'
import { lookAtState } from './operations.ts'
import { callsAtOnce, isThread, platformModuleFunctions } from './platform-modules.ts'
import { isOfPlatform, isRealTarget, isThing, leadsOutside, thingsBehind, thingsOfCall } from './real-things.ts'
import { seen } from './telling.ts'
import { doneUnheard } from './unheard-requests.ts'
import { bothOf, endsWait, readingWaits } from './waiting-connections.ts'

/** What stands for a function, with that. */
const held = new WeakMap<object, unknown>()

interface Held {
  readonly source: Source
  /** Of a listener. */
  readonly heard?: Heard | undefined
  /** What is behind a call, when it comes. */
  readonly things: () => readonly object[]
  readonly called?: (() => void) | undefined
  /** What the program itself has given. */
  readonly given?: readonly unknown[]
}

/** The function that is registered in the place of a callback: a call by something real waits for its turn. */
function hold(execution: Execution, callback: Fn, { source, heard, things, called, given = [] }: Held): Fn {
  const waits = calledByProgram(function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    called?.()
    if (execution.isLeft) return Reflect.apply(callback, this, args)
    if (execution.foreign.isClosed) return undefined
    if (running === execution) {
      followCall(execution)
      return Reflect.apply(callback, this, args)
    }
    const isAnswered = execution.foreign.loopback.answerToOthers(this, args)
    if (isAnswered) execution.foreign.asked(isAnswered)
    followHandedOver(execution, args)
    const show = execution.foreign.lateResponses.waits(this, args)
    const reads = readingWaits(execution, heard, args)
    const run = (): void => {
      show?.()
      reads?.()
      nameHandedOver(execution, args, given)
      followCall(execution)
      callInStep(execution, { fn: callback, receiver: this, args, site: source.site })
    }
    source.comes(things(), { run, args, emission: heard && { ...heard, args }, unheard: heard && doneUnheard(heard, args), isOver: bothOf(reads, endsWait(execution, heard, args)) })
    return undefined
  })
  Object.defineProperties(waits, { name: { value: functionName(callback), configurable: true }, length: { value: callback.length, configurable: true } })
  held.set(waits, callback)
  sources.set(waits, { execution, source })
  return waits
}

interface Sourced {
  readonly execution: Execution
  readonly source: Source
}

/** Of what is registered in the place of a callback, what calls it. */
const sources = new WeakMap<object, Sourced>()

/** The same of a callback that such a thing was given with what it is to send. */
const sending = new WeakMap<object, Sourced>()

/** What calls the program, as it waits for its turn, when this emits one of these events, or has sent what it was given. */
export function calledFor(thing: object, events: readonly string[]): Sourced | undefined {
  const listener = events.flatMap((event) => listenersFor(thing, event)).map(heldIn).find((one) => one !== undefined)
  const found = sending.get(thing) ?? (listener && sources.get(listener))
  return found?.execution.foreign.isClosed ? undefined : found
}

/** What is handed over may end before who gets it is called. */
function followHandedOver(execution: Execution, args: readonly unknown[]): void {
  for (const arg of args) if (isThing(arg)) followToEnd(execution, arg)
}

function nameHandedOver(execution: Execution, args: readonly unknown[], given: readonly unknown[] = []): void {
  for (const arg of args) if (!given.includes(arg)) nameNew(execution, arg)
}

/** What Node has made and gives to somebody for the first time: a connection, a request, its response, a chunk. That of one step is not that of another. */
function nameNew(execution: Execution, value: unknown): void {
  nameChunk(execution, value)
  if (!isThing(value) || execution.foreign.loopback.isOlder(value)) return
  execution.identities.made(value)
  nameNew(execution, Reflect.getOwnPropertyDescriptor(value, 'socket')?.value)
}

/** Functions of Node that answer later, once, by the callback that they are given. */
const answering = new Set<unknown>(
  ['node:fs', 'node:zlib', 'node:crypto', 'node:dns', 'node:child_process'].flatMap((name) => {
    const module = globalThis.process?.getBuiltinModule?.(name as 'node:fs') as Readonly<Record<string, unknown>> | undefined
    return Object.values(module ?? {}).filter((value) => typeof value === 'function')
  }),
)

/** The arguments of a function of the platform, its callbacks held back for calls that come from outside. */
export function heldBack(execution: Execution, fn: Fn, { receiver, args, name = fn.name }: { readonly receiver: unknown; readonly args: unknown[]; readonly name?: string }, site: SiteId): unknown[] {
  if (isNative(fn) || !args.some((arg) => isHeld(arg)) || !platformModuleFunctions().has(fn) || callsAtOnce(fn)) return args
  const isAlone = isComputation(fn)
  if (!isAlone) execution.outside.reach()
  const source = new Source(execution, nameOf(args) ?? name, site, { isAlone })
  const token = {}
  const isAnswer = answering.has(fn)
  if (name !== '') execution.events?.meets(name)
  if (isAnswer) execution.foreign.watch(token)
  else opened(execution)
  const called = (): void => void (isAnswer && execution.foreign.unwatch(token))
  const things = (): object[] => thingsOfCall(receiver, args)
  if (isThing(receiver) && (name === 'write' || name === 'end')) sending.set(receiver, { execution, source })
  return args.map((arg) => (isHeld(arg) ? hold(execution, arg, { source, things, called, given: args }) : arg))
}

/** The same of a function of a native add-on: it may call back at any time, and then does so outside any step. */
export function heldForAddOn(execution: Execution, fn: Fn, args: unknown[], site: SiteId): unknown[] {
  if (!haveAddOns || !args.some((arg) => isHeld(arg)) || !isNative(fn)) return args
  const callee = calleeAt(site, fn.name)
  const source = new Source(execution, nameOf(args) ?? callee, site, { isAlone: false })
  execution.outside.reach()
  execution.events?.meets(callee)
  opened(execution)
  return args.map((arg) => (isHeld(arg) ? hold(execution, arg, { source, things: () => [], given: args }) : arg))
}

function opened(execution: Execution): void {
  execution.foreign.opened()
  execution.accesses.meetsRealThings()
}

function isHeld(value: unknown): value is Fn {
  return typeof value === 'function' && !held.has(value as Fn) && !isClass(value) && kindOf(value as Fn) !== 'platform'
}

/** Nobody calls a class. */
function isClass(value: object): boolean {
  const fn = rawOf(value)
  return fn !== undefined && Reflect.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false
}

function nameOf(args: readonly unknown[]): string | undefined {
  return args.map((arg) => (typeof arg === 'function' ? arg.name : '')).find((name) => name !== '')
}

interface Listener {
  readonly event: unknown
  readonly listener: unknown
  readonly isOnce?: boolean
  /** It is told before those that are there. */
  readonly isFirst?: boolean
  /** It is older: who has registered it nobody knows. */
  readonly wasThere?: boolean
}

/** What is registered in the place of a listener. */
interface Version {
  readonly registered: Fn
  readonly heard: Heard
  /** By a step. */
  isRemoved: boolean
}

interface Listening {
  readonly execution: Execution
  readonly source: Source
  /** By listener and event. */
  readonly versions: Map<unknown, Map<unknown, Version>>
  /** The events of which a listener was put before those that were there. */
  readonly prepended: Set<unknown>
  /** Is called when something comes, while no step runs. */
  readonly comes?: () => void
}

const listening = new WeakMap<object, Listening>()

/** Whether the program listens to something that the platform emits. */
export const isListenedTo = (emitter: object): boolean => (listening.get(emitter)?.versions.size ?? 0) > 0

/** Whether a listener of what the platform emits is the program's, or of code that may call it, or settles a promise for it. Node has listeners of its own, by which everything goes on. */
function waitsForTurn(listener: Fn, wasThere: boolean): boolean {
  return kindOf(listener) === 'own' || boundOf(listener) !== undefined || isMock(listener) || isSettling(listener) || registersForPromise() || (!wasThere && isOfOthers(listener))
}

/** The listener to register with an emitter, or to remove: where the emitter is of the platform's own, one whose calls wait for their turn. */
export function heldListener(execution: Execution, emitter: object, { event, listener, isOnce = false, isFirst = false, wasThere = false }: Listener, site: SiteId): unknown {
  if (typeof listener !== 'function' || isHeldAlready(listener)) return listener
  if (!isOfPlatform(emitter)) return listenerInTurn(execution, listener as Fn, site)
  if (!waitsForTurn(listener as Fn, wasThere)) {
    followToEnd(execution, emitter)
    return listener
  }
  let known = listening.get(emitter)
  if (known?.execution !== execution) {
    known = { execution, source: new Source(execution, classNameOf(emitter), site, { isTarget: isRealTarget(emitter) }), versions: new Map(), prepended: new Set() }
    listening.set(emitter, known)
    followToEnd(execution, emitter)
    if (isRealTarget(emitter) || leadsOutside(emitter)) {
      opened(execution)
      execution.events?.meets(classNameOf(emitter))
    }
  }
  const { source, versions } = known
  const before = versions.get(listener)?.get(event)
  const version = before ?? makeVersion(known, { emitter, event, listener: listener as Fn })
  version.isRemoved = false
  if (!isOnce || !before) version.heard.once = isOnce ? listener : undefined
  if (isFirst) known.prepended.add(event)
  listenerWaits()
  // Who has missed a last event is told of it anyway.
  const isTold = !isLast(event) && source.listens(version.heard, { isOnce, isFirst }, (args) => {
    followCall(execution)
    Reflect.apply(listener as Fn, emitter, args)
  })
  // What has come might have been told before.
  if (!isTold) source.registered()
  return isTold && isOnce ? spent(execution, version, listener as Fn) : version.registered
}

/** Whether a listener waits for its turn; also in what Node makes of one that is called once. */
export const isHeldAlready = (listener: object): boolean => heldIn(listener) !== undefined

/** What waits for its turn there. */
function heldIn(listener: object): object | undefined {
  if (held.has(listener)) return listener
  const inner: unknown = isProxy(listener) ? undefined : Reflect.getOwnPropertyDescriptor(listener, 'listener')?.value
  return typeof inner === 'function' && held.has(inner) ? inner : undefined
}

function makeVersion({ execution, source, versions, comes: called }: Listening, { emitter, event, listener }: { readonly emitter: object; readonly event: unknown; readonly listener: Fn }): Version {
  const heard: Heard = { emitter, event, look: () => lookAtListeners(execution, emitter, event, source.site), isWanted: () => !version.isRemoved }
  const version: Version = { registered: hold(execution, listener, { source, heard, things: () => thingsBehind(emitter, event), called }), heard, isRemoved: false }
  const ofListener = versions.get(listener) ?? new Map<unknown, Version>()
  versions.set(listener, ofListener.set(event, version))
  return version
}

/** Nobody is told of an event yet: it waits for its turn, as somebody may listen to it by then. */
function waitsUnheard(execution: Execution, emitter: object, event: unknown, args: readonly unknown[]): void {
  const known = listening.get(emitter)
  if (known?.execution !== execution) return
  const { source, comes } = known
  comes?.()
  followHandedOver(execution, args)
  const look = (): void => lookAtListeners(execution, emitter, event, source.site)
  const reads = readingWaits(execution, { emitter, event }, args)
  const run = (): void => {
    reads?.()
    nameHandedOver(execution, args)
  }
  source.comes(thingsBehind(emitter, event), { run, emission: { emitter, event, look, isWanted: () => true, args }, isOver: reads })
}

whenMissed(waitsUnheard)

/** An emission in which listeners that are none of the program's may have to come behind one of its own. */
export interface InTurn {
  readonly execution: Execution
  readonly site: SiteId
  /** Such a listener waits for its turn. */
  readonly waits: (args: readonly unknown[], call: { readonly run: () => void; readonly isWanted: () => boolean }) => void
}

/** The same, if the program has put a listener before others. */
export function emissionInTurn(emitter: object, event: unknown): InTurn | undefined {
  const known = listening.get(emitter)
  if (!known?.prepended.has(event) || known.execution.foreign.isClosed) return undefined
  const { execution, source } = known
  const look = (): void => lookAtListeners(execution, emitter, event, source.site)
  return { execution, site: source.site, waits: (args, { run, isWanted }) => source.comes(thingsBehind(emitter, event), { run, emission: { emitter, event, look, isWanted, args } }) }
}

function lookAtListeners(execution: Execution, emitter: object, event: unknown, site: SiteId): void {
  if (isRealTarget(emitter)) lookAtState(execution, emitter, site)
  else seen(execution, emitter, entry(event), site, listenerCount(emitter, event))
}

/** What is registered in the place of a listener that is called once, and will have been: others may listen to the same by then. */
function spent(execution: Execution, { heard: { emitter, event } }: Version, listener: Fn): Fn {
  const nothing = (...args: readonly unknown[]): void => {
    '__dpor'
    void listener
    if (running === null && !execution.foreign.isClosed) waitsUnheard(execution, emitter, event, args)
  }
  held.set(nothing, listener)
  return nothing
}

/**
 * The listeners to call in an execution, in the place of those that an emitter of the platform's had before it.
 * @param process whose steps their calls are
 * @param called is called when something comes, while no step runs
 */
export function adoptedListeners(execution: Execution, emitter: object, { process, called }: { readonly process: Process; readonly called: () => void }): (event: unknown, listener: Fn) => Fn {
  const comes = (): void => {
    if (execution.foreign.isClosed) return
    opened(execution)
    execution.events?.meets(classNameOf(emitter))
    called()
  }
  const known: Listening = { execution, source: new Source(execution, process.name, 0, { process, isTarget: isRealTarget(emitter) }), versions: new Map(), prepended: new Set(), comes }
  listening.set(emitter, known)
  return (event, listener) => (isHeld(listener) ? makeVersion(known, { emitter, event, listener }).registered : listener)
}

const rejections = new Set<unknown>(['unhandledRejection', 'rejectionHandled'])

/** Whether the platform tells of a rejection by this: within the step that has led to it. */
export const isOfRejections = (emitter: object, event: unknown): boolean => emitter === globalThis.process && rejections.has(event)

function isOfExecution(execution: Execution, promise: unknown): boolean {
  if (typeof promise !== 'object' || promise === null) return true
  return (recordOfAny(promise)?.execution ?? executionOf(promise) ?? execution) === execution
}

/** What is registered in the place of a listener for those. */
export function toldInStep(execution: Execution, listener: unknown): unknown {
  if (typeof listener !== 'function' || held.has(listener as Fn)) return listener
  const told = function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    const promise = args.at(-1)
    // Of what an earlier execution has left nobody hears any more.
    if (!isOfExecution(execution, promise)) return undefined
    if (running === execution) return Reflect.apply(listener, this, args)
    if (!execution.foreign.isClosed) execution.tells(() => void Reflect.apply(listener, this, args))
    return undefined
  }
  held.set(told, listener)
  // By which Node finds it again.
  return Object.assign(told, { listener })
}

/** What a function stands for that waits for its turn; any other stands for itself. */
export function originalOf(value: unknown): unknown {
  return typeof value === 'function' && held.has(value) ? held.get(value) : value
}

/** Puts the listeners of an emitter that is older back in the place of what stands for them. */
export function putListenersBack(emitter: NodeEmitter): void {
  replaceListeners(emitter, (_, listener) => originalOf(listener) as Fn)
}

/** What was registered in the place of a listener that the running step removes: it is not told any more of what waits for its turn. */
export function registeredFor(execution: Execution, emitter: object, { event, listener }: Listener): unknown {
  const known = listening.get(emitter)
  const version = known?.execution === execution ? known.versions.get(listener)?.get(event) : undefined
  if (version) version.isRemoved = true
  return version?.registered ?? registeredInTurn(listener)
}

/** The same of all listeners of the event, or of all events. */
export function removesAll(execution: Execution, emitter: object, event?: unknown): void {
  const known = listening.get(emitter)
  if (known?.execution !== execution) return
  for (const ofListener of known.versions.values()) for (const [name, version] of ofListener) version.isRemoved ||= event === undefined || name === event
}

/** Whether the platform takes away the listeners of this when it is over, of which some may still wait for their turn: that it does so early must not be seen. */
export function losesListenersAtEnd(emitter: object): boolean {
  const known = listening.get(emitter)
  return known !== undefined && !known.execution.foreign.isClosed && isThread(emitter)
}
