import { Object, Reflect } from '../../engine/intrinsics.ts'
import { asideOf, type OneLine } from './one-line.ts'

/**
 * What `AsyncLocalStorage` gives: an `await` keeps it, as the platform goes on by itself there. Callbacks that the runtime calls are
 * called in the context in which they were handed over.
 */

type AnyFunction = (...args: any[]) => any

interface Scope {
  runInAsyncScope(callback: AnyFunction, receiver: unknown, ...args: unknown[]): unknown
}

const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks') as
  | { readonly AsyncLocalStorage: { readonly prototype: object }; readonly AsyncResource: new (type: string) => Scope }
  | undefined

/** What its methods `run` and `enterWith` stand on; undefined where there is no such thing. */
export const storagePrototype = hooks?.AsyncLocalStorage.prototype

let areInUse = false

/** Somebody has given a context something to hold. Until then there is nothing to keep. */
export function useContexts(): void {
  areInUse = true
}

let ofLoop: Scope | undefined
let outermostDomain: unknown

/** An exploration begins: what its loop does belongs to this moment, whatever a step enters. */
export function enterLoop(): void {
  ofLoop = hooks && new hooks.AsyncResource('vitest-dpor')
  // It keeps its domains by the same means.
  if (areDomainsLoaded()) areInUse = true
  outermostDomain = domainOf(globalThis.process)
}

/** An execution begins. Outside of all domains there is null until the first one is left, and nothing since then: a body may ask. */
export function enterOutermostDomain(): void {
  if (areDomainsLoaded()) Reflect.set(globalThis.process, 'domain', outermostDomain)
}

const domainOf = (process: object | undefined): unknown => process && Reflect.get(process, 'domain')

/** It is an accessor once `node:domain` is loaded. */
const areDomainsLoaded = (): boolean => globalThis.process !== undefined && Object.getOwnPropertyDescriptor(globalThis.process, 'domain')?.get !== undefined

/** Goes on with the loop. */
export function inLoop(work: () => void): void {
  if (areInUse) ofLoop!.runInAsyncScope(work, undefined)
  else work()
}

/** The callback, to be called in the context of this moment. @param line what is one line of control, of which that is no part */
export function inContext<F extends AnyFunction>(callback: F, line?: OneLine): F {
  if (!areInUse) return callback
  const scope = asideOf(line, () => new hooks!.AsyncResource('vitest-dpor'))
  return ((...args: unknown[]) => scope.runInAsyncScope(callback, undefined, ...args)) as F
}
