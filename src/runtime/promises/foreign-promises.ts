import type { SiteId } from '../../engine/ids.ts'
import { asksOutside, causeOf, settledFromOutside } from '../events/arrivals.ts'
import { outcomeAsked } from '../events/outcomes.ts'
import { isSettled } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import type { Reserved } from '../execution/jobs.ts'
import { hear } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import { thrownOutside } from '../execution/thrown.ts'
import { placeOfLastJob, placeOfSettling } from './platform-jobs.ts'
import { knownRecord, PromiseRecord } from './promise-record.ts'

/** Promises of code that is not instrumented, and of the platform. */

/** The record of any promise. What code we cannot see has made is watched from outside. */
export function recordOf(execution: Execution, promise: Promise<unknown>, site: SiteId): PromiseRecord {
  const known = knownRecord(execution, promise)
  if (known) return known
  const { identities } = execution
  const id = identities.known(promise)
  const isNew = id !== undefined && identities.isOfRunningStep(id)
  const step = execution.stepCount
  const isOld = id === undefined || id === identities.nameOfClass(promise)
  const record = new PromiseRecord(execution, site, promise)
  record.handled = true
  const inStep = running === execution
  const isThere = (inStep || isOld) && isSettled(promise)
  record.wasSettledBefore = isOld && isThere
  // What waits for it stands in the queue already, though the platform tells the outcome with the next microtasks.
  record.isEnding = isThere && inStep
  execution.foreign.watch(record)
  if (inStep) asksOutside(execution, promise)
  const heard = inStep ? outcomeAsked(execution, promise) : undefined
  const settle = (state: 'fulfilled' | 'rejected', value: unknown): void => {
    record.isEnding = false
    record.decide(0)
    record.settle(state, value, 'a microtask ago')
  }
  const place = inStep && !isThere ? placeByJobs(execution, record) : noPlace
  const settled = (state: 'fulfilled' | 'rejected', value: unknown): void => {
    if (!execution.foreign.unwatch(record)) return
    // Its outcome came in as it did itself, in the step of the call that gave it.
    if (isNew && running === execution && execution.stepCount === step) identities.cameIn(value, { mayBeOlder: true })
    if (state === 'rejected') thrownOutside(value)
    else heard?.(value)
    if (running === execution) {
      const last = placeOfLastJob(execution, promise)
      if (last) return execution.jobs.at(last, () => settle(state, value))
      const reserved = place()
      return reserved ? execution.jobs.inPlace(reserved, () => settle(state, value)) : settle(state, value)
    }
    record.comesFromOutside = causeOf(execution, promise)
    settledFromOutside(execution, promise, () => settle(state, value))
    execution.foreign.changed()
  }
  hear(
    promise,
    (value) => settled('fulfilled', value),
    (error: unknown) => settled('rejected', error),
  )
  return record
}

/** Jobs after which a promise that is still pending is taken to wait for more than jobs. */
const mostJobs = 16
const noPlace = (): undefined => {}

/** What settles it may be jobs of the platform, all of which run in the step: counts them, so that what waits for it stands where it does in a plain run. */
function placeByJobs(execution: Execution, record: PromiseRecord): () => Reserved | undefined {
  const step = execution.stepCount
  let place: Reserved | undefined
  let jobs = 0
  const count = (): void => {
    if (record.state !== 'pending' || running !== execution || execution.stepCount !== step || jobs++ === mostJobs) return
    place = execution.reservePlace()
    execution.jobs.later(count)
  }
  execution.jobs.later(count)
  return () => {
    if (execution.stepCount !== step) return placeOfSettling(execution)
    // No job had run yet: a call of the step has settled it.
    return jobs === 1 ? (placeOfSettling(execution) ?? place) : place
  }
}
