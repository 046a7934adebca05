import type { Execution } from '../execution/execution.ts'

const natives = new WeakMap<object, boolean>()

/** Whether the platform wrote this function: an object that it returns is new. */
export function isNative(fn: object): boolean {
  let native = natives.get(fn)
  if (native === undefined) {
    native = Function.prototype.toString.call(fn).endsWith('{ [native code] }') && !(fn as { name: string }).name.startsWith('bound ')
    natives.set(fn, native)
  }
  return native
}

/** Gives what a function of the platform returned an identity. */
export function nameResult(execution: Execution, fn: object, result: unknown): void {
  if (typeof result === 'object' && result !== null && isNative(fn)) execution.identities.cameIn(result, { mayBeOlder: false })
}
