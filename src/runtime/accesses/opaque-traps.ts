import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy, trapsOf } from '../execution/proxies.ts'
import { kindOf } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { opaqueGroups, tellCall } from './opaque-telling.ts'
import { findProperty } from './lookup.ts'
import { isAssertion } from './test-api.ts'

const trapNames = Reflect.ownKeys(Reflect)

/** A Proxy is used: traps that are not instrumented are called, whichever of them the platform asks. */
export function tellTraps(execution: Execution, proxy: object, site: SiteId): void {
  const traps = trapsOf(proxy)
  if (traps === undefined || isProxy(traps) || isAssertion(proxy)) return
  for (const name of trapNames) {
    const trap: unknown = findProperty(traps, name)?.own.value
    if (typeof trap !== 'function' || kindOf(trap as Fn) !== 'opaque') continue
    const known = opaqueGroups(execution)
    const group = known.ofTrap(trap as Fn, proxy)
    known.note(trap as Fn, group, site)
    return tellCall(execution, { group, receiver: undefined, site })
  }
}
