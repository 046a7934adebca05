import { Reflect } from '../../engine/intrinsics.ts'
import { isNativePromise } from '../execution/brands.ts'
import type { SiteId } from '../../engine/ids.ts'
import { constructInEvent, type Executor, type PromiseClass, type Settle } from '../events/settling.ts'
import { prototypeFor } from '../execution/constructors.ts'
import type { Execution } from '../execution/execution.ts'
import { NativePromise } from '../execution/native.ts'
import { asProgram, calledByProgram } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { knownRecord, PromiseRecord, type Unsettled } from './promise-record.ts'
import { resolveWith } from './resolving.ts'

interface Settlers {
  readonly promise: unknown
  readonly resolve: Settle
  readonly reject: Settle
}

/** A new promise of a class, and the functions that settle it. */
export type Capability = Settlers &
  (
    | { readonly isPlain: true; readonly record: PromiseRecord }
    /** Of a subclass: its constructor has the last word. */
    | { readonly isPlain: false; readonly record: PromiseRecord | undefined }
  )

/** A promise that the runtime itself settles. */
export interface Deferred extends Settlers {
  readonly promise: Promise<unknown>
  readonly site: SiteId
}

export function deferred(execution: Execution, site: SiteId = execution.call?.site ?? 0): Deferred {
  const { promise, resolve, reject } = capability(execution, NativePromise, site)
  return { promise: promise as Promise<unknown>, resolve, reject, site }
}

/** Makes a promise of this class, as what its `then` returns and what its static methods make. */
export function capability(execution: Execution, constructor: unknown, site: SiteId): Capability {
  if (execution.events) return capabilityInEvent(execution, constructor, site)
  if (constructor === NativePromise) {
    const record = new PromiseRecord(execution, site)
    return { isPlain: true, record, promise: record.promise, ...settlers(record, site) }
  }
  return capabilityOf(execution, constructor, site)
}

function capabilityInEvent(execution: Execution, constructor: unknown, site: SiteId): Capability {
  if (constructor !== NativePromise) return capabilityOf(execution, constructor, site)
  let functions: Omit<Settlers, 'promise'>
  const promise = constructInEvent(execution, (resolve: Settle, reject: Settle) => (functions = { resolve, reject }), site, NativePromise)
  return { isPlain: false, record: undefined, promise, ...functions! }
}

function capabilityOf(execution: Execution, constructor: unknown, site: SiteId): Capability {
  const given: { resolve?: unknown; reject?: unknown } = {}
  const executor: Executor = (resolve, reject) => {
    if (given.resolve !== undefined || given.reject !== undefined) throw new TypeError('Promise executor has already been invoked with non-undefined arguments')
    given.resolve = resolve
    given.reject = reject
  }
  const promise: unknown = controlled(constructor, site, () => Reflect.construct(constructor as PromiseClass, [executor]))
  if (typeof given.resolve !== 'function' || typeof given.reject !== 'function') throw new TypeError('Promise resolve or reject function is not callable')
  const record = isNativePromise(promise) ? knownRecord(execution, promise) : undefined
  return { isPlain: false, record, promise, resolve: given.resolve as Settle, reject: given.reject as Settle }
}

export function settlers(record: PromiseRecord, site: SiteId): { resolve: Settle; reject: Settle } {
  // The text by which functions are known whose code tells what it does.
  const resolve = withoutName(calledByProgram((value) => {
    '__dpor'
    resolveWith(record, value, site)
  }))
  const reject = withoutName(calledByProgram((error) => {
    '__dpor'
    record.reject(error, site)
  }))
  return { resolve, reject }
}

/** A definition that is an argument takes no name, as the functions of the platform that settle promises have none. */
export function withoutName(settle: Settle): Settle {
  return settle
}

/** The class of what `then` returns. */
export function speciesOf(promise: Promise<unknown>): unknown {
  const constructor: unknown = promise.constructor
  if (constructor === undefined || constructor === NativePromise) return NativePromise
  if ((typeof constructor !== 'object' && typeof constructor !== 'function') || constructor === null) throw new TypeError('The .constructor property is not an object')
  const species: unknown = (constructor as { [Symbol.species]?: unknown })[Symbol.species]
  return species === undefined || species === null ? NativePromise : species
}

/** `Promise` itself, or a class that extends it. */
export function isPromiseClass(constructor: unknown): boolean {
  return typeof constructor === 'function' && (constructor === NativePromise || prototypeFor(constructor) instanceof NativePromise)
}

/** `new Promise(executor)`, also where a constructor of a subclass calls it by `super(executor)`. */
export function construct(execution: Execution, executor: unknown, site: SiteId, newTarget: object = NativePromise): Promise<unknown> {
  if (execution.events) return constructInEvent(execution, executor, site, newTarget)
  if (typeof executor !== 'function') return Reflect.construct(NativePromise, [executor as Executor], newTarget as PromiseClass) as Promise<unknown>
  let fulfil: Unsettled['fulfil']
  let fail: Unsettled['reject']
  const take: Executor = (resolve, reject) => {
    fulfil = resolve
    fail = reject
  }
  const promise = Reflect.construct(NativePromise, [take], newTarget as PromiseClass) as Promise<unknown>
  const { resolve, reject } = settlers(new PromiseRecord(execution, site, { promise, fulfil: fulfil!, reject: fail! }), site)
  try {
    asProgram(() => executor(resolve, reject) as unknown)
  } catch (error) {
    reject(error)
  }
  return promise
}

let siteOfConstruction: SiteId = 0

/** What the constructors of subclasses call by `super(executor)` while one is made. */
const controlledBase = new Proxy(NativePromise, {
  construct: (base, [executor], newTarget) =>
    running === null ? Reflect.construct(base, [executor as Executor], newTarget) : construct(running, executor, siteOfConstruction, newTarget),
})

/**
 * Does the work that makes a promise of this class, so that it is controlled like any other. Native code looks for the
 * constructor that `super` means in the prototype of the class whenever it runs, and there it finds ours.
 */
export function controlled<T>(constructor: unknown, site: SiteId, work: () => T): T {
  const base = baseOf(constructor)
  const outerSite = siteOfConstruction
  siteOfConstruction = site
  if (base) Reflect.setPrototypeOf(base, controlledBase)
  try {
    return work()
  } finally {
    siteOfConstruction = outerSite
    if (base) Reflect.setPrototypeOf(base, NativePromise)
  }
}

/** The class that extends `Promise` directly, unless that is under control already. */
function baseOf(constructor: unknown): object | undefined {
  let found = constructor as object | null
  while (typeof found === 'function') {
    const parent = Reflect.getPrototypeOf(found)
    if (parent === NativePromise) return found
    found = parent
  }
  return undefined
}
