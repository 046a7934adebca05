import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'
import type { Continuation, Process } from '../execution/process.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { isProxy, rawOf } from '../execution/proxies.ts'
import type { Fn } from './handler.ts'
import { kindOf } from './function-kinds.ts'
import { isNative } from './native-results.ts'
import { callsAtOnce, platformModuleFunctions } from './platform-modules.ts'

/**
 * What the platform calls back when something real has happened: an answer of a file or a process, a message, a connection. The
 * calls of one source wait for their turn, one after another, as a process of their own.
 */
class Source implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #execution: Execution
  readonly #object: ObjectId
  readonly #calls: { readonly call: () => void; readonly follow: () => void }[] = []

  constructor(execution: Execution, name: string, site: SiteId) {
    this.#execution = execution
    this.site = site
    this.#object = execution.identities.fresh()
    this.process = execution.spawn(name)
    this.process.repeats = true
  }

  /** Something is registered with it by the running step: what it calls comes after that. */
  registered(): void {
    this.#execution.accesses.takeTurn(this.#object)
  }

  /** It calls. */
  comes(call: () => void): void {
    this.#calls.push({ call, follow: this.#execution.comesFromOutside })
    if (this.#calls.length === 1) this.#execution.wake(this)
    this.#execution.foreign.changed()
  }

  resume(): void {
    const execution = this.#execution
    execution.enter(null)
    execution.accesses.followTurn(this.#object)
    const { call, follow } = this.#calls.shift()!
    follow()
    if (this.#calls.length > 0) execution.wake(this)
    try {
      call()
    } catch (error) {
      execution.uncaught(error)
    }
  }

  delegate(): undefined {
    return undefined
  }
}

const held = new WeakSet<Fn>()

/** The function that is registered in the place of a callback: a call by something real waits for its turn. */
function hold(execution: Execution, callback: Fn, { source, called }: { readonly source: Source; readonly called?: () => void }): Fn {
  const waits = calledByProgram(function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    called?.()
    if (execution.foreign.isClosed) return undefined
    if (running === execution) return Reflect.apply(callback, this, args)
    source.comes(() => Reflect.apply(callback, this, args))
    return undefined
  })
  Object.defineProperties(waits, { name: { value: callback.name, configurable: true }, length: { value: callback.length, configurable: true } })
  held.add(waits)
  return waits
}

/** Functions of Node that answer later, once, by the callback that they are given. */
const answering = new Set<unknown>(
  ['node:fs', 'node:zlib', 'node:crypto', 'node:dns', 'node:child_process'].flatMap((name) => {
    const module = globalThis.process?.getBuiltinModule?.(name as 'node:fs') as Readonly<Record<string, unknown>> | undefined
    return Object.values(module ?? {}).filter((value) => typeof value === 'function')
  }),
)

/** The arguments of a function of the platform, its callbacks held back for calls that come from outside. */
export function heldBack(execution: Execution, fn: Fn, args: unknown[], site: SiteId): unknown[] {
  if (isNative(fn) || !args.some((arg) => isHeld(arg)) || !platformModuleFunctions().has(fn) || callsAtOnce(fn)) return args
  execution.reachesOutside()
  const source = new Source(execution, nameOf(args) ?? fn.name, site)
  const token = {}
  const isAnswer = answering.has(fn)
  if (isAnswer) execution.foreign.watch(token)
  else opened(execution)
  const called = (): void => void (isAnswer && execution.foreign.unwatch(token))
  return args.map((arg) => (isHeld(arg) ? hold(execution, arg, { source, called }) : arg))
}

function opened(execution: Execution): void {
  execution.foreign.opened()
  execution.accesses.hasRealThings = true
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

interface Listening {
  readonly execution: Execution
  readonly source: Source
  readonly versions: Map<unknown, Fn>
}

const listening = new WeakMap<object, Listening>()

/** The listener to register with an emitter, or to remove: where the emitter is of the platform's own, one whose calls wait for their turn. */
export function heldListener(execution: Execution, emitter: object, listener: unknown, site: SiteId): unknown {
  if (typeof listener !== 'function' || held.has(listener as Fn) || kindOf(listener as Fn) !== 'own' || !isOfPlatform(emitter)) return listener
  let known = listening.get(emitter)
  if (known?.execution !== execution) {
    known = { execution, source: new Source(execution, emitter.constructor.name, site), versions: new Map() }
    listening.set(emitter, known)
    opened(execution)
  }
  const { source, versions } = known
  source.registered()
  let version = versions.get(listener)
  if (!version) versions.set(listener, (version = hold(execution, listener as Fn, { source })))
  return version
}

const rejections = new Set<unknown>(['unhandledRejection', 'rejectionHandled'])

/** Whether the platform tells of a rejection by this: within the step that has led to it. */
export const isOfRejections = (emitter: object, event: unknown): boolean => emitter === globalThis.process && rejections.has(event)

/** What is registered in the place of a listener for those. */
export function toldInStep(execution: Execution, listener: unknown): unknown {
  if (typeof listener !== 'function' || held.has(listener as Fn)) return listener
  const told = function (this: unknown, ...args: unknown[]): unknown {
    '__dpor'
    if (running === execution) return Reflect.apply(listener, this, args)
    if (!execution.foreign.isClosed) execution.tells(() => void Reflect.apply(listener, this, args))
    return undefined
  }
  held.add(told)
  // By which Node finds it again.
  return Object.assign(told, { listener })
}

/** What was registered in the place of a listener. */
export function registeredFor(execution: Execution, emitter: object, listener: unknown): unknown {
  const known = listening.get(emitter)
  return (known?.execution === execution ? known.versions.get(listener) : undefined) ?? listener
}

const base: unknown = (globalThis.process?.getBuiltinModule?.('node:events') as { EventEmitter?: unknown } | undefined)?.EventEmitter

/** A method of such an object is called. */
export function noteReceiver(execution: Execution, receiver: unknown): void {
  if (execution.accesses.hasRealThings && typeof receiver === 'object' && receiver !== null && !isProxy(receiver) && isOfPlatform(receiver)) execution.reachesOutside()
}

/** Of a class of Node's that emits by itself: a socket, a stream, a server. */
function isOfPlatform(emitter: object): boolean {
  for (let prototype = Reflect.getPrototypeOf(emitter); prototype !== null; prototype = Reflect.getPrototypeOf(prototype)) {
    const constructor: unknown = Reflect.getOwnPropertyDescriptor(prototype, 'constructor')?.value
    if (constructor === base) return false
    if (typeof constructor === 'function' && constructor !== globalThis.Object && platformModuleFunctions().has(constructor)) return true
  }
  return false
}
