import type { Execution } from '../execution/execution.ts'
import type { ObjectId } from '../execution/identity.ts'

/** Clients and pools that are older than any execution, in the order in which they were met. */
const older = new WeakMap<object, number>()
let count = 0

/** The name of a client or pool. */
export function nameOf(execution: Execution, object: object): ObjectId {
  if (execution.identities.isOwn(object)) return execution.identities.of(object)
  if (!older.has(object)) older.set(object, ++count)
  return execution.identities.named(`opened before: ${older.get(object)}`)
}
