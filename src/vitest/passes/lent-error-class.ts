import { NativeAggregateError, type Stages } from '../../runtime/index.ts'

/*
 * Vitest asks of each error that it is told of whether it is an `AggregateError`, which throws, and ends the whole file, where a program has taken that
 * class away: of executions that fail, or are cut short, it is told where the plain test passes. Then it has the class again until code of the user's runs.
 */

let giveBack: (() => void) | undefined

/** Vitest is about to be told of an error. */
export function lendErrorClass(): void {
  if (typeof globalThis.AggregateError === 'function') return
  const own = Object.getOwnPropertyDescriptor(globalThis, 'AggregateError')
  if (own?.configurable === false) return
  Object.defineProperty(globalThis, 'AggregateError', { value: NativeAggregateError, writable: true, configurable: true })
  giveBack = () => (own ? Object.defineProperty(globalThis, 'AggregateError', own) : Reflect.deleteProperty(globalThis, 'AggregateError'))
}

/** Vitest knows, and code of the user's is about to run. */
export function takeBackErrorClass(): void {
  giveBack?.()
  giveBack = undefined
}

/** Once one of these has failed Vitest has it, and no longer when the next one begins. */
export function lendingBetween(stages: Stages): Stages {
  return {
    alone: (name, work) => lendingAfter(() => stages.alone(name, work)),
    explored: (work, atEnd) => lendingAfter(() => stages.explored(work, atEnd)),
    leaveState: () => stages.leaveState(),
  }
}

export async function lendingAfter<T>(work: () => Promise<T>): Promise<T> {
  takeBackErrorClass()
  try {
    return await work()
  } catch (error) {
    lendErrorClass()
    throw error
  }
}
