import { Reflect } from '../../../engine/intrinsics.ts'
import type { SiteId } from '../../../engine/ids.ts'
import { inContext } from '../../execution/contexts.ts'
import type { Execution } from '../../execution/execution.ts'
import { hear } from '../../execution/native.ts'
import type { Continuation, Process } from '../../execution/process.ts'
import { running } from '../../execution/running.ts'
import { unseen } from '../../events/promise-hooks.ts'
import { deferred } from '../../promises/capability.ts'
import type { CallPlatform, Fn, Handler } from '../handler.ts'
import { nameNew } from '../new-graphs.ts'
import { lookAtGiven } from '../platform-looks.ts'
import { functionName } from '../../execution/values.ts'
import { asGiven } from './named-files.ts'

/**
 * Calls of functions that work on files. One that answers later is a process of one step, in which all of it is done: nobody can choose in which
 * order the platform does what it was asked for, and so it is asked only when it is its turn.
 */

/** Does at once what a function does, and tells what that looks at and changes. */
export type Deed = (execution: Execution, args: unknown[], site: SiteId) => unknown

export type Calls = (execution: Execution, fn: Fn, args: unknown[], site: SiteId) => unknown

export type Invoke = (execution: Execution, fn: Fn, receiver: unknown, args: unknown[], site: SiteId) => unknown

export class FileWork implements Continuation {
  readonly queue = 'turns'
  readonly process: Process
  readonly site: SiteId
  readonly #work: () => void

  constructor(execution: Execution, name: string, site: SiteId, work: () => void) {
    this.process = execution.processes.spawn(name)
    execution.events?.meets('files')
    this.site = site
    this.#work = work
  }

  resume(): void {
    const execution = running!
    execution.enter(null)
    try {
      this.#work()
    } catch (error) {
      execution.uncaught(error)
    }
  }

  delegate(): undefined {
    return undefined
  }
}

/** How a deed ended. */
export interface Outcome {
  readonly error?: unknown
  readonly value?: unknown
}

/** What a callback is called with. */
export type Results = (outcome: Outcome, args: readonly unknown[]) => readonly unknown[]

export const usualResults: Results = ({ error, value }) => (error !== undefined ? [error] : value === undefined ? [null] : [null, value])

interface Given {
  /** What an argument is kept as until it is its turn. */
  readonly keep?: (arg: unknown) => unknown
}

export function outcomeOf(deed: () => unknown): Outcome {
  try {
    return { value: deed() }
  } catch (error) {
    return { error }
  }
}

/** `fs.readFile(path, callback)` */
export function callingBack(deed: Deed, invoke: Invoke, { keep = asGiven, resultsOf = usualResults }: Given & { readonly resultsOf?: Results } = {}): Calls {
  return (execution, fn, args, site) => {
    lookAtGiven(execution, fn, args, site)
    const callback = args.at(-1) as Fn
    const asked = args.slice(0, -1)
    const given = asked.map(keep)
    const calls = inContext((...results: unknown[]) => invoke(execution, callback, undefined, results, site))
    const work = (): void => void calls(...resultsOf(outcomeOf(() => deed(execution, given, site)), asked))
    execution.wake(new FileWork(execution, functionName(callback) || fn.name, site, work))
    return undefined
  }
}

/** `fs.promises.readFile(path)`; `resultOf` makes of the result of the deed what the promise is fulfilled with. */
export function promising(deed: Deed, { keep = asGiven, resultOf }: Given & { readonly resultOf?: (value: unknown, args: readonly unknown[]) => object } = {}): Calls {
  return (execution, fn, args, site) => {
    lookAtGiven(execution, fn, args, site)
    const { promise, resolve, reject } = deferred(execution, site)
    const given = args.map(keep)
    const work = (): void => {
      const outcome = outcomeOf(() => deed(execution, given, site))
      if ('error' in outcome) return reject(outcome.error)
      const result = resultOf ? resultOf(outcome.value, args) : outcome.value
      if (resultOf) nameNew(execution, result, { depth: 1 })
      resolve(result)
    }
    execution.wake(new FileWork(execution, fn.name, site, work))
    return promise
  }
}

/** The same of what can only be asked for, and not done at once. `taken` is called in the step in which it is answered. */
export function promisingLater(ask: (execution: Execution, args: unknown[], site: SiteId) => Promise<unknown>, taken: (execution: Execution, value: unknown, args: readonly unknown[]) => void): Calls {
  return (execution, fn, args, site) => {
    lookAtGiven(execution, fn, args, site)
    const { promise, wake } = answeredLater(execution, { name: fn.name, site }, () => ask(execution, args, site), (value) => taken(execution, value, args))
    wake()
    return promise
  }
}

interface Work {
  readonly name: string
  readonly site: SiteId
}

/** What is asked for at its turn, once it is woken: nothing else runs until it is answered. */
export function answeredLater(execution: Execution, { name, site }: Work, ask: () => Promise<unknown>, taken: (value: unknown) => void = () => {}): { readonly promise: Promise<unknown>; readonly wake: () => void } {
  const { promise, resolve, reject } = deferred(execution, site)
  const work = (): void => {
    const asked = ask()
    execution.goOutside((comeBack) => {
      const fulfilled = (value: unknown): void =>
        comeBack(() => {
          taken(value)
          resolve(value)
        })
      unseen(() => hear(asked, fulfilled, (error) => comeBack(() => reject(error))))
    })
  }
  return { promise, wake: () => execution.wake(new FileWork(execution, name, site, work)) }
}

/** A function of the platform in a table: what is not called as it usually is, is done as if it were in none. */
export function whereUsual(fn: unknown, otherwise: CallPlatform, accepts: (args: readonly unknown[]) => boolean, calls: Calls): readonly (readonly [Fn, Handler])[] {
  if (typeof fn !== 'function') return []
  const native = fn as Fn
  return [[native, (execution, receiver, args, site) => (accepts(args) ? calls(execution, native, args, site) : otherwise(execution, native, receiver, args, site))]]
}

/** Done in the step that calls it. */
export const atOnce = (deed: Deed): Calls => (execution, fn, args, site) => {
  lookAtGiven(execution, fn, args, site)
  return deed(execution, args, site)
}

export const promisify = Symbol.for('nodejs.util.promisify.custom')

/** What `util.promisify` makes of a function is known here too. */
export function promisifiedTo(fn: object, promised: unknown): void {
  if (!(promisify in fn)) Reflect.defineProperty(fn, promisify, { value: promised, configurable: true })
}
