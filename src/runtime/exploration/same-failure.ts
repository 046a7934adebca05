import type { Failure } from '../../engine/index.ts'

type Found = Pick<Failure, 'kind' | 'error'>

/** Whether two executions fail alike, as far as what they throw tells: with the same words, or, as an assertion does that finds other values, in the same place. */
export function isSameFailure(one: Found, other: Found): boolean {
  if (one.kind !== other.kind) return false
  if (one.kind === 'deadlock' || messageOf(one.error) === messageOf(other.error)) return true
  const place = placeOf(one.error)
  return place !== undefined && place === placeOf(other.error)
}

/** Test frameworks turn errors into plain objects. Others tell nothing. */
function messageOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return typeof error === 'function' ? undefined : error
  return 'message' in error ? error.message : undefined
}

/** The first line of the stack that is a place. */
function placeOf(error: unknown): string | undefined {
  const stack: unknown = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : undefined
  return typeof stack === 'string' ? /^ +at .+$/m.exec(stack)?.[0] : undefined
}
