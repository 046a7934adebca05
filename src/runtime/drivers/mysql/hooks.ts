import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import type { Execution } from '../../execution/execution.ts'
import { noop } from '../../execution/native.ts'
import { running } from '../../execution/running.ts'
import type { MysqlFunction } from './client.ts'

/** A function of the package was called in a step. */
export interface Called<Receiver> {
  readonly execution: Execution
  readonly receiver: Receiver
  readonly args: readonly unknown[]
  readonly site: SiteId
}

/** In steps another function stands in the place of one of the package. */
export function inSteps<Receiver, Name extends string>(owner: Record<Name, MysqlFunction>, name: NoInfer<Name>, act: (called: Called<Receiver>) => unknown): void {
  const original = owner[name]
  const hooked: MysqlFunction = function (this: unknown, ...args) {
    // Functions are known by this text whose code tells what it does.
    '__dpor'
    if (running === null) return Reflect.apply(original, this, args)
    return act({ execution: running, receiver: this as Receiver, args, site: running.siteOfCall(hooked) })
  }
  owner[name] = hooked
}

/** Something is to be known of the receiver, in steps and outside. */
export function before<Receiver, Name extends string>(owner: Record<Name, MysqlFunction>, name: NoInfer<Name>, note: (receiver: Receiver) => void): void {
  const original = owner[name]
  owner[name] = function (this: unknown, ...args) {
    '__dpor'
    note(this as Receiver)
    return Reflect.apply(original, this, args)
  }
}

/** A function of the package that does nothing which is not seen otherwise. */
export const isSeen = (owner: object, name: string): void => before(owner as Record<string, MysqlFunction>, name, noop)

/** The callback that was handed over last, or one that does nothing: functions that take one return no promise. */
export const callbackOf = (args: readonly unknown[]): unknown => args.findLast((arg) => typeof arg === 'function') ?? noop

export const withoutCallback = (args: readonly unknown[]): readonly unknown[] => args.filter((arg) => typeof arg !== 'function')

export function refuseStream(execution: Execution, site: SiteId): never {
  return execution.refuse('it reads rows by a stream, whose parts vitest-dpor cannot order', 'Ask for all rows at once, with a callback or by mysql2/promise', site)
}
