import { awaitsAll } from '../events/answers.ts'
import { settlesPromise } from '../events/settling.ts'
import { isPauseOfUser } from '../events/user-pauses.ts'
import { timeNow } from '../execution/clock.ts'
import type { Execution } from '../execution/execution.ts'
import { timerNumbered } from '../execution/timer-numbers.ts'
import type { Timer, TimerRequest } from '../execution/timer.ts'
import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import type { Process } from '../execution/process.ts'
import { noop } from '../execution/native.ts'
import { isNodesOwn } from '../execution/nodes-own.ts'
import { running } from '../execution/running.ts'
import { kindOf, standsForPlatform } from '../accesses/function-kinds.ts'
import { invoke } from '../accesses/invoke.ts'
import { opaqueCodeGoesOn } from '../accesses/opaque-runs.ts'
import { functionName } from '../execution/values.ts'
import { setBefore, signalAfter, standingFor, timeoutError } from './older-timers.ts'

/** A function of the platform, whatever its type. */
export type AnyFunction = (...args: any[]) => any

/** What Node gives the callers of its functions, under the names that it has there. Virtual time passes for those without `ref` as well. */
class TimerHandle {
  readonly #timer: Timer

  constructor(timer: Timer) {
    this.#timer = timer
  }

  ref(): this {
    this.#timer.hasRef = true
    return this
  }
  unref(): this {
    this.#timer.hasRef = false
    return this
  }
  hasRef(): boolean {
    return this.#timer.hasRef
  }
  refresh(): this {
    this.#timer.refresh()
    return this
  }
  close(): this {
    this.#timer.clear()
    return this
  }
  /** As Node calls it, which has more of the kind; tests look at this. */
  get _idleTimeout(): number | undefined {
    return this instanceof Immediate ? undefined : this.#timer.idleTimeout
  }
  [Symbol.toPrimitive](): number {
    return this.#timer.number
  }
  [Symbol.dispose](): void {
    this.#timer.clear()
  }
}

for (const { value, get } of Object.values(Object.getOwnPropertyDescriptors(TimerHandle.prototype) as Record<string, PropertyDescriptor>)) standsForPlatform((value ?? get) as AnyFunction)

class Timeout extends TimerHandle {}

class Immediate extends TimerHandle {}

const isNode = typeof globalThis.process?.versions?.node === 'string'

function handleFor(timer: Timer, Handle = Timeout): unknown {
  return isNode ? new Handle(timer) : timer.number
}

export function timerFunction(native: AnyFunction, { repeats }: { repeats: boolean }): AnyFunction {
  const name = repeats ? 'interval' : 'timer'
  return function (this: unknown, callback: unknown, delay?: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null) return setOutside(native, this, [callback, delay, ...args], { repeats })
    if (typeof callback !== 'function' || (kindOf(callback as AnyFunction) === 'opaque' && isNodesOwn())) return Reflect.apply(native, this, [callback, delay, ...args])
    const request: TimerRequest = {
      name: functionName(callback) || name,
      callback: (now) => {
        if (!now) return void Reflect.apply(callback as AnyFunction, receiver, args)
        invoke(now, callback as AnyFunction, receiver, args, now.lastSite)
        if (settlesUnseen(callback)) opaqueCodeGoesOn(now, now.lastSite)
      },
      calls: { callback, args },
      delay: Number(delay ?? 0),
      repeats,
      site: execution.call?.site ?? 0,
      mayRace: true,
    }
    const handle = handleFor(isPauseOfUser(execution, request) ? execution.clock.startPause(execution, request) : execution.clock.start(execution, request))
    // As Node calls it.
    const receiver = isNode ? handle : undefined
    return handle
  }
}

function setOutside(native: AnyFunction, receiver: unknown, args: readonly [callback: unknown, delay: unknown, ...args: unknown[]], { repeats }: { readonly repeats: boolean }): unknown {
  const [callback, delay, ...given] = args
  const timer: unknown = Reflect.apply(native, receiver, args)
  setBefore(timer, { callback: callback as AnyFunction, args: given, delay: Number(delay ?? 0), repeats })
  return timer
}

/** Whether the callback may settle a promise that code has made which is not instrumented: what waits for that goes on in the step of the timer. */
const settlesUnseen = (callback: object): boolean => kindOf(callback as AnyFunction) === 'platform' && !settlesPromise(callback)

/** By the process of a timer that the test runner keeps aside: who began to wait. */
const waits = new WeakMap<Process, Process>()

/** Timers that the test runner keeps aside, for what waits within a test (`vi.waitFor`): its own callbacks, which share nothing. */
export function asideFunction(native: AnyFunction, { repeats }: { repeats: boolean }): AnyFunction {
  const controlled: AnyFunction = function (this: unknown, callback: AnyFunction, delay?: unknown, ...args: unknown[]) {
    const execution = running
    // While the runner talks with its main process it puts them on the global object.
    if (execution === null || Reflect.get(globalThis, native.name) === controlled) return Reflect.apply(native, this, [callback, delay, ...args])
    if (execution.hasNoTimeLimit && !repeats) {
      execution.hasNoTimeLimit = false
      return Reflect.apply(native, this, [noop, 0])
    }
    const creator = waits.get(execution.process) ?? execution.process
    const timer = execution.clock.start(execution, { name: 'wait', callback: () => callback(...args), delay: Number(delay ?? 0), repeats, site: execution.call?.site ?? 0, creator })
    waits.set(timer.process, creator)
    return handleFor(timer)
  }
  return controlled
}

export function immediateFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, callback: unknown, ...args: unknown[]) {
    const execution = running
    if (execution === null || typeof callback !== 'function' || (kindOf(callback as AnyFunction) === 'opaque' && isNodesOwn())) return Reflect.apply(native, this, [callback, ...args])
    const request: TimerRequest = {
      name: functionName(callback) || 'immediate',
      callback: () => {
        invoke(execution, callback as AnyFunction, receiver, args, execution.lastSite)
        if (settlesUnseen(callback)) opaqueCodeGoesOn(execution, execution.lastSite)
      },
      calls: { callback, args },
      delay: 0,
      repeats: false,
      site: execution.call?.site ?? 0,
    }
    const handle = handleFor(startImmediate(execution, request, { isAwaited: settlesPromise(callback) || kindOf(callback as AnyFunction) === 'platform' }), Immediate)
    const receiver = isNode ? handle : undefined
    return handle
  }
}

/** `isAwaited`: who waits for it waits for a turn of the event loop. */
export function startImmediate(execution: Execution, request: TimerRequest, { isAwaited }: { readonly isAwaited: boolean }): Timer {
  const { clock } = execution
  return isAwaited && awaitsAll(execution) ? clock.start(execution, { ...request, waitsForAll: true }) : clock.startNow(execution, request, 'turns')
}

export function clearFunction(native: AnyFunction): AnyFunction {
  return function (this: unknown, handle: unknown) {
    if (handle instanceof TimerHandle) return void handle.close()
    if (handle === undefined || handle === null) running?.recorder?.clearsNothing()
    const numbered = isNode && typeof handle === 'object' ? undefined : timerNumbered(Number(handle))
    const standing = numbered ?? (running && standingFor(handle, running))
    if (standing) standing.clear()
    else Reflect.apply(native, this, [handle])
  }
}

/** requestAnimationFrame: a timer of one frame. */
export function frameFunction(native: AnyFunction): AnyFunction {
  return (callback: (time: number) => void) => {
    const execution = running
    if (execution === null) return native(callback)
    const timer = execution.clock.start(execution, {
      name: functionName(callback) || 'frame',
      callback: () => invoke(execution, callback, undefined, [timeNow(execution)], execution.lastSite),
      delay: 16,
      repeats: false,
      site: execution.call?.site ?? 0,
      mayRace: true,
    })
    return Number(handleFor(timer) as number)
  }
}

/** `AbortSignal.timeout`: by virtual time. */
export function timeoutSignal(native: AnyFunction): AnyFunction {
  return (delay: number) => {
    const execution = running
    // The platform has the error.
    if (!(Math.trunc(delay) === delay && delay >= 0)) return Reflect.apply(native, AbortSignal, [delay])
    if (execution === null) return signalAfter(native, delay)
    const controller = new AbortController()
    execution.identities.made(controller.signal)
    const abort = (): void => controller.abort(timeoutError())
    execution.clock.start(execution, { name: 'timeout', callback: abort, delay, repeats: false, site: execution.call?.site ?? 0, mayRace: true })
    return controller.signal
  }
}
