import type { SiteId } from '../engine/ids.ts'
import { running, type Execution } from './execution.ts'
import { isThenable, NativePromise, nativeThen } from './native.ts'
import type { AsyncCallLike, Process } from './process.ts'
import { PromiseRecord, recordOf } from './promise-record.ts'

/** What `returned` hands from the body of an async function to `run`, past the native promise. */
class ReturnedPromise {
  readonly promise: PromiseLike<unknown>

  constructor(promise: PromiseLike<unknown>) {
    this.promise = promise
  }
}

/** One call of an instrumented async function. Its native continuation is what `await` suspends. */
export class AsyncCall implements AsyncCallLike {
  readonly name: string
  readonly result: PromiseRecord
  /** The call within whose step this one began. */
  readonly caller: AsyncCall | undefined
  process: Process | undefined
  site: SiteId
  isSuspended = false
  /** What it waits for; undefined if the awaited value was no promise. */
  waits: PromiseRecord | undefined
  #value: unknown
  #resolve: (value: unknown) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(execution: Execution, name: string, site: SiteId) {
    this.name = name
    this.site = site
    this.result = new PromiseRecord(execution, site)
    this.result.owner = this
    this.caller = execution.call ?? undefined
    execution.began(this)
  }

  suspend(execution: Execution, value: unknown, site: SiteId): Promise<unknown> {
    this.site = site
    this.isSuspended = true
    execution.suspended.add(this)
    if (isThenable(value)) {
      this.waits = recordOf(execution, value, site)
      this.waits.handle(site)
      this.waits.subscribe(() => execution.wake(this))
    } else {
      this.waits = undefined
      this.#value = value
      execution.wake(this)
    }
    return new NativePromise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  resume(): void {
    const execution = running!
    execution.call = this
    execution.suspended.delete(this)
    this.isSuspended = false
    const waits = this.waits
    if (!waits) {
      this.#resolve(this.#value)
      return
    }
    waits.orderAfter(execution, this.site)
    this.waits = undefined
    if (waits.state === 'fulfilled') this.#resolve(waits.value)
    else this.#reject(waits.value)
  }

  delegate(): AsyncCall | undefined {
    const awaited = this.isSuspended ? this.waits : this.result.followed[0]
    const owner = awaited?.owner
    return owner?.isSuspended ? owner : undefined
  }
}

/** `async function`: its body runs at once; what it returns is a promise that the runtime settles. */
export function run<T>(body: () => Promise<T>, name: string, site: SiteId): Promise<T> {
  const execution = running
  if (execution === null) return body()
  const call = new AsyncCall(execution, name, site)
  const caller = execution.call
  execution.call = call
  let native: Promise<T>
  try {
    native = body()
  } finally {
    execution.call = caller
  }
  nativeThen.call(
    native,
    (value) => {
      if (running === execution && execution.call === call) execution.call = null
      call.result.resolve(value instanceof ReturnedPromise ? value.promise : value, call.site)
    },
    (error: unknown) => {
      if (running === execution && execution.call === call) execution.call = null
      call.result.reject(error, call.site)
    },
  )
  return call.result.promise as Promise<T>
}

/** `return e` in an async function: a promise is passed on without a native detour that could not be followed. */
export function returned(value: unknown): unknown {
  return running !== null && isThenable(value) ? new ReturnedPromise(value) : value
}

/** `await`. */
export function suspend(value: unknown, site: SiteId): unknown {
  const execution = running
  if (execution === null) return value
  // Code that something we cannot see has resumed, such as a queued call of an async generator.
  const call = execution.call ?? new AsyncCall(execution, 'continuation', site)
  execution.call = null
  return call.suspend(execution, value, site)
}
