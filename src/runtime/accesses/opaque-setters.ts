import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { opaqueSetter } from './opaque-accessors.ts'
import { callOpaque } from './opaque-calls.ts'

interface Assignment {
  readonly object: object
  readonly key: PropertyKey
  readonly value: unknown
}

/** Runs an assignment that calls a setter: one that is not instrumented is an opaque call like any other. */
export function assignBySetter<T>(execution: Execution, { object, key, value }: Assignment, site: SiteId, run: () => T): T {
  const setter = opaqueSetter(object, key)
  if (setter === undefined) return execution.recorder ? execution.recorder.uses({ object, name: key, site, assigned: [value] }, run) : run()
  return callOpaque(execution, { fn: setter, receiver: object, args: [value], site }, run)
}
