import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf, throwingIn } from './executed.ts'

/** What packages were published with, in short, and what first sight of them has shown. */

test('a copy of a state is last to be written: where it differs from the one before is told, though that lies deep in it', async () => {
  const stores = madeOf(
    `return () => {
      let state = { query: '', open: false, status: 'idle', active: null, collections: [] }
      const set = (part) => { state = { ...state, ...part } }
      return {
        get state() { return state },
        async input(query, search) { set({ query, status: 'loading' }); const items = await search(query); set({ status: 'idle' }); set({ collections: [{ source: 's', items }] }); set({ active: 0 }) },
      }
    }`,
    '/app/stores.cjs',
  )
  const text = await headlineOf(
    `const box = stores()
    const search = async (query) => { await null; return [{ label: query }] }
    await Promise.all([box.input('a', search), box.input('ab', search)])
    if (box.state.collections[0].items[0].label !== 'ab') throw new Error('older')`,
    { given: { stores }, testFile: '/app/stores.spec.cjs' },
  )
  expect(text).toContain('Last write wins on state: input#1 wrote {…"collections":[{…"items":[{"label":"a"}]}]} over the {…"collections":[{…"items":[{"label":"ab"}]}]} of input#2.')
})

test('a package that replaces an object by an old look has checked it, by the first of its looks', async () => {
  const client = madeOf(
    `class Client {
      credentials = { refresh_token: 'r' }
      constructor(request) { this.request = request }
      async refresh() {
        if (!this.credentials.refresh_token) throw new Error('none')
        const tokens = await this.request(this.credentials.refresh_token)
        tokens.refresh_token = this.credentials.refresh_token
        this.credentials = tokens
        return this.credentials
      }
      async getToken() {
        if (this.credentials.access_token) return this.credentials.access_token
        const { access_token } = await this.refresh()
        return access_token
      }
    }
    return (request) => new Client(request)`,
    '/app/node_modules/client/index.cjs',
  )
  const text = await headlineOf(
    `let requests = 0
    const api = client(async () => { requests++; await null; return { access_token: 'token' + requests } })
    await Promise.all([api.getToken(), api.getToken()])
    if (requests !== 1) throw new Error('twice')`,
    { given: { client }, testFile: '/app/client.spec.cjs' },
  )
  expect(text).toMatch(/^Check-then-act on api\.credentials: getToken#2 read \{"refresh_token":"r"\}, then getToken#1 wrote .* index\.cjs:12 +read credentials -> /)
})

test('who asks for what it makes itself waits for itself, though the list of those who wait is put there again', async () => {
  const caches = madeOf(
    `const callbacks = new Map()
    async function coalesce(key, load) {
      if (callbacks.has(key)) return enqueue(key)
      callbacks.set(key, [])
      const value = await load()
      for (const { resolve } of callbacks.get(key)) resolve(value)
      callbacks.delete(key)
      return value
    }
    async function enqueue(key) {
      return new Promise((resolve, reject) => {
        const callback = { resolve, reject }
        const stash = callbacks.get(key) ?? []
        stash.push(callback)
        callbacks.set(key, stash)
      })
    }
    return () => ({ wrap: async (key, load) => coalesce(key, load) })`,
    '/app/node_modules/caches/index.cjs',
  )
  const text = await headlineOf(
    `const users = caches(), names = caches()
    await users.wrap('1', () => names.wrap('1', async () => { await null; return 'ann' }))`,
    { given: { caches }, testFile: '/app/caches.spec.cjs' },
  )
  expect(text).toContain('Self-deadlock on callbacks.get("1"): coalesce#1 wrote [] itself in coalesce, then read [] in enqueue and waits for ever.')
})

test('who is to be woken may look after it has left a callback, and wait until a timer fires', async () => {
  const pools = madeOf(
    `return () => {
      let count = 0
      const waiting = []
      const dispense = () => { if (waiting.length > 0 && count < 1) { count++; waiting.shift().resolve({}) } }
      class Waiter {
        constructor() { this.promise = new Promise((resolve, reject) => { this.resolve = resolve; setTimeout(() => reject(new Error('acquire has timed out')), 100) }) }
      }
      return {
        acquire() { const waiter = new Waiter(); waiting.push(waiter); dispense(); return waiter.promise },
        async destroy() { count -= 1; await null },
      }
    }`,
    '/app/node_modules/pools/index.cjs',
  )
  const text = await headlineOf(
    `const pool = pools()
    await pool.acquire()
    const next = pool.acquire()
    await pool.destroy()
    await next`,
    { given: { pools }, testFile: '/app/pools.spec.cjs' },
  )
  expect(text).toMatch(/^Lost wakeup on waiter\.resolve: test read count -> 1 and wrote waiter\.resolve = \[function\], then \S+ decreased count to 0, and nobody has called what was left there\. So test waited until timer#\d fired\./)
})

describe('where the test looks', () => {
  const testFile = '/app/look.spec.cjs'
  const thrownAt = throwingIn(testFile)

  test('while a call is at work that nobody waits for, that is told', async () => {
    const pools = madeOf(
      `return (destroy) => {
        const idle = []
        return { release(item) { idle.push(item) }, async close() { while (idle.length > 0) destroy(idle.pop()); await null } }
      }`,
      '/app/pools.cjs',
    )
    const text = await headlineOf(
      `let destroyed = 0
      const pool = pools(async () => { await new Promise((resolve) => setTimeout(resolve, 100)); destroyed++ })
      pool.release({})
      await pool.close()
      if (destroyed !== 1) throw thrownAt(5)`,
      { given: { pools, thrownAt }, testFile },
    )
    expect(text).toMatch(/^Order violation on destroyed: test read 0, while \S+(?: callback)?#1 was still at work, which would have made it 1\. Nothing makes test wait for /)
  })

  test('an order is told, and not how many a package has found in its queue on its way', async () => {
    const files = madeOf(
      `return ({ write, close }) => {
        const queued = []
        let pending = 0
        const run = (request) => { pending++; request(() => { if (queued.length && queued[0] === request) queued.shift(); if (!--pending) drain() }) }
        const drain = () => { while (queued.length > 0) { run(queued[0]); if (queued[0].isBlocking) return; queued.shift() } }
        const add = (request) => { queued.push(request); if (!pending) run(request) }
        const make = (work, callback, isBlocking) => Object.assign((done) => { work(() => { done(); callback() }) }, { isBlocking })
        return { open(work, callback) { add(make(work, callback, true)) }, write(callback) { add(make(write, callback, false)) }, close(callback) { add(make(close, callback, true)) } }
      }`,
      '/app/node_modules/files/index.cjs',
    )
    const text = await headlineOf(
      `const done = []
      const io = async (name, callback) => { await null; done.push(name); callback() }
      const file = files({ write: (callback) => { io('write', callback) }, close: (callback) => { io('close', callback) } })
      file.open((callback) => { io('open', callback) }, () => {})
      await Promise.all([new Promise((resolve) => file.write(resolve)), new Promise((resolve) => file.close(resolve))])
      if (done[1] !== 'write') throw thrownAt(6)`,
      { given: { files, thrownAt }, testFile },
    )
    expect(text).toContain('Order violation on done: io#2 pushed "write" after io#3 pushed "close".')
  })
})
