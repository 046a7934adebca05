import { Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { isPromise } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { mayHaveThen } from '../execution/fulfilling.ts'
import { isInstrumented } from '../execution/instrumented.ts'
import { isNativeThen, NativePromise } from '../execution/native.ts'
import type { Call } from '../execution/process.ts'
import { isProxy } from '../execution/proxies.ts'
import { calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { Answer, calleeAt } from './answers.ts'
import { arrived } from './from-outside.ts'
import { cellOf } from './promise-cell.ts'

type Settle = (outcome?: unknown) => void
type Then = (this: unknown, fulfil: Settle, reject: Settle) => unknown

/** How a `then` is called: as any other function of code that is not instrumented. */
type CallThen = (execution: Execution, then: Then, thenable: object, settlers: Settle[], site: SiteId) => unknown

let callThen: CallThen = (_, then, thenable, settlers) => Reflect.apply(then, thenable, settlers as Parameters<Then>)

export function callsThenablesBy(call: CallThen): void {
  callThen = call
}

/**
 * A value as the platform is to wait for it. Of what is no promise and whose `then` is not instrumented nobody knows whether anything real has a part in it, until
 * the platform calls that: a request of superagent, or a query of a builder, begins only then. What comes from outside waits for its turn.
 */
export function asWaitedFor(execution: Execution, value: unknown, site: SiteId): unknown {
  const then = ownThen(value)
  if (then === undefined || isInstrumented(then)) return value
  const call = execution.call
  const wait = (resolve: Settle, reject: Settle): void => new Waiting(execution, { site, call }).begin(value as object, then, { resolve, reject })
  // oxlint-disable-next-line no-thenable -- it stands for another
  return { then: calledByProgram(wait) }
}

/** The promise that the platform makes of it; undefined where it needs no help. */
export function promiseOfWaitedFor(execution: Execution, value: unknown, site: SiteId): Promise<unknown> | undefined {
  const waitedFor = asWaitedFor(execution, value, site)
  if (waitedFor === value) return undefined
  const promise = NativePromise.resolve(waitedFor)
  execution.line?.waitsFor(promise, value as object)
  const cell = cellOf(execution, promise)
  if (cell) cell.isControlled = true
  return promise
}

/** What its `then` begins, if that is instrumented, begins for the call that awaits it: the platform calls it in a job of nobody's. */
export function asAwaitedBy(call: Call, execution: Execution, value: unknown): unknown {
  const then = ownThen(value)
  if (then === undefined || !isInstrumented(then)) return value
  const wait = (...settlers: [Settle, Settle]): unknown => {
    const begin = (): unknown => Reflect.apply(then, value, settlers)
    return running === execution ? execution.within(call, begin) : begin()
  }
  // oxlint-disable-next-line no-thenable -- it stands for another
  return { then: calledByProgram(wait) }
}

/** The platform itself reads what an accessor or a Proxy gives. */
function ownThen(value: unknown): Then | undefined {
  if (!mayHaveThen(value) || isPromise(value)) return undefined
  for (let holder: object | null = value as object; holder !== null && !isProxy(holder); holder = Reflect.getPrototypeOf(holder)) {
    const own = Reflect.getOwnPropertyDescriptor(holder, 'then')
    if (!own) continue
    const then: unknown = own.value
    return typeof then === 'function' && !isNativeThen(then) ? (then as Then) : undefined
  }
  return undefined
}

/** Somebody waits for such a value. */
class Waiting {
  readonly #execution: Execution
  readonly #site: SiteId
  readonly #call: Call | null
  #isSettled = false
  #answer: Answer | undefined

  constructor(execution: Execution, { site, call }: { readonly site: SiteId; readonly call: Call | null }) {
    this.#execution = execution
    this.#site = site
    this.#call = call
  }

  begin(thenable: object, then: Then, { resolve, reject }: { readonly resolve: Settle; readonly reject: Settle }): void {
    const execution = this.#execution
    const settlers = [this.#settler((outcome) => resolve(asWaitedFor(execution, outcome, this.#site))), this.#settler(reject)]
    if (running !== execution) return void Reflect.apply(then, thenable, settlers as [Settle, Settle])
    callThen(execution, then, thenable, settlers, this.#site)
    if (this.#isSettled || !execution.foreign.mayBeInvolved) return
    this.#answer = new Answer(execution, this.#site, { call: this.#call })
    execution.foreign.watch(this.#answer)
    execution.outside.reach()
  }

  #settler(settle: Settle): Settle {
    return calledByProgram((outcome: unknown) => {
      '__dpor'
      if (this.#isSettled) return
      this.#isSettled = true
      this.#comes(() => settle(outcome))
    })
  }

  #comes(settle: () => void): void {
    const execution = this.#execution
    const answer = this.#answer
    const isInTime = answer === undefined || execution.foreign.unwatch(answer)
    if (running === execution) {
      answer?.isOver()
      return settle()
    }
    if (!isInTime) return execution.isLeft ? settle() : undefined
    execution.events?.meets(calleeAt(this.#site, 'code that is not instrumented'))
    if (answer === undefined) return arrived(execution, this.#site, settle)
    answer.comes(settle)
    execution.foreign.changed()
  }
}
