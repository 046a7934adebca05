import { QueryClient } from '@tanstack/query-core'
import { createCache } from 'cache-manager'
import DataLoader from 'dataloader'
import Keyv from 'keyv'
import { LRUCache } from 'lru-cache'
import memoize from 'memoizee'
import { LRUCache as Mnemonist } from 'mnemonist'
import NodeCache from 'node-cache'
import QuickLRU from 'quick-lru'
import { lru } from 'tiny-lru'
import { expect } from 'vitest'
import { race } from './race'

/** Counts how often a key is loaded. */
function loader() {
  const counts = { loads: 0 }
  const load = async (key: string) => {
    counts.loads++
    await null
    return `value of ${key}`
  }
  return { counts, load }
}

race('lru-cache', ({ isRight }) => async () => {
  const { counts, load } = loader()
  const cache = new LRUCache<string, string>({ max: 5, fetchMethod: load })
  const get = async (key: string) => {
    const found = cache.get(key)
    if (found === undefined) cache.set(key, await load(key))
  }
  await Promise.all(isRight ? [cache.fetch('a'), cache.fetch('a')] : [get('a'), get('a')])
  expect(counts.loads).toBe(1)
})

race('cache-manager', ({ isRight }) => async () => {
  const { counts, load } = loader()
  const cache = createCache()
  const get = async (key: string) => {
    if (isRight) return cache.wrap(key, () => load(key))
    if ((await cache.get(key)) === undefined) await cache.set(key, await load(key))
    return cache.get(key)
  }
  await Promise.all([get('a'), get('a')])
  expect(counts.loads).toBe(1)
})

race('mnemonist', ({ isRight }) => async () => {
  const { counts, load } = loader()
  const cache = new Mnemonist<string, unknown>(10)
  const get = async (key: string) => {
    if (cache.get(key) === undefined) cache.set(key, isRight ? load(key) : await load(key))
    return cache.get(key)
  }
  await Promise.all([get('a'), get('a')])
  expect(counts.loads).toBe(1)
})

race('quick-lru', ({ isRight }) => async () => {
  const { counts, load } = loader()
  const cache = new QuickLRU<string, unknown>({ maxSize: 5 })
  const get = async (key: string) => {
    if (!cache.has(key)) cache.set(key, isRight ? load(key) : await load(key))
    return cache.get(key)
  }
  await Promise.all([get('a'), get('a')])
  expect(counts.loads).toBe(1)
})

race('memoizee', ({ isRight }) => async () => {
  const { counts, load } = loader()
  const known = memoize(load, { promise: true, primitive: true })
  const seen = memoize((key: string) => ({ key, value: undefined as string | undefined }))
  const get = async (key: string) => (seen(key).value ??= await load(key))
  await Promise.all(isRight ? [known('a'), known('a')] : [get('a'), get('a')])
  expect(counts.loads).toBe(1)
})

race('tiny-lru', ({ isRight }) => async () => {
  const cache = lru<number>(5)
  const add = async () => {
    const n = cache.get('n') ?? 0
    await null
    cache.set('n', (isRight ? (cache.get('n') ?? 0) : n) + 1)
  }
  await Promise.all([add(), add()])
  expect(cache.get('n')).toBe(2)
})

race('node-cache', ({ isRight }) => async () => {
  const cache = new NodeCache({ checkperiod: 0 })
  const add = async () => {
    const n = cache.get<number>('n') ?? 0
    await null
    cache.set('n', (isRight ? (cache.get<number>('n') ?? 0) : n) + 1)
  }
  await Promise.all([add(), add()])
  expect(cache.get('n')).toBe(2)
})

race('keyv', ({ isRight }) => async () => {
  const store = new Keyv<number>()
  let last: Promise<unknown> = Promise.resolve()
  const addNow = async () => {
    const n = (await store.get('n')) ?? 0
    await store.set('n', n + 1)
  }
  const add = () => (isRight ? (last = last.then(addNow)) : addNow())
  await Promise.all([add(), add()])
  expect(await store.get('n')).toBe(2)
})

race('dataloader', ({ isRight }) => async () => {
  const rows = new Map([['a', 1]])
  const loads = new DataLoader<string, number>(async (keys) => {
    await null
    return keys.map((key) => rows.get(key)!)
  })
  const change = async () => {
    await null
    rows.set('a', 2)
    if (isRight) loads.clear('a')
  }
  await Promise.all([loads.load('a'), change()])
  expect(await loads.load('a')).toBe(2)
})

race('@tanstack/query-core', ({ isRight }) => async () => {
  const client = new QueryClient()
  await client.fetchQuery({ queryKey: ['n'], queryFn: async () => 0 })
  const add = async () => {
    const n = client.getQueryData<number>(['n'])!
    await null
    client.setQueryData<number>(['n'], (now) => (isRight ? now! : n) + 1)
  }
  await Promise.all([add(), add()])
  const n = client.getQueryData(['n'])
  client.clear()
  expect(n).toBe(2)
})
