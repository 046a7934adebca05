import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import { kindOf } from '../accesses/function-kinds.ts'
import { invoke } from '../accesses/invoke.ts'
import { register } from '../accesses/registry.ts'
import { isSetAside } from '../execution/active-work.ts'
import type { Execution } from '../execution/execution.ts'
import { nativeClearTimeout, nativeSetTimeout, noop } from '../execution/native.ts'
import { Process } from '../execution/process.ts'
import { Timer } from '../execution/timer.ts'
import { functionName } from '../execution/values.ts'
import type { AnyFunction } from './timers.ts'

/** What Node keeps of a timer, in its own milliseconds. */
interface RealTimer {
  readonly _destroyed: boolean
  readonly _idleStart: number
  readonly _idleTimeout: number
  hasRef(): boolean
  refresh(): unknown
}

/** What the timer was given. */
interface OlderRequest {
  readonly callback: AnyFunction
  readonly args: readonly unknown[]
  readonly delay: number
  readonly repeats: boolean
}

/** To load files, to begin and to end tests takes longer where they are explored: so many milliseconds between two explorations count for nothing. */
const mostUncounted = 1000

/** No exploration takes as long. Milliseconds. */
const longest = 2 ** 31 - 1

/**
 * A timer that was set while nothing was explored, as a file was loaded or in a hook. Without this package little time would have passed when a later test
 * begins, so it stands still while others are explored; in each execution it fires when it is due by the time of that one.
 */
class OlderTimer {
  readonly #real: RealTimer
  readonly #request: OlderRequest
  /** Milliseconds that are left. */
  #remaining = 0
  /** It was moved in time: since when it takes how long. */
  #moved: { readonly start: number; readonly length: number } | undefined
  /** It is due at a time of the last execution, by this. */
  #standing: Timer | undefined

  constructor(real: RealTimer, request: OlderRequest) {
    this.#real = real
    this.#request = request
  }

  /** Node stays for it. */
  get hasRef(): boolean {
    return this.#real.hasRef()
  }

  get isOver(): boolean {
    return Reflect.get(this.#real, '_destroyed') as boolean
  }

  /** What code does that is not instrumented cannot be undone: it goes on in real time. */
  get isOfProgram(): boolean {
    return aborting.has(this.#request.callback) || kindOf(this.#request.callback) === 'own'
  }

  hold(now: number): void {
    const { _idleStart: start, _idleTimeout } = this.#real
    const length = this.#moved?.start === start ? this.#moved.length : _idleTimeout
    const passed = now - start
    this.#remaining = passed < mostUncounted ? length : Math.max(0, length - passed)
    this.#fireIn(longest)
  }

  /** Nothing is explored any more. */
  run(): void {
    this.#standing = undefined
    if (!this.isOver) this.#fireIn(this.#remaining)
  }

  goOnIn(execution: Execution): void {
    const { callback, args, delay, repeats } = this.#request
    const process = new Process(-1, functionName(callback) || (repeats ? 'interval' : 'timer'))
    const call = (now: Execution | null): unknown => (now && !aborting.has(callback) ? invoke(now, callback, this.#real, [...args], now.lastSite) : Reflect.apply(callback, this.#real, args))
    this.#standing = new Timer(execution, { name: process.name, callback: call, calls: { callback, args }, delay, repeats, site: 0, creator: process, mayRace: false, isOlder: true }, 'turns', process)
    execution.clock.schedule(this.#standing, this.#remaining)
  }

  /** Whether it has fired for the last time in the execution, or was cleared. */
  isOverIn(execution: Execution): boolean {
    const standing = this.in(execution)
    return standing !== undefined && !standing.isDropped && (standing.isCleared || (standing.hasFired && !execution.clock.timers.includes(standing)))
  }

  /** What the execution has changed stays. */
  leave(execution: Execution): void {
    const standing = this.in(execution)
    if (this.isOverIn(execution)) nativeClearTimeout(this.#real as unknown as NodeJS.Timeout)
    else if (standing) this.#remaining = Math.max(0, standing.due - execution.clock.now)
  }

  /** In an execution: what fires in its place. */
  in(execution: Execution): Timer | undefined {
    return this.#standing?.execution === execution ? this.#standing : undefined
  }

  /** Later on it takes as long as it was set for. */
  #fireIn(milliseconds: number): void {
    const { _idleTimeout: setFor } = this.#real
    const length = Math.max(1, Math.round(milliseconds))
    Reflect.set(this.#real, '_idleTimeout', length)
    this.#real.refresh()
    Reflect.set(this.#real, '_idleTimeout', setFor)
    const { _idleStart: start } = this.#real
    this.#moved = { start, length }
  }
}

/** What `AbortSignal.timeout` sets a timer for. */
const aborting = new WeakSet<AnyFunction>()

const byReal = new WeakMap<object, OlderTimer>()
/** All that was set, and may have fired by now: then what it was given is nobody's. */
let set: WeakRef<RealTimer>[] = []
/** Those that stand still, as something is explored. */
let held: OlderTimer[] = []
let isExploring = false
// Nobody waits for what stands still.
isSetAside(() => ({ open: 0, timers: held.filter(({ hasRef }) => hasRef).length }))
/** How many there may be before it is seen which are over. */
let most = 1000

/** A timer was set outside any step. */
export function setBefore(real: unknown, request: OlderRequest): void {
  if (isExploring || !isReal(real)) return
  set.push(new WeakRef(real))
  byReal.set(real, new OlderTimer(real, request))
  if (set.length > most) most = 2 * forgetThoseOver().length + 1000
}

const isReal = (value: unknown): value is RealTimer => typeof value === 'object' && value !== null && ['_idleStart', '_idleTimeout'].every((key) => typeof Reflect.get(value, key) === 'number') && '_destroyed' in value

/** The others. */
function forgetThoseOver(): OlderTimer[] {
  const timers: OlderTimer[] = []
  set = set.filter((reference) => {
    const real = reference.deref()
    const timer = real && byReal.get(real)
    if (!timer || timer.isOver) return false
    timers.push(timer)
    return true
  })
  return timers
}

/** `AbortSignal.timeout`, outside any step. */
export function signalAfter(native: AnyFunction, delay: number): AbortSignal {
  if (isExploring) return Reflect.apply(native, AbortSignal, [delay]) as AbortSignal
  const controller = new AbortController()
  const abort = (): void => controller.abort(timeoutError())
  aborting.add(abort)
  const real = nativeSetTimeout(abort, delay).unref()
  setBefore(real, { callback: abort, args: [], delay, repeats: false })
  return controller.signal
}

/** What a signal is aborted with by `AbortSignal.timeout`. */
export const timeoutError = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

/** What real timers are measured by, milliseconds; NaN where that is not known. */
export function timeOfTimers(): number {
  const probe: unknown = nativeSetTimeout(noop, longest)
  nativeClearTimeout(probe as NodeJS.Timeout)
  const { _idleStart: now = NaN } = probe as Partial<RealTimer>
  return now
}

/** An exploration begins, at a time of theirs. */
export function holdOlderTimers(now: number): void {
  isExploring = true
  held = forgetThoseOver().filter(({ isOfProgram }) => isOfProgram)
  for (const timer of held) timer.hold(now)
}

/** It is over. */
export function runOlderTimers(): void {
  for (const timer of held.splice(0)) timer.run()
  isExploring = false
}

/** Before each execution. */
export function goOnWithOlderTimers(execution: Execution): void {
  for (const timer of held) timer.goOnIn(execution)
}

/** What an execution has changed stays. */
export function leaveOlderTimers(execution: Execution): void {
  for (const timer of held) timer.leave(execution)
  held = held.filter(({ isOver }) => !isOver)
}

/** Whether some of them are over by now. */
export const endsOlderTimers = (execution: Execution): boolean => held.some((timer) => timer.isOverIn(execution))

/** What fires in an execution in the place of a timer that is older; undefined for all else. */
export const standingFor = (real: unknown, execution: Execution): Timer | undefined => (typeof real === 'object' && real !== null ? byReal.get(real)?.in(execution) : undefined)

const real = nativeSetTimeout(noop, 0)
nativeClearTimeout(real)
const prototype = Object.getPrototypeOf(real) as Record<PropertyKey, unknown>
for (const [key, act] of [['refresh', 'refresh'], ['close', 'clear'], [Symbol.dispose, 'clear']] as const) {
  const native = prototype[key]
  if (typeof native !== 'function') continue
  register([[native as AnyFunction, (execution, receiver, args) => {
    const timer = standingFor(receiver, execution)
    if (!timer) return Reflect.apply(native as AnyFunction, receiver, args) as unknown
    timer[act]()
    return key === Symbol.dispose ? undefined : receiver
  }]])
}
