import { Reflect } from '../../engine/intrinsics.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { SiteId } from '../../engine/ids.ts'
import { inContext } from '../execution/contexts.ts'
import { never } from '../events/event-call.ts'
import { askSubclass } from '../events/promise-cell.ts'
import { reactInEvent } from '../events/settling.ts'
import type { Execution } from '../execution/execution.ts'
import { isNativeThen, NativePromise } from '../execution/native.ts'
import type { Call, Continuation, Process } from '../execution/process.ts'
import { callsProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import type { Turn } from '../execution/turns.ts'
import { functionName } from '../execution/values.ts'
import { capability, speciesOf, type Capability } from './capability.ts'
import { resolvedWith } from './making.ts'
import { PromiseRecord } from './promise-record.ts'
import { recordOf } from './foreign-promises.ts'
import { callThenOf, derivesBy, follow, promiseOf } from './resolving.ts'

// oxlint-disable-next-line typescript/unbound-method
const nativeFinally = NativePromise.prototype.finally

type Callback = (value: unknown) => unknown

/** The callback of `then`, `catch` or `finally`: a process of one step, enabled by the promise it waits for. */
class Reaction implements Continuation {
  process: Process | undefined
  readonly site: SiteId
  readonly turn: Turn
  readonly #source: PromiseRecord
  readonly #derived: Capability
  readonly #callback: Callback
  /** What that calls. */
  readonly #calls: Callback

  constructor(source: PromiseRecord, derived: Capability, { callback, calls }: { readonly callback: Callback; readonly calls: Callback }, { process, site, turn }: { process: Process; site: SiteId; turn: Turn }) {
    this.#source = source
    this.#derived = derived
    this.#callback = callback
    this.#calls = calls
    this.process = process
    this.site = site
    this.turn = turn
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    this.#source.orderAfter(execution, this.site)
    this.turn.hasToldCause(execution)
    const { resolve, reject } = this.#derived
    const callback = this.#callback
    let settle = resolve
    let result: unknown
    execution.loops.callsBack(this.process!, this.#calls, [this.#source.value])
    try {
      result = callback(this.#source.value)
    } catch (error) {
      settle = reject
      result = error
    }
    execution.loops.hasCalledBack()
    try {
      settle(result)
    } catch (error) {
      // The functions of a promise of a class of the user.
      execution.uncaught(error)
    }
  }

  delegate(): Call | undefined {
    const owner = this.#derived.record?.followed[0]?.owner
    return owner?.isSuspended ? owner : undefined
  }
}

interface Reactions {
  readonly fulfilled?: Callback | undefined
  readonly rejected?: Callback | undefined
  /** What a reader calls the process of a callback without a name. */
  readonly name?: string | undefined
}

function react(execution: Execution, source: PromiseRecord, { fulfilled, rejected, name }: Reactions, site: SiteId): unknown {
  const derived = capability(execution, speciesOf(source.promise), site)
  source.handle(site)
  const mark = fulfilled && rejected ? [] : source.mark()
  if (fulfilled || rejected) {
    const process = execution.processes.spawn(name ?? nameOf(fulfilled ?? rejected))
    const turn = source.enter(site)
    execution.loops.sets(fulfilled, process, { by: execution.process, kind: 'at once', site })
    const onFulfilled = fulfilled && inContext(callsProgram(fulfilled))
    const onRejected = rejected && inContext(callsProgram(rejected))
    if (derived.record) derived.record.reactsTo = source
    source.whenSettled(() => {
      if (derived.record) derived.record.reactsTo = undefined
      const callback = source.state === 'fulfilled' ? onFulfilled : onRejected
      const calls = source.state === 'fulfilled' ? fulfilled : rejected
      if (!callback) turn.skip()
      else source.wakes(new Reaction(source, derived, { callback, calls: calls! }, { process, site, turn }))
    })
  }
  if (!fulfilled || !rejected) {
    if (derived.record) derived.record.mayFollow = source
    source.afterSettled((behind) => {
      if (!(source.state === 'fulfilled' ? fulfilled : rejected)) passOn(source, derived, behind)
    }, mark)
  }
  return derived.promise
}

/** The outcome for which there is no callback. */
export function passOn(source: PromiseRecord, derived: Capability, behind: readonly Turn[]): void {
  if (derived.isPlain) {
    derived.record.followed = [source]
    derived.record.settleLike(source, behind)
  } else {
    if (derived.record) {
      derived.record.followed = [source]
      derived.record.comesBehind(behind)
    }
    const { resolve, reject } = derived
    if (source.state === 'fulfilled') resolve(source.value)
    else reject(source.value)
  }
}

function nameOf(callback: Callback | undefined): string {
  return (callback && functionName(callback)) || 'then'
}

function callable(value: unknown): Callback | undefined {
  return typeof value === 'function' ? (value as Callback) : undefined
}

/** `promise.then(fulfilled, rejected)` */
export function onSettled(execution: Execution, promise: Promise<unknown>, args: unknown[], site: SiteId): unknown {
  if (execution.events) {
    askSubclass(execution, promise, site)
    if (execution.isCut) return never()
    return reactInEvent(execution, promise, args, site)
  }
  return react(execution, recordOf(execution, promise, site), { fulfilled: callable(args[0]), rejected: callable(args[1]) }, site)
}

/** Whether methods that call `then` may take it for that of the platform. */
export function hasOwnThen(promise: unknown): promise is Promise<unknown> {
  return isNativePromise(promise) && isNativeThen(promise.then)
}

/** `promise.finally(callback)` */
export function finallyDo(execution: Execution, promise: Promise<unknown>, args: unknown[], site: SiteId): unknown {
  if (execution.events) return Reflect.apply(nativeFinally, promise, args)
  const callback = callable(args[0]) as (() => unknown) | undefined
  const species = callback ? speciesOf(promise) : NativePromise
  const source = recordOf(execution, promise, site)
  if (!callback) return react(execution, source, {}, site)
  if (species !== NativePromise) return finallyInClass(execution, source, { species, callback }, site)
  const afterwards = (): unknown => afterFinally(execution, source, callback(), site)
  return react(execution, source, { fulfilled: afterwards, rejected: afterwards, name: nameOf(callback) }, site)
}

/** The same for a promise of another class: what the callback returns is awaited by that class. */
function finallyInClass(execution: Execution, source: PromiseRecord, { species, callback }: { species: unknown; callback: () => unknown }, site: SiteId): unknown {
  const after = (outcome: () => unknown): unknown => {
    const awaited = resolvedWith(execution, species, callback(), site)
    return hasOwnThen(awaited) ? onSettled(execution, awaited, [outcome], site) : (awaited as Promise<unknown>).then(outcome)
  }
  const fulfilled = (value: unknown): unknown => after(() => value)
  const rejected = (error: unknown): unknown =>
    after(() => {
      throw error
    })
  return react(execution, source, { fulfilled, rejected, name: nameOf(callback as Callback) }, site)
}

/** What returns the outcome, or throws it; without a name, and with the text by which functions are known whose code tells what it does. */
function outcomeOf({ state, value }: PromiseRecord): () => unknown {
  return () => {
    '__dpor'
    if (state === 'rejected') throw value
    return value
  }
}

/** What the callback returned is awaited, by its own `then` if it has one. */
function afterFinally(execution: Execution, source: PromiseRecord, result: unknown, site: SiteId): unknown {
  if (isNativePromise(result) || !isNativeThen(NativePromise.prototype.then)) {
    const { promise } = promiseOf(execution, result, site)
    const { then } = promise as { then: unknown }
    if (!isNativeThen(then)) {
      return callThenOf(execution, promise, then, [outcomeOf(source)], site)
    }
    return outcomeAfter(execution, source, promise, site).promise
  }
  return outcomeAfter(execution, source, result, site).promise
}

/** After `finally`: the original outcome, once what the callback returned has ended well. */
function outcomeAfter(execution: Execution, source: PromiseRecord, result: unknown, site: SiteId): PromiseRecord {
  const outcome = new PromiseRecord(execution, site)
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null) {
    outcome.followed = [source]
    execution.jobs.later(() => outcome.settleLike(source))
    return outcome
  }
  const after = promiseOf(execution, result, site)
  follow(outcome, after, site)
  outcome.followed = [after, source]
  outcome.owner = after.owner
  after.afterSettled((behind) => outcome.settleLike(after.state === 'rejected' ? after : source, behind))
  return outcome
}

derivesBy((source, site) => {
  const { execution, promise } = source
  const species = running === execution ? speciesOf(promise) : NativePromise
  return species === NativePromise ? undefined : capability(execution, species, site)
})
