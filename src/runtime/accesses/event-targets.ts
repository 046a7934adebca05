import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isMap } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { eventTargetPrototypes } from '../execution/event-target-classes.ts'
import { entry, STATE } from '../execution/keys.ts'
import { isInstance, isProxy } from '../execution/proxies.ts'
import { changeEnvironment, isEnvironment, listensInEnvironment, lookAtEnvironment } from './environment.ts'
import { isBuffered } from './event-emitters.ts'
import { argumentsInTurn } from './event-promises.ts'
import { each, type Family, type Operation } from './family.ts'
import { changes, changeState, looks, named } from './operations.ts'
import { listenerArguments } from './real-targets.ts'
import { isRealTarget } from './real-things.ts'
import { isMatcherEvent } from './test-api.ts'
import { beforeStateChange, changed, isObject, recordRead, seen } from './telling.ts'
import { asPart } from './watching.ts'

/** An EventTarget: the listeners for each type of event are a location. Dispatching looks at them, and removes those for one call. */

const module = globalThis.process?.getBuiltinModule?.('node:events') as unknown as typeof import('node:events') | undefined
const nativeListeners = module?.getEventListeners

/** The listeners of a type; undefined for a target that is not Node's. */
function listenersOf(target: object, type: unknown): readonly object[] | undefined {
  try {
    return nativeListeners?.(target as EventTarget, String(type))
  } catch {
    return undefined
  }
}

/** Where Node keeps the listeners of a target by their types, each with how many there are: of many, asking for all of them to count them takes too long. */
const LISTENERS = globalThis.EventTarget && Object.getOwnPropertySymbols(new EventTarget()).find(({ description }) => description === 'kEvents')

interface CountedListeners {
  readonly size?: unknown
}

export function countOf(target: object, type: unknown): number | undefined {
  const all: unknown = LISTENERS && !isProxy(target) && Reflect.getOwnPropertyDescriptor(target, LISTENERS)?.value
  const size = isObject(all) && isMap(all) && (Map.prototype.get.call(all, String(type)) as CountedListeners | undefined)?.size
  return typeof size === 'number' ? size : listenersOf(target, type)?.length
}

/** The listeners of a type may change while this runs. */
function changingListeners<T>(execution: Execution, { target, type, site }: { target: object; type: unknown; site: SiteId }, run: () => T): T {
  const before = countOf(target, type)
  beforeStateChange(execution, target)
  const result = run()
  const after = countOf(target, type)
  if (after !== undefined && before === after) seen(execution, target, entry(String(type)), site, after)
  else changed(execution, target, entry(String(type)), site, after)
  return result
}

export function lookAtListeners(execution: Execution, target: object, type: unknown, site: SiteId): void {
  seen(execution, target, entry(String(type)), site, countOf(target, type))
}

/** A listener that is an object has its method looked up when it is called. */
function lookAtHandlers(execution: Execution, target: object, type: unknown, site: SiteId): void {
  for (const listener of listenersOf(target, type) ?? []) {
    if (typeof listener === 'object') recordRead(execution, listener, 'handleEvent', site, Reflect.getOwnPropertyDescriptor(listener, 'handleEvent')?.value)
  }
}

/** A type whose text is known without running code of the user's. */
function isPlain(type: unknown): boolean {
  return typeof type !== 'symbol' && !isObject(type)
}

const listening: Operation = (native) => (execution, receiver, args, site) => {
  const given = isRealTarget(receiver) ? listenerArguments(execution, receiver, { name: native.name, args }, site) : argumentsInTurn(execution, { name: native.name, args }, site)
  const run = (): unknown => Reflect.apply(native, receiver, given as never[])
  const target = receiver ?? globalThis
  if (isEnvironment(target)) {
    changeEnvironment(execution, site)
    const result = run()
    if (native.name === 'addEventListener') listensInEnvironment(execution, target, args)
    return result
  }
  return isObject(target) && isPlain(args[0]) ? changingListeners(execution, { target, type: args[0], site }, run) : run()
}

const { Event: NativeEvent, EventTarget: NativeTarget } = globalThis
const typeOf = Object.getOwnPropertyDescriptor(NativeEvent?.prototype ?? {}, 'type')?.get

const dispatch: Operation = (native) => (execution, receiver, args, site) => {
  const [event] = args
  const run = (): unknown => execution.cut.unstoppable(() => asPart(undefined, () => Reflect.apply(native, receiver, args as never[])))
  // Messages arrive whenever they do, of the test runner among them.
  if (!isObject(receiver) || !typeOf || !(event instanceof NativeEvent) || isInstance(receiver, globalThis.MessagePort?.prototype)) return run()
  if (isEnvironment(receiver)) {
    // Listeners further up are called as well, and an element may do something by itself.
    changeEnvironment(execution, site)
    return run()
  }
  const type: unknown = Reflect.apply(typeOf, event, [])
  lookAtListeners(execution, receiver, type, site)
  lookAtHandlers(execution, receiver, type, site)
  // What the platform dispatches it has made for that.
  if (event.isTrusted) execution.identities.made(event)
  changeState(execution, event, site)
  if (isBuffered(execution, receiver, type)) changed(execution, receiver, entry(String(type)), site, undefined)
  const before = countOf(receiver, type)
  // A listener for one call is removed without a call that could be told.
  if (before === undefined || before > 0) beforeStateChange(execution, receiver)
  try {
    return run()
  } finally {
    if (before === undefined || countOf(receiver, type) !== before) changed(execution, receiver, entry(String(type)), site, undefined)
  }
}

export const targets: readonly Family[] = eventTargetPrototypes.map((holder): Family => ({
  holder,
  methods: { addEventListener: listening, removeEventListener: listening, dispatchEvent: dispatch },
  isWatched: true,
}))

/** `getEventListeners` of a target; of an emitter it calls a method of it. */
export const targetListeners: Family = {
  holder: module as object | undefined,
  methods: {
    getEventListeners: (native) => (execution, receiver, args, site) => {
      if (NativeTarget && args[0] instanceof NativeTarget && isPlain(args[1])) lookAtListeners(execution, args[0], args[1], site)
      return named(execution, Reflect.apply(native, receiver, args as never[]))
    },
  },
  isWatched: true,
}

export const domEvents: Family = {
  holder: globalThis.Event?.prototype,
  methods: { ...each(['preventDefault', 'stopPropagation', 'stopImmediatePropagation', 'initEvent'], unlessOfEnvironment(changes, changeEnvironment)), composedPath: unlessOfEnvironment(looks, lookAtEnvironment) },
  getters: each(['defaultPrevented', 'returnValue', 'cancelBubble', 'eventPhase', 'target', 'currentTarget', 'srcElement'], unlessOfEnvironment(lookAtEvent(), lookAtEnvironment)),
  setters: each(['returnValue', 'cancelBubble'], unlessOfEnvironment(changes, changeEnvironment)),
  isWatched: true,
}

/** An event of the test environment is of its one state. */
function unlessOfEnvironment(operation: Operation, tell: (execution: Execution, site: SiteId) => void): Operation {
  return (native) => {
    const handler = operation(native)
    return (execution, receiver, args, site, use) => {
      if (!isEnvironment(receiver)) return handler(execution, receiver, args, site, use)
      tell(execution, site)
      return Reflect.apply(native, receiver, args as never[])
    }
  }
}

/** What a getter of an event finds is not new. */
function lookAtEvent(): Operation {
  return (native) => (execution, receiver, args, site) => {
    if (isObject(receiver) && !isMatcherEvent(receiver)) seen(execution, receiver, STATE, site, undefined)
    return Reflect.apply(native, receiver, args as never[])
  }
}
