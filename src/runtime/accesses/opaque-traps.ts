import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { isProxy, trapsOf } from '../execution/proxies.ts'
import { isEnvironment, lookAtEnvironment } from './environment.ts'
import { isOpaqueFunction } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { findProperty } from './lookup.ts'
import { opaqueGroups, tellRunOf } from './opaque-telling.ts'
import { isAssertion } from './test-api.ts'

const trapNames = new Set(Reflect.ownKeys(Reflect))

/** A Proxy is used: traps that are not instrumented are called, whichever of them the platform asks. Those of the test environment have its state, and no other. */
export function tellTraps(execution: Execution, proxy: object, site: SiteId): void {
  if (isEnvironment(proxy)) return lookAtEnvironment(execution, site, { atStored: false })
  const traps = trapsOf(proxy)
  const trap = traps === undefined || isAssertion(proxy) ? undefined : opaqueTrap(traps)
  if (trap === undefined) return
  tellRunOf(execution, trap, { group: opaqueGroups(execution).ofTrap(trap, proxy), receiver: undefined, own: [] }, site)
}

/** The first of them, own or inherited. There are few keys to look at, and this is asked at every use of a Proxy. */
function opaqueTrap(traps: object): Fn | undefined {
  for (let holder: object | null = traps; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    for (const name of Reflect.ownKeys(holder)) {
      const trap: unknown = trapNames.has(name) ? Reflect.getOwnPropertyDescriptor(holder, name)!.value : undefined
      if (isOpaqueFunction(trap) && findProperty(traps, name)!.holder === holder) return trap
    }
  }
  return undefined
}
