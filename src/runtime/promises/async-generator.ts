import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { runInEvent as requestInEvent } from '../events/event-call.ts'
import { unseen } from '../events/promise-hooks.ts'
import type { Execution } from '../execution/execution.ts'
import { STATE } from '../execution/keys.ts'
import { nativeThen } from '../execution/native.ts'
import { calledByProgram, runtimeGoesOn } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { AsyncCall } from './async-call.ts'
import { fulfilWith, mayHaveThen } from '../execution/fulfilling.ts'
import { newPromise, ofNewPromise } from './unsettled.ts'

type Kind = 'next' | 'return' | 'throw'
type Result = IteratorResult<unknown>
type Method = (this: unknown, ...args: unknown[]) => Promise<Result>

/** A request for a value: a call of its own, so that awaits inside belong to somebody. */
interface Request {
  readonly kind: Kind
  readonly args: unknown[]
  readonly call: AsyncCall
}

interface Outcome {
  readonly state: 'fulfilled' | 'rejected'
  readonly value: unknown
}

/**
 * The requests to one async generator, answered one after another in their order. Each step that makes or answers one changes
 * the generator: whether a request finds it at work decides who runs its code.
 */
class Requests {
  readonly #generator: AsyncGenerator
  readonly #methods: Readonly<Record<Kind, Method>>
  readonly #name: string
  readonly #site: SiteId
  readonly #madeIn = running
  #execution: Execution | undefined
  #waiting: Request[] = []
  #isBusy = false
  #isOver = false
  /** It is over, and answers a `return(value)` when the value is there. */
  #isReturning = false

  constructor(generator: AsyncGenerator, name: string, site: SiteId) {
    this.#generator = generator
    this.#methods = { next: generator.next, return: generator.return, throw: generator.throw } as Readonly<Record<Kind, Method>>
    this.#name = name
    this.#site = site
  }

  ask(kind: Kind, args: unknown[]): Promise<Result> {
    const execution = running
    if (execution === null) return Reflect.apply(this.#methods[kind], this.#generator, args)
    if (this.#execution !== execution) this.#beginExecution(execution)
    this.#tell(execution, kind)
    if (execution.events) return this.#askInEvent(execution, kind, args)
    const request = { kind, args, call: new AsyncCall(execution, this.#name, this.#site) }
    this.#waiting.push(request)
    if (!this.#isBusy) this.#serve(execution, request)
    return request.call.result.promise as Promise<Result>
  }

  /** The platform keeps the queue of requests. */
  #askInEvent(execution: Execution, kind: Kind, args: unknown[]): Promise<Result> {
    const answer = requestInEvent(execution, () => Reflect.apply(this.#methods[kind], this.#generator, args), this.#name, this.#site)
    const told = (): void => {
      if (running === execution) this.#tell(execution, kind)
    }
    unseen(() => nativeThen.call(answer, told, told))
    return answer
  }

  /** A generator that is older than the execution starts it with nothing to do. */
  #beginExecution(execution: Execution): void {
    this.#execution = execution
    this.#waiting = []
    this.#isBusy = false
    this.#isReturning = false
  }

  /** One that is over answers within the step, and stays as it is. But `return(value)` waits for the value, and all later requests for that. */
  #tell(execution: Execution, kind: Kind): void {
    const object = execution.identities.of(this.#generator)
    if (this.#isOver && kind !== 'return' && !this.#isReturning) execution.accesses.read(object, STATE, this.#site, undefined)
    else {
      // How far it has come cannot be undone.
      if (this.#madeIn !== execution) execution.journal.state(this.#generator, { isOlder: true })
      execution.accesses.write(object, STATE, this.#site, undefined)
    }
  }

  #serve(execution: Execution, request: Request): void {
    const { kind, args, call } = request
    this.#isBusy = true
    this.#isReturning = this.#isOver && kind === 'return'
    const outer = execution.call
    execution.enter(call)
    const answer = kind === 'return' ? this.#end(execution, call, args[0]) : (Reflect.apply(this.#methods[kind], this.#generator, args))
    execution.enter(outer)
    call.result.isEnding = !call.hasSuspended
    const place = call.result.isEnding ? execution.reservePlace() : undefined
    const answered = (outcome: Outcome): void => {
      runtimeGoesOn()
      if (place) execution.jobs.inPlace(place, () => this.#answer(execution, request, outcome))
      else this.#answer(execution, request, outcome)
    }
    nativeThen.call(
      answer,
      (value) => answered({ state: 'fulfilled', value }),
      (value: unknown) => answered({ state: 'rejected', value }),
    )
  }

  /** `return(value)` waits for the value before the generator goes on. */
  #end(execution: Execution, call: AsyncCall, value: unknown): Promise<Result> {
    const { return: end, throw: fail } = this.#methods
    let awaited: Promise<unknown>
    try {
      awaited = call.suspend(execution, value, this.#site)
    } catch (error) {
      // A promise whose constructor cannot be read.
      return Reflect.apply(fail, this.#generator, [error])
    }
    return nativeThen.call(
      awaited,
      (settled) => Reflect.apply(end, this.#generator, [awaitedOnce(settled)]),
      (error: unknown) => Reflect.apply(fail, this.#generator, [error]),
    ) as Promise<Result>
  }

  #answer(execution: Execution, { kind, call }: Request, outcome: Outcome): void {
    if (running !== execution) return
    if (execution.call === call) execution.enter(null)
    this.#tell(execution, kind)
    this.#isReturning = false
    this.#isOver = outcome.state === 'rejected' || (outcome.value as Result).done === true
    this.#isBusy = false
    this.#waiting.shift()
    const { result } = call
    result.isEnding = false
    if (outcome.state === 'fulfilled') execution.identities.made(outcome.value as object)
    if (result.decide(call.site)) result.settle(outcome.state, outcome.value, 'a microtask ago')
    const next = this.#waiting[0]
    if (!next) return
    execution.processes.began(next.call)
    this.#serve(execution, next)
  }
}

/** The platform awaits it again: what has a property `then`, which is no function, is not asked for that once more. */
function awaitedOnce(value: unknown): unknown {
  if (!mayHaveThen(value)) return value
  const promise = newPromise()
  fulfilWith(ofNewPromise.fulfil, value)
  return promise
}

/** `async function*`: its requests are controlled. */
export function generate<T>(generator: AsyncGenerator<T>, name: string, site: SiteId): AsyncGenerator<T> {
  running?.identities.made(generator)
  const requests = new Requests(generator, name, site)
  // With the text by which functions are known whose code tells what it does.
  const controlled = {
    next: (...args: unknown[]) => {
      '__dpor'
      return requests.ask('next', args)
    },
    return: (...args: unknown[]) => {
      '__dpor'
      return requests.ask('return', args)
    },
    throw: (...args: unknown[]) => {
      '__dpor'
      return requests.ask('throw', args)
    },
  }
  // The generator keeps its prototype, so that `instanceof` and inherited helpers go on working.
  for (const key in controlled) {
    Object.defineProperty(generator, key, { value: calledByProgram(controlled[key as Kind]), configurable: true, writable: true, enumerable: false })
  }
  return generator
}
