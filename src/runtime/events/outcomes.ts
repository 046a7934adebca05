import type { Execution } from '../execution/execution.ts'
import { noop } from '../execution/native.ts'

/** What promises of code that is not instrumented are fulfilled with: that may be in the hands of such code, as what its calls return. */

type Heard = (execution: Execution, promise: object, value: unknown) => void

let heard: Heard = noop

export function whenOutcomeIsHeard(callback: Heard): void {
  heard = callback
}

export function outcomeHeard(execution: Execution, promise: object, value: unknown): void {
  heard(execution, promise, value)
}
