import { Object, Reflect } from '../../engine/intrinsics.ts'
import { callsBackLike } from '../accesses/callbacks.ts'
import { standsForPlatform } from '../accesses/function-kinds.ts'
import { noteWarning } from '../accesses/given-warnings.ts'
import { isMock } from '../accesses/mocks.ts'
import { handlesLike } from '../accesses/registry.ts'
import { running } from '../execution/running.ts'
import type { AnyFunction } from './timers.ts'

const { process } = globalThis as { process?: NodeJS.Process }
const native = process?.emitWarning as AnyFunction | undefined

function emitWarning(...args: unknown[]): void {
  if (running !== null) noteWarning(running, args)
  Reflect.apply(native!, process, args)
}

/** What others find between steps. */
let current: unknown

/** A test may listen to it by a mock of its own. */
const get = (): unknown => (running === null || isMock(current) ? current : emitWarning)

const set = (next: unknown): void => {
  current = next === emitWarning ? native : next
}

for (const fn of [emitWarning, get, set]) standsForPlatform(fn as AnyFunction)
callsBackLike(emitWarning, native)

/** Puts the version that tells in the place of `process.emitWarning`; returns what takes it off again. */
export function watchWarnings(): () => void {
  const own = process && Object.getOwnPropertyDescriptor(process, 'emitWarning')
  if (!own?.configurable || !('value' in own)) return () => {}
  current = own.value
  handlesLike(emitWarning, native!)
  Object.defineProperty(process, 'emitWarning', { get, set, configurable: true, enumerable: own.enumerable ?? true })
  return () => void Object.defineProperty(process, 'emitWarning', { ...own, value: current })
}
