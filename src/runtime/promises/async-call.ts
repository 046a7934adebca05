import type { SiteId } from '../../engine/ids.ts'
import { returnedInEvent, runInEvent, suspendInEvent } from '../events/event-call.ts'
import type { Execution } from '../execution/execution.ts'
import { beginsOutside } from '../execution/outside.ts'
import type { Reserved } from '../execution/jobs.ts'
import { areKeptApart, programGoesOn, runtimeGoesOn } from '../execution/replaced-tools.ts'
import { isOutOfStack } from '../execution/thrown.ts'
import { NativePromise } from '../execution/native.ts'
import { running } from '../execution/running.ts'
import type { Turn } from '../execution/turns.ts'
import { inMicrotask, nativeThen, noop } from '../execution/native.ts'
import type { Loop } from '../execution/loops.ts'
import type { Call, Process } from '../execution/process.ts'
import { fulfilWith, mayHaveThen } from '../execution/fulfilling.ts'
import { PromiseRecord } from './promise-record.ts'
import { awaited, passedOn, resolveWith } from './resolving.ts'
import { newPromise, ofNewPromise } from './unsettled.ts'

/** What `returned` hands from the body of an async function to `run`, past the native promise. */
class ReturnedObject {
  readonly value: object

  constructor(value: object) {
    this.value = value
  }
}

/** One call of an instrumented async function. Its native continuation is what `await` suspends. */
export class AsyncCall implements Call {
  readonly name: string
  readonly result: PromiseRecord
  /** The call within whose step this one began. */
  readonly caller: Call | undefined
  process: Process | undefined
  loop: Loop | undefined
  turn: Turn | undefined
  site: SiteId
  isSuspended = false
  /** It has been suspended, at least once. */
  hasSuspended = false
  /** What it waits for; undefined if the awaited value was no promise. */
  waits: PromiseRecord | undefined
  #value: unknown
  #resolve: (value: unknown) => void = noop
  #reject: (error: unknown) => void = noop

  constructor(execution: Execution, name: string, site: SiteId) {
    this.name = name
    this.site = site
    this.result = new PromiseRecord(execution, site)
    this.result.owner = this
    this.caller = execution.call ?? undefined
    execution.processes.began(this)
  }

  /** @param hops 1 if a job of the platform stands between what it waits for and the call */
  suspend(execution: Execution, value: unknown, site: SiteId, hops: 0 | 1 = 0): Promise<unknown> {
    this.site = site
    // May throw, and then nothing is awaited.
    const given = awaited(execution, value, site)
    const waits = given && hops === 1 ? passedOn(given, site) : given
    this.hasSuspended = true
    this.isSuspended = true
    execution.suspend(this, { others: waits?.state === 'pending' && execution.accesses.loop?.isOwn(waits.object) === false })
    this.waits = waits
    if (waits) {
      waits.handle(site)
      this.turn = waits.enter(site)
      waits.wakes(this)
    } else {
      this.#value = value
      this.turn = undefined
      if (hops === 0) execution.wake(this)
      else execution.jobs.later(() => execution.wake(this))
    }
    const promise = newPromise()
    this.#resolve = ofNewPromise.fulfil
    this.#reject = ofNewPromise.reject
    return promise
  }

  resume(): void {
    const execution = running!
    execution.resumed(this)
    this.isSuspended = false
    // It goes on in the next microtask.
    if (areKeptApart) inMicrotask(programGoesOn)
    const waits = this.waits
    if (!waits) {
      fulfilWith(this.#resolve, this.#value)
      return
    }
    waits.orderAfter(execution, this.site)
    this.turn?.hasToldCause(execution)
    this.waits = undefined
    if (waits.state === 'fulfilled') fulfilWith(this.#resolve, waits.value)
    else this.#reject(waits.value)
  }

  /** Its body has ended, and with what. `place`: the one that was kept for this. */
  end(as: 'fulfilled' | 'rejected', value: unknown, place: Reserved | undefined): void {
    runtimeGoesOn()
    const { result } = this
    const { execution } = result
    if (as === 'rejected' && isOutOfStack(value)) execution.hasRunOutOfStack = true
    result.isEnding = false
    if (running === execution && execution.call === this) execution.enter(null)
    if (place) execution.jobs.inPlace(place, () => this.#settle(as, value))
    else this.#settle(as, value)
  }

  #settle(as: 'fulfilled' | 'rejected', value: unknown): void {
    if (as === 'rejected') this.result.reject(value, this.site, 'a microtask ago')
    else resolveWith(this.result, value instanceof ReturnedObject ? value.value : value, this.site, 'a microtask ago')
  }

  get awaits(): Call | undefined {
    return this.waits?.owner
  }

  get awaitsParts(): readonly Call[] {
    return (this.waits?.parts ?? []).flatMap(({ owner }) => (owner ? [owner] : []))
  }

  get leftTo(): AsyncCall | undefined {
    const owner = this.isSuspended ? this.waits?.leftTo : undefined
    return owner?.isSuspended ? owner : undefined
  }

  blockers(): readonly AsyncCall[] {
    return this.waits?.blockers() ?? []
  }

  delegate(): AsyncCall | undefined {
    const source = this.isSuspended ? this.waits : this.result.followed[0]
    const owner = source?.owner
    return owner?.isSuspended ? owner : undefined
  }
}

/** `async function`: its body runs at once; what it returns is a promise that the runtime settles. */
export function run<T>(body: () => Promise<T>, name: string, site: SiteId): Promise<T> {
  const execution = running
  if (execution === null) {
    beginsOutside(name)
    return body()
  }
  if (execution.events) return runInEvent(execution, body, name, site)
  const call = new AsyncCall(execution, name, site)
  const native = execution.within(call, execution.heldCalls ? () => begunLater(execution, call, body) : body)
  const { result } = call
  // A call that has not waited has ended by now, which the platform tells one microtask later.
  result.isEnding = !call.hasSuspended
  const place = result.isEnding ? execution.reservePlace() : undefined
  nativeThen.call(
    native,
    (value) => call.end('fulfilled', value, place),
    (error: unknown) => call.end('rejected', error, place),
  )
  return result.promise as Promise<T>
}

/** As if the body began with an `await`. */
function begunLater<T>(execution: Execution, call: AsyncCall, body: () => Promise<T>): Promise<T> {
  if (call.caller) execution.hasDelayed = true
  return nativeThen.call(call.suspend(execution, undefined, call.site), body) as Promise<T>
}

/** `return e` in an async function: what may be a promise is passed on without a native detour that could not be followed. */
export function returned(value: unknown): unknown {
  if (running === null) return value
  if (running.events) return returnedInEvent(running, value)
  // The `then` is read once, when the promise is resolved.
  return mayHaveThen(value) ? new ReturnedObject(value) : value
}

/** `await`. */
export function suspend(value: unknown, site: SiteId, hops: 0 | 1 = 0): unknown {
  const execution = running
  if (execution === null) return value
  if (execution.events) return suspendInEvent(execution, value, site)
  // Code that something we cannot see has resumed, such as a queued call of an async generator.
  const call = (execution.call as AsyncCall | null) ?? new AsyncCall(execution, 'continuation', site)
  return call.suspend(execution, value, site, hops)
}

/** What the platform waits for on our behalf: a promise in any case. */
export function suspended(value: unknown, site: SiteId, hops: 0 | 1 = 0): Promise<unknown> {
  return NativePromise.resolve(suspend(value, site, hops))
}
