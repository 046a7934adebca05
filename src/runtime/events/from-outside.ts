import type { SiteId } from '../../engine/ids.ts'
import { isFulfilled } from '../execution/brands.ts'
import type { Execution } from '../execution/execution.ts'
import { afterMacrotask, hear, NativePromise } from '../execution/native.ts'
import type { Continuation, Process } from '../execution/process.ts'
import { besideSteps, running } from '../execution/running.ts'
import { Answer, calleeAt, settlesLike, type Settle } from './answers.ts'
import { arrivesFrom, asksOutside, causeOf, isDueToItsCall } from './arrivals.ts'
import { outcomeAsked } from './outcomes.ts'
import { cellOf } from './promise-cell.ts'
import { unseen } from './promise-hooks.ts'

const gates = new WeakMap<object, { readonly execution: Execution; readonly gate: Promise<unknown> }>()

/** Where a promise was asked for, and what decides it. */
export interface Asked {
  readonly site: SiteId
  readonly things?: (() => readonly object[]) | undefined
}

/**
 * A promise of code that is not instrumented, or of the platform, may be settled by something real: what waits for it then has to
 * wait for its turn. What is settled within a step goes on in that step.
 */
export function gated(execution: Execution, promise: Promise<unknown>, asked: Asked): Promise<unknown> {
  // Another class, or the Promise of another realm, is what whoever gets it may look at.
  const cell = cellOf(execution, promise)
  if (promise.constructor !== NativePromise || cell?.owner) return promise
  // Whoever settles it waits for a turn.
  if (cell?.isControlled) return promise
  // Settled by a step: what waits for it goes on as the platform has it.
  if (cell?.isSettled && gates.get(promise)?.execution !== execution) {
    const heard = outcomeAsked(execution, promise)
    if (heard && isFulfilled(promise)) unseen(() => hear(promise, heard, undefined))
    return promise
  }
  return gateOf(execution, promise, asked)
}

/** Whether what waits for this promise waits for something outside. */
export const isGate = (execution: Execution, promise: object): boolean => gates.get(promise)?.execution === execution

/** The same of a promise that something real is certain to work on: a module that is loaded. */
export function gateOf(execution: Execution, promise: Promise<unknown>, { site, things = () => [] }: Asked): Promise<unknown> {
  const known = gates.get(promise)
  if (known?.execution === execution) return known.gate
  const gate = new NativePromise((fulfil, reject) => {
    const answer = new Answer(execution, site, { cause: () => causeOf(execution, promise) })
    execution.foreign.watch(answer)
    asksOutside(execution, promise)
    cellOf(execution, promise)?.ask(site)
    const comes = (settle: Settle): void => {
      if (!execution.foreign.unwatch(answer)) return execution.isLeft ? settle() : undefined
      if (running === execution) {
        answer.isOver()
        return settle()
      }
      execution.events?.meets(calleeAt(site, 'code that is not instrumented'))
      const taken = arrivesFrom(execution, things(), () =>
        answer.comes(() => {
          taken()
          settle()
        }),
      )
      execution.foreign.changed()
    }
    settlesLike(promise, { fulfil, reject, comes, heard: outcomeAsked(execution, promise) })
  })
  gates.set(promise, { execution, gate })
  gates.set(gate, { execution, gate })
  return gate
}

/** The same of what the platform does by itself, such as to let data flow: whether anything real has a part in it is not known from the call. */
export function gatedIfReal(execution: Execution, promise: Promise<unknown>, asked: Asked): Promise<unknown> {
  return cellOf(execution, promise)?.isOfPlatform && execution.foreign.mayBeInvolved ? gated(execution, promise, asked) : promise
}

/** A promise of the platform's that steps settle, unless something real has a part in what it is of: nothing stands between it and whoever waits. */
export function settledWithin(execution: Execution, promise: object): void {
  const cell = cellOf(execution, promise)
  if (cell && !execution.foreign.mayBeInvolved) cell.isControlled = true
}

/** What a module that is loaded is waited for by. */
export function loaded<T>(promise: Promise<T>, site = running?.call?.site ?? 0): Promise<T> {
  return running?.events ? (gateOf(running, promise, { site }) as Promise<T>) : promise
}

/** A module is loaded between two steps: what loads it is code of Node's, or of a test framework, which has no part in them. */
export function imported<T>(args: readonly unknown[], load: (args: readonly unknown[]) => Promise<T>, site: SiteId): Promise<T> {
  if (running === null) return load(args)
  const { foreign } = running
  foreign.expects()
  const came = (settle: () => void): void => {
    settle()
    foreign.came()
  }
  const begin = (fulfil: (value: T) => void, reject: (error: unknown) => void): void =>
    afterMacrotask(() => hear(load(args), (value) => came(() => fulfil(value as T)), (error) => came(() => reject(error))))
  const promise = besideSteps(() => new NativePromise<T>(begin))
  isDueToItsCall(promise)
  return loaded(promise, site)
}

/** Something real calls back while no step runs: from now on what it does can be taken as a step. */
export function arrived(execution: Execution, site: SiteId, settle: Settle): void {
  if (execution.isLeft) return settle()
  if (execution.foreign.isClosed) return
  execution.foreign.changed()
  execution.wake(new Callback(execution, site, settle))
}

/** A call from outside that was not foreseen: a process of its own. */
class Callback implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #run: Settle
  readonly #follow: () => void

  constructor(execution: Execution, site: SiteId, run: Settle) {
    this.#follow = execution.outside.comes()
    this.process = execution.processes.spawn('answer')
    this.site = site
    this.#run = run
  }

  resume(): void {
    running!.enter(null)
    this.#follow()
    this.#run()
  }

  delegate(): undefined {
    return undefined
  }
}
