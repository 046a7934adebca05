import type { LocationId, SiteId } from '../engine/ids.ts'
import type { AsyncCall } from './async-call.ts'
import { running, type Execution } from './execution.ts'
import { HANDLED, SETTLED, type ObjectId } from './identity.ts'
import { isThenable, NativePromise, nativeThen, noop } from './native.ts'

export type PromiseState = 'pending' | 'fulfilled' | 'rejected'

// oxlint-disable-next-line typescript/no-extraneous-class
const Adopting = class {
  constructor(promise: object) {
    // oxlint-disable-next-line no-constructor-return
    return promise
  }
} as new (promise: object) => object

/**
 * Ties a promise to its record by a private field on the promise: no code can see it, and unlike an
 * entry of a WeakMap it costs the garbage collector nothing.
 */
class Tie extends Adopting {
  #record: PromiseRecord | undefined

  static tie(promise: object, record: PromiseRecord): void {
    const tied = #record in promise ? promise : (new Tie(promise) as Tie)
    tied.#record = record
  }

  static recordOf(promise: object): PromiseRecord | undefined {
    return #record in promise ? promise.#record : undefined
  }
}

/**
 * What the runtime knows of one promise. Settling writes its location; a settling that comes too
 * late reads it; resuming is enabled by whatever decided the outcome (`sources`).
 */
export class PromiseRecord {
  readonly execution: Execution
  readonly promise: Promise<unknown>
  readonly object: ObjectId
  readonly site: SiteId
  state: PromiseState = 'pending'
  value: unknown = undefined
  /** Something controlled will see a rejection. */
  handled = false
  /** The async call whose result this is. */
  owner: AsyncCall | undefined
  /** The promises this one's outcome comes from, besides its own settling. */
  followed: readonly PromiseRecord[] = []
  /** The promises that a combinator combines. */
  parts: readonly PromiseRecord[] = []
  readonly #step: number
  #decided = false
  /** Whether a step chose this outcome by settling, so that its location orders those who wait. */
  #written = false
  #subscribers: (() => void)[] | undefined
  #settleNative: { fulfil: (value: unknown) => void; reject: (error: unknown) => void } | undefined

  constructor(execution: Execution, site: SiteId, adopted?: Promise<unknown>) {
    this.execution = execution
    this.site = site
    this.object = execution.identities.fresh()
    this.#step = execution.stepCount
    if (adopted) {
      this.promise = adopted
    } else {
      this.promise = new NativePromise((fulfil, reject) => {
        this.#settleNative = { fulfil, reject }
      })
    }
    Tie.tie(this.promise, this)
  }

  get location(): LocationId {
    return this.execution.identities.location(this.object, SETTLED)
  }

  /** The function `resolve` of JavaScript: takes over the outcome of a thenable. */
  resolve(value: unknown, site: SiteId): void {
    if (!this.decide(site)) return
    if (isThenable(value)) this.follow(recordOf(this.execution, value, site))
    else this.settle('fulfilled', value)
  }

  reject(error: unknown, site: SiteId): void {
    if (this.decide(site)) this.settle('rejected', error)
  }

  /** Claims the right to settle this promise: true for the first claim, which is a write; a later one reads. */
  decide(site: SiteId): boolean {
    const execution = running === this.execution ? running : undefined
    if (this.#decided) {
      execution?.read(this.location, site)
      return false
    }
    this.#decided = true
    if (execution) {
      this.#written = true
      execution.write(this.location, site)
      execution.recording?.access({ kind: 'settle', location: this.location, site })
    }
    return true
  }

  get isDecided(): boolean {
    return this.#decided
  }

  /** Passes on the outcome of another promise, which is no decision of its own. */
  follow(target: PromiseRecord): void {
    this.#decided = true
    this.followed = [target]
    target.handle(0)
    target.subscribe(() => this.settle(target.state as 'fulfilled' | 'rejected', target.value))
  }

  settle(state: 'fulfilled' | 'rejected', value: unknown): void {
    this.#decided = true
    this.state = state
    this.value = value
    const execution = this.execution
    if (state === 'rejected') {
      if (running === execution) execution.write(execution.identities.location(this.object, HANDLED), 0)
      if (this.handled) nativeThen.call(this.promise, undefined, noop)
      else execution.suspects.push(this)
    }
    if (this.#settleNative) {
      if (state === 'fulfilled') this.#settleNative.fulfil(value)
      else this.#settleNative.reject(value)
    }
    const subscribers = this.#subscribers
    this.#subscribers = undefined
    if (subscribers) for (const subscriber of subscribers) subscriber()
  }

  /** A rejection of this promise will be seen. Conflicts only with a rejection: too late a handler is a bug of its own. */
  handle(site: SiteId): void {
    const execution = this.execution
    const sameStep = running === execution && execution.stepCount === this.#step
    if (!sameStep && running === execution) execution.read(execution.identities.location(this.object, HANDLED), site)
    if (this.handled) return
    this.handled = true
    if (this.state === 'rejected') nativeThen.call(this.promise, undefined, noop)
  }

  /** Calls back when settled, at once if it is. */
  subscribe(subscriber: () => void): void {
    if (this.state !== 'pending') subscriber()
    else (this.#subscribers ??= []).push(subscriber)
  }

  /** The step now running was enabled by this promise. */
  orderAfter(execution: Execution, site: SiteId): void {
    if (this.#written) execution.wait(this.location, site)
    for (const record of this.followed) record.orderAfter(execution, site)
  }
}

/** The record of a promise of this execution; undefined for one that it does not know. */
function knownRecord(execution: Execution, promise: object): PromiseRecord | undefined {
  const record = Tie.recordOf(promise)
  return record?.execution === execution ? record : undefined
}

/** The record of any promise or thenable. What code we cannot see has made is watched from outside. */
export function recordOf(execution: Execution, thenable: PromiseLike<unknown>, site: SiteId): PromiseRecord {
  const known = knownRecord(execution, thenable)
  if (known) return known
  const promise =
    thenable instanceof NativePromise
      ? (thenable as Promise<unknown>)
      : new NativePromise<unknown>((resolve) => resolve(thenable))
  const record = new PromiseRecord(execution, site, promise)
  record.handled = true
  execution.foreign.watch(record)
  const settled = (state: 'fulfilled' | 'rejected', value: unknown): void => {
    if (!execution.foreign.unwatch(record)) return
    record.decide(0)
    record.settle(state, value)
    if (running !== execution) execution.foreign.changed()
  }
  nativeThen.call(
    promise,
    (value) => settled('fulfilled', value),
    (error: unknown) => settled('rejected', error),
  )
  return record
}

/** The record of a promise, of whatever execution. */
export function recordOfAny(promise: object): PromiseRecord | undefined {
  return Tie.recordOf(promise)
}
