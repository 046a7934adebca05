import type { SiteId } from '../../engine/ids.ts'
import type { Elements } from '../execution/shapes.ts'
import type { Execution } from '../execution/execution.ts'
import { running } from '../execution/running.ts'
import { isProxy } from '../execution/proxies.ts'
import { hasInside } from './inside.ts'
import { recordNext } from './iterators.ts'
import { recordElement } from './patterns.ts'
import { readProperty } from './properties.ts'
import { readWhole } from './whole.ts'
import { isIterator } from './walks.ts'

const arrayIterator = Array.prototype[Symbol.iterator]

/** What a `for...of`, a spread or an array pattern iterates over: each step of the iteration is recorded when it is taken. */
export function iterate(iterable: unknown, site: SiteId, elements?: Elements): unknown {
  if (running === null || typeof iterable !== 'object' || iterable === null) return iterable
  if (Array.isArray(iterable) && iterable[Symbol.iterator] === arrayIterator) {
    return { [Symbol.iterator]: () => taking(walkArray(iterable, site), elements) }
  }
  const onNext = watcherOf(iterable, site)
  if (!onNext && (!elements || typeof (iterable as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function')) return iterable
  return {
    [Symbol.iterator]: () => {
      const iterator = (iterable as Iterable<unknown>)[Symbol.iterator]()
      return taking(onNext ? watch(iterator, onNext) : iterator, elements)
    },
  }
}

type Watcher = (execution: Execution) => void

/** What a walk steps through entry by entry, and looks at all of when it steps. */
function isCollection(iterable: object): boolean {
  return iterable instanceof Map || iterable instanceof Set || (!isProxy(iterable) && (ArrayBuffer.isView(iterable) || hasInside(iterable)))
}

/** What each step of an iteration over Maps, Sets, typed arrays and iterators looks at and changes. */
function watcherOf(iterable: object, site: SiteId): Watcher | undefined {
  if (isIterator(iterable)) return (execution) => recordNext(execution, iterable, site)
  if (!isCollection(iterable)) return undefined
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
  const wrapped: Iterator<unknown> = {
    next() {
      const result = iterator.next()
      if (running !== null && !result.done) recordElement(running, result.value, { elements, position: position++ })
      return result
    },
  }
  if (iterator.return) wrapped.return = (value) => iterator.return!(value)
  return wrapped
}

function walkArray(array: unknown[], site: SiteId): Iterator<unknown> {
  let index = 0
  return {
    next() {
      const length = running ? Number(readProperty(running, array, 'length', site)) : array.length
      if (index >= length) {
        index = Infinity
        return { done: true, value: undefined }
      }
      const key = index++
      return { done: false, value: running ? readProperty(running, array, key, site) : array[key] }
    },
  }
}

function watch(iterator: Iterator<unknown>, onNext: Watcher): Iterator<unknown> {
  const watched: Iterator<unknown> = {
    next() {
      if (running !== null) onNext(running)
      return iterator.next()
    },
  }
  if (iterator.return) watched.return = (value) => iterator.return!(value)
  return watched
}
