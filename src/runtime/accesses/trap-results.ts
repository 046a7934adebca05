import { running } from '../execution/running.ts'
import { whenTrapsReturn } from '../execution/traps.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'

/** What the traps of a Proxy return is looked at by the platform: a list of keys, a descriptor. */
export function lookAtTrapResults(): void {
  whenTrapsReturn((result) => {
    if (running === null || !isObject(result)) return
    const { identities } = running
    // What is new nobody else has.
    if (identities.isOwn(result) && !identities.isOfRunningStep(identities.of(result))) readWhole(running, result, running.here)
  })
}
