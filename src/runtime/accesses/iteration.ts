import { Array, ArrayBuffer, Reflect } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { Elements } from '../execution/shapes.ts'
import type { Execution } from '../execution/execution.ts'
import { areKeptApart, asRuntime, calledByProgram, lookUp } from '../execution/replaced-tools.ts'
import { running } from '../execution/running.ts'
import { isMap } from '../execution/brands.ts'
import { isProxy } from '../execution/proxies.ts'
import { tellImplicit, tellImplicitNext } from './implicit-calls.ts'
import { lookFor } from './inheritance.ts'
import { lookAtSize } from './bytes.ts'
import { isWhole, walksEntries } from './entries.ts'
import { hasInside } from './inside.ts'
import { recordNext } from './iterators.ts'
import { recordElement } from './patterns.ts'
import { readProperty } from './properties.ts'
import { isObject } from './telling.ts'
import { readWhole } from './whole.ts'
import { isIterator } from './walks.ts'

const arrayIterator = Array.prototype[Symbol.iterator]
const arrayIterators = Reflect.getPrototypeOf([].values())!
const nextOfArrays: unknown = Reflect.get(arrayIterators, 'next')

/** What a `for...of`, a spread or an array pattern iterates over: each step of the iteration is recorded when it is taken. */
export function iterate(iterable: unknown, site: SiteId, elements?: Elements): unknown {
  if (running === null || typeof iterable !== 'object' || iterable === null) return iterable
  running.recorder?.pairs.taken(iterable, site)
  const method = areKeptApart ? lookUp(iterable, Symbol.iterator) : (iterable as Partial<Iterable<unknown>>)[Symbol.iterator]
  if (!isProxy(iterable) && (typeof method !== 'function' || !running.identities.assumptions.fixed.has(Symbol.iterator))) lookFor(running, iterable, Symbol.iterator, site)
  if (ArrayBuffer.isView(iterable)) lookAtSize(running, iterable, site)
  tellImplicit(running, iterable, Symbol.iterator, site)
  if (isWalked(iterable, method)) return { [Symbol.iterator]: calledByProgram(() => taking(walkArray(iterable, site), elements)) }
  const onNext = watcherOf(iterable, method, site)
  const makes = walksEntries(method) && isMap(iterable)
  if (typeof method !== 'function') return iterable
  return {
    [Symbol.iterator]: calledByProgram(() => {
      const iterator = onNext ? watch(Reflect.apply(method, iterable, []) as Iterator<unknown>, onNext, { makes }) : iteratorOf(iterable, method as Method, site)
      return taking(iterator, elements)
    }),
  }
}

/** Arrays, and what is iterated over as arrays are: `arguments`, lists of one's own. */
function isWalked(iterable: object, method: unknown): iterable is unknown[] {
  return method === arrayIterator && (!isProxy(iterable) || Array.isArray(iterable)) && (!areKeptApart || lookUp(arrayIterators, 'next') === nextOfArrays)
}

/** The iterator of an iterable of the user's own: its methods are properties like any others. */
function iteratorOf(iterable: object, start: Method, site: SiteId): Iterator<unknown> {
  if (running === null || isProxy(iterable)) return Reflect.apply(start, iterable, [])
  lookFor(running, iterable, Symbol.iterator, site)
  const iterator = Reflect.apply(start, iterable, [])
  if (isIterator(iterator)) {
    running.identities.made(iterator)
    return watch(iterator as Iterator<unknown>, (execution) => {
      recordNext(execution, iterator, site)
      tellImplicitNext(execution, { iterable, iterator }, site)
    })
  }
  if (!isObject(iterator)) return iterator
  const method = (name: PropertyKey): unknown => (running === null ? Reflect.get(iterator, name) : readProperty(running, iterator, name, site))
  const next = method('next')
  if (typeof next !== 'function') return iterator
  return forwarding(
    iterator,
    (...args) => {
      if (running !== null) tellImplicitNext(running, { iterable, iterator }, site)
      return Reflect.apply(next, iterator, args) as IteratorResult<unknown>
    },
    method,
  )
}

type Method = () => Iterator<unknown>

type Watcher = (execution: Execution) => void

/** What a walk steps through entry by entry, and looks at all of when it steps. */
function isCollection(iterable: object, method: unknown): boolean {
  if (walksEntries(method)) return isWhole(iterable)
  return !isProxy(iterable) && (ArrayBuffer.isView(iterable) || hasInside(iterable))
}

/** What each step of an iteration over Maps, Sets, typed arrays and iterators looks at and changes. */
function watcherOf(iterable: object, method: unknown, site: SiteId): Watcher | undefined {
  if (isIterator(iterable)) return (execution) => recordNext(execution, iterable, site)
  if (!isCollection(iterable, method)) return undefined
  let seen = -1
  return (execution) => {
    if (seen === execution.stepCount) return
    seen = execution.stepCount
    readWhole(execution, iterable, site)
  }
}

/** Records what a pattern takes from each value that is yielded. */
function taking(iterator: Iterator<unknown>, elements: Elements | undefined): Iterator<unknown> {
  if (!elements) return iterator
  let position = 0
  return forwarding(iterator, (...args) => {
    const result = takeNext(iterator, args)
    if (running !== null && !result.done) recordElement(running, result.value, { elements, position: position++ })
    return result
  })
}

function takeNext(iterator: Iterator<unknown>, args: unknown[]): IteratorResult<unknown> {
  if (areKeptApart) return Reflect.apply(lookUp(iterator, 'next') as Next, iterator, args)
  return (iterator.next as Next)(...args)
}

type Next = (...args: unknown[]) => IteratorResult<unknown>

/** An iterator with a `next` of its own; `return` and `throw` are those of the iterator, looked up when they are asked for. */
function forwarding(iterator: Iterator<unknown>, next: Next, method: (name: 'return' | 'throw') => unknown = (name) => lookUp(iterator, name)): Iterator<unknown> {
  const bound = (name: 'return' | 'throw'): any => {
    const found = method(name)
    return typeof found === 'function' ? calledByProgram((...args: unknown[]) => Reflect.apply(found, iterator, args) as unknown) : found
  }
  return {
    next: calledByProgram(next),
    get return() {
      return asRuntime(() => bound('return'))
    },
    get throw() {
      return asRuntime(() => bound('throw'))
    },
  }
}

function walkArray(array: unknown[], site: SiteId): Iterator<unknown> {
  let index = 0
  return {
    next: calledByProgram(() => {
      running?.cut.countDone()
      const length = running ? Number(readProperty(running, array, 'length', site)) : array.length
      if (index >= length) {
        index = Infinity
        return { done: true, value: undefined }
      }
      const key = index++
      return { done: false, value: running ? readProperty(running, array, key, site) : array[key] }
    }),
  }
}

/** `makes`: what it gives it has made for that. */
function watch(iterator: Iterator<unknown>, onNext: Watcher, { makes = false } = {}): Iterator<unknown> {
  return forwarding(iterator, (...args) => {
    if (running !== null) {
      running.cut.countDone()
      onNext(running)
    }
    const result = takeNext(iterator, args)
    if (makes && running !== null && isObject(result.value)) running.identities.made(result.value)
    return result
  })
}
