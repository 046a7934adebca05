import { calledByProgram } from '../execution/replaced-tools.ts'
import { isNativePromise } from '../execution/brands.ts'
import { Object, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { combineInEvent } from '../events/combining.ts'
import type { Execution } from '../execution/execution.ts'
import { isLater, type Place } from '../execution/place.ts'
import { isNativeThen, NativeAggregateError, NativePromise } from '../execution/native.ts'
import type { Settle } from '../events/settling.ts'
import { capability, controlled, settlers, withoutName } from './capability.ts'
import type { Turn } from '../execution/turns.ts'
import { PromiseRecord } from './promise-record.ts'
import { Deciders } from './deciders.ts'
import { recordOf } from './foreign-promises.ts'
import { mayHaveThen } from '../execution/fulfilling.ts'
import { derivedOf, resolveWith } from './resolving.ts'
import { passOn } from './reactions.ts'
import { resolvedWith } from './making.ts'
import { watch } from './watching.ts'

export type Combinator = 'all' | 'allSettled' | 'race' | 'any'

/** A whole, while its parts decide it. */
interface Combination {
  readonly execution: Execution
  readonly kind: Combinator
  readonly whole: PromiseRecord
  readonly parts: PromiseRecord[]
  readonly results: unknown[]
  /** Parts that have to count before all have, and one for the iteration. */
  missing: number
  /** What comes before the parts that have counted: by part, as they count in any order. */
  readonly behind: (readonly Turn[])[]
  /** Where the part has counted that a plain run comes to last. */
  late?: Place | undefined
  /** The functions that settle the whole, where a `then` of the user gets them. */
  settlers?: { readonly resolve: Settle; readonly reject: Settle }
  readonly site: SiteId
  readonly deciders: Deciders
}

/**
 * `Promise.all` and its like. Parts that only count towards the whole commute: whoever waits for the whole is ordered after
 * each of them. A part that decides alone writes the whole's location; so does one that counts if something hangs on the
 * moment in which all have counted.
 */
export function combine(execution: Execution, kind: Combinator, iterate: () => Iterable<unknown>, site: SiteId): Promise<unknown> {
  if (execution.events) return combineInEvent(execution, native[kind], { kind, receiver: NativePromise, iterable: iterate() }, site) as Promise<unknown>
  return wholeOf(execution, { kind, receiver: NativePromise, iterate }, site).promise
}

interface OfClass {
  readonly kind: Combinator
  /** The class on which it is called. */
  readonly receiver: unknown
  readonly iterate: () => Iterable<unknown>
}

/** A promise of the runtime's own that the parts settle. */
function wholeOf(execution: Execution, { kind, receiver, iterate }: OfClass, site: SiteId): PromiseRecord {
  const whole = new PromiseRecord(execution, site)
  const combination: Combination = { execution, kind, whole, parts: [], results: [], missing: 1, behind: [], site, deciders: new Deciders(whole, site) }
  whole.parts = combination.parts
  whole.combinator = `Promise.${kind}`
  try {
    const resolve = resolveFunction(receiver)
    const values = iterate()
    checkIterable(values)
    for (const value of values) add(combination, value, { resolve, receiver })
  } catch (error) {
    whole.reject(error, site)
    return whole
  }
  if (kind !== 'race') count(combination)
  return whole
}

type Resolve = (this: unknown, value: unknown) => unknown

const nativeResolve: Resolve = NativePromise.resolve

/** `Promise.resolve`, or what the class has in its place, which is looked up once for all values. */
function resolveFunction(receiver: unknown): Resolve {
  const { resolve } = receiver as { resolve: unknown }
  if (typeof resolve !== 'function') throw new TypeError('Promise resolve or reject function is not callable')
  return resolve as Resolve
}

function add(combination: Combination, value: unknown, { resolve, receiver }: { readonly resolve: Resolve; readonly receiver: unknown }): void {
  const { execution, results, site } = combination
  const index = results.length
  define(results, index, undefined)
  const promise: unknown = resolve === nativeResolve ? resolvedWith(execution, receiver, value, site) : Reflect.apply(resolve, receiver, [value])
  const { then } = promise as { then: unknown }
  if (isNativeThen(then) && isNativePromise(promise)) addPromise(combination, index, recordOf(execution, promise, site))
  else addThenable(combination, index, { thenable: promise, method: then })
}

/** As the platform names what cannot be iterated: with its value, if that is short. */
function checkIterable(values: unknown): void {
  if (typeof (values as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === 'function') return
  const hasShownValue = values === null || typeof values === 'number' || typeof values === 'boolean'
  const shown = hasShownValue ? `${typeof values} ${String(values)}` : typeof values
  throw new TypeError(`${shown} is not iterable (cannot read property Symbol(Symbol.iterator))`)
}

function addPromise(combination: Combination, index: number, part: PromiseRecord): void {
  const { kind, whole, parts, site, deciders } = combination
  if (decidesByTime(kind)) watch(part, whole, site)
  part.handle(site)
  parts.push(part)
  combination.missing++
  const derived = derivedOf(part, site)
  part.afterSettled((behind) => {
    if (counts(kind, part)) {
      combination.behind[index] = behind
      putResult(combination, index, part)
    } else {
      deciders.decide(part, behind)
    }
    derived?.resolve(undefined)
  })
}

/** A promise with a `then` of its own: that one is called, and calls back when it likes. */
function addThenable(combination: Combination, index: number, { thenable, method }: { thenable: unknown; method: unknown }): void {
  const { execution, kind, parts, site } = combination
  const part = new PromiseRecord(execution, site)
  part.handled = true
  parts.push(part)
  combination.missing++
  const element = (as: 'fulfilled' | 'rejected'): Settle =>
    withoutName(calledByProgram((value) => {
      '__dpor'
      if (!part.decide(site, { as, value })) return
      part.settle(as, value)
      putResult(combination, index, part)
    }))
  const whole = (combination.settlers ??= settlers(combination.whole, site))
  const fulfilled = kind === 'all' || kind === 'allSettled' ? element('fulfilled') : whole.resolve
  const rejected = kind === 'any' || kind === 'allSettled' ? element('rejected') : whole.reject
  if (typeof method !== 'function') throw new TypeError(`${typeof method} is not a function`)
  Reflect.apply(method, thenable, [fulfilled, rejected])
}

function putResult(combination: Combination, index: number, part: PromiseRecord): void {
  const { execution, kind, whole, results } = combination
  define(results, index, kind === 'allSettled' ? settledResult(execution, part, whole) : part.value)
  count(combination)
}

/** As the language fills its arrays: no setter of a prototype is called. */
function define(list: unknown[], index: number, value: unknown): void {
  Object.defineProperty(list, index, { value, writable: true, enumerable: true, configurable: true })
}

function count(combination: Combination): void {
  const { execution, whole, parts, results, site } = combination
  combination.missing--
  // Who watches the whole watches its parts: whoever settles one has looked whether somebody does.
  if (whole.isDecided) return whole.isWatched ? whole.look(site) : undefined
  if (whole.isWatched) whole.write(site)
  if (combination.missing > 0) return counted(combination)
  execution.identities.derive(results, `result of ${whole.object}`)
  whole.followed = parts
  const { late } = combination
  if (late && isLater(late, execution.jobs.place)) execution.jobs.at(late, () => settleByAll(combination))
  else settleByAll(combination)
}

function counted(combination: Combination): void {
  const { place } = combination.execution.jobs
  if (!combination.late || !isLater(combination.late, place)) combination.late = place
}

function settleByAll({ kind, whole, results, site, behind }: Combination): void {
  whole.comesBehind(behind.flat())
  if (kind === 'any') whole.settle('rejected', new NativeAggregateError(results, 'All promises were rejected'))
  // Arrays may inherit a `then`.
  else if (mayHaveThen(results)) resolveWith(whole, results, site)
  else whole.settle('fulfilled', results)
}

/** Whether the order in which parts are settled decides the outcome. */
function decidesByTime(kind: Combinator): boolean {
  return kind === 'race' || kind === 'any'
}

/** Whether this part's outcome counts towards the whole; if not, it decides the whole. */
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

function settledResult(execution: Execution, part: PromiseRecord, whole: PromiseRecord): unknown {
  const result =
    part.state === 'fulfilled'
      ? { status: 'fulfilled', value: part.value }
      : { status: 'rejected', reason: part.value }
  execution.identities.derive(result, `result of ${whole.object} ${part.object}`)
  return result
}

const functions = NativePromise as unknown as Record<Combinator, (this: unknown, iterable: Iterable<unknown>) => unknown>
const native = { all: functions.all, allSettled: functions.allSettled, race: functions.race, any: functions.any }

/** The same on a subclass, whose promise is settled at once when the parts have decided. */
export function combineInClass(execution: Execution, { kind, receiver, iterate }: OfClass, site: SiteId): unknown {
  if (execution.events) {
    const iterable = iterate()
    return controlled(receiver, site, () => combineInEvent(execution, native[kind], { kind, receiver, iterable }, site))
  }
  const made = capability(execution, receiver, site)
  const whole = wholeOf(execution, { kind, receiver, iterate }, site)
  whole.handled = true
  if (made.record) made.record.mayFollow = whole
  whole.whenSettled(() => passOn(whole, made, whole.behind))
  return made.promise
}
