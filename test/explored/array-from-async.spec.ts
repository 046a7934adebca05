import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

type FromAsync = (items: unknown, map?: (item: any, index: number) => unknown) => Promise<unknown[]>

const { fromAsync } = Array as unknown as { fromAsync?: FromAsync }

/** The same, as a loop. */
const collected: FromAsync = async (items, map) => {
  const all: unknown[] = []
  if (typeof (items as any)[Symbol.iterator] !== 'function' && typeof (items as any)[Symbol.asyncIterator] !== 'function') {
    const { length } = items as ArrayLike<unknown>
    for (let i = 0; i < length; i++) {
      const item = await (items as ArrayLike<unknown>)[i]
      all.push(map ? await map(item, i) : item)
    }
    return all
  }
  for await (const item of items as AsyncIterable<unknown>) all.push(map ? await map(item, all.length) : item)
  return all
}

/** What is shared, what one task collects, and what another changes meanwhile. */
const bodies: Readonly<Record<string, (from: FromAsync) => Promise<unknown>>> = {
  async 'a list that grows'(from) {
    const list = [1]
    const [seen] = await Promise.all([
      (async () => (await null, from(list)))(),
      (async () => { await null; list.push(2) })(),
    ])
    return seen
  },
  async 'a Set that grows'(from) {
    const set = new Set([1])
    const [seen] = await Promise.all([
      (async () => (await null, from(set)))(),
      (async () => { await null; set.add(2) })(),
    ])
    return seen
  },
  async 'promises of a list'(from) {
    let log = ''
    await Promise.all([
      (async () => { log += (await from([Promise.resolve('a'), 'b'])).join('') })(),
      (async () => { await null; log += 'x'; await null; log += 'y' })(),
    ])
    return log
  },
  async 'a mapping that looks elsewhere'(from) {
    const o = { n: 0 }
    const [seen] = await Promise.all([
      from([1, 2], (item) => item + o.n),
      (async () => { await null; o.n = 10 })(),
    ])
    return seen
  },
  async 'a mapping that waits'(from) {
    let log = ''
    await Promise.all([
      from([1, 2], async (item) => { await null; log += item }),
      (async () => { await null; log += 'x' })(),
    ])
    return log
  },
  async 'an async generator'(from) {
    let n = 0
    async function* numbers() { yield n; await null; yield n }
    const [seen] = await Promise.all([
      from(numbers()),
      (async () => { await null; n = 1 })(),
    ])
    return seen
  },
  async 'something with a length'(from) {
    const list: Record<string, number> = { length: 2, 0: 1, 1: 2 }
    const [seen] = await Promise.all([
      from(list),
      (async () => { await null; list[1] = 5 })(),
    ])
    return seen
  },
  async 'lists of two tasks'(from) {
    return Promise.all([from([1, 2]), from([3])])
  },
}

describe.skipIf(fromAsync === undefined)('Array.fromAsync is like a loop', () => {
  for (const [name, body] of Object.entries(bodies)) {
    test(name, async () => {
      const expected = await outcomes(() => body(collected))
      const found = await outcomes(() => body((...args) => Array.fromAsync(...args)))
      expect(found.verdict).toBe('holds')
      expect(found.seen).toEqual(expected.seen)
    })
  }
})

declare global {
  interface ArrayConstructor {
    fromAsync: FromAsync
  }
}
