import { isPromise, isSettled } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { PerExecution } from '../execution/per-execution.ts'
import { cellOf } from './promise-cell.ts'

/**
 * Promises that are older than an execution, for which its steps wait. Where an event runs the platform's own reactions, those that still wait when the execution is
 * over run whenever somebody settles the promise, in a later execution or a later test: nobody can take them back.
 */
const waitedFor = new PerExecution(() => new Set<Promise<unknown>>())

/** The running step waits for a promise. */
export function waitsFor(execution: Execution, promise: unknown): void {
  if (typeof promise === 'object' && promise !== null && isPromise(promise) && cellOf(execution, promise) === undefined) waitedFor.of(execution).add(promise)
}

/** The execution is over: something of it that waits goes on by itself, as soon as an older promise is settled. */
export const waitsForOlder = (execution: Execution): boolean => [...(waitedFor.known(execution) ?? [])].some((promise) => !isSettled(promise))
