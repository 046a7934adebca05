import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { resourceKey, STATE } from '../execution/keys.ts'
import { namedObject } from '../execution/named-objects.ts'
import { running } from '../execution/running.ts'
import { tellDone, timesDone } from './counted.ts'

/** State that no tool can see: of a native add-on, in shared memory, in a device. Whoever knows of it tells what is done to it. */
export interface Resource {
  /** It is looked at: the part that `key` names, or all of it. Outside an exploration nothing happens. */
  read(key?: string | number): void
  /** It is changed: the part that `key` names, or all of it. Outside an exploration nothing happens. */
  write(key?: string | number): void
}

/**
 * A resource. Two of one name are the same.
 *
 * @param name what a story of a failure calls it
 */
export function resource(name: string): Resource {
  return {
    read(key) {
      // The text by which functions are known whose code tells what it does.
      '__dpor'
      if (running !== null) tellResource(running, { name, kind: 'read', key, site: running.here })
    },
    write(key) {
      '__dpor'
      if (running !== null) tellResource(running, { name, kind: 'write', key, site: running.here })
    },
  }
}

const whole = resourceKey(undefined)

/** What is done to a part of a resource, or to all of it. */
export interface ResourceAccess {
  readonly name: string
  readonly kind: 'read' | 'write'
  readonly key: string | number | undefined
  /** What is found there, or put there, where that is known. */
  readonly value?: unknown
  readonly site: SiteId
}

export function tellResource(execution: Execution, { name, kind, key, value, site }: ResourceAccess): void {
  const { accesses } = execution
  const object = namedObject(execution, `resource ${name}`, name)
  if (kind === 'write' && key === undefined) return accesses.write(object, whole, site, value)
  accesses.read(object, whole, site, undefined)
  if (kind === 'write') {
    accesses.write(object, resourceKey(key), site, value)
    tellDone(execution, object, STATE, site)
  } else if (key === undefined) accesses.read(object, STATE, site, timesDone(execution, object, STATE))
  else accesses.read(object, resourceKey(key), site, value)
}
