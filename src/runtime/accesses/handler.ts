import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'

/** Whether anything can see the result of a call: a result that is seen is a read. */
export interface Use {
  readonly isUsed: boolean
}

export const USED: Use = { isUsed: true }
export const UNUSED: Use = { isUsed: false }

/** What a call of a built-in function means: does what it does, and tells what it accesses. Without `use` the result may be seen. */
export type Handler = (execution: Execution, receiver: unknown, args: unknown[], site: SiteId, use?: Use) => unknown

/** A function of the platform, whatever its type. */
export type Fn = (this: any, ...args: any[]) => unknown

/** Calls a function of the platform that is in no table. */
export type CallPlatform = (execution: Execution, fn: Fn, receiver: unknown, args: unknown[], site: SiteId) => unknown

/** Tells what a function accesses, and calls it like one that is in no table. */
export function tellingFirst(call: CallPlatform, fn: Fn, tell: (execution: Execution, receiver: unknown, args: readonly unknown[], site: SiteId) => void): Handler {
  return (execution, receiver, args, site) => {
    tell(execution, receiver, args, site)
    return call(execution, fn, receiver, args, site)
  }
}
