import { textOfFunction } from '../../engine/intrinsics.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstrumentedText, isKnownInstrumented, standsInPlace } from '../execution/instrumented.ts'
import { isProxy } from '../execution/proxies.ts'
import { functionName } from '../execution/values.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'

const natives = new WeakMap<object, boolean>()

/** Whether the platform wrote this function: an object that it returns is new. */
export function isNative(fn: object): boolean {
  if (isKnownInstrumented(fn) || isProxy(fn)) return false
  let native = natives.get(fn)
  if (native === undefined) {
    const text = textOfFunction(fn)
    native = text.endsWith('{ [native code] }') && !functionName(fn).startsWith('bound ')
    if (!native) isInstrumentedText(text, fn)
    if (!isKnownInstrumented(fn)) natives.set(fn, native)
  }
  return native
}

/** A method of the platform has this one in its place while an exploration runs. */
export function standsForNative(version: object): void {
  standsInPlace(version)
  natives.set(version, true)
}

/** Gives what a function of the platform returned an identity. Those that Node wrote in JavaScript may return what they keep. */
export function nameResult(execution: Execution, fn: Fn, result: unknown): void {
  if (typeof result !== 'object' || result === null) return
  if (isNative(fn)) execution.identities.cameIn(result, { mayBeOlder: false })
  else if (kindOf(fn) === 'platform') execution.identities.cameIn(result, { mayBeOlder: true })
}
