import { vi } from 'vitest'
import { asRuntime, callOwn, knowMock, loaded, restoringAll, spyingOn, standsForPlatform, stubbing, toldAsOpaque, unstubbing } from '../runtime/index.ts'

/**
 * Functions of `vi` that only pass on what they are asked, to a clock that tells itself what it does or to a callback, and keep
 * nothing that two calls could share.
 */
const passingOn = [
  'runAllTicks', 'runAllTimers', 'runAllTimersAsync', 'runOnlyPendingTimers', 'runOnlyPendingTimersAsync', 'advanceTimersByTime', 'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer', 'advanceTimersToNextTimerAsync', 'advanceTimersToNextFrame', 'getTimerCount', 'clearAllTimers', 'setTimerTickMode',
  'waitFor', 'waitUntil', 'isMockFunction', 'clearAllMocks', 'resetAllMocks',
] as const

/** Functions that put something else in the place of what is on the global object. */
const replacing = ['useFakeTimers', 'useRealTimers', 'setSystemTime'] as const

type Tool = (...args: unknown[]) => unknown

/** What the others change, they tell; and what is loaded from outside. */
const telling: Readonly<Record<string, (tool: Tool) => Tool>> = {
  fn: (tool) => (...args) => knowMock(tool(...args)),
  mocked: (tool) => (...args) => knowMock(tool(...args)),
  spyOn: (tool) => (...args) => knowMock(spyingOn(tool)(...args)),
  importActual: (tool) => (...args) => loaded(tool(...args) as Promise<unknown>),
  importMock: (tool) => (...args) => loaded(tool(...args) as Promise<unknown>),
  restoreAllMocks: restoringAll,
  stubGlobal: (tool) => stubbing('globals', tool),
  unstubAllGlobals: (tool) => unstubbing('globals', tool),
  stubEnv: (tool) => stubbing('env', tool),
  unstubAllEnvs: (tool) => unstubbing('env', tool),
}

const known = Symbol.for('vitest-dpor tools')

/** Calls of `vi` stand in the source as they were written, because Vitest knows some of them by their text. So they tell of themselves. */
export function knowTools(): void {
  if (Reflect.get(vi, known)) return
  Object.defineProperty(vi, known, { value: true })
  for (const name of passingOn) replace(name, (tool) => tool)
  for (const name of replacing) replace(name, toldAsOpaque)
  for (const [name, told] of Object.entries(telling)) replace(name, (tool) => entered(told(tool)))
}

/** The body calls it, which may have replaced what it works with. */
const entered = (told: Tool): Tool => function (this: unknown, ...args) {
  return asRuntime(() => callOwn(told, this, args) as unknown)
}

function replace(name: string, make: (tool: Tool) => Tool): void {
  const tool: unknown = Reflect.get(vi, name)
  if (typeof tool !== 'function') return
  const told = make(tool as Tool)
  if (told !== tool) Object.defineProperties(told, Object.getOwnPropertyDescriptors(tool))
  if (!(replacing as readonly string[]).includes(name)) standsForPlatform(told)
  Reflect.set(vi, name, told)
}
