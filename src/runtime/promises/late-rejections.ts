import type { SiteId } from '../../engine/ids.ts'
import type { Execution } from '../execution/execution.ts'
import { HANDLED } from '../execution/keys.ts'
import type { Call, Continuation, Process, Rejection } from '../execution/process.ts'
import { realProcess } from '../execution/real-process.ts'
import { running } from '../execution/running.ts'
import type { PromiseRecord } from './promise-record.ts'

/** Tells of a rejection as the platform does that nobody handles, to which this one was not left. */
export function tellOf({ value, promise }: Rejection & { readonly promise: Promise<unknown> }): void {
  realProcess?.emit('unhandledRejection', value, promise)
}

/**
 * An answer of something outside has come as a rejection that nobody handles so far. It may have come at any later time as well: that nobody handles it is
 * told in a step of its own, which whoever handles it may come before.
 */
export function tellLater(record: PromiseRecord): void {
  const { execution } = record
  execution.atStepEnd(() => {
    if (!record.handled) execution.wake(new Unhandled(record, execution.processes.spawnAnother(execution.process)))
  })
}

class Unhandled implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #record: PromiseRecord

  constructor(record: PromiseRecord, process: Process) {
    this.#record = record
    this.process = process
    this.site = record.site
  }

  resume(): void {
    const execution: Execution = running!
    const record = this.#record
    execution.enter(null)
    record.orderAfter(execution, this.site)
    execution.accesses.write(record.object, HANDLED, this.site, 'rejected')
    if (!record.handled) tellOf(record)
  }

  delegate(): Call | undefined {
    return undefined
  }
}
