import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Look } from '../../engine/index.ts'
import type { Execution } from '../execution/execution.ts'
import { entry, property } from '../execution/keys.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { countOf, lookAtListeners } from './event-targets.ts'
import { each, type Family, type Operation } from './family.ts'
import type { Fn } from './handler.ts'
import { iterate } from './iteration.ts'
import { named } from './operations.ts'
import { tellAborted } from './signal-dependents.ts'
import { beforeStateChange, changed, isObject, seen } from './telling.ts'
import { asPart } from './watching.ts'

/** Whether and why a signal is aborted is one location. A signal that follows others changes when the first of them does. */
const ABORTED = property('aborted')
/** Which signals follow this one, in the order in which they will be aborted after it. */
const FOLLOWERS = property('followers')

const { AbortController: Controller, AbortSignal: Signal } = globalThis
const getterOf = (prototype: object | undefined, name: string): Fn | undefined => Object.getOwnPropertyDescriptor(prototype ?? {}, name)?.get
const nativeAborted = getterOf(Signal?.prototype, 'aborted')!
const nativeSignal = getterOf(Controller?.prototype, 'signal')!

/** Where asking a signal that follows others may decide it, without asking. */
function isAborted(signal: object): boolean {
  const key = decidesWhenAsked ? internalOf(signal, 'kAborted') : undefined
  return Boolean(key ? Reflect.get(signal, key) : Reflect.apply(nativeAborted, signal, []))
}

function internalOf(signal: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(signal).find(({ description }) => description === name)
}

/** Newer versions of Node find out whether a signal that follows others is aborted, and by which of them, when somebody asks. */
const decidesWhenAsked = findOut()

function findOut(): boolean {
  if (!Controller || !Signal?.any) return false
  const [first, second] = [new Controller(), new Controller()]
  const signal = Signal.any([first.signal, second.signal])
  second.abort('second')
  first.abort('first')
  return signal.reason === 'first'
}

/** The signals that follow a signal, by execution: how long they live must not depend on when memory is reclaimed. */
const followers = new PerExecution(() => new Map<object, Set<object>>())

/** The signals that a signal follows. */
const followed = new WeakMap<object, readonly object[]>()

function follow(execution: Execution, { source, follower }: { readonly source: object; readonly follower: object }, site: SiteId): void {
  const { accesses, identities } = execution
  accesses.append(identities.of(source), FOLLOWERS, site, identities.of(follower))
  const known = followers.of(execution)
  const ofSource = known.get(source) ?? new Set()
  known.set(source, ofSource.add(follower))
}

/** Signals that followed this one before the execution, which Node keeps weakly; undefined where it hides them. */
function olderFollowers(signal: object): object[] {
  const key = internalOf(signal, 'kDependantSignals')
  const list = key && (signal as Record<symbol, Iterable<WeakRef<object>> | undefined>)[key]
  return list ? [...list].flatMap((reference) => reference.deref() ?? []) : []
}

function followersOf(execution: Execution, signal: object, found = new Set<object>()): Set<object> {
  const older = execution.identities.age(signal) === 'of this execution' ? [] : olderFollowers(signal)
  for (const follower of [...(followers.known(execution)?.get(signal) ?? []), ...older]) {
    if (found.has(follower)) continue
    found.add(follower)
    followersOf(execution, follower, found)
  }
  return found
}

/** To look at a signal that follows others may be to decide it. */
function lookAtSignal(execution: Execution, signal: object, site: SiteId): void {
  seen(execution, signal, ABORTED, site, isAborted(signal))
  if (!decidesWhenAsked || isAborted(signal)) return
  const sources = followed.get(signal) ?? []
  for (const source of sources) lookAtSignal(execution, source, site)
  if (!sources.some(isAborted)) return
  beforeStateChange(execution, signal)
  changed(execution, signal, ABORTED, site, true)
}

/** Aborts a signal while this runs, and those that follow it; its listeners are called. */
function aborting(execution: Execution, { signal, site }: { signal: object; site: SiteId }, run: () => unknown): unknown {
  const following = [...followersOf(execution, signal)]
  const { accesses, identities } = execution
  // Listeners of one of them cannot tell in which order they are aborted.
  const look: Look = following.filter((follower) => countOf(follower, 'abort') !== 0).length > 1 ? 'value' : 'size'
  for (const aborted of [signal, ...following]) {
    if (isAborted(aborted)) lookAtSignal(execution, aborted, site)
    else {
      beforeStateChange(execution, aborted)
      changed(execution, aborted, ABORTED, site, true)
      lookAtListeners(execution, aborted, 'abort', site)
    }
    accesses.read(identities.of(aborted), FOLLOWERS, site, undefined, look)
    tellAborted(execution, aborted)
  }
  return execution.cut.unstoppable(() => asPart(undefined, run))
}

const abort: Operation = (native) => (execution, receiver, args, site) => {
  const run = (): unknown => Reflect.apply(native, receiver, args as never[])
  if (!(receiver instanceof Controller)) return run()
  return aborting(execution, { signal: Reflect.apply(nativeSignal, receiver, []) as object, site }, run)
}

const look: Operation = (native) => (execution, receiver, args, site) => {
  if (receiver instanceof Signal) lookAtSignal(execution, receiver, site)
  return Reflect.apply(native, receiver, args as never[])
}

const any: Operation = (native) => (execution, receiver, args, site) => {
  const sources = isIterable(args[0]) ? [...(iterate(args[0], site) as Iterable<unknown>)] : args[0]
  const signal = Reflect.apply(native, receiver, [sources] as never[]) as object
  execution.identities.made(signal)
  if (!Array.isArray(sources)) return signal
  if (decidesWhenAsked) followed.set(signal, sources as object[])
  for (const source of sources as object[]) {
    lookAtSignal(execution, source, site)
    follow(execution, { source, follower: signal }, site)
  }
  return signal
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return isObject(value) && typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
}

const onabort: { readonly get: Operation; readonly set: Operation } = {
  get: (native) => (execution, receiver, args, site) => {
    if (receiver instanceof Signal) lookAtListeners(execution, receiver, 'abort', site)
    return Reflect.apply(native, receiver, args as never[])
  },
  set: (native) => (execution, receiver, args, site) => {
    const run = (): unknown => Reflect.apply(native, receiver, args as never[])
    if (!(receiver instanceof Signal)) return run()
    beforeStateChange(execution, receiver)
    // One function in the place of another changes who listens, but not how many.
    changed(execution, receiver, entry('abort'), site, args[0])
    return run()
  },
}

export const abortControllers: Family = { holder: Controller?.prototype, methods: { abort }, isWatched: true }

export const abortSignals: Family = {
  holder: Signal?.prototype,
  methods: { throwIfAborted: look },
  getters: { ...each(['aborted', 'reason'], look), onabort: onabort.get },
  setters: { onabort: onabort.set },
  isWatched: true,
}

export const signalFunctions: Family = {
  holder: Signal,
  methods: { any, abort: (native) => (execution, receiver, args) => named(execution, Reflect.apply(native, receiver, args as never[])) },
  isWatched: true,
}
