import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import { timeNow } from '../execution/clock.ts'
import { running } from '../execution/running.ts'
import type { Patch } from './globals.ts'
import type { AnyFunction } from './timers.ts'

/**
 * What is measured of the process and the machine is never the same twice: within a step it is what it was when it was first asked for. The time for which
 * the process has run is virtual.
 */
export function measurePatches(): Patch[] {
  const process = globalThis.process as NodeJS.Process | undefined
  if (!process?.getBuiltinModule) return []
  const os = process.getBuiltinModule('node:os')
  const v8 = process.getBuiltinModule('node:v8')
  const measured: readonly (readonly [target: object, names: readonly string[]])[] = [
    [process, ['cpuUsage', 'resourceUsage', 'availableMemory', 'constrainedMemory']],
    [os, ['freemem', 'loadavg', 'uptime', 'cpus']],
    [v8, ['getHeapStatistics', 'getHeapSpaceStatistics']],
    [globalThis.performance, ['eventLoopUtilization']],
  ]
  return [
    ...measured.flatMap(([target, keys]) => keys.map((key) => ({ target, key, make: once, stays: true }))),
    { target: process, key: 'memoryUsage', make: (native) => Object.assign(once(native), { rss: once((native as NodeJS.MemoryUsageFn).rss) }), stays: true },
    { target: process, key: 'uptime', make: (native: AnyFunction) => () => (running === null ? native() : timeNow(running) / 1000), stays: true },
  ]
}

/** What was measured before, and handed in, is the same as what is measured now. */
function once(native: AnyFunction): AnyFunction {
  let first: unknown
  return function (this: unknown, ...args: unknown[]): unknown {
    if (running === null) return Reflect.apply(native, this, args) as unknown
    first ??= Reflect.apply(native, this, [])
    return args.length > 0 ? difference(first) : copyOf(first)
  }
}

/** Each caller gets an object of its own. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  return typeof value === 'object' && value !== null ? { ...value } : value
}

const difference = (value: unknown): unknown => Object.fromEntries(Object.keys(value as object).map((key) => [key, 0]))
