import type { Execution } from '../../../execution/execution.ts'
import { afterMacrotask } from '../../../execution/native.ts'
import type { Answer } from '../../question.ts'
import { serversOf } from '../../servers.ts'
import { isFatal } from '../session.ts'
import type { Query } from './package.ts'
import { replaceClosed, type Pool } from './pool.ts'
import { isServerError } from './session.ts'

/**
 * A session that is lost while it has a statement to answer leaves its error behind in the package's connection, and what it has not written yet: whatever is asked
 * next, once that is opened anew, is told of the old error, or is never sent. In the execution that has lost it that is as it is; whoever comes next must not meet it.
 */
const lostIn = new WeakMap<Pool, Execution>()

/** A statement has been answered. */
export function noteAnswer(execution: Execution, pool: Pool, { query, answer }: { readonly query: Query; readonly answer: Answer }): void {
  const hasReachedServer = query.state !== null
  if ('value' in answer || !hasReachedServer || (isServerError(answer.error) && !isFatal(answer.error))) return
  serversOf(execution).losesConnection(answer.error)
  if (lostIn.get(pool) === execution) return
  lostIn.set(pool, execution)
  serversOf(execution).whenOver(async () => {
    await new Promise<void>(afterMacrotask)
    replaceClosed(pool)
  })
}

/** An execution asks something of a pool. */
export function beforeUse(execution: Execution, pool: Pool): void {
  // Some have been closed since.
  if (lostIn.has(pool) && lostIn.get(pool) !== execution && lostIn.delete(pool)) replaceClosed(pool)
}
