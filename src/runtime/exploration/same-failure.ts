import type { Failure } from '../../engine/index.ts'

type Found = Pick<Failure, 'kind' | 'error'>

/** Whether two executions fail alike, as far as what they throw tells. */
export function isSameFailure(one: Found, other: Found): boolean {
  return one.kind === other.kind && (one.kind === 'deadlock' || messageOf(one.error) === messageOf(other.error))
}

/** Test frameworks turn errors into plain objects. Others tell nothing. */
function messageOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return typeof error === 'function' ? undefined : error
  return 'message' in error ? error.message : undefined
}
