import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { changeEnvironment, isEnvironment, lookAtEnvironment } from './environment.ts'
import { tellTraps } from './opaque-traps.ts'
import { keepStored } from './stored-items.ts'
import { changed, seen } from './telling.ts'

/**
 * What an operation on an object is about: itself, or the target of a Proxy, whose traps run for the operation alone. Of a
 * Proxy whose target is not known all is one location, which is told of here.
 */
export function subjectOfLook(execution: Execution, object: object, site: SiteId): object | undefined {
  return subjectOf(execution, object, site, { environment: lookAtEnvironment, unknown: seen })
}

export function subjectOfChange(execution: Execution, object: object, site: SiteId): object | undefined {
  return subjectOf(execution, object, site, { environment: () => changeProxy(execution, object, site), unknown: changed })
}

function changeProxy(execution: Execution, proxy: object, site: SiteId): void {
  keepStored(execution, proxy)
  changeEnvironment(execution, site)
}

interface Telling {
  readonly environment: (execution: Execution, site: SiteId) => void
  readonly unknown: typeof seen
}

function subjectOf(execution: Execution, object: object, site: SiteId, tell: Telling): object | undefined {
  if (!isProxy(object)) return object
  if (isEnvironment(object)) tell.environment(execution, site)
  else tellTraps(execution, object, site)
  const target = targetOf(object)
  if (!target) tell.unknown(execution, object, OPAQUE, site, undefined)
  return target
}
