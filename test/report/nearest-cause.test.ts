import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf, throwingIn } from './executed.ts'

const modes = ['await', 'event-loop'] as const
const io = ({ file }: { file: string }): 'awaits' | 'nothing' => (file.endsWith('.spec.cjs') ? 'awaits' : 'nothing')

describe('what a call has looked for before another one has put it there', () => {
  const server = madeOf(
    `return (subscribe, isThorough) => {
      const subscriptions = {}
      let closes = 0
      return {
        async message(id) {
          subscriptions[id] = null
          const result = await subscribe()
          subscriptions[id] = result
          await result.next()
        },
        async closed() {
          closes++
          for (const id of Object.keys(subscriptions)) {
            const found = subscriptions[id]
            if (found && isThorough) found.return()
          }
        },
      }
    }`,
    '/app/node_modules/server/index.cjs',
  )
  const body = (isThorough: boolean): string => `let live = 0
    const iterator = () => { live++; let done; return { next: () => new Promise((resolve) => { done = resolve }), return: () => { live--; if (done) done() } } }
    const own = server(async () => { await null; return iterator() }, ${isThorough})
    void own.message('a')
    await own.closed()
    await new Promise((resolve) => setTimeout(resolve, 10))
    if (live !== 0) throw new Error('live')`

  test.each(modes)('is told where calls that do not overlap find it, and act by it: %s', async (interleave) => {
    const text = await headlineOf(body(true), { given: { server }, testFile: '/app/server.spec.cjs', interleave, io })
    expect(text).toMatch(/^Order violation on subscriptions\.a: test read null before message#1 wrote .* server\.spec\.cjs:5 > index\.cjs:14 read a -> null .* index\.cjs:8 /)
  })

  test.each(modes)('is not where they do no more by it: %s', async (interleave) => {
    const text = await headlineOf(body(false), { given: { server }, testFile: '/app/server.spec.cjs', interleave, io })
    expect(text).not.toMatch(/^Order violation/)
  })
})

describe('a package that another package uses', () => {
  const pool = madeOf(
    `return () => {
      const own = { stopped: undefined }
      return {
        async ask() { if (own.stopped) return 'refused'; await null; return 'answer' },
        stop() { own.stopped = true },
      }
    }`,
    '/app/node_modules/pool/index.cjs',
  )
  const client = madeOf(
    `return (pool) => {
      const state = { open: 'yes' }
      const connections = pool()
      return {
        async get() { await null; const found = state.open; const answer = await connections.ask(); return found === 'yes' ? answer : 'refused' },
        async close() { state.open = 'no'; connections.stop() },
      }
    }`,
    '/app/node_modules/client/index.cjs',
  )
  const bodyOf = (first: string): string => `${first}
    const [got] = await Promise.all([own.get(), (async () => { await null; await own.close() })()])
    if (got !== 'refused') throw new Error('answered')`

  test.each(modes)('is told after the one that the test calls: %s', async (interleave) => {
    const text = await headlineOf(bodyOf('const own = client(pool)'), { given: { pool, client }, testFile: '/app/client.spec.cjs', interleave, io: () => 'awaits' })
    expect(text).toMatch(/^(?:Order violation|Stale read) on state\.open: get#1 read "yes" before \S+ wrote "no"\./)
  })

  test.each(modes)('is told as any other where the test calls it as well: %s', async (interleave) => {
    const text = await headlineOf(bodyOf('const own = client(pool); await pool().ask()'), { given: { pool, client }, testFile: '/app/client.spec.cjs', interleave, io: () => 'awaits' })
    expect(text).toMatch(/^Order violation on own\.stopped: get#1 read undefined before \S+ wrote true\./)
  })
})

describe('entries of a list that an assertion has found in another order', () => {
  const storage = madeOf(
    `return (ask) => {
      const own = { queued: [], pending: 0 }
      const drain = () => { while (own.queued.length > 0) { const one = own.queued[0]; run(one); if (one.isLast) return; own.queued.shift() } }
      const run = (one) => { own.pending++; ask(one.name, () => { if (own.queued[0] === one) own.queued.shift(); if (--own.pending === 0) drain(); one.done() }) }
      const request = (name, isLast) => new Promise((done) => { const one = { name, isLast, done }; own.queued.push(one); if (own.pending === 0) run(one) })
      return { request }
    }`,
    '/app/node_modules/storage/index.cjs',
  )

  test.each(modes)('are told, and not the accounts of a package that come in another order with them: %s', async (interleave) => {
    const text = await headlineOf(
      `const list = []
      const io = async (name, done) => { await null; list.push(name); done() }
      const file = storage((name, done) => { void io(name, done) })
      await Promise.all([file.request('open', true), file.request('write', false), file.request('close', true)])
      expect(list).toEqual(['open', 'write', 'close'])`,
      { given: { storage, expect }, testFile: '/app/storage.spec.cjs', interleave, io },
    )
    expect(text).toMatch(/^Order violation on list: io#2 pushed "write" after io#3 pushed "close"\./)
  })
})

test.each(modes)('of two causes that are as likely that is told whose steps have both changed what the failing line looks at: %s', async (interleave) => {
  const channels = madeOf(
    `return (ask) => {
      const wrapper = { channel: undefined, consumers: [] }
      const consume = async (queue) => { const found = wrapper.channel; if (found) found.consume(queue) }
      return {
        wrapper,
        async connect() {
          const channel = await ask()
          wrapper.channel = channel
          await ask()
          await Promise.all(wrapper.consumers.map((queue) => consume(queue)))
        },
        async consume(queue) { wrapper.consumers.push(queue); await consume(queue) },
      }
    }`,
    '/app/node_modules/channels/index.cjs',
  )
  const text = await headlineOf(
    `const consumed = []
    const channel = { consume: (queue) => { consumed.push(queue) } }
    const own = channels(async () => { await null; return channel })
    const start = async () => { await null; await own.consume('mail') }
    await Promise.all([own.connect(), start()])
    if (consumed.length !== 1) throw thrownAt(6)`,
    { given: { channels, thrownAt: throwingIn('/app/channels.spec.cjs') }, testFile: '/app/channels.spec.cjs', interleave, io },
  )
  expect(text).toMatch(/^Order violation on consumers\.length: connect#1 read 1 after start#1 pushed "mail"/)
})
