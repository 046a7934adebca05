import { Object, Reflect } from '../../engine/intrinsics.ts'
import { callsBackLike } from '../accesses/callbacks.ts'
import { standsForPlatform } from '../accesses/function-kinds.ts'
import { isMock } from '../accesses/mocks.ts'
import { isListenedTo } from '../accesses/real-callbacks.ts'
import { handlesLike } from '../accesses/registry.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import { clockOf } from './sinon-clock.ts'
import type { AnyFunction } from './timers.ts'

const { process } = globalThis as { process?: NodeJS.Process }
const native = process?.nextTick as AnyFunction | undefined

/** Of a stream within this process, to which the program listens. */
function isOfStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const stream: unknown = 'cb' in value && 'stream' in value ? value.stream : value
  return typeof stream === 'object' && stream !== null && '_readableState' in stream && !('_handle' in stream) && !('socket' in stream) && isListenedTo(stream)
}

/** A tick that is a step: what a stream emits comes in its place among what waits for microtasks, where each `await` is a step as well. */
function tickAsStep(execution: Execution, callback: AnyFunction, args: readonly unknown[]): void {
  const call = (): unknown => Reflect.apply(callback, undefined, args) as unknown
  execution.clock.startNow(execution, { name: 'tick', callback: call, calls: { callback, args }, delay: 0, repeats: false, site: 0 }, 'ticks')
}

/** What code that is not instrumented calls: its tick belongs to the step in which it is asked for. */
function nextTick(...args: unknown[]): void {
  const [callback, ...rest] = args
  if (running !== null && !running.events && running.accesses.isExploring && rest.some(isOfStream)) return tickAsStep(running, callback as AnyFunction, rest)
  running?.goesOnInTicks()
  Reflect.apply(native!, process, args)
}

/** What others find between steps. */
let current: unknown

/** A fake clock keeps what it is given until the test moves its time. */
const get = (): unknown => (running === null || clockOf(current) || isMock(current) ? current : nextTick)

/** The test runner may put back what belonged to the clock of the test before, and would hear of nothing from then on. */
const set = (next: unknown): void => {
  if (running !== null || clockOf(next)?.methods.length !== 0) current = next
}

for (const fn of [nextTick, get, set]) standsForPlatform(fn as AnyFunction)
callsBackLike(nextTick, native)

/**
 * Puts the version that tells in the place of `process.nextTick`, for the time of steps; returns what takes it off again. By an
 * accessor: the test runner puts the function that it found there back in ticks of its own.
 */
export function watchTicks(): () => void {
  const own = process && Object.getOwnPropertyDescriptor(process, 'nextTick')
  if (!own?.configurable) return () => {}
  current = own.value
  handlesLike(nextTick, native!)
  Object.defineProperty(process, 'nextTick', { get, set, configurable: true, enumerable: own.enumerable ?? true })
  return () => void Object.defineProperty(process, 'nextTick', { ...own, value: current })
}
