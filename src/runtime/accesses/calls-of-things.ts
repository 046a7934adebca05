import type { Execution } from '../execution/execution.ts'
import { isProxy } from '../execution/proxies.ts'
import { callsOlder } from './older-things.ts'
import { isOfPlatform, isThing, leadsOutside } from './real-things.ts'

/** Whether a method of what Node has open is called: that is noted. */
export function isCallOfThing(execution: Execution, receiver: unknown): boolean {
  if (execution.foreign.hasOlder && isThing(receiver)) callsOlder(execution, receiver)
  const isOfThing = execution.accesses.hasRealThings && typeof receiver === 'object' && receiver !== null && !isProxy(receiver) && isOfPlatform(receiver)
  if (isOfThing && leadsOutside(receiver)) {
    const { loopback } = execution.foreign
    execution.outside.reach(loopback.connectionsOf([receiver]))
    loopback.sendsBy([receiver])
  }
  return isOfThing
}
