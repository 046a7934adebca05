import { dateNow, timeTold } from '../execution/clock.ts'
import { Math, Object, Reflect } from '../../engine/intrinsics.ts'
import { NativeDate, nativePerformance, standsForDate } from '../execution/native.ts'
import { inTurn, running } from '../execution/running.ts'
import { handlerOf, handlesLike, register } from '../accesses/registry.ts'
import type { Patch } from './globals.ts'
import { markPatches } from './marks.ts'
import type { AnyFunction } from './timers.ts'

/** Everything that tells the time tells virtual time within a step: one clock, whoever asks and however. */
export function clockPatches(): Patch[] {
  const list: Patch[] = [
    { target: globalThis, key: 'Date', only: NativeDate, make: dateClass },
    { target: NativeDate.prototype, key: 'constructor', like: globalThis, only: NativeDate, make: dateClass },
    { target: NativeDate, key: 'now', make: (native) => () => (running === null ? native() : dateNow(running)) },
  ]
  if (nativePerformance) list.push(...performancePatches(nativePerformance))
  const process = globalThis.process as NodeJS.Process | undefined
  if (process?.hrtime) list.push({ target: process, key: 'hrtime', make: (native) => highResolutionTime(native as NodeJS.HRTime), stays: true })
  return list
}

/** `Date`, whose `new Date()` and `Date()` tell virtual time also in code that is not instrumented. */
function dateClass(native: DateConstructor & AnyFunction): AnyFunction {
  const controlled = function (...args: unknown[]): unknown {
    if (!new.target) return running === null ? native() : new NativeDate(dateNow(running)).toString()
    const given = args.length === 0 && running !== null ? [dateNow(running)] : args
    return Reflect.construct(native, given, new.target === controlled ? native : new.target)
  }
  Object.setPrototypeOf(controlled, native)
  Object.defineProperty(controlled, 'prototype', { value: native.prototype, writable: false })
  Object.defineProperty(controlled, 'length', { value: native.length, configurable: true })
  standsForDate(controlled)
  return controlled
}

function performancePatches(performance: NonNullable<typeof nativePerformance>): Patch[] {
  const now = (native: AnyFunction) => (): unknown => (running !== null ? timeTold(running, 'now') : (inTurn?.clock.tellInTurn() ?? Reflect.apply(native, performance, [])))
  return [{ target: performance, key: 'now', make: now }, ...markPatches(performance)]
}

/** In a millisecond. */
const nanoseconds = 1_000_000n

/** Virtual time in nanoseconds. */
const total = (): bigint => BigInt(Math.round(timeTold(running!, 'hrtime') * 1_000_000))

/** `process.hrtime` and `process.hrtime.bigint`. */
function highResolutionTime(native: NodeJS.HRTime & AnyFunction): AnyFunction {
  const controlled = (before?: [number, number]): [number, number] => {
    if (running === null) return native(before)
    const since = total() - (before ? BigInt(before[0]) * 1000n * nanoseconds + BigInt(before[1]) : 0n)
    return [Number(since / (1000n * nanoseconds)), Number(since % (1000n * nanoseconds))]
  }
  const { bigint } = native
  controlled.bigint = (): bigint => (running === null ? Reflect.apply(bigint, native, []) : total())
  // As `calledAs` does for the function itself.
  if (!handlerOf(bigint)) register([[bigint, () => controlled.bigint()]])
  handlesLike(controlled.bigint, bigint)
  return controlled as unknown as AnyFunction
}

/** `performance.timeOrigin` is an accessor; within a step, what it says and `performance.now()` add up to `Date.now()`. */
export function controlTimeOrigin(): () => void {
  const performance = nativePerformance as typeof nativePerformance | undefined
  if (!performance || Object.hasOwn(performance, 'timeOrigin')) return () => {}
  Object.defineProperty(performance, 'timeOrigin', {
    get: () => (running === null ? (Reflect.get(Reflect.getPrototypeOf(performance)!, 'timeOrigin', performance) as number) : running.clock.origin),
    configurable: true,
    enumerable: true,
  })
  return () => void Reflect.deleteProperty(performance, 'timeOrigin')
}
