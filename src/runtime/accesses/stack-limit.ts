import type { SiteId } from '../../engine/ids.ts'
import { isError } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { property } from '../execution/keys.ts'

const limit = property('stackTraceLimit')

/** An object was made: if it is an error, its stack has as many lines as `Error.stackTraceLimit` says. */
export function lookAtStackLimit({ accesses, identities }: Execution, made: object, site: SiteId): void {
  const { Error } = globalThis
  if (!identities.assumptions.unchanged.has(limit) && isError(made)) accesses.read(identities.of(Error), limit, site, Error.stackTraceLimit)
}
