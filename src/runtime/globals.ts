import type { TimerRequest, Timer } from './clock.ts'
import { running, type Execution } from './execution.ts'
import { readDeep } from './object-functions.ts'
import { PromiseRecord } from './promise-record.ts'
import { isObject, recordWrite } from './properties.ts'
import { changeState } from './stateful.ts'

type AnyFunction = (...args: any[]) => any

/** What callers of `setTimeout` get in Node. */
class TimerHandle {
  readonly #timer: Timer
  readonly #execution: Execution
  readonly #id: number

  constructor(execution: Execution, timer: Timer) {
    this.#execution = execution
    this.#timer = timer
    this.#id = nextHandle++
    handles.set(this.#id, this)
  }

  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  refresh(): this {
    this.#execution.clock.remove(this.#timer)
    this.#execution.clock.schedule(this.#timer)
    return this
  }
  close(): this {
    this.#timer.clear()
    return this
  }
  [Symbol.toPrimitive](): number {
    return this.#id
  }
  [Symbol.dispose](): void {
    this.#timer.clear()
  }
}

let nextHandle = 1
const handles = new Map<number, TimerHandle>()
const isNode = typeof globalThis.process?.versions?.node === 'string'

function handleFor(execution: Execution, timer: Timer): unknown {
  const handle = new TimerHandle(execution, timer)
  return isNode ? handle : Number(handle)
}

function timerFunction(native: AnyFunction, { repeats }: { repeats: boolean }): AnyFunction {
  const name = repeats ? 'interval' : 'timer'
  return function (this: unknown, callback: unknown, delay?: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null || typeof callback !== 'function') return Reflect.apply(native, this, [callback, delay, ...args])
    const request: TimerRequest = {
      name: callback.name || name,
      callback: () => Reflect.apply(callback as AnyFunction, undefined, args),
      delay: Number(delay ?? 0),
      repeats,
      site: execution.call?.site ?? 0,
    }
    return handleFor(execution, execution.clock.start(execution, request))
  }
}

function jobFunction(native: AnyFunction, name: string): AnyFunction {
  return function (this: unknown, callback: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null || typeof callback !== 'function') return Reflect.apply(native, this, [callback, ...args])
    const timer = execution.clock.startNow(execution, {
      name: callback.name || name,
      callback: () => Reflect.apply(callback as AnyFunction, undefined, args),
      delay: 0,
      repeats: false,
      site: execution.call?.site ?? 0,
    })
    return name === 'immediate' ? handleFor(execution, timer) : undefined
  }
}

function clearFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, handle: unknown) {
    const controlled = handle instanceof TimerHandle ? handle : isNode && typeof handle === 'object' ? undefined : handles.get(Number(handle))
    if (controlled) controlled.close()
    else Reflect.apply(native, this, [handle])
  }
}

/** `timers/promises`: a promise that a virtual timer fulfils. */
function sleepFunction(native: AnyFunction, { isImmediate }: { isImmediate: boolean }): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null) return Reflect.apply(native, this, args)
    const [delay, value] = isImmediate ? [0, args[0]] : args
    const options = (isImmediate ? args[1] : args[2]) as { signal?: AbortSignal } | undefined
    const record = new PromiseRecord(execution, execution.call?.site ?? 0)
    const request: TimerRequest = {
      name: 'sleep',
      callback: () => record.resolve(value, record.site),
      delay: Number(delay ?? 1),
      repeats: false,
      site: record.site,
    }
    const timer = isImmediate ? execution.clock.startNow(execution, request) : execution.clock.start(execution, request)
    options?.signal?.addEventListener('abort', () => {
      timer.clear()
      record.reject(new DOMException('The operation was aborted', 'AbortError'), record.site)
    })
    return record.promise
  }
}

interface Patch {
  readonly target: any
  readonly key: string
  readonly make: (native: any) => AnyFunction
}

function patches(): Patch[] {
  const global: any = globalThis
  const list: Patch[] = [
    { target: global, key: 'setTimeout', make: (native) => promisified(timerFunction(native, { repeats: false }), native) },
    { target: global, key: 'setInterval', make: (native) => timerFunction(native, { repeats: true }) },
    { target: global, key: 'setImmediate', make: (native) => promisified(jobFunction(native, 'immediate'), native) },
    { target: global, key: 'requestAnimationFrame', make: frameFunction },
    ...['clearTimeout', 'clearInterval', 'clearImmediate', 'cancelAnimationFrame'].map((key) => ({
      target: global,
      key,
      make: clearFunction,
    })),
    { target: Date, key: 'now', make: (native) => () => (running === null ? native() : running.clock.date) },
    {
      target: performance,
      key: 'now',
      make: (native) => () => (running === null ? Reflect.apply(native, performance, []) : running.clock.now),
    },
    { target: AbortSignal, key: 'timeout', make: timeoutSignal },
    { target: global, key: 'structuredClone', make: cloneFunction },
    { target: Math, key: 'random', make: (native) => () => running?.random.next(running.process.id) ?? native() },
    { target: globalThis.crypto, key: 'randomUUID', make: (native) => () => randomUUID(native) },
    { target: globalThis.crypto, key: 'getRandomValues', make: (native) => (array: ArrayBufferView) => fillRandom(native, array) },
  ]
  const events = globalThis.process?.getBuiltinModule?.('node:events')
  if (events) {
    list.push({ target: events, key: 'once', make: listenFunction }, { target: events, key: 'on', make: listenFunction })
  }
  const timers = globalThis.process?.getBuiltinModule?.('node:timers/promises')
  if (timers) {
    list.push(
      { target: timers, key: 'setTimeout', make: (native) => sleepFunction(native, { isImmediate: false }) },
      { target: timers, key: 'setImmediate', make: (native) => sleepFunction(native, { isImmediate: true }) },
    )
  }
  return list
}

/** `AbortSignal.timeout`: by virtual time. */
function timeoutSignal(native: AnyFunction): AnyFunction {
  return (delay: number) => {
    const execution = running
    if (execution === null) return Reflect.apply(native, AbortSignal, [delay])
    const controller = new AbortController()
    execution.identities.made(controller.signal)
    const abort = (): void => {
      changeState(execution, controller.signal, 0)
      recordWrite(execution, controller.signal, 'aborted', 0, true)
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    }
    execution.clock.start(execution, { name: 'timeout', callback: abort, delay, repeats: false, site: execution.call?.site ?? 0 })
    return controller.signal
  }
}

function cloneFunction(native: AnyFunction): AnyFunction {
  return (value: unknown, ...options: unknown[]) => {
    if (running === null) return native(value, ...options)
    readDeep(running, value, running.call?.site ?? 0)
    const copy: unknown = native(value, ...options)
    if (isObject(copy)) running.identities.made(copy)
    return copy
  }
}

/** `once(emitter, name)` and `on(emitter, name)` add listeners. */
function listenFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, emitter: unknown, ...args: unknown[]) {
    if (running !== null && isObject(emitter)) changeState(running, emitter, running.call?.site ?? 0)
    return Reflect.apply(native, this, [emitter, ...args])
  }
}

/** requestAnimationFrame: a timer of one frame. */
function frameFunction(native: AnyFunction): AnyFunction {
  return (callback: (time: number) => void) => {
    const execution = running
    if (execution === null) return native(callback)
    const timer = execution.clock.start(execution, {
      name: callback.name || 'frame',
      callback: () => callback(execution.clock.now),
      delay: 16,
      repeats: false,
      site: execution.call?.site ?? 0,
    })
    return Number(handleFor(execution, timer) as number)
  }
}

function promisified(fn: AnyFunction, native: any): AnyFunction {
  const promisify = Symbol.for('nodejs.util.promisify.custom')
  const original = native[promisify] as AnyFunction | undefined
  if (original) {
    const isImmediate = native.name === 'setImmediate'
    Object.defineProperty(fn, promisify, { value: sleepFunction(original, { isImmediate }), configurable: true })
  }
  return fn
}

function randomBytes(execution: Execution, bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(execution.random.next(execution.process.id) * 256)
}

function fillRandom(native: AnyFunction, array: ArrayBufferView): unknown {
  if (running === null) return Reflect.apply(native, globalThis.crypto, [array])
  randomBytes(running, new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return array
}

function randomUUID(native: AnyFunction): unknown {
  if (running === null) return Reflect.apply(native, globalThis.crypto, [])
  const bytes = new Uint8Array(16)
  randomBytes(running, bytes)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * Puts the controlled versions on the global object; returns what takes them off again. Between
 * steps they do what the originals do, so the test runner's own timers stay real.
 */
export function patchGlobals(): () => void {
  const undo: (() => void)[] = []
  for (const { target, key, make } of patches()) {
    const native = target?.[key]
    if (typeof native !== 'function') continue
    const own = Object.getOwnPropertyDescriptor(target, key)
    const controlled = make(native)
    Object.defineProperty(controlled, 'name', { value: native.name, configurable: true })
    Object.defineProperty(target, key, { value: controlled, configurable: true, writable: true, enumerable: own?.enumerable ?? true })
    undo.push(() => {
      if (target[key] !== controlled) return
      if (own) Object.defineProperty(target, key, own)
      else delete target[key]
    })
  }
  syncBuiltinModules()
  return () => {
    for (const restore of undo) restore()
    handles.clear()
    syncBuiltinModules()
  }
}

/** Makes `import { setTimeout } from 'node:timers/promises'` see the change. */
function syncBuiltinModules(): void {
  const module = globalThis.process?.getBuiltinModule?.('node:module')
  module?.syncBuiltinESMExports()
}

