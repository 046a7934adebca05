import type { Failure } from '../engine/index.ts'
import { isTimeout } from './passes/cancelling.ts'

/** What was found last within a test, and the error that says so in short. */
interface Found {
  readonly failure: Failure
  readonly errorOf: (failure: Failure) => Error
}

/** By the signal of a test. */
const foundIn = new WeakMap<AbortSignal, { found: Found | undefined }>()

/**
 * Vitest ends a test from outside once its time is up, also while what was found is still looked into or told. Then the error that it ends it with says what was found. Gives what is to be
 * told of that, for one exploration of the test.
 *
 * @param signal of the test, which Vitest aborts with that error before it throws it
 */
export function toldOnTimeout(signal: AbortSignal | undefined, errorOf: Found['errorOf']): (failure: Failure) => void {
  if (!signal) return () => {}
  const known = foundIn.get(signal)
  const last = known ?? { found: undefined }
  // That of an attempt before says nothing of this one.
  last.found = undefined
  if (!known) {
    foundIn.set(signal, last)
    signal.addEventListener('abort', () => last.found && isTimeout(signal.reason) && say(last.found, signal.reason as Error), { once: true })
  }
  return (failure) => {
    last.found = { failure, errorOf }
  }
}

function say({ failure, errorOf }: Found, timeout: Error): void {
  const told = errorOf(failure)
  const [reason] = timeout.message.split('\n', 1) as [string]
  const { name, cause } = told
  const message = `${told.message}\n${reason}`
  const stack = `${name}: ${message}\n${(told.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')).join('\n')}`
  Object.assign(timeout, { name, message, stack, cause })
}
