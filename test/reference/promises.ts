import type { Call, Job, Line, Scheduler } from './scheduler.ts'

const NativePromise = globalThis.Promise
type NativePromise = Promise<unknown>

type State = 'pending' | 'fulfilled' | 'rejected'
type Settler = (value?: any) => void

/**
 * The outcome of one promise, known or not. Passing an outcome on from one promise to another takes no step; it takes the
 * microtasks that the language says, after the code of the step.
 */
export class Fate {
  state: State = 'pending'
  value: unknown = undefined
  /** Somebody will see a rejection. */
  isHandled = false
  /** The call whose outcome this is. */
  call: Call | undefined
  /** The promise whose outcome this one passes on. */
  followed: Fate | undefined
  /** The reactions registered so far, in their order. */
  readonly reactions: Job[] = []
  readonly #scheduler: Scheduler
  #onSettled: (() => void)[] = []
  #afterSettled: (() => void)[] = []

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Takes over a value, or the outcome of a thenable. */
  resolve(value: unknown): void {
    let fate: Fate | undefined
    try {
      fate = fateOf(this.#scheduler, value)
    } catch (error) {
      return this.settle('rejected', error)
    }
    if (fate === this) return this.settle('rejected', new TypeError('Chaining cycle detected for promise #<Promise>'))
    if (!fate) return this.settle('fulfilled', value)
    this.followed = fate
    fate.isHandled = true
    this.#scheduler.atStepEnd(() => fate.afterSettled(() => this.settle(fate.state as 'fulfilled' | 'rejected', fate.value)))
  }

  settle(state: 'fulfilled' | 'rejected', value: unknown): void {
    this.state = state
    this.value = value
    if (state === 'rejected') this.#scheduler.rejected.push(this)
    for (const callback of this.#onSettled.splice(0)) callback()
    for (const job of this.#afterSettled.splice(0)) this.#scheduler.atStepEnd(job)
  }

  /** Calls back in the moment it is settled: for what then waits for a step of its own. */
  onSettled(callback: () => void): void {
    if (this.state === 'pending') this.#onSettled.push(callback)
    else callback()
  }

  /** Calls back one microtask after it is settled, which takes no step: for what passes the outcome on. */
  afterSettled(job: () => void): void {
    if (this.state === 'pending') this.#afterSettled.push(job)
    else this.#scheduler.atStepEnd(job)
  }

  /** What has to run before a reaction that is registered now. */
  get before(): readonly Job[] {
    return this.#scheduler.fixedOrders ? [...this.reactions] : []
  }

  /** The call that has to end first, if this waits for one. */
  get waitsFor(): Call | undefined {
    return this.state === 'pending' ? this.call : undefined
  }
}

/** The fate of what is awaited; undefined of what is no promise and no thenable. May throw what a getter `then` throws. */
export function fateOf(scheduler: Scheduler, value: unknown): Fate | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const then: unknown = (value as { then?: unknown }).then
  if (typeof then !== 'function') return undefined
  const own = fates.get(value)
  if (own && then === ownThen.get(scheduler)) return own
  const fate = new Fate(scheduler)
  const settlers = onlyFirst(
    (result) => fate.resolve(result),
    (error) => fate.settle('rejected', error),
  )
  if (value instanceof NativePromise) watch(scheduler, value, settlers)
  else scheduler.wake(new ThenCall(settlers, (resolve, reject) => Reflect.apply(then, value, [resolve, reject])))
  return fate
}

/** The call of a thenable's `then`: a step of its own. */
class ThenCall implements Job {
  readonly kind = 'continuation'
  line: Line | undefined
  readonly after: readonly Job[] = []
  hasRun = false
  readonly #settlers: { resolve: Settler; reject: Settler }
  readonly #call: (resolve: Settler, reject: Settler) => unknown

  constructor(settlers: { resolve: Settler; reject: Settler }, call: (resolve: Settler, reject: Settler) => unknown) {
    this.#settlers = settlers
    this.#call = call
  }

  run(): void {
    const { resolve, reject } = this.#settlers
    try {
      this.#call(resolve, reject)
    } catch (error) {
      reject(error)
    }
  }

  callee(): undefined {
    return undefined
  }
}

/** A promise of code that is not part of the body. */
function watch(scheduler: Scheduler, promise: NativePromise, { resolve, reject }: { resolve: Settler; reject: Settler }): void {
  scheduler.usesNative = true
  scheduler.nativePending++
  promise.then(
    (value) => {
      scheduler.nativePending--
      resolve(value)
    },
    (error: unknown) => {
      scheduler.nativePending--
      reject(error)
    },
  )
}

/** The fate of `Promise.resolve(value)`. */
export function promiseOf(scheduler: Scheduler, value: unknown): Fate {
  const own = fates.get(value as object)
  if (own && (value as { then?: unknown }).then === ownThen.get(scheduler)) return own
  const fate = new Fate(scheduler)
  fate.resolve(value)
  return fate
}

const fates = new WeakMap<object, Fate>()
const ownThen = new WeakMap<Scheduler, unknown>()

function onlyFirst(resolve: Settler, reject: Settler): { resolve: Settler; reject: Settler } {
  let isDone = false
  const once = (settle: Settler): Settler => (value) => {
    if (isDone) return
    isDone = true
    settle(value)
  }
  return { resolve: once(resolve), reject: once(reject) }
}

/** A callback given to `then`: a step of its own. */
class Reaction implements Job {
  readonly kind = 'continuation'
  line: Line | undefined
  readonly after: readonly Job[]
  hasRun = false
  readonly #settlers: { resolve: Settler; reject: Settler }
  readonly #derived: Fate | undefined
  work: () => unknown = () => {}

  constructor({ after, derived, settlers }: { after: readonly Job[]; derived: Fate | undefined; settlers: { resolve: Settler; reject: Settler } }) {
    this.after = after
    this.#derived = derived
    this.#settlers = settlers
  }

  run(): void {
    try {
      this.#settlers.resolve(this.work())
    } catch (error) {
      this.#settlers.reject(error)
    }
  }

  callee(): Call | undefined {
    return this.#derived?.followed?.waitsFor
  }
}

type PromiseClass = ReturnType<typeof promiseClass>
type Constructor = new (executor: (resolve: Settler, reject: Settler) => void) => object

/** The class `Promise` of one execution. */
export function promiseClass(scheduler: Scheduler) {
  class ReferencePromise {
    constructor(executor: (resolve: Settler, reject: Settler) => void) {
      if (typeof executor !== 'function') throw new TypeError(`Promise resolver ${String(executor)} is not a function`)
      const fate = new Fate(scheduler)
      fates.set(this, fate)
      const { resolve, reject } = onlyFirst(
        (value) => fate.resolve(value),
        (error) => fate.settle('rejected', error),
      )
      try {
        executor(resolve, reject)
      } catch (error) {
        reject(error)
      }
    }

    static get [Symbol.species]() {
      return this
    }

    get [Symbol.toStringTag](): string {
      return 'Promise'
    }

    // oxlint-disable-next-line no-thenable
    then(fulfilled?: unknown, rejected?: unknown): object {
      const source = fates.get(this)!
      const { promise, ...settlers } = capability(speciesOf(this))
      const reaction = new Reaction({ after: source.before, derived: fates.get(promise), settlers })
      source.reactions.push(reaction)
      source.isHandled = true
      source.onSettled(() => {
        const callback = source.state === 'fulfilled' ? fulfilled : rejected
        if (typeof callback !== 'function') return
        reaction.work = () => Reflect.apply(callback, undefined, [source.value])
        scheduler.wake(reaction)
      })
      source.afterSettled(() => {
        if (typeof (source.state === 'fulfilled' ? fulfilled : rejected) === 'function') return
        reaction.hasRun = true
        if (source.state === 'fulfilled') settlers.resolve(source.value)
        else settlers.reject(source.value)
      })
      return promise
    }

    catch(rejected?: unknown): object {
      return this.then(undefined, rejected)
    }

    finally(callback?: unknown): object {
      if (typeof callback !== 'function') return this.then(callback, callback)
      const afterwards = (state: 'fulfilled' | 'rejected') => (value: unknown): unknown => {
        const result: unknown = Reflect.apply(callback, undefined, [])
        const fate = promiseOf(scheduler, result)
        return new ReferencePromise((resolve, reject) => {
          const pass = state === 'fulfilled' ? resolve : reject
          fate.isHandled = true
          fate.afterSettled(() => (fate.state === 'rejected' ? reject(fate.value) : pass(value)))
        })
      }
      return this.then(afterwards('fulfilled'), afterwards('rejected'))
    }

    static resolve(this: Constructor, value?: unknown): object {
      if (fates.has(value as object) && (value as object).constructor === this) return value as object
      const { promise, resolve } = capability(this)
      resolve(value)
      return promise
    }

    static reject(this: Constructor, error?: unknown): object {
      const { promise, reject } = capability(this)
      reject(error)
      return promise
    }

    static withResolvers(this: Constructor): object {
      return capability(this)
    }

    static try(this: Constructor, callback: (...args: unknown[]) => unknown, ...args: unknown[]): object {
      return new this((resolve) => resolve(callback(...args)))
    }

    static all(this: Constructor, parts: Iterable<unknown>): object {
      return combine(this, parts, (whole) => ({
        fulfilled: whole.count,
        rejected: (_, error) => whole.reject(error),
        end: (values) => whole.resolve(values),
      }))
    }

    static allSettled(this: Constructor, parts: Iterable<unknown>): object {
      return combine(this, parts, (whole) => ({
        fulfilled: (i, value) => whole.count(i, { status: 'fulfilled', value }),
        rejected: (i, reason) => whole.count(i, { status: 'rejected', reason }),
        end: (values) => whole.resolve(values),
      }))
    }

    static race(this: Constructor, parts: Iterable<unknown>): object {
      return combine(this, parts, (whole) => ({
        fulfilled: (_, value) => whole.resolve(value),
        rejected: (_, error) => whole.reject(error),
        end: () => {},
      }))
    }

    static any(this: Constructor, parts: Iterable<unknown>): object {
      return combine(this, parts, (whole) => ({
        fulfilled: (_, value) => whole.resolve(value),
        rejected: whole.count,
        end: (errors) => whole.reject(new AggregateError(errors, 'All promises were rejected')),
      }))
    }
  }

  function speciesOf(promise: object): Constructor {
    const own = promise.constructor as unknown as Record<symbol, unknown> | undefined
    return (own?.[Symbol.species] ?? ReferencePromise) as Constructor
  }

  interface Whole {
    readonly resolve: Settler
    readonly reject: Settler
    /** One more part has the result that counts towards the whole. */
    readonly count: (index: number, value: unknown) => void
  }

  interface Rule {
    readonly fulfilled: (index: number, value: unknown) => void
    readonly rejected: (index: number, error: unknown) => void
    /** All parts have been counted. */
    readonly end: (values: unknown[]) => void
  }

  /** What a part decides for the whole it decides one microtask after it was settled. */
  function combine(constructor: Constructor, parts: Iterable<unknown>, ruleOf: (whole: Whole) => Rule): object {
    const { promise, resolve, reject } = capability(constructor)
    const values: unknown[] = []
    let missing = 1
    const count = (index: number, value: unknown): void => {
      values[index] = value
      missing--
      if (missing === 0) rule.end(values)
    }
    const rule = ruleOf({ resolve, reject, count })
    let index = 0
    try {
      for (const part of parts) {
        const i = index++
        values.push(undefined)
        missing++
        const fate = promiseOf(scheduler, part)
        fate.isHandled = true
        fate.afterSettled(() => (fate.state === 'fulfilled' ? rule.fulfilled(i, fate.value) : rule.rejected(i, fate.value)))
      }
    } catch (error) {
      reject(error)
      return promise
    }
    missing--
    if (missing === 0) rule.end(values)
    return promise
  }

  Object.defineProperty(ReferencePromise, 'name', { value: 'Promise' })
  ownThen.set(scheduler, ReferencePromise.prototype.then)
  return ReferencePromise
}

interface Capability {
  readonly promise: object
  readonly resolve: Settler
  readonly reject: Settler
}

function capability(constructor: Constructor): Capability {
  let resolve: Settler = () => {}
  let reject: Settler = () => {}
  const promise = new constructor((...settlers) => {
    ;[resolve, reject] = settlers
  })
  return { promise, resolve, reject }
}

/** A promise of the body for the outcome of a call, and its fate. */
export function promiseWithFate(Promise: PromiseClass): { promise: object; fate: Fate } {
  const { promise } = capability(Promise)
  return { promise, fate: fates.get(promise)! }
}
