import { describe, expect, test } from 'vitest'
import { headlineOf, investigated, madeOf, throwingIn } from './executed.ts'

const testFile = '/app/acted-before.spec.cjs'

const thrownAt = throwingIn(testFile)

test('what one has done to another one by an old look is told by that look, also where nothing can bring it later', async () => {
  const pool = madeOf(
    `return (create, validate) => {
      const all = []
      return {
        async borrow() {
          let found = all.find((one) => one.state === 'idle')
          if (!found) { found = { connection: await create(), state: 'idle' }; all.push(found) }
          found.state = 'allocated'
          return found
        },
        giveBack(one) { one.state = 'idle' },
        async evict() {
          for (const one of [...all]) {
            if (one.state !== 'idle' || (await validate(one.connection))) continue
            one.state = 'invalid'
            one.connection.open = false
          }
        },
      }
    }`,
    '/app/pool.cjs',
  )
  const text = await headlineOf(
    `const own = pool(async () => { await null; return { open: true } }, async () => { await null; return false })
    own.giveBack(await own.borrow())
    const query = async () => {
      const one = await own.borrow()
      await null
      if (!one.connection.open) throw new Error('closed')
      own.giveBack(one)
    }
    await Promise.all([own.evict(), query()])`,
    { given: { pool }, testFile },
  )
  expect(text).toMatch(/^Check-then-act on \S+\.state: evict#1 read "idle", then query#1 wrote "allocated", then evict#1 still wrote "invalid"\. .*The test passes with/)
})

describe('an entry that is one for several', () => {
  test('is given back by the first for the second, which the third does not find', async () => {
    const mutex = madeOf(
      `return () => {
        const tails = new Map()
        return async (key, work) => {
          const before = tails.get(key)
          let release
          const own = new Promise((resolve) => { release = resolve })
          tails.set(key, own)
          await before
          try { return await work() } finally { tails.delete(key); release() }
        }
      }`,
      '/app/mutex.cjs',
    )
    const { explanation } = await investigated(
      `const run = mutex()
      let inside = 0, most = 0
      const work = async () => { inside++; most = Math.max(most, inside); await null; inside-- }
      const late = async () => { await null; await null; await run('a', work) }
      await Promise.all([run('a', work), run('a', work), late()])
      if (most !== 1) throw new Error('two at once')`,
      { given: { mutex }, testFile, interleave: 'event-loop', io: ({ file }) => (file === testFile ? 'awaits' : 'nothing') },
    )
    expect(explanation.kind).toBe('wrong-holder-release')
    expect(explanation.headline).toMatch(/^Wrong-holder release on tails\.get\("a"\): \S+, which had held another one, removed the \[Promise\] of /)
  })

  test('is taken away by the one who put the same text there before the other one', async () => {
    const text = await headlineOf(`
      const files = new Map()
      const write = async (name, text) => { await null; files.set(name, text) }
      const rename = async (from, to) => { await null; if (!files.has(from)) throw new Error('no such file'); files.set(to, files.get(from)); files.delete(from) }
      const save = async () => { await write('tmp', 'state'); await rename('tmp', 'saved') }
      await Promise.all([save(), save()])`)
    expect(text).toMatch(/^Wrong-holder release on files\.get\("tmp"\): save#1, which had held another one, removed the "state" of save#2\./)
  })
})

test('who ends what is there ends what came in its place, where he comes too late: no value is written over another one', async () => {
  const meeting = madeOf(
    `return (signal) => {
      class Engine { #isOpen = true; close() { this.#isOpen = false } }
      return {
        engine: undefined,
        async connect() { await signal.join(); this.engine = new Engine() },
        async disconnect() { await signal.leave(); this.engine?.close(); this.engine = undefined },
      }
    }`,
    '/app/meeting.cjs',
  )
  const { explanation } = await investigated(
    `const room = meeting({ join: async () => { await null }, leave: async () => { await null } })
    await room.connect()
    const leaving = room.disconnect()
    await room.connect()
    await leaving
    if (room.engine === undefined) throw new Error('gone')`,
    { given: { meeting }, testFile },
  )
  expect(explanation).toMatchObject({ kind: 'order-violation', headline: expect.stringContaining('room.engine: test wrote') })
})

describe('a list that is changed where it stands', () => {
  test('and then replaced by one who has not looked at it has lost what was put to it', async () => {
    const text = await headlineOf(`
      const users = { documents: [] }
      const open = async () => { await null; users.documents = [{ id: 1 }] }
      const first = open(), second = open()
      await first
      users.documents.push({ id: 2 })
      await second
      await null
      if (users.documents.length !== 2) throw new Error('lost')`)
    expect(text).toMatch(/^Lost update on users\.documents: open#\d wrote \[\{"id":1\}\] in the place of what test had read, and changed, before\./)
  })

  test('is no value to make the next one of', async () => {
    const { explanation } = await investigated(`
      const connection = { pending: [], rows: [] }
      const insert = async (row) => { await null; connection.pending.push(row) }
      const commit = async () => { await null; connection.rows.push(...connection.pending); connection.pending = [] }
      const rollback = async () => { await null; connection.pending = [] }
      await Promise.all([(async () => { await insert('good'); await commit() })(), (async () => { await insert('bad'); await rollback() })()])
      if (connection.rows.join() !== 'good') throw new Error(connection.rows.join())`)
    expect(explanation.kind).not.toBe('lost-update')
  })
})

test('two that count on from what both have found are told by that look, in a package too', async () => {
  const manager = madeOf(
    `return (signer) => {
      const own = { nonce: null, delta: 0 }
      const next = async () => { own.nonce ??= signer.getNonce(); const { delta } = own; return (await own.nonce) + delta }
      return { async send() { const nonce = await next(); own.delta++; return signer.send(nonce) } }
    }`,
    '/app/node_modules/manager/index.cjs',
  )
  const text = await headlineOf(
    `const mined = []
    const own = manager({ getNonce: async () => { await null; return 7 }, send: async (nonce) => { await null; mined.push(nonce) } })
    await Promise.all([own.send(), own.send()])
    if (new Set(mined).size !== 2) throw new Error('twice')`,
    { given: { manager }, testFile },
  )
  expect(text).toMatch(/^Check-then-act on \S*delta: send#2 read 0, then send#1 increased it to 1, then send#2 changed it to 2\./)
})

test('a flag that both have found unset as they began is told before what they do under it', async () => {
  const queue = madeOf(
    `return (storage) => {
      const own = { jobs: [], processing: false }
      const work = async () => {
        if (own.processing) return
        await storage.ready()
        own.processing = true
        while (own.jobs.length > 0) { await storage.put(own.jobs[0]); own.jobs.shift() }
        own.processing = false
      }
      return { async add(name) { own.jobs.push(name); await work() } }
    }`,
    '/app/queue.cjs',
  )
  const body = `
    const put = []
    const own = queue({ ready: async () => { await null }, put: async (name) => { await null; put.push(name) } })
    await Promise.all([own.add('a'), own.add('b')])
    if (put.join() !== 'a,b') throw new Error(put.join())`
  const text = await headlineOf(body, { given: { queue }, testFile, interleave: 'event-loop', io: ({ file }) => (file === testFile ? 'awaits' : 'nothing') })
  expect(text).toMatch(/^Check-then-act on own\.processing: /)
})

test('what is looked at before somebody has come as far is told also where others have looked there in between', async () => {
  const crawler = madeOf(
    `return (links) => {
      const own = { visited: [], pending: 0, idle: [] }
      const add = async (task) => { own.pending++; try { await task() } finally { if (--own.pending === 0) for (const resolve of own.idle.splice(0)) resolve() } }
      own.onIdle = () => (own.pending === 0 ? Promise.resolve() : new Promise((resolve) => { own.idle.push(resolve) }))
      own.visit = async (url) => {
        await add(async () => { own.visited.push(url) })
        for (const link of await links(url)) if (!own.visited.includes(link)) void own.visit(link)
      }
      return own
    }`,
    '/app/crawler.cjs',
  )
  const text = await headlineOf(
    `const pages = { '/': ['/a'], '/a': [] }
    const own = crawler(async (url) => { await null; return pages[url] })
    void own.visit('/')
    await own.onIdle()
    if (own.visited.length !== 2) throw thrownAt(5)`,
    { given: { crawler, thrownAt }, testFile, interleave: 'event-loop', io: ({ file }) => (file === testFile ? 'awaits' : 'nothing') },
  )
  expect(text).toMatch(/^Order violation on visited(?:\.length)?: test read 1 before \S*visit#2 pushed "\/a"\./)
})

test('a count of a package by which the second call would not have gone the same way is told before what comes of it', async () => {
  const pool = madeOf(
    `return (create, max) => {
      const own = { size: 0, idle: [], waiting: [] }
      return {
        async acquire() {
          if (own.idle.length > 0) return own.idle.pop()
          if (own.size < max) { const made = await create(); own.size++; return made }
          return new Promise((resolve) => { own.waiting.push(resolve) })
        },
        release(made) { const next = own.waiting.shift(); if (next) next(made); else own.idle.push(made) },
      }
    }`,
    '/app/node_modules/pool/index.cjs',
  )
  const text = await headlineOf(
    `let open = 0
    const own = pool(async () => { await null; return { id: ++open } }, 1)
    const query = async () => { const made = await own.acquire(); await null; own.release(made) }
    await Promise.all([query(), query()])
    if (open !== 1) throw new Error('two')`,
    { given: { pool }, testFile },
  )
  expect(text).toMatch(/^Check-then-act on \S*size: query#2 read 0, then query#1 increased it to 1, then query#2 changed it to 2\./)
})

test('what is put over a newer value is made of the older one, if it would be another one where calls come one after the other', async () => {
  const text = await headlineOf(`
    const editor = { text: 'hello ' }
    const save = async () => { const sent = editor.text; const saved = await (async () => { await null; return sent.trim() })(); editor.text = saved }
    const user = async () => { await null; editor.text = 'hello world' }
    await Promise.all([save(), user()])
    if (editor.text !== 'hello world') throw new Error(editor.text)`)
  expect(text).toMatch(/^Lost update on editor\.text: save#1 wrote "hello" from a value read before user#1 wrote "hello world"\./)
})
