import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import { isMap } from '../execution/brands.ts'

/** A timer of a clock of `@sinonjs/fake-timers`. */
export interface SinonTimer {
  readonly id: number
  func: unknown
  readonly args?: readonly unknown[]
  callAt: number
  readonly createdAt: number
  readonly immediate?: boolean
  /** Of timers that repeat. */
  readonly interval?: number
  /** Counts up; where a version of the library has it. */
  readonly order?: number
}

interface TimerHeap {
  push(timer: SinonTimer): void
  remove(timer: SinonTimer): void
}

export interface TickMode {
  readonly mode: string
  readonly delta?: number | undefined
}

/** The clock that `@sinonjs/fake-timers` puts on the global object: for Vitest, for sinon, for Jest. */
export interface SinonClock extends Record<string, unknown> {
  now: number
  /** By id; not there before the first. */
  timers?: Map<number, SinonTimer> | Record<string, SinonTimer>
  /** Of later versions: the same timers, the next one first. */
  timerHeap?: TimerHeap
  /** Microtasks and ticks, where these are faked as well. */
  jobs?: unknown[]
  /** What it stands for on the global object. */
  methods: string[]
  duringTick?: boolean
  readonly loopLimit: number
  /** Whether time moves by itself. */
  tickMode?: TickMode
  readonly timersModuleMethods?: { readonly methodName: string; original: unknown }[]
  readonly timersPromisesModuleMethods?: { readonly methodName: string; original: unknown }[]
  uninstall(): void
  reset(): void
  setSystemTime(time?: unknown): void
  hrtime?(): readonly [seconds: number, nanoseconds: number]
}

/** Where a clock shows on the global object. */
const standIns = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'performance'] as const

/** The clock that one of the functions on the global object belongs to. */
export function clockOf(standIn: unknown): SinonClock | undefined {
  if ((typeof standIn !== 'object' && typeof standIn !== 'function') || standIn === null) return undefined
  const clock = (standIn as { clock?: Partial<SinonClock> | null }).clock
  return typeof clock === 'object' && clock !== null && typeof clock['tick'] === 'function' && Array.isArray(clock.methods) ? (clock as SinonClock) : undefined
}

/** What is installed now. */
export function installedClock(): SinonClock | undefined {
  for (const name of standIns) {
    const clock = clockOf(Reflect.get(globalThis, name))
    if (clock) return clock
  }
  return undefined
}

/** What was there when this was asked last. */
let seen: Record<(typeof standIns)[number], unknown> | undefined
let known: { readonly clock: SinonClock | undefined } | undefined

/** Whether there may be another clock than when this was asked last: asked so often that it does not look at the functions. */
export function mayHaveChanged(): boolean {
  const { Date, setTimeout, setInterval, setImmediate, performance } = globalThis
  if (Date === seen?.Date && setTimeout === seen.setTimeout && setInterval === seen.setInterval && setImmediate === seen.setImmediate && performance === seen.performance) return false
  seen = { Date, setTimeout, setInterval, setImmediate, performance }
  known = undefined
  return true
}

/** What was installed when `mayHaveChanged` was asked last. */
export function lastClock(): SinonClock | undefined {
  return (known ??= { clock: installedClock() }).clock
}

export function timersOf({ timers }: SinonClock): SinonTimer[] {
  if (!timers) return []
  return isById(timers) ? [...timers.values()] : Object.values(timers)
}

export function timerWithId({ timers }: SinonClock, id: number): SinonTimer | undefined {
  return isById(timers) ? timers.get(id) : timers?.[id]
}

/** The Map of another global object, where Jest has the library outside that of the tests. */
const isById = (timers: SinonClock['timers']): timers is Map<number, SinonTimer> => timers !== undefined && isMap(timers)

/** In which order the clock calls its timers. */
export function comesBefore(one: SinonTimer, other: SinonTimer): number {
  return (
    one.callAt - other.callAt ||
    Number(other.immediate ?? false) - Number(one.immediate ?? false) ||
    (one.order ?? 0) - (other.order ?? 0) ||
    one.createdAt - other.createdAt ||
    one.id - other.id
  )
}

/** What the clock does to a timer before it calls it. */
export function takeOut(clock: SinonClock, timer: SinonTimer): void {
  clock.timerHeap?.remove(timer)
  if (typeof timer.interval === 'number') {
    timer.callAt += timer.interval
    clock.timerHeap?.push(timer)
  } else if (isById(clock.timers)) {
    clock.timers.delete(timer.id)
  } else {
    delete clock.timers?.[timer.id]
  }
}

/** Milliseconds since the clock was made, whatever was set as the time of day. */
function elapsed(clock: SinonClock): number {
  const [seconds, nanoseconds] = clock.hrtime?.() ?? [0, 0]
  return seconds * 1000 + nanoseconds / 1e6
}

/** Keeps the time and the timers of a clock; returns what gives them to it again, or to one that has come in its place. */
export function saveClock(clock: SinonClock): (clock: SinonClock) => void {
  const time = clock.now
  const passed = elapsed(clock)
  const timers = timersOf(clock).map((timer) => ({ timer, copy: { ...timer } }))
  const jobs = [...(clock.jobs ?? [])]
  return (target) => {
    target.reset()
    target.jobs = [...jobs]
    for (const { timer, copy } of timers) {
      Object.assign(timer, copy)
      if (isById(target.timers)) target.timers.set(timer.id, timer)
      else target.timers![timer.id] = timer
      target.timerHeap?.push(timer)
    }
    // The time of day and the time that has passed move together, unless the first is set.
    target.now += passed - elapsed(target)
    if (target.now !== time) setTimeOnly(target, time)
  }
}

/** Sets the time of day, and leaves timers as they are. */
function setTimeOnly(clock: SinonClock, time: number): void {
  const due = timersOf(clock).map((timer) => ({ timer, callAt: timer.callAt, createdAt: timer.createdAt }))
  clock.setSystemTime(time)
  for (const { timer, callAt, createdAt } of due) Object.assign(timer, { callAt, createdAt })
}

/** What a clock takes as a length of time: milliseconds, or `hh:mm:ss`. */
export function millisecondsIn(value: unknown): number {
  if (typeof value !== 'string') return Number(value)
  return value === '' ? 0 : 1000 * value.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}

