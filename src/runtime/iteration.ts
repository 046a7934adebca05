import type { SiteId } from '../engine/ids.ts'
import { collectionOf, readEntries } from './collections.ts'
import { running } from './execution.ts'
import { lookAtKeys, readProperty } from './properties.ts'

const arrayIterator = Array.prototype[Symbol.iterator]

/** What a `for...of`, a spread or an array pattern iterates over: each step of the iteration is recorded when it is taken. */
export function iterate(iterable: unknown, site: SiteId): unknown {
  const execution = running
  if (execution === null || typeof iterable !== 'object' || iterable === null) return iterable
  if (Array.isArray(iterable)) {
    return iterable[Symbol.iterator] === arrayIterator ? { [Symbol.iterator]: () => walkArray(iterable, site) } : iterable
  }
  const collection = iterable instanceof Map || iterable instanceof Set ? iterable : collectionOf(iterable)
  if (!collection) return iterable
  readEntries(execution, collection, site)
  return {
    [Symbol.iterator]: () => {
      const iterator = (iterable as Iterable<unknown>)[Symbol.iterator]()
      return watch(iterator, () => running !== null && lookAtKeys(running, collection, site))
    },
  }
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

function watch(iterator: Iterator<unknown>, onNext: () => void): Iterator<unknown> {
  return {
    next() {
      onNext()
      return iterator.next()
    },
  }
}
