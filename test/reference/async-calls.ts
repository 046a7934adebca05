import { type Fate, fateOf, promiseOf, promiseWithFate, type promiseClass } from './promises.ts'
import type { Call, Job, Line, Scheduler } from './scheduler.ts'

type Body = (...args: unknown[]) => Generator<unknown, unknown, unknown>
type PromiseClass = ReturnType<typeof promiseClass>

/** What a call goes on with after an `await`. */
type Resume = { readonly how: 'next' | 'throw' | 'return'; readonly value: unknown }

/** What an async generator asks of who drives it. */
class Wait {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** A value that an async generator yields, which it waits for first. */
class Give extends Wait {
  readonly isAwaited: boolean

  constructor(value: unknown, { isAwaited }: { isAwaited: boolean }) {
    super(value)
    this.isAwaited = isAwaited
  }
}

/** A wait at an `await`. */
class Waiting implements Job {
  readonly kind = 'continuation'
  readonly after: readonly Job[]
  hasRun = false
  readonly #scheduler: Scheduler
  readonly #owner: Coroutine
  readonly #fate: Fate | undefined
  readonly #value: unknown

  constructor(scheduler: Scheduler, owner: Coroutine, value: unknown) {
    this.#scheduler = scheduler
    this.#owner = owner
    this.#value = value
    this.#fate = fateOf(scheduler, value)
    this.after = this.#fate?.before ?? []
  }

  start(): void {
    const fate = this.#fate
    if (!fate) return this.#scheduler.wake(this)
    fate.reactions.push(this)
    fate.isHandled = true
    fate.onSettled(() => this.#scheduler.wake(this))
  }

  get line(): Line | undefined {
    return this.#owner.line
  }

  set line(line: Line | undefined) {
    this.#owner.line = line
  }

  run(): void {
    const fate = this.#fate
    if (!fate) this.#owner.goOn({ how: 'next', value: this.#value })
    else this.#owner.goOn({ how: fate.state === 'fulfilled' ? 'next' : 'throw', value: fate.value })
  }

  callee(): Call | undefined {
    return this.#owner.callee()
  }

  get waitsFor(): Call | undefined {
    return this.#fate?.waitsFor
  }
}

/** A generator whose `yield`s are awaits. */
abstract class Coroutine implements Call {
  line: Line | undefined
  protected readonly scheduler: Scheduler
  protected waiting: Waiting | undefined

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler
  }

  abstract goOn(resume: Resume): void
  abstract callee(): Call | undefined

  /** Goes on with `resume` when the value is there. */
  protected waitFor(value: unknown): void {
    try {
      this.waiting = new Waiting(this.scheduler, this, value)
      this.waiting.start()
    } catch (error) {
      this.goOn({ how: 'throw', value: error })
    }
  }
}

/** A call of an async function. */
class AsyncCall extends Coroutine {
  readonly #generator: Generator<unknown, unknown, unknown>
  readonly #fate: Fate

  constructor(scheduler: Scheduler, generator: Generator<unknown, unknown, unknown>, fate: Fate) {
    super(scheduler)
    this.#generator = generator
    this.#fate = fate
    fate.call = this
    scheduler.began(this)
  }

  goOn({ how, value }: Resume): void {
    this.waiting = undefined
    let step
    try {
      step = this.#generator[how](value)
    } catch (error) {
      this.#fate.settle('rejected', error)
      return
    }
    if (step.done) this.#fate.resolve(step.value)
    else this.waitFor(step.value)
  }

  callee(): Call | undefined {
    return this.waiting ? this.waiting.waitsFor : this.#fate.followed?.waitsFor
  }
}

interface Request {
  readonly resume: Resume
  readonly fate: Fate
}

/** A running async generator: answers requests one after another. */
class AsyncGeneratorCall extends Coroutine {
  readonly #generator: Generator<unknown, unknown, unknown>
  #state: 'new' | 'at yield' | 'busy' | 'ended' = 'new'
  #awaits: 'in the body' | 'to give' | 'to return at a yield' | 'to return at the end' = 'in the body'
  readonly #requests: Request[] = []

  constructor(scheduler: Scheduler, generator: Generator<unknown, unknown, unknown>) {
    super(scheduler)
    this.#generator = generator
  }

  request(request: Request): void {
    request.fate.call = this
    this.#requests.push(request)
    if (this.#state !== 'busy') this.#serve()
  }

  /** Turns to the first request, if there is one. */
  #serve(): void {
    const request = this.#requests[0]
    if (!request) return
    const { resume } = request
    this.line = undefined
    this.scheduler.began(this)
    if (this.#state === 'new' && resume.how !== 'next') this.#state = 'ended'
    const isEnded = this.#state === 'ended'
    this.#state = 'busy'
    if (resume.how === 'return') this.#await(isEnded ? 'to return at the end' : 'to return at a yield', resume.value)
    else if (!isEnded) this.#run(resume)
    else if (resume.how === 'throw') this.#answer('ended', (fate) => fate.settle('rejected', resume.value))
    else this.#answer('ended', (fate) => fate.resolve({ value: undefined, done: true }))
  }

  #await(awaits: 'in the body' | 'to give' | 'to return at a yield' | 'to return at the end', value: unknown): void {
    this.#awaits = awaits
    this.waitFor(value)
  }

  goOn(resume: Resume): void {
    this.waiting = undefined
    switch (this.#awaits) {
      case 'in the body':
        return this.#run(resume)
      case 'to give':
        if (resume.how === 'throw') return this.#run(resume)
        return this.#answer('at yield', (fate) => fate.resolve({ value: resume.value, done: false }))
      case 'to return at a yield':
        return this.#run(resume.how === 'throw' ? resume : { how: 'return', value: resume.value })
      case 'to return at the end':
        return this.#answer('ended', (fate) => {
          if (resume.how === 'throw') fate.settle('rejected', resume.value)
          else fate.resolve({ value: resume.value, done: true })
        })
      default:
        return this.#awaits satisfies never
    }
  }

  #run({ how, value }: Resume): void {
    let step: IteratorResult<unknown, unknown>
    try {
      step = this.#generator[how](value)
    } catch (error) {
      return this.#answer('ended', (fate) => fate.settle('rejected', error))
    }
    if (step.done) return this.#answer('ended', (fate) => fate.resolve({ value: step.value, done: true }))
    const asked = step.value as Wait
    if (asked instanceof Give && asked.isAwaited) return this.#answer('at yield', (fate) => fate.resolve({ value: asked.value, done: false }))
    this.#await(asked instanceof Give ? 'to give' : 'in the body', asked.value)
  }

  #answer(state: 'at yield' | 'ended', settle: (fate: Fate) => void): void {
    this.#state = state
    settle(this.#requests.shift()!.fate)
    this.#serve()
  }

  callee(): Call | undefined {
    return this.waiting?.waitsFor
  }
}

/** What `for await` goes through. */
interface Loop {
  value: unknown
  next(): unknown
  /** Whether the result of `next` has a value, which is then `value`. */
  take(result: unknown): boolean
  /** Whether the iterator has to be told that the loop is left; once. */
  mustClose(): boolean
  close(): unknown
}

/** The functions that rewritten code calls (`coroutineNames`), for one execution. */
export function asyncCalls(scheduler: Scheduler, Promise: PromiseClass) {
  function $run(self: unknown, args: unknown[], body: Body): object {
    const { promise, fate } = promiseWithFate(Promise)
    let generator
    try {
      generator = Reflect.apply(body, self, args)
    } catch (error) {
      fate.settle('rejected', error)
      return promise
    }
    new AsyncCall(scheduler, generator, fate).goOn({ how: 'next', value: undefined })
    return promise
  }

  function $generate(self: unknown, args: unknown[], body: Body): object {
    const call = new AsyncGeneratorCall(scheduler, Reflect.apply(body, self, args))
    const request = (how: Resume['how']) => (value?: unknown) => {
      const { promise, fate } = promiseWithFate(Promise)
      call.request({ resume: { how, value }, fate })
      return promise
    }
    return {
      next: request('next'),
      return: request('return'),
      throw: request('throw'),
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  function $over(iterable: any): Loop {
    const isAsync = iterable[Symbol.asyncIterator] != null
    const iterator = isAsync ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]()
    const { next } = iterator
    let isOpen = false
    return {
      value: undefined,
      next() {
        isOpen = false
        const result = Reflect.apply(next, iterator, [])
        return isAsync ? result : awaitedResult(result as IteratorResult<unknown>)
      },
      take(result: any) {
        if (typeof result !== 'object' || result === null) throw new TypeError(`Iterator result ${String(result)} is not an object`)
        if (result.done) return false
        isOpen = true
        this.value = result.value
        return true
      },
      mustClose() {
        // What stands between `for await` and a sync iterator can always be closed.
        const must = isOpen && (!isAsync || iterator.return != null)
        isOpen = false
        return must
      },
      close: () => (isAsync ? iterator.return() : awaitedResult(iterator.return == null ? { value: undefined, done: true } : iterator.return())),
    }
  }

  /** The values of a sync iterable are awaited, the one at its end too. */
  function awaitedResult(result: IteratorResult<unknown>): unknown {
    if (typeof result !== 'object' || result === null) throw new TypeError(`Iterator result ${String(result)} is not an object`)
    const { value, done } = result
    const fate = promiseOf(scheduler, value)
    return new Promise((resolve, reject) => {
      fate.isHandled = true
      fate.afterSettled(() => (fate.state === 'fulfilled' ? resolve({ value: fate.value, done }) : reject(fate.value)))
    })
  }

  /** `yield*` in an async generator: gives what the other gives without waiting for it once more. Sends on `return`, nothing else. */
  function* $delegate(iterable: unknown): Generator<Wait, unknown, unknown> {
    const loop = $over(iterable)
    let result: unknown
    try {
      while (loop.take((result = yield new Wait(loop.next())))) yield new Give(loop.value, { isAwaited: true })
    } finally {
      if (loop.mustClose()) yield new Wait(loop.close())
    }
    return (result as IteratorResult<unknown>).value
  }

  return {
    $run,
    $generate,
    $over,
    $delegate,
    $got: (value: unknown) => value,
    $wait: (value: unknown) => new Wait(value),
    $give: (value: unknown) => new Give(value, { isAwaited: false }),
  }
}
