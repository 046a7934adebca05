import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { investigated, madeOf } from './executed.ts'

const testFile = '/app/turn.spec.cjs'
const io = ({ file }: { file: string }): 'awaits' | 'nothing' => (file === testFile ? 'awaits' : 'nothing')

/** What is read first of a failure in an order of events. */
async function toldOf(code: string, given: object): Promise<string> {
  const { message } = await investigated(code, { given, testFile, interleave: 'event-loop', io })
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
}

const refreshing = madeOf(
  `return (provide) => {
    let result
    let hasResult = false
    return async (isOver) => {
      if (!hasResult) { result = provide(); hasResult = true }
      const found = await result
      if (isOver(found)) return (result = provide())
      return found
    }
  }`,
  '/app/node_modules/memo/index.cjs',
)

const twice = `
  let asked = 0
  let isOver = false
  const get = refreshing(async () => { const id = ++asked; await null; return id })
  const check = (id) => isOver && id === 1
  await get(check)
  isOver = true
  await Promise.all([get(check), get(check)])
  if (asked !== 2) throw new Error('asked ' + asked + ' times')`

test('what two calls do within one turn is told in steps of awaits, where no order of events tells it', async () => {
  const text = await toldOf(twice, { refreshing })
  expect(text).toMatch(/^Check-then-act on result: \S+ read \[Promise\], then \S+ wrote \[Promise\], then \S+ still wrote \[Promise\]\. execution 1 of \d+\+?, the plain order/)
  expect(text).toContain(`Replay: dporTest(name, { replay: 'plain' }, ...)`)
})

test('and is replayed by that order', async () => {
  const { message } = await investigated(twice, { given: { refreshing }, testFile, interleave: 'event-loop', io, replay: 'plain' })
  expect(stripVTControlCharacters(message)).toContain('asked 3 times')
})

test('what an order of events tells is told by that', async () => {
  const store = madeOf('let last; return { put(value) { last = value }, last: () => last }', '/app/store.cjs')
  const text = await toldOf(
    `const put = async (value) => { await null; store.put(value) }
    await Promise.all([put('a'), put('b')])
    if (store.last() === 'a' || store.last() === 'b') throw new Error('is ' + store.last())`,
    { store },
  )
  expect(text).not.toContain(`replay: 'plain'`)
})

test('so is what fails in no plain run', async () => {
  const text = await toldOf(
    `const seen = []
    const see = async (name) => { await null; seen.push(name) }
    await Promise.all([see('a'), see('b')])
    if (seen[0] !== 'a') throw new Error('b is first')`,
    {},
  )
  expect(text).toMatch(/^Order violation on seen: /)
  expect(text).not.toContain(`replay: 'plain'`)
})

test('what is looked at before the first answer is told, where the test fails as soon as that takes time', async () => {
  const docs = madeOf(
    `return (newClient) => {
      let client = null
      const get = async () => {
        if (!client) { client = newClient(); await client.connect() }
        return client
      }
      return async (query) => (await get()).call(query)
    }`,
    '/app/docs.cjs',
  )
  const text = await toldOf(
    `const search = docs(() => ({
      isConnected: false,
      async connect() { await null; this.isConnected = true },
      async call(query) { if (!this.isConnected) throw new Error('not connected'); return query },
    }))
    await Promise.all([search('a'), search('b')])`,
    { docs },
  )
  expect(text).toMatch(/^Order violation on client\.isConnected: \S+ read false before \S+ wrote true\./)
  expect(text).toContain('Every order that was tried fails, but for the plain one, in which nothing takes time; the test passes when its calls run one after the other.')
})

describe('who waits for ever within one turn is told by the calls that wait there', () => {
  const pool = madeOf(
    `return (size) => {
      const free = Array.from({ length: size }, (_, i) => i)
      const waiting = []
      return {
        async acquire() { const one = free.pop(); if (one !== undefined) return one; return new Promise((wake) => waiting.push(wake)) },
        release(one) { const next = waiting.shift(); if (next) next(one); else free.push(one) },
      }
    }`,
    '/app/pool.cjs',
  )

  const nested = madeOf(
    `return (pool) => {
      const log = async () => { const one = await pool.acquire(); pool.release(one) }
      return async () => { const one = await pool.acquire(); await null; await log(); pool.release(one) }
    }`,
    '/app/orders.cjs',
  )

  test('two that hold what the other one waits for', async () => {
    const text = await toldOf(`const place = nested(pool(2)); await Promise.all([place(), place()])`, { pool, nested })
    expect(text).toMatch(/^Deadlock: \S+ and \S+ each wait for pool\.acquire\(\) and both hold what they have got from pool\.acquire\(\) before\./)
  })

  test('one that waits for itself', async () => {
    const text = await toldOf(`const place = nested(pool(1)); await Promise.all([place(), place()])`, { pool, nested })
    expect(text).toMatch(/^Deadlock: \S+ and \S+ wait for ever; nothing is left that could go on\. Self-deadlock on array\.length: /)
  })

  test('one that another one has left nothing to', async () => {
    const calls = madeOf(
      `return (pool) => ({
        broken: async () => { await pool.acquire(); await null; throw new Error('broken') },
        report: async () => { await null; const one = await pool.acquire(); pool.release(one) },
      })`,
      '/app/calls.cjs',
    )
    const text = await toldOf(`const { broken, report } = calls(pool(1)); await Promise.all([broken().catch(() => {}), report()])`, { pool, calls })
    expect(text).toMatch(/^Deadlock: report#1 waits for ever; nothing is left that could go on\. Leaked permit on array\.length: broken#1 emptied it/)
  })
})

test('what all orders of events have in common is told by the look that decides it, and not by what is counted after that', async () => {
  const client = madeOf(
    `const made = { count: 0 }
    return { made, client: () => {
      let connected = null
      const open = async () => { await null; ++made.count; return true }
      const connect = async () => { if (await connected) return true; connected = open(); return connected }
      return { async tools() { await connect(); return [] } }
    } }`,
    '/app/client.cjs',
  ) as object
  const text = await toldOf(
    `const one = client()
    await Promise.all([one.tools(), one.tools()])
    if (made.count !== 1) throw new Error('connected ' + made.count + ' times')`,
    client,
  )
  expect(text).toMatch(/^Double initialisation on connected: /)
})

test('a look is stale where another call has had its turn in between, though both come in one event', async () => {
  const jobs = madeOf(
    `return (rows) => {
      const find = async (status) => { await null; return rows.find((row) => row.status === status) }
      const update = async (id, status) => { await null; rows.find((row) => row.id === id).status = status }
      return async (run) => {
        const job = await find('pending')
        if (!job) return
        await update(job.id, 'running')
        await run(job)
        await update(job.id, 'done')
      }
    }`,
    '/app/jobs.cjs',
  )
  const text = await toldOf(
    `const next = jobs([{ id: 1, status: 'pending' }])
    let sent = 0
    const send = async () => { await null; sent++ }
    await Promise.all([next(send), next(send)])
    if (sent !== 1) throw new Error('sent ' + sent + ' times')`,
    { jobs },
  )
  expect(text).toMatch(/^Check-then-act on \w+\[0\]\.status: \S+ read "pending", then \S+ wrote "running", then \S+ still wrote "running"\./)
})
