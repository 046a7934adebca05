import type { SiteId } from '../../engine/ids.ts'
import { combineInEvent } from '../events/combining.ts'
import type { Execution } from '../execution/execution.ts'
import { isNativeThen, NativePromise, type nativeThen } from '../execution/native.ts'
import { controlled } from './capability.ts'
import { PromiseRecord } from './promise-record.ts'
import { promiseOf, recordOf } from './resolving.ts'
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
  readonly site: SiteId
}

/**
 * `Promise.all` and its like. Parts that only count towards the whole commute: whoever waits for the whole is ordered after
 * each of them. A part that decides alone writes the whole's location; so does one that counts if something hangs on the
 * moment in which all have counted.
 */
export function combine(execution: Execution, kind: Combinator, iterable: Iterable<unknown>, site: SiteId): Promise<unknown> {
  if (execution.events) return combineInEvent(execution, native[kind], { kind, receiver: NativePromise, iterable }, site) as Promise<unknown>
  const whole = new PromiseRecord(execution, site)
  const combination: Combination = { execution, kind, whole, parts: [], results: [], missing: 1, site }
  whole.parts = combination.parts
  whole.combinator = `Promise.${kind}`
  try {
    for (const value of iterable) add(combination, value)
  } catch (error) {
    whole.reject(error, site)
    return whole.promise
  }
  if (kind !== 'race') count(combination)
  return whole.promise
}

function add(combination: Combination, value: unknown): void {
  const { execution, kind, whole, parts, results, site } = combination
  const index = results.length
  results.push(undefined)
  const part = partOf(execution, value, site)
  if (decidesByTime(kind)) watch(part, whole, site)
  part.handle(site)
  parts.push(part)
  combination.missing++
  part.afterSettled(() => {
    if (counts(kind, part)) {
      results[index] = kind === 'allSettled' ? settledResult(execution, part, whole) : part.value
      count(combination)
    } else if (whole.decide(site, { as: part.state as 'fulfilled' | 'rejected', value: part.value })) {
      whole.followed = [part]
      whole.settleLike(part)
    }
  })
}

function count(combination: Combination): void {
  const { execution, kind, whole, parts, results, site } = combination
  combination.missing--
  if (whole.isDecided) return
  if (whole.isWatched) whole.write(site)
  if (combination.missing > 0) return
  execution.identities.derive(results, `result of ${whole.object}`)
  whole.followed = parts
  if (kind === 'any') whole.settle('rejected', new AggregateError(results, 'All promises were rejected'))
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

function partOf(execution: Execution, value: unknown, site: SiteId): PromiseRecord {
  if (!(value instanceof NativePromise) || value.constructor !== NativePromise) return promiseOf(execution, value, site)
  const { then } = value as { then: unknown }
  if (isNativeThen(then)) return recordOf(execution, value, site)
  // A promise with a `then` of its own: that one is called.
  const part = new PromiseRecord(execution, site)
  Reflect.apply(then as typeof nativeThen, value, [
    (result: unknown) => part.decide(site) && part.settle('fulfilled', result),
    (error: unknown) => part.reject(error, site),
  ])
  return part
}

function settledResult(execution: Execution, part: PromiseRecord, whole: PromiseRecord): unknown {
  const result =
    part.state === 'fulfilled'
      ? { status: 'fulfilled', value: part.value }
      : { status: 'rejected', reason: part.value }
  execution.identities.derive(result, `result of ${whole.object} ${part.object}`)
  return result
}

interface OfClass {
  readonly kind: Combinator
  readonly receiver: unknown
  readonly iterable: Iterable<unknown>
}

const functions = NativePromise as unknown as Record<Combinator, (this: unknown, iterable: Iterable<unknown>) => unknown>
const native = { all: functions.all, allSettled: functions.allSettled, race: functions.race, any: functions.any }

/** The same on a subclass: the platform's own, with promises that are controlled. */
export function combineInClass(execution: Execution, { kind, receiver, iterable }: OfClass, site: SiteId): unknown {
  if (execution.events) return controlled(receiver, site, () => combineInEvent(execution, native[kind], { kind, receiver, iterable }, site))
  const seen = decidesByTime(kind) ? watching(execution, iterable, site) : iterable
  return controlled(receiver, site, () => Reflect.apply(native[kind], receiver, [seen]))
}

function watching(execution: Execution, iterable: Iterable<unknown>, site: SiteId): Iterable<unknown> {
  return {
    *[Symbol.iterator]() {
      for (const value of iterable) {
        if (value instanceof NativePromise) {
          const record = recordOf(execution, value, site)
          watch(record, record, site)
        }
        yield value
      }
    },
  }
}
