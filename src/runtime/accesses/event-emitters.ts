import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { entry, ORDER } from '../execution/keys.ts'
import { isOfRunningExecution } from '../execution/permanent-names.ts'
import { running } from '../execution/running.ts'
import { changesOutside, eventsWithListeners, saveListeners, type NodeEmitter } from '../execution/saved-listeners.ts'
import { yetToBeTold } from '../events/bursts.ts'
import { emitsBetween } from './emissions.ts'
import { hearOfMissed, isEmitting, isLast } from './endings.ts'
import { registering, settledByListeners, settlesByListeners } from './event-promises.ts'
import { each, type Family, type Operation } from './family.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn, Handler } from './handler.ts'
import { isOfOthers } from './listeners-of-others.ts'
import { listenerCount } from './listeners.ts'
import { named } from './operations.ts'
import { addKey, beforeChange, changed, dropKey, isObject, recordRead, recordWrite, seen } from './telling.ts'
import { heldListener, isOfRejections, losesListenersAtEnd, registeredFor, removesAll, toldInStep } from './real-callbacks.ts'
import { emitted } from './streams.ts'
import { asPart, hearAnyway, hearBetween } from './watching.ts'

/**
 * Node's EventEmitter: the listeners for each event are a location, which events have listeners is another. Emitting looks at
 * the listeners; a listener that is called once is removed when it is called, by a call of `removeListener` that is told.
 */

const module = globalThis.process?.getBuiltinModule?.('node:events') as unknown as typeof import('node:events') | undefined
const prototype = module?.EventEmitter.prototype as unknown as Record<string, Fn> | undefined

/** Listeners of an event whose own calls are told as part of the call that they belong to. */
const partsOf = (...names: string[]): readonly Fn[] => (prototype ? names.map((name) => prototype[name]!) : [])

/** The events that a call is about: the one that it names, or all where naming it would run code of the user's. */
function eventsOf(emitter: object, name: unknown): unknown[] {
  return isObject(name) ? eventsWithListeners(emitter) : [typeof name === 'symbol' ? name : String(name)]
}

function lookAtListeners(execution: Execution, emitter: object, name: unknown, site: SiteId): void {
  for (const event of eventsOf(emitter, name)) seen(execution, emitter, entry(event), site, listenerCount(emitter, event))
}

/** The listeners of an event change while this runs, and which events have any. */
function changing<T>(execution: Execution, { emitter, name, listener, site }: { emitter: object; name: unknown; listener?: unknown; site: SiteId }, run: () => T): T {
  const events = eventsOf(emitter, name).map((event) => ({ event, before: listenerCount(emitter, event) }))
  // Who listens to an emitter of his own for his own ends hears of its end as well, which may come after that of the execution.
  const isOwnAffair = isOfRunningExecution(emitter) && typeof listener === 'function' && kindOf(listener as Fn) !== 'own'
  if (!isOwnAffair && execution.identities.age(emitter) !== 'of this execution') {
    for (const { event } of events) execution.journal.part(emitter, event, () => saveListeners(emitter as NodeEmitter, event as PropertyKey))
  }
  const result = run()
  for (const { event, before } of events) {
    const after = listenerCount(emitter, event)
    // Removing what is not there changes nothing.
    if (after === before) seen(execution, emitter, entry(event), site, after)
    else changed(execution, emitter, entry(event), site, after)
    if (before === 0 && after > 0) addKey(execution, emitter, entry(event), site)
    if (before > 0 && after === 0) dropKey(execution, emitter, entry(event), site)
  }
  return result
}

/** To which a listener is being added. */
let listensNow: object | undefined

/** Adds or removes a listener; who listens to that is called first. */
const listening = ({ announced, parts, isOnce = false, registered = heldListener }: { announced: string; parts: readonly Fn[]; isOnce?: boolean; registered?: typeof heldListener }): Operation => (native) => (execution, receiver, args, site) => {
  const isFirst = native.name.startsWith('prepend')
  const given = isObject(receiver) ? [args[0], heldFor(execution, receiver, args, { registered, isOnce, isFirst, site }), ...args.slice(2)] : args
  const run = (): unknown => asPart({ receiver, parts }, () => Reflect.apply(native, receiver, given as never[]))
  if (!isObject(receiver)) return run()
  lookAtListeners(execution, receiver, announced, site)
  const outer = listensNow
  listensNow = receiver
  let result: unknown
  try {
    result = changing(execution, { emitter: receiver, name: args[0], listener: args[1], site }, run)
  } finally {
    listensNow = outer
  }
  // A stream calls the same of an emitter. Others than the listener that was given hear of it when it is its turn.
  if (registered === heldListener && outer !== receiver && (isLast(args[0]) || given[1] === args[1])) hearOfMissed(execution, receiver, { event: args[0], isFirst })
  return result
}

function heldFor(execution: Execution, emitter: object, [event, listener]: readonly unknown[], { registered, isOnce, isFirst, site }: { registered: typeof heldListener; isOnce: boolean; isFirst: boolean; site: SiteId }): unknown {
  if (!isOfRejections(emitter, event)) return registered(execution, emitter, { event, listener, isOnce, isFirst }, site)
  return registered === heldListener ? toldInStep(execution, listener) : listener
}

const removeAll: Operation = (native) => (execution, receiver, args, site) => {
  const run = (): unknown => asPart({ receiver, parts: partsOf('removeListener', 'removeAllListeners') }, () => Reflect.apply(native, receiver, args as never[]))
  if (!isObject(receiver)) return run()
  lookAtListeners(execution, receiver, 'removeListener', site)
  removesAll(execution, receiver, args[0])
  if (args.length > 0) return changing(execution, { emitter: receiver, name: args[0], site }, run)
  seen(execution, receiver, ORDER, site, undefined)
  // An object stands for no name in particular: for all of them.
  return changing(execution, { emitter: receiver, name: {}, site }, run)
}

const emit: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) {
    lookAtListeners(execution, receiver, args[0], site)
    emitted(execution, receiver, args, site)
    if (args[0] === 'error' && module) seen(execution, receiver, entry(module.errorMonitor), site, undefined)
    if (isBuffered(execution, receiver, args[0])) changed(execution, receiver, entry(args[0]), site, undefined)
    isEmitting(receiver, args[0], args.slice(1))
  }
  // Listeners may do anything: none of it is part of this call.
  return asPart(undefined, () => Reflect.apply(native, receiver, args as never[]))
}

const lookAtEvent: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) lookAtListeners(execution, receiver, args[0], site)
  return named(execution, Reflect.apply(native, receiver, args as never[]))
}

const countOfEvent: Operation = (native) => (execution, receiver, args, site) => {
  const count = lookAtEvent(native)(execution, receiver, args, site) as number
  return args.length === 1 && isObject(receiver) ? count + yetToBeTold(receiver, args[0]).length : count
}

const eventNames: Operation = (native) => (execution, receiver, args, site) => {
  const names = Reflect.apply(native, receiver, args as never[]) as unknown[]
  if (isObject(receiver)) seen(execution, receiver, ORDER, site, names.length)
  return named(execution, names)
}

const setLimit: Operation = (native) => (execution, receiver, args, site) => {
  if (isObject(receiver)) {
    beforeChange(execution, receiver, '_maxListeners')
    recordWrite(execution, receiver, '_maxListeners', site, args[0])
  }
  return Reflect.apply(native, receiver, args as never[])
}

const getLimit: Operation = (native) => (execution, receiver, args, site) => {
  const limit = Reflect.apply(native, receiver, args as never[])
  if (isObject(receiver)) recordRead(execution, receiver, '_maxListeners', site, limit)
  return limit
}

export const emitters: Family = {
  holder: prototype,
  methods: {
    on: listening({ announced: 'newListener', parts: [] }),
    addListener: listening({ announced: 'newListener', parts: [] }),
    prependListener: listening({ announced: 'newListener', parts: [] }),
    once: listening({ announced: 'newListener', parts: partsOf('on'), isOnce: true }),
    prependOnceListener: listening({ announced: 'newListener', parts: partsOf('prependListener'), isOnce: true }),
    off: listening({ announced: 'removeListener', parts: [], registered: registeredFor }),
    removeListener: listening({ announced: 'removeListener', parts: [], registered: registeredFor }),
    removeAllListeners: removeAll,
    emit,
    ...each(['listeners', 'rawListeners'], lookAtEvent),
    listenerCount: countOfEvent,
    eventNames,
    setMaxListeners: setLimit,
    getMaxListeners: getLimit,
  },
  isWatched: true,
}

for (const native of partsOf('on', 'addListener', 'once', 'prependListener', 'prependOnceListener')) hearAnyway(native, ([, listener]) => typeof listener === 'function' && isOfOthers(listener as Fn))

// `once` and its like call these.
const changesBetween = (emitter: unknown): (() => void) | undefined => (isObject(emitter) ? changesOutside(emitter as NodeEmitter) : undefined)
for (const native of partsOf('on', 'prependListener', 'removeListener')) hearBetween(native, changesBetween)
for (const native of partsOf('emit')) hearBetween(native, emitsBetween)
for (const native of partsOf('removeAllListeners')) hearBetween(native, (emitter) => (isObject(emitter) && losesListenersAtEnd(emitter) ? { returns: emitter } : changesBetween(emitter)))

const ofProcess = new WeakMap<Fn, Handler>()

/** Tools put functions of their own in the place of methods of the process, and call from there what they have found: that means the same. */
export function handlerOfProcess(fn: Fn, receiver: unknown): Handler | undefined {
  const { process } = globalThis as { process?: object }
  if (receiver !== process || process === undefined) return undefined
  const known = ofProcess.get(fn)
  if (known) return known
  const key = Object.keys(emitters.methods!).find((name) => Reflect.getOwnPropertyDescriptor(process, name)?.value === fn)
  const handler = key === undefined ? undefined : emitters.methods![key]!(fn)
  if (handler) ofProcess.set(fn, handler)
  return handler
}

// events.on ------------------------------------------------------------------------------------

/** Events that an iterator of `events.on` keeps: emitting one puts it behind the others. */
const buffered = new WeakMap<object, Map<unknown, Execution>>()

export function isBuffered(execution: Execution, emitter: object, name: unknown): boolean {
  return buffered.get(emitter)?.get(name) === execution
}

/** An iterator over events. What it keeps counts as part of the listeners for the event. */
const iterateEvents: Operation = (native) => (execution, receiver, args, site) => {
  const call = (): unknown => Reflect.apply(native, receiver, args as never[])
  const made = settlesByListeners(native, args) ? registering(execution, args[0], call) : { result: call(), isHeld: false }
  const iterator = named(execution, made.result) as AsyncIterator<unknown>
  const [emitter, name] = args
  if (!isObject(emitter)) return iterator
  const events = buffered.get(emitter) ?? new Map<unknown, Execution>()
  buffered.set(emitter, events.set(name, execution).set('error', execution))
  for (const method of ['next', 'return', 'throw'] as const) {
    const original = iterator[method] as Fn | undefined
    if (!original) continue
    iterator[method] = function taking(this: unknown, ...given: unknown[]) {
      if (running !== null) for (const event of [name, 'error']) changed(running, emitter, entry(event), site, undefined)
      const result = Reflect.apply(original, this, given) as Promise<IteratorResult<unknown>>
      if (made.isHeld && running === execution) settledByListeners(execution, emitter, result, site)
      return result
    }
  }
  return iterator
}

/** `events.getMaxListeners(target)`: of an emitter or a target. */
const lookAtLimit: Operation = (native) => (execution, receiver, args, site) => {
  const limit: unknown = Reflect.apply(native, receiver, args as never[])
  if (isObject(args[0])) recordRead(execution, args[0], '_maxListeners', site, limit)
  return limit
}

const { EventTarget: NativeTarget } = globalThis

/** `events.setMaxListeners(limit, ...targets)`: an emitter is called for it, a target is not. */
const setLimits: Operation = (native) => (execution, receiver, args, site) => {
  for (const target of args.slice(1)) if (NativeTarget && target instanceof NativeTarget) recordWrite(execution, target, '_maxListeners', site, args[0])
  return Reflect.apply(native, receiver, args as never[])
}

/** Functions of the module; those that are not here call methods of the emitter. */
export const eventsModule: Family = { holder: module as object | undefined, methods: { on: iterateEvents, getMaxListeners: lookAtLimit, setMaxListeners: setLimits }, isWatched: true }
