import type { SiteId } from '../engine/ids.ts'
import type { Execution } from './execution.ts'
import { running } from './execution.ts'
import { isThenable, NativePromise } from './native.ts'
import type { AsyncCallLike, Continuation, Process } from './process.ts'
import { PromiseRecord, recordOf } from './promise-record.ts'

type Callback = (value: unknown) => unknown

/** The callback of `then`, `catch` or `finally`: a process of one step, enabled by the promise it waits for. */
class Reaction implements Continuation {
  process: Process | undefined
  readonly site: SiteId
  readonly #source: PromiseRecord
  readonly #derived: PromiseRecord
  readonly #callback: Callback
  readonly #isFinally: boolean

  constructor(source: PromiseRecord, derived: PromiseRecord, callback: Callback, options: { isFinally: boolean; process: Process }) {
    this.#source = source
    this.#derived = derived
    this.#callback = callback
    this.#isFinally = options.isFinally
    this.process = options.process
    this.site = derived.site
  }

  resume(): void {
    const execution = running!
    execution.call = null
    this.#source.orderAfter(execution, this.site)
    let result: unknown
    try {
      result = this.#isFinally ? this.#callback(undefined) : this.#callback(this.#source.value)
    } catch (error) {
      this.#derived.reject(error, this.site)
      return
    }
    if (this.#isFinally) this.#passOn(execution, result)
    else this.#derived.resolve(result, this.site)
  }

  /** After `finally`: the original outcome, once what the callback returned has ended well. */
  #passOn(execution: Execution, result: unknown): void {
    const derived = this.#derived
    const source = this.#source
    if (!derived.decide(this.site)) return
    if (!isThenable(result)) {
      derived.settle(source.state as 'fulfilled' | 'rejected', source.value)
      return
    }
    const after = recordOf(execution, result, this.site)
    derived.followed = [after]
    after.handle(this.site)
    after.subscribe(() => {
      const decisive = after.state === 'rejected' ? after : source
      derived.settle(decisive.state as 'fulfilled' | 'rejected', decisive.value)
    })
  }

  delegate(): AsyncCallLike | undefined {
    const owner = this.#derived.followed[0]?.owner
    return owner?.isSuspended ? owner : undefined
  }
}

interface Reactions {
  readonly fulfilled?: Callback | undefined
  readonly rejected?: Callback | undefined
  readonly isFinally?: boolean
}

function react(execution: Execution, promise: PromiseLike<unknown>, reactions: Reactions, site: SiteId): Promise<unknown> {
  const { fulfilled, rejected, isFinally = false } = reactions
  const source = recordOf(execution, promise, site)
  const derived = new PromiseRecord(execution, site)
  source.handle(site)
  const process = fulfilled || rejected ? execution.spawn(callbackName(fulfilled ?? rejected)) : undefined
  source.subscribe(() => {
    const callback = source.state === 'fulfilled' ? fulfilled : rejected
    if (callback && process) execution.wake(new Reaction(source, derived, callback, { isFinally, process }))
    else derived.follow(source)
  })
  return derived.promise
}

function callbackName(callback: Callback | undefined): string {
  return callback?.name ? callback.name : 'then'
}

function callable(value: unknown): Callback | undefined {
  return typeof value === 'function' ? (value as Callback) : undefined
}

export function onSettled(execution: Execution, promise: PromiseLike<unknown>, args: unknown[], site: SiteId): unknown {
  return react(execution, promise, { fulfilled: callable(args[0]), rejected: callable(args[1]) }, site)
}

export function catchRejection(execution: Execution, promise: PromiseLike<unknown>, args: unknown[], site: SiteId): unknown {
  return react(execution, promise, { rejected: callable(args[0]) }, site)
}

export function finallyDo(execution: Execution, promise: PromiseLike<unknown>, args: unknown[], site: SiteId): unknown {
  const callback = callable(args[0])
  return react(execution, promise, { fulfilled: callback, rejected: callback, isFinally: true }, site)
}

// Making promises ---------------------------------------------------------------------------

/** `new Promise(executor)`. */
export function construct(execution: Execution, executor: unknown, site: SiteId): Promise<unknown> {
  if (typeof executor !== 'function') return new NativePromise(executor as () => void)
  const { record, resolve, reject } = withSettlers(execution, site)
  try {
    executor(resolve, reject)
  } catch (error) {
    reject(error)
  }
  return record.promise
}

export function withResolvers(execution: Execution, site: SiteId): unknown {
  const { record, resolve, reject } = withSettlers(execution, site)
  const result = { promise: record.promise, resolve, reject }
  execution.identities.made(result)
  return result
}

function withSettlers(execution: Execution, site: SiteId) {
  const record = new PromiseRecord(execution, site)
  return {
    record,
    resolve: (value?: unknown): void => record.resolve(value, site),
    reject: (error?: unknown): void => record.reject(error, site),
  }
}

export function resolvedWith(execution: Execution, value: unknown, site: SiteId): Promise<unknown> {
  if (value instanceof NativePromise) return value
  const record = new PromiseRecord(execution, site)
  record.resolve(value, site)
  return record.promise
}

export function rejectedWith(execution: Execution, error: unknown, site: SiteId): Promise<unknown> {
  const record = new PromiseRecord(execution, site)
  record.reject(error, site)
  return record.promise
}

/** `Promise.try(callback, ...args)`. */
export function attempt(execution: Execution, args: unknown[], site: SiteId): Promise<unknown> {
  const [callback, ...rest] = args
  return construct(
    execution,
    (settle: (value: unknown) => void) => settle((callback as (...values: unknown[]) => unknown)(...rest)),
    site,
  )
}

// Combinators -------------------------------------------------------------------------------

type Combinator = 'all' | 'allSettled' | 'race' | 'any'

/**
 * `Promise.all` and its like. Parts that only count towards the whole commute: whoever waits for the
 * whole is ordered after each of them. A part that decides alone writes the whole's location.
 */
export function combine(execution: Execution, kind: Combinator, iterable: Iterable<unknown>, site: SiteId): Promise<unknown> {
  const whole = new PromiseRecord(execution, site)
  const parts: PromiseRecord[] = []
  whole.parts = parts
  const results: unknown[] = []
  let missing = 1
  const count = (): void => {
    missing--
    if (missing > 0 || whole.isDecided) return
    execution.identities.derive(results, whole.object, 'result')
    whole.followed = parts
    if (kind === 'any') whole.settle('rejected', new AggregateError(results, 'All promises were rejected'))
    else whole.settle('fulfilled', results)
  }
  for (const value of iterable) {
    const index = results.length
    results.push(undefined)
    const part = partOf(execution, value, site)
    if (kind === 'race' || kind === 'any') execution.read(part.location, site)
    part.handle(site)
    parts.push(part)
    missing++
    part.subscribe(() => {
      if (counts(kind, part)) {
        results[index] = kind === 'allSettled' ? settledResult(execution, part, whole) : part.value
        count()
      } else if (whole.decide(site)) {
        whole.followed = [part]
        whole.settle(part.state as 'fulfilled' | 'rejected', part.value)
      }
    })
  }
  if (kind !== 'race') count()
  return whole.promise
}

function counts(kind: Combinator, part: PromiseRecord): boolean {
  switch (kind) {
    case 'all':
      return part.state === 'fulfilled'
    case 'allSettled':
      return true
    case 'any':
      return part.state === 'rejected'
    case 'race':
      return false
    default:
      return kind satisfies never
  }
}

function partOf(execution: Execution, value: unknown, site: SiteId): PromiseRecord {
  if (isThenable(value)) return recordOf(execution, value, site)
  const part = new PromiseRecord(execution, site)
  part.settle('fulfilled', value)
  return part
}

function settledResult(execution: Execution, part: PromiseRecord, whole: PromiseRecord): unknown {
  const result =
    part.state === 'fulfilled'
      ? { status: 'fulfilled', value: part.value }
      : { status: 'rejected', reason: part.value }
  execution.identities.derive(result, whole.object, part.object)
  return result
}
