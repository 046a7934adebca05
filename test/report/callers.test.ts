import { expect, test } from 'vitest'
import type { ExecutionOrder } from '../../src/engine/index.ts'
import type { Access } from '../../src/report/accesses.ts'
import { Callers } from '../../src/report/callers.ts'
import { madeOf, storyOf } from './executed.ts'

const store = `return class Store {
  #values = new Map()
  async get(key) { await null; return this.#values.get(key) }
  async set(key, value) {
    await null
    this.#values.set(key, value)
  }
}`

test('what a package accesses is shown with the line of the user\'s code that called it', async () => {
  const Store = madeOf(store, '/app/node_modules/@scope/store/lib/index.cjs')
  const { rows, focus } = await storyOf(`const store = new Store()
    const add = async () => {
      const n = await store.get('n') ?? 0
      await store.set('n', n + 1)
    }
    await Promise.all([add(), add()])
    if (await store.get('n') !== 2) throw new Error('lost')`, { Store })
  expect(rows.map(({ place, via }) => [via?.line, place?.shown])).toEqual([
    [3, 'index.cjs:3'],
    [3, 'index.cjs:3'],
    [4, 'index.cjs:6'],
    [4, 'index.cjs:6'],
  ])
  expect(focus?.shown).toBe('index.cjs:6')
})

test('by what a callback of the package comes from', async () => {
  const Queue = madeOf(`return class Queue {
    tail = Promise.resolve()
    order = []
    push(name) { return this.tail = this.tail.then(() => { this.order = [...this.order, name] }) }
  }`, '/app/node_modules/queue/queue.cjs')
  const { rows } = await storyOf(`const queue = new Queue()
    const first = async () => {
      await null
      await null
      await queue.push('first')
    }
    const second = async () => {
      await null
      await queue.push('second')
    }
    await Promise.all([first(), second()])
    if (queue.order[0] !== 'first') throw new Error('second is first')`, { Queue })
  expect(rows.map(({ place, via }) => [via?.line, place?.shown])).toEqual([[9, 'queue.cjs:4'], [5, 'queue.cjs:4']])
})

test('lines of the user\'s own code are shown alone', async () => {
  const { rows } = await storyOf(`const box = { n: 0 }
    const add = async () => { const { n } = box; await null; box.n = n + 1 }
    await Promise.all([add(), add()])
    if (box.n !== 2) throw new Error('lost')`)
  expect(rows.map(({ via }) => via)).toEqual(rows.map(() => undefined))
})

const cache = `return class Cache {
  #values = new Map()
  async wrap(key, load) {
    const found = this.#values.get(key)
    if (found !== undefined) return found
    const value = await load(key)
    this.#values.set(key, value)
    return value
  }
}`

test.each([
  ['async', 'async (key) => { await null; loads++; return key }'],
  ['not async', '(key) => (loads++, key)'],
])('and not with that of a function of the user that the package has called: one that is %s', async (_, load) => {
  const Cache = madeOf(cache, '/app/node_modules/cache/index.cjs')
  const { rows } = await storyOf(`const cache = new Cache()
    let loads = 0
    const load = ${load}
    await Promise.all([
      cache.wrap('a', load),
      cache.wrap('a', load),
    ])
    if (loads > 1) throw new Error('twice')`, { Cache })
  const inPackage = rows.filter(({ via }) => via)
  expect(inPackage.length).toBeGreaterThan(1)
  for (const { via } of inPackage) expect([5, 6]).toContain(via!.line)
})

test('what nothing of the user has called ends with the first process, which counts as begun by itself', () => {
  const steps = [1, 2].map(() => ({ process: 0, place: undefined, accesses: [], spawned: [], time: undefined }))
  const order = { steps: [{ process: 0, after: [] }, { process: 0, after: [{ step: 0, reason: 'spawn' }] }] } as unknown as ExecutionOrder
  const access = { process: 0, within: undefined, index: 0, place: { file: '/app/node_modules/postgres/src/index.js', line: 1, column: 1, text: '' } } as unknown as Access
  expect(new Callers({ steps, order, calledBy: [] }, []).of(access)).toBeUndefined()
})

test('a callback that a reaction of a package has called is not where that was called from', async () => {
  const Store = madeOf(`return class Store {
    constructor(listen) { this.listen = listen; this.items = [] }
    load(answer) { return answer().then((found) => { this.pending = found; this.listen(found); this.items = found }) }
  }`, '/app/node_modules/store/index.cjs')
  const { headline, rows } = await storyOf(`const seen = { count: 0 }
    const store = new Store(() => { seen.count++ })
    const answer = (text) => async () => { await null; return text }
    await Promise.all([store.load(answer('a')), store.load(answer('b'))])
    if (store.items !== 'b') throw new Error('old')`, { Store })
  expect(headline).toContain('store.items')
  expect(rows.map(({ via }) => via?.line)).not.toContain(2)
})
