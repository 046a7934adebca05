import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { lookFor } from './inheritance.ts'
import { knowMock } from './known-mocks.ts'
import { isMock } from './mocks.ts'
import { callOpaque } from './opaque-calls.ts'

interface Looked {
  readonly site: SiteId
  /** A call of what is found follows. */
  readonly isCalled: boolean
}

/** What may be replaced as a whole, and is named in places that are left as they are written. */
const holders = ['console', 'Intl', 'Date', 'Promise', 'Proxy']

/**
 * A property of what the platform has on the global object, in a place that is left as it is written, such as `Math.max(a)`. As long
 * as nobody has put another value there, nobody has to know.
 */
export function lookAtBuiltIn(execution: Execution, object: object, name: PropertyKey, { site, isCalled }: Looked): void {
  const { fixed } = execution.identities.assumptions
  for (const holder of holders) if (!fixed.has(holder)) lookFor(execution, globalThis, holder, site)
  if (fixed.has(name)) return
  lookFor(execution, object, name, site)
  const fn: unknown = isCalled ? Reflect.get(object, name) : undefined
  if (isMock(fn)) knowMock(fn)
  else if (typeof fn === 'function' && kindOf(fn as Fn) === 'opaque') callOpaque(execution, { fn: fn as Fn, receiver: object, args: [], site }, () => {})
}
