import { executionOf } from '../events/promise-cell.ts'
import { OutOfTime } from '../execution/errors.ts'
import { noop } from '../execution/native.ts'
import { realProcess as process } from '../execution/real-process.ts'
import { recordOfAny } from './promise-record.ts'

/** What is known of who runs the test. */
interface Runner {
  readonly leavesErrorsToListeners?: boolean
}

type Listener = (error: unknown, promise: Promise<unknown>) => void

/**
 * While exploring, a rejection that nobody handles belongs to its execution and not to the test
 * runner, which would fail the whole run. All others still reach the runner's listeners.
 */
export function watchRejections({ leavesErrorsToListeners = false }: Runner = {}): () => void {
  if (typeof process?.listeners !== 'function') return () => {}
  const others = process.listeners('unhandledRejection') as Listener[]
  const listener: Listener = (error, promise) => {
    if (error instanceof OutOfTime) return
    const record = recordOfAny(promise)
    const execution = executionOf(promise)
    if ((record || execution) && leavesErrorsToListeners && process.listenerCount('unhandledRejection') > 1) return
    if (record) {
      record.execution.unhandled.push(record)
      record.execution.recorder?.isUnheard(record.site)
    }
    else if (execution) execution.unhandled.push({ handled: false, value: error })
    else others.forEach((other) => other(error, promise))
  }
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', listener)
  // Without a listener Node warns of each rejection that is handled late; it has been reported as what it is.
  process.on('rejectionHandled', noop)
  return () => {
    process.off('rejectionHandled', noop)
    process.off('unhandledRejection', listener)
    for (const other of others) process.on('unhandledRejection', other)
  }
}
