import { Object, Reflect } from '../../engine/intrinsics.ts'
import { settledWithin } from '../events/from-outside.ts'
import { cellOf } from '../events/promise-cell.ts'
import { isPromise } from '../execution/brands.ts'
import { running } from '../execution/running.ts'
import { knownRecord } from '../promises/promise-record.ts'
import { standsForPlatform } from './function-kinds.ts'
import type { Fn } from './handler.ts'
import { isObject } from './telling.ts'

/**
 * What the platform asks a source, a sink or a transformer to do for a stream of the web, or an iterator that a stream is made of: each such call, and the end of what it
 * does, changes the stream. It may be that end which lets the next chunk flow.
 */

const ofStreams: ReadonlySet<PropertyKey> = new Set(['start', 'pull', 'cancel', 'write', 'close', 'abort', 'transform', 'flush'])
const ofIterators: ReadonlySet<PropertyKey> = new Set(['next', 'return'])
const ofIteration: ReadonlySet<PropertyKey> = new Set([Symbol.asyncIterator, Symbol.iterator])

type Called = (result: unknown) => unknown

/** Given to the platform in place of an object: it has its methods, those with these names told. @param about gives what is to be done about a call that is about to be made */
function inPlaceOf(given: object, names: ReadonlySet<PropertyKey>, about: () => Called): object {
  const standIn: object = new Proxy(given, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function' || !names.has(name)) return method
      return function (this: unknown, ...args: unknown[]): unknown {
        const called = about()
        return called(Reflect.apply(method, this === standIn ? target : this, args))
      }
    },
  })
  return standIn
}

/** A source, a sink or a transformer whose calls are told. @param change the running step changes the stream */
export const partsTold = (given: object, change: () => void): object => inPlaceOf(given, ofStreams, () => telling(change))

function telling(change: () => void): Called {
  change()
  return (result) => {
    settlesBy(result, change)
    return result
  }
}

/** A function that the platform calls, and whose promise it waits for. @param change the running step changes the stream */
export function resultTold(fn: Fn, change: () => void): Fn {
  return function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(fn, this, args)
    settlesBy(result, change)
    return result
  }
}

/** What a controller of Node's keeps of such a source, sink or transformer: from now on its calls are told. @param change the running step changes the stream */
export function algorithmsTold(controller: object, change: () => void): void {
  for (const name of Object.keys(controller)) {
    const algorithm: unknown = Reflect.get(controller, name)
    if (typeof algorithm !== 'function' || !name.endsWith('Algorithm') || name === 'sizeAlgorithm') continue
    Reflect.set(controller, name, function (this: unknown, ...args: unknown[]): unknown {
      const called = telling(change)
      return called(Reflect.apply(algorithm, this, args))
    })
  }
}

/** What can be iterated over, with iterators whose calls are told. @param change the running step changes the stream */
export function iterationTold(given: object, change: () => void): object {
  const ofIterator = (): Called => {
    const called = telling(change)
    return (result) => {
      // An iterator that is not asynchronous may give promises, for which the platform waits.
      if (isObject(result) && !isPromise(result)) settlesBy(Reflect.getOwnPropertyDescriptor(result, 'value')?.value, change)
      return called(result)
    }
  }
  return inPlaceOf(given, ofIteration, () => (iterator) => (isObject(iterator) ? inPlaceOf(iterator, ofIterators, ofIterator) : iterator))
}

/** Each step of an iterator that the platform has made takes something from a stream, or leaves it. @param change the running step changes the stream */
export function takesFrom(iterator: AsyncIterator<unknown>, change: () => void): void {
  for (const method of ['next', 'return'] as const) {
    const original = iterator[method] as Fn | undefined
    if (!original) continue
    const taking = function (this: unknown, ...given: unknown[]): Promise<IteratorResult<unknown>> {
      change()
      const result = Reflect.apply(original, this, given) as Promise<IteratorResult<unknown>>
      if (running !== null) settledWithin(running, result)
      return result
    }
    standsForPlatform(taking)
    Object.defineProperty(iterator, method, { value: taking, writable: true, configurable: true })
  }
}

/** The platform waits for it, if it is a promise. */
function settlesBy(result: unknown, change: () => void): void {
  if (running === null || !isObject(result) || !isPromise(result)) return
  const site = running.call?.site ?? 0
  const record = knownRecord(running, result)
  record?.look(site)
  record?.heardBy(change)
  if (record) return
  const cell = cellOf(running, result)
  cell?.ask(site)
  cell?.heardBy(change)
}
