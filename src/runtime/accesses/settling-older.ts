import { whileSettling } from '../events/promise-hooks.ts'
import type { Execution } from '../execution/execution.ts'
import { isKnownOlder } from '../execution/permanent-names.ts'
import { functionName } from '../execution/values.ts'
import type { Fn } from './handler.ts'

/**
 * Where every `await` is a step, promises that the body makes are settled by functions of the runtime. One of the platform's, which have no name, settles a promise that
 * is older than the execution, or one of code that is not instrumented. Nobody can undo the former, and who waits for it is not told.
 */
export const maySettleOlder = (execution: Execution, fn: Fn): boolean => !execution.events && fn.length === 1 && functionName(fn) === ''

/** Such a call. */
export function settlingOlder<T>(execution: Execution, call: () => T): T {
  return whileSettling((promise) => {
    if (isKnownOlder(promise)) execution.settlesOlder()
  }, call)
}
