import { vi } from 'vitest'
import { standsForPlatform, toldAsOpaque } from '../runtime/index.ts'

/**
 * Functions of `vi` that only pass on what they are asked, to a clock that tells itself what it does or to a callback, and keep
 * nothing that two calls could share.
 */
const passingOn = [
  'runAllTicks', 'runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'advanceTimersByTime', 'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync', 'advanceTimersToNextFrame', 'getTimerCount', 'clearAllTimers', 'setTimerTickMode',
  'waitFor', 'waitUntil', 'fn', 'mocked', 'isMockFunction',
] as const

/** Functions that put something else in the place of what is on the global object, or in an object that they are given. */
const replacing = [
  'useFakeTimers', 'useRealTimers', 'setSystemTime', 'spyOn', 'stubGlobal', 'unstubAllGlobals', 'stubEnv', 'unstubAllEnvs', 'clearAllMocks', 'resetAllMocks',
  'restoreAllMocks',
] as const

const known = Symbol.for('vitest-dpor tools')

/** Calls of `vi` stand in the source as they were written, because Vitest knows some of them by their text. So they tell of themselves. */
export function knowTools(): void {
  if (Reflect.get(vi, known)) return
  Object.defineProperty(vi, known, { value: true })
  for (const name of passingOn) replace(name, (tool) => (standsForPlatform(tool), tool))
  for (const name of replacing) replace(name, toldAsOpaque)
}

type Tool = (...args: unknown[]) => unknown

function replace(name: string, make: (tool: Tool) => Tool): void {
  const tool: unknown = Reflect.get(vi, name)
  if (typeof tool === 'function') Reflect.set(vi, name, make(tool as Tool))
}
