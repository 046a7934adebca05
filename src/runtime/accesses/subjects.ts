import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { OPAQUE } from '../execution/keys.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { changeEnvironment, isEnvironment, lookAtEnvironment } from './environment.ts'
import { tellTraps } from './opaque-traps.ts'
import { changed, seen } from './telling.ts'

/**
 * What an operation on an object is about: itself, or the target of a Proxy, whose traps run for the operation alone. Of a
 * Proxy whose target is not known all is one location, which is told of here.
 */
export function subjectOfLook(execution: Execution, object: object, site: SiteId): object | undefined {
  return subjectOf(execution, object, site, () => {
    seen(execution, object, OPAQUE, site, undefined)
    if (isEnvironment(object)) lookAtEnvironment(execution, site)
  })
}

export function subjectOfChange(execution: Execution, object: object, site: SiteId): object | undefined {
  return subjectOf(execution, object, site, () => {
    changed(execution, object, OPAQUE, site, undefined)
    if (isEnvironment(object)) changeEnvironment(execution, site)
  })
}

function subjectOf(execution: Execution, object: object, site: SiteId, tellUnknown: () => void): object | undefined {
  if (!isProxy(object)) return object
  tellTraps(execution, object, site)
  const target = targetOf(object)
  if (!target) tellUnknown()
  return target
}
