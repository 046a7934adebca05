import type { Execution } from '../execution/execution.ts'

/** What promises of code that is not instrumented are fulfilled with: that may stay in the hands of such code, as what its calls return. */

type Heard = (value: unknown) => void
type Asked = (execution: Execution, promise: object) => Heard | undefined

let asked: Asked = () => undefined

export function whenOutcomeIsAsked(callback: Asked): void {
  asked = callback
}

/** The running step asks for the outcome of a promise: gives what is to be called when it is fulfilled, if anything. */
export function outcomeAsked(execution: Execution, promise: object): Heard | undefined {
  return asked(execution, promise)
}
