import { Object, Reflect } from '../../engine/intrinsics.ts'
import { handlerOf, register } from '../accesses/registry.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { running } from '../execution/running.ts'
import type { Patch } from './globals.ts'
import type { AnyFunction } from './timers.ts'

const NativeWeakRef = globalThis.WeakRef

/**
 * What is referred to weakly lives as long as the execution that has made the reference or asked for it: when memory is reclaimed is no part of an
 * interleaving, and caches of code that is not instrumented (of happy-dom) would be empty in one run of a schedule and not in another.
 */
const kept = new PerExecution(() => new Set<unknown>())

export function referencePatches(): Patch[] {
  return [
    { target: globalThis, key: 'WeakRef', only: NativeWeakRef, make: referenceClass },
    { target: NativeWeakRef.prototype, key: 'constructor', like: globalThis, only: NativeWeakRef, make: referenceClass },
    { target: NativeWeakRef.prototype, key: 'deref', make: dereference },
  ]
}

function referenceClass(native: WeakRefConstructor & AnyFunction): AnyFunction {
  const controlled = function (...args: [WeakKey]): unknown {
    // The platform says what is wrong with such a call.
    if (!new.target) return Reflect.apply(native, undefined, args)
    const reference: unknown = Reflect.construct(native, args, new.target === controlled ? native : new.target)
    if (running !== null) keep(running, args[0])
    return reference
  }
  return Object.defineProperties(controlled, Object.getOwnPropertyDescriptors(native))
}

function dereference(native: AnyFunction): AnyFunction {
  // A method, like that of the platform, is no constructor.
  const { controlled } = {
    controlled(this: unknown): unknown {
      const target: unknown = Reflect.apply(native, this, [])
      if (running !== null && target !== undefined) keep(running, target)
      return target
    },
  }
  // Instrumented code has what its own references refer to for longer (`accesses/weak-refs.ts`).
  const handler = handlerOf(native)
  if (handler) register([[controlled, handler]])
  return controlled
}

function keep(execution: Execution, target: unknown): void {
  kept.of(execution).add(target)
}
