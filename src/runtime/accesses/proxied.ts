import { Array, Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { EXTENSIBILITY, OPAQUE, property } from '../execution/keys.ts'
import { asProgram } from '../execution/replaced-tools.ts'
import { isProxy, targetOf } from '../execution/proxies.ts'
import { changeEnvironment, isEnvironment, lookAtEnvironment, mayChangeEnvironment } from './environment.ts'
import { lookAtInherited, prototypeChanged } from './inheritance.ts'
import { tellTraps } from './opaque-traps.ts'
import { keepStored } from './stored-items.ts'
import { addKey, beforeChange, beforeRemoval, changed, dropKey, recordRead, recordWrite, seen } from './telling.ts'

/**
 * What happens through a Proxy. Its traps run as often as JavaScript runs them, and tell what their own code does; besides, it
 * counts as the same access of the target. Of a proxy whose target is not known, all is one location.
 */
export function readThroughProxy(execution: Execution, proxy: object, name: PropertyKey, site: SiteId): unknown {
  tellTraps(execution, proxy, site)
  const target = targetOf(proxy)
  const value: unknown = used(execution, { target, name, site }, () => Reflect.get(proxy, name, proxy))
  if (isEnvironment(proxy)) lookAtEnvironment(execution, site)
  if (target === undefined) seen(execution, proxy, OPAQUE, site, value)
  else {
    recordRead(execution, target, name, site, value)
    if (!isProxy(target) && !Object.hasOwn(target, name)) lookAtInherited(execution, target, name, site)
  }
  return value
}

/** @param put assigns it */
export function writeThroughProxy(execution: Execution, proxy: object, name: PropertyKey, value: unknown, site: SiteId, put: (object: object, name: PropertyKey, value: unknown) => void): void {
  throughProxy(execution, proxy, name, site, value, () => put(proxy, name, value))
}

/** @param remove what does it: `delete` throws where a trap refuses, `Reflect.deleteProperty` says so */
export function removeThroughProxy(execution: Execution, proxy: object, name: PropertyKey, site: SiteId, remove: (object: object, name: PropertyKey) => boolean = deleted): boolean {
  const target = targetOf(proxy)
  if (target !== undefined && !isProxy(target) && !isEnvironment(proxy)) beforeRemoval(execution, target, name)
  return throughProxy(execution, proxy, name, site, undefined, () => remove(proxy, name))
}

const deleted = (object: object, name: PropertyKey): boolean => asProgram(() => delete (object as Record<PropertyKey, unknown>)[name])

interface Use {
  readonly target: object | undefined
  readonly name: PropertyKey
  readonly site: SiteId
  readonly assigned?: readonly [unknown]
}

const used = <T>({ recorder }: Execution, { target, ...use }: Use, run: () => T): T => (recorder && target ? recorder.uses({ object: target, ...use }, run) : run())

function throughProxy<T>(execution: Execution, proxy: object, name: PropertyKey, site: SiteId, value: unknown, change: () => T): T {
  tellTraps(execution, proxy, site)
  const target = targetOf(proxy)
  // What its traps do is not known: state that elements show is often changed so.
  if (isEnvironment(proxy)) {
    keepStored(execution, proxy)
    changeEnvironment(execution, site)
  } else mayChangeEnvironment(execution, site)
  if (target === undefined) {
    changed(execution, proxy, OPAQUE, site, value)
    return change()
  }
  beforeChange(execution, target, name)
  if (isProxy(target)) {
    const result = used(execution, { target, name, site, assigned: [value] }, change)
    recordWrite(execution, target, name, site, value)
    return result
  }
  const before = Reflect.ownKeys(target)
  const prototype = Reflect.getPrototypeOf(target)
  let result: T
  try {
    result = used(execution, { target, name, site, assigned: [value] }, change)
  } catch (error) {
    recordRead(execution, target, name, site, undefined)
    seen(execution, target, EXTENSIBILITY, site, undefined)
    throw error
  }
  const now = Reflect.getPrototypeOf(target)
  if (now !== prototype) prototypeChanged(execution, target, { before: prototype, now }, site)
  recordWrite(execution, target, name, site, value)
  const after = Reflect.ownKeys(target)
  for (const key of after) if (!before.includes(key)) addKey(execution, target, property(key), site)
  for (const key of before) if (!after.includes(key)) dropKey(execution, target, property(key), site)
  if (Array.isArray(target)) recordWrite(execution, target, 'length', site, target.length)
  return result
}
