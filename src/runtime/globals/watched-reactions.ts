import { Object, Reflect } from '../../engine/intrinsics.ts'
import { isNativePromise } from '../execution/brands.ts'
import { callsBackLike } from '../accesses/callbacks.ts'
import { invoke } from '../accesses/invoke.ts'
import type { Fn } from '../accesses/handler.ts'
import { handlesLike } from '../accesses/registry.ts'
import { standsForPlatform } from '../accesses/function-kinds.ts'
import { isNative, standsForNative } from '../accesses/native-results.ts'
import type { Execution } from '../execution/execution.ts'
import { NativePromise, standsForThen } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { askSubclass } from '../events/promise-cell.ts'
import { knownRecord } from '../promises/promise-record.ts'

/**
 * Versions of `then` and `finally` that stand in their place while an exploration runs: a callback that code which is not
 * instrumented registers with a promise of the exploration is a reaction like any other. What passes an outcome on, as the
 * platform's own callbacks do, stays in its step.
 */
const versions = (['then', 'finally'] as const).map((key) => {
  const native = NativePromise.prototype[key] as Fn
  // A method, which like most built-ins cannot be constructed.
  const { version } = {
    version(this: unknown, ...args: unknown[]): unknown {
      const execution = running
      if (execution?.events && isNativePromise(this)) askSubclass(execution, this, execution.call?.site ?? 0)
      if (execution === null || !isRegistered(execution, this, args)) return Reflect.apply(native, this, args)
      return invoke(execution, native, this, args, execution.here)
    },
  }
  Object.defineProperties(version, { name: { value: key, configurable: true }, length: { value: native.length, configurable: true } })
  standsForPlatform(version)
  standsForNative(version)
  callsBackLike(version, native)
  handlesLike(version, native)
  return { key, native, version }
})
standsForThen(versions[0]!.version)

function isRegistered(execution: Execution, promise: unknown, callbacks: readonly unknown[]): boolean {
  if (!execution.runsOpaqueCode || !isNativePromise(promise)) return false
  if (!callbacks.some((callback) => typeof callback === 'function' && !isNative(callback))) return false
  return knownRecord(execution, promise)?.isControlled === true
}

/** Puts the versions in the place of the platform's; returns what takes them off again. */
export function watchReactions(): () => void {
  const replaced = versions.filter(({ key, native, version }) => replace(key, native, version))
  return () => {
    for (const { key, native, version } of replaced) replace(key, version, native)
  }
}

/** Puts a function in the place of another, if that is there. */
function replace(key: 'then' | 'finally', found: Fn, next: Fn): boolean {
  if (NativePromise.prototype[key] !== found) return false
  return Reflect.set(NativePromise.prototype, key, next)
}
