import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { findProperty } from './lookup.ts'
import { isObject } from './telling.ts'

/** What the platform does as soon as a signal is aborted, by execution. */
const dependents = new PerExecution(() => new Map<object, Set<() => void>>())

const { AbortSignal: Signal } = globalThis

/** What may be the signal of a call, among its options. */
export function signalIn(options: unknown): unknown {
  return isObject(options) && !isProxy(options) ? findProperty(options, 'signal')?.own.value : undefined
}

/** Something of the platform's depends on the signal: `tell` is called by the step that aborts it, to say what that changes. Nothing happens to what is no signal. */
export function whenAborted(execution: Execution, signal: unknown, tell: () => void): void {
  if (!(Signal && signal instanceof Signal)) return
  const known = dependents.of(execution)
  const those = known.get(signal) ?? new Set()
  known.set(signal, those.add(tell))
}

/** The running step aborts the signal. */
export function tellAborted(execution: Execution, signal: object): void {
  for (const tell of dependents.known(execution)?.get(signal) ?? []) tell()
}
