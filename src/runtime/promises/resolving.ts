import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { inContext } from '../execution/contexts.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { isInstrumented } from '../execution/instrumented.ts'
import { property } from '../execution/keys.ts'
import { isNativeThen, NativePromise } from '../execution/native.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { recordOf } from './foreign-promises.ts'
import { inMoment, PromiseRecord, type Moment } from './promise-record.ts'
import { thenJobs } from './then-jobs.ts'
import { watch } from './watching.ts'

/** What `resolve`, `return` and `await` make of a value: a promise takes over the outcome of promises and thenables. */

type Then = (this: unknown, fulfilled: (value: unknown) => void, rejected: (error: unknown) => void) => unknown

/** The function `resolve` of JavaScript. */
export function resolveWith(record: PromiseRecord, value: unknown, site: SiteId, moment: Moment = 'now'): void {
  if (!record.decide(site, isNativePromise(value) ? undefined : { as: 'fulfilled', value })) return
  let source: PromiseRecord | undefined
  try {
    if (value === record.promise) throw new TypeError('Chaining cycle detected for promise #<Promise>')
    source = sourceOf(record.execution, value, site)
  } catch (error) {
    return record.settle('rejected', error, moment)
  }
  if (!source) return record.settle('fulfilled', value, moment)
  follow(record, source, site)
  if (source.isOfThenable) return source.whenSettled(() => record.settleLike(source))
  inMoment(record.execution, moment, () => passOn(record, source, site))
}

/** The `then` of the platform is called: what it returns is made, by a subclass that may see that, and dropped. */
function passOn(record: PromiseRecord, source: PromiseRecord, site: SiteId): void {
  let derived: { readonly resolve: (value: unknown) => void } | undefined
  try {
    derived = derivedOf(source, site)
  } catch (error) {
    return record.settle('rejected', error)
  }
  source.afterSettled((behind) => {
    record.settleLike(source, behind)
    derived?.resolve(undefined)
  })
}

type MakeDerived = (source: PromiseRecord, site: SiteId) => { readonly resolve: (value: unknown) => void } | undefined

let makeDerived: MakeDerived = () => undefined

export function derivesBy(make: MakeDerived): void {
  makeDerived = make
}

/** Makes what `then` returns, where that is of a class of the user: the platform makes it also where it drops it. */
export function derivedOf(source: PromiseRecord, site: SiteId): { readonly resolve: (value: unknown) => void } | undefined {
  return makeDerived(source, site)
}

/** The outcome of the record comes from this one; who asks when the one is settled asks about the other. */
export function follow(record: PromiseRecord, source: PromiseRecord, site: SiteId): void {
  record.follow(source)
  if (record.isWatched) watch(source, record, site)
}

/** What a value that is resolved with decides; undefined where that is nothing but itself. May throw what a getter `then` throws. */
function sourceOf(execution: Execution, value: unknown, site: SiteId): PromiseRecord | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const then: unknown = (value as { then?: unknown }).then
  if (!execution.identities.assumptions.fixed.has('then')) execution.accesses.read(execution.identities.of(value), property('then'), site, then)
  if (typeof then !== 'function') return undefined
  if (isNativeThen(then) && isNativePromise(value)) return recordOf(execution, value, site)
  // Outside any step there is nobody whose process would call it.
  if (running !== execution) return recordOf(execution, new NativePromise((resolve) => resolve(value)), site)
  const promise = askedBy.get(then)?.(execution, value, site)
  return promise ? recordOf(execution, promise, site) : callThen(execution, value, then as Then, site)
}

/** Asks for what a thenable stands for; returns the promise of that, or undefined where somebody else has asked. */
type Ask = (execution: Execution, thenable: object, site: SiteId) => Promise<unknown> | undefined

const askedBy = new WeakMap<object, Ask>()

/** To call this `then` is to ask a server: whoever waits for such a thenable asks at once, and is the one who has asked. */
export function asksWhenAwaited(then: object, ask: Ask): void {
  askedBy.set(then, ask)
}

/** What `await` waits for; undefined where it takes the value as it is. */
export function awaited(execution: Execution, value: unknown, site: SiteId): PromiseRecord | undefined {
  if (isNativePromise(value)) return promiseOf(execution, value, site)
  try {
    return sourceOf(execution, value, site)
  } catch (error) {
    const failed = new PromiseRecord(execution, site)
    failed.handled = true
    failed.settle('rejected', error)
    return failed
  }
}

/** A promise of the runtime's own that a job settles like that one. */
export function passedOn(source: PromiseRecord, site: SiteId): PromiseRecord {
  const record = new PromiseRecord(source.execution, site)
  record.owner = source.owner
  follow(record, source, site)
  source.afterSettled((behind) => record.settleLike(source, behind))
  return record
}

/** The promise of a promise: as `Promise.resolve` gives it. */
export function promiseOf(execution: Execution, value: unknown, site: SiteId): PromiseRecord {
  if (isNativePromise(value) && value.constructor === NativePromise) return recordOf(execution, value, site)
  const record = new PromiseRecord(execution, site)
  resolveWith(record, value, site)
  return record
}

/** Calls a function that was found as the `then` of an object, and tells what such a call does. */
type Caller = (execution: Execution, then: Then, thenable: object, args: unknown[], site: SiteId) => unknown

let call: Caller = (_, then, thenable, args) => Reflect.apply(then, thenable, args as Parameters<Then>)

export function callsThenBy(caller: Caller): void {
  call = caller
}

/** Calls what was found as the `then` of a promise. */
export function callThenOf(execution: Execution, promise: object, method: unknown, args: unknown[], site: SiteId): unknown {
  if (typeof method !== 'function') throw new TypeError(`${typeof method} is not a function`)
  return call(execution, method as Then, promise, args, site)
}

/** The call of a thenable's `then`: a job of its own, as in JavaScript. */
class ThenCall implements Continuation {
  process: Process | undefined
  readonly site: SiteId
  readonly #record: PromiseRecord
  readonly #thenable: object
  // oxlint-disable-next-line no-thenable
  readonly #then: Then
  readonly #call = inContext(call)

  constructor(record: PromiseRecord, process: Process, { thenable, method }: { thenable: object; method: Then }) {
    this.#record = record
    this.process = process
    this.site = record.site
    this.#thenable = thenable
    this.#then = method
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    const record = this.#record
    const settlers = [
      calledByProgram((value: unknown): void => {
        '__dpor'
        resolveWith(record, value, this.site)
      }),
      calledByProgram((error: unknown): void => {
        '__dpor'
        record.reject(error, this.site)
      }),
    ]
    thenJobs.of(execution).run(this, () => {
      try {
        this.#call(execution, this.#then, this.#thenable, settlers, this.site)
      } catch (error) {
        record.reject(error, this.site)
      }
    })
  }

  delegate(): Call | undefined {
    return undefined
  }
}

function callThen(execution: Execution, thenable: object, method: Then, site: SiteId): PromiseRecord {
  const record = new PromiseRecord(execution, site)
  record.handled = true
  record.isOfThenable = true
  if (!isInstrumented(method)) watchForeign(execution, record)
  const job = new ThenCall(record, execution.processes.spawn('then'), { thenable, method })
  thenJobs.of(execution).add(job)
  execution.wake(job)
  return record
}

/** It may wait for anything real. */
function watchForeign(execution: Execution, record: PromiseRecord): void {
  execution.foreign.watch(record)
  record.whenSettled(() => {
    execution.foreign.unwatch(record)
    if (running !== execution) execution.foreign.changed()
  })
}

/** A promise in the place of a thenable that keeps no state but that of a promise of this execution: its `then` is called at once. */
export function promiseOfThenable(execution: Execution, thenable: object, site: SiteId): unknown {
  const { then } = thenable as { then?: unknown }
  execution.line?.asserted(thenable)
  // There every reaction comes when the platform has it come.
  if (execution.events) return thenable
  if (typeof then !== 'function' || isNativePromise(thenable)) return thenable
  const record = new PromiseRecord(execution, site)
  watchForeign(execution, record)
  Reflect.apply(then as Then, thenable, [(value: unknown) => resolveWith(record, value, site), (error: unknown) => record.reject(error, site)])
  return record.promise
}
