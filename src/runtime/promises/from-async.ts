import { Math, Object } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { run, suspend } from './async-call.ts'
import { iterateAsync } from './async-iteration.ts'
import type { Telling } from './iterator-like.ts'

export interface Collection {
  readonly items: unknown
  /** What becomes of each item. */
  readonly map: ((item: unknown, index: number) => unknown) | undefined
  /** Makes what is filled; with a length where that is known. */
  readonly make: (length?: number) => unknown[]
  /** Tells that an element of what has no iterator is looked at, and gives it. */
  readonly elementOf: (list: object, index: number | 'length') => unknown
}

/** `Array.fromAsync`: an async function of the language, which waits for each item, and for what it is mapped to. */
export function fromAsync(collection: Collection, site: SiteId, telling: Telling): Promise<unknown[]> {
  return run(() => (isIterable(collection.items) ? fromIterable(collection, site, telling) : fromList(collection, site)), 'Array.fromAsync', site)
}

function isIterable(items: unknown): boolean {
  const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = items as { [Symbol.asyncIterator]?: unknown; [Symbol.iterator]?: unknown }
  return (later ?? now ?? undefined) !== undefined
}

async function fromIterable({ items, map, make }: Collection, site: SiteId, telling: Telling): Promise<unknown[]> {
  const all = make()
  let count = 0
  for await (const item of iterateAsync(items, site, telling) as AsyncIterable<unknown>) {
    put(all, count, map ? await suspend(map(item, count), site) : item)
    count++
  }
  all.length = count
  return all
}

async function fromList({ items, map, make, elementOf }: Collection, site: SiteId): Promise<unknown[]> {
  const list = globalThis.Object(items) as object
  const length = Math.max(0, Math.trunc(Number(elementOf(list, 'length'))) || 0)
  const all = make(length)
  for (let i = 0; i < length; i++) {
    const item: unknown = await suspend(elementOf(list, i), site)
    put(all, i, map ? await suspend(map(item, i), site) : item)
  }
  all.length = length
  return all
}

function put(all: unknown[], index: number, value: unknown): void {
  Object.defineProperty(all, index, { value, writable: true, enumerable: true, configurable: true })
}
