import type { Execution } from '../execution/execution.ts'
import { resourceKey, STATE } from '../execution/keys.ts'
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
      if (running !== null) tellRead(running, name, key)
    },
    write(key) {
      '__dpor'
      if (running !== null) tellWrite(running, name, key)
    },
  }
}

const whole = resourceKey(undefined)

function tellRead(execution: Execution, name: string, key: string | number | undefined): void {
  const { accesses, object, site } = about(execution, name)
  accesses.read(object, whole, site, undefined)
  if (key === undefined) accesses.read(object, STATE, site, timesDone(execution, object, STATE))
  else accesses.read(object, resourceKey(key), site, undefined)
}

function tellWrite(execution: Execution, name: string, key: string | number | undefined): void {
  const { accesses, object, site } = about(execution, name)
  if (key === undefined) return accesses.write(object, whole, site, undefined)
  accesses.read(object, whole, site, undefined)
  accesses.write(object, resourceKey(key), site, undefined)
  tellDone(execution, object, STATE, site)
}

function about(execution: Execution, name: string) {
  return { accesses: execution.accesses, object: execution.identities.named(`resource ${name}`), site: execution.call?.site ?? execution.lastSite }
}
