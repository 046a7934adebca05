import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const testFile = '/app/test.spec.cjs'

const ofPackage = (name: string, code: string): unknown => madeOf(code, `/app/node_modules/${name}/index.cjs`)

const modes = ['await', 'event-loop'] as const

describe('what is there already and is made anew by two', () => {
  const tokens = ofPackage(
    'tokens',
    `return (ask) => {
      const client = { token: { text: '', until: 0 } }
      const refresh = async () => {
        const { refresh: old } = client.token
        const { text } = await ask(old)
        client.token = { text, until: Infinity, refresh: null }
        return text
      }
      client.get = async () => client.token.until > 0 ? client.token.text : refresh()
      return client
    }`,
  )

  test.each(modes)('is initialised twice where the second one finds it made when calls do not overlap: %s', async (interleave) => {
    const text = await headlineOf(
      `let asked = 0
      const client = tokens(async () => { asked++; await new Promise((answer) => setTimeout(answer, 1)); return { text: 'token' } })
      await Promise.all([client.get(), client.get()])
      if (asked !== 1) throw new Error('asked twice')`,
      { given: { tokens }, testFile, interleave },
    )
    expect(text).toMatch(/^Double initialisation on client\.token: .* read \{"text":"","until":0\}, then .* wrote .*, then .* still wrote /)
  })

  test('is a claim where each puts something else there', async () => {
    const text = await headlineOf(
      `const seat = { held: { by: 'nobody' } }
      const take = async (by) => { if (seat.held.by !== 'nobody') return false; await null; seat.held = { by }; return true }
      const taken = await Promise.all([take('ann'), take('bob')])
      if (taken[0] && taken[1]) throw new Error('taken twice')`,
    )
    expect(text).toMatch(/^Check-then-act on seat\.held: /)
  })

  test('is a lost update where the second one would put to it what the first one has made', async () => {
    const text = await headlineOf(
      `const store = { state: { count: 0 } }
      const add = async () => { const { state } = store; await null; store.state = { count: state.count + 1 } }
      await Promise.all([add(), add()])
      if (store.state.count !== 2) throw new Error('lost')`,
    )
    expect(text).toMatch(/^Lost update on store\.state: /)
  })
})

test('who finds a flag that its owner has turned round comes too late, and no value is lost', async () => {
  const socket = ofPackage(
    'socket',
    `return (address) => {
      const own = { isClosed: false, isOpening: false, opened: 0 }
      own.open = () => {
        if (own.isOpening) return
        own.isClosed = false
        own.isOpening = true
        address().then(() => { if (own.isClosed) return; own.isOpening = false; own.opened++ })
      }
      own.close = () => { own.isClosed = true }
      return own
    }`,
  )
  const text = await headlineOf(
    `const own = socket(async () => { await null; await null })
    own.open()
    await null
    await null
    own.close()
    await new Promise((done) => setTimeout(done, 10))
    own.open()
    await new Promise((done) => setTimeout(done, 10))
    if (own.opened === 0) throw new Error('never opened')`,
    { given: { socket }, testFile },
  )
  expect(text).toMatch(/^Order violation on own\.isClosed: /)
})

describe('what the test only counts', () => {
  const pool = ofPackage(
    'pool',
    `return (most, check) => {
      const own = { idle: [], used: 0, made: 0 }
      own.acquire = async () => {
        const kept = own.idle.pop()
        if (kept) { await check(); own.used = own.used + 1; return kept }
        if (own.used >= most) throw new Error('none left')
        await check()
        own.used = own.used + 1
        return { id: ++own.made }
      }
      own.release = (one) => { own.used = own.used - 1; own.idle.push(one) }
      return own
    }`,
  )

  test('comes of what a package has looked at before, where no code of the user\'s has looked', async () => {
    const text = await headlineOf(
      `const own = pool(1, async () => { await null })
      own.release(await own.acquire())
      let active = 0, most = 0
      const query = async () => {
        const one = await own.acquire()
        active++
        most = Math.max(most, active)
        await null
        active--
        own.release(one)
      }
      await Promise.all([query(), query()])
      if (most !== 1) throw new Error('two at once')`,
      { given: { pool }, testFile },
    )
    expect(text).toMatch(/^Check-then-act on own\.used: query#\d read 0, then /)
  })
})

describe('a test that does not wait for what a package does', () => {
  const all = ofPackage(
    'all',
    `return async (items, work, failed) => {
      const tasks = []
      const start = (item) => {
        const task = work(item).then(() => { tasks.splice(tasks.indexOf(task), 1) }, (error) => { tasks.splice(tasks.indexOf(task), 1); return failed(error, item) })
        tasks.push(task)
      }
      for (const item of items) { while (tasks.length >= 2) await Promise.race(tasks); start(item) }
      await Promise.all(tasks)
    }`,
  )

  test('is told of that, and not of how the list of tasks has moved', async () => {
    const text = await headlineOf(
      `const failed = []
      await all([1, 2, 3], async (item) => { await null; if (item === 1) throw new Error('refused') }, async (error, item) => { await null; failed.push(item) })
      if (failed.length !== 1) throw Object.assign(new Error('not told'), { stack: 'Error: not told\\n    at /app/test.spec.cjs:3:35' })`,
      { given: { all }, testFile },
    )
    expect(text).toMatch(/^Order violation on failed\.length: test read 0 before /)
  })
})

describe('who waits for what another one has written over', () => {
  const events = ofPackage(
    'events',
    `return () => {
      let waiting
      const kept = []
      return {
        push: (value) => { if (waiting) { waiting.resolve(value); waiting = undefined } else kept.push(value) },
        next: () => kept.length > 0 ? Promise.resolve(kept.shift()) : new Promise((resolve, reject) => { waiting = { resolve, reject } }),
      }
    }`,
  )

  test('is told of that, and not of who wakes the other one', async () => {
    const text = await headlineOf(
      `const own = events()
      const worker = async () => { await null; const value = await own.next(); return value }
      const source = async () => { await null; own.push('a'); await null; own.push('b') }
      await Promise.all([worker(), worker(), source()])`,
      { given: { events }, testFile },
    )
    expect(text).toMatch(/Lost wakeup on waiting: worker#1 wrote .* and waits, then worker#2 wrote .* over it, before anybody looked there\./)
  })

  test('is not told so of one that has been woken in between', async () => {
    const text = await headlineOf(
      `const own = events()
      const worker = async () => { await null; await own.next(); return own.next() }
      await Promise.all([worker(), (async () => { await null; await null; own.push('a') })()])`,
      { given: { events }, testFile },
    )
    expect(text).not.toContain('over it')
  })
})

describe('what stands in for a file in the test', () => {
  const database = ofPackage(
    'database',
    `return (file) => {
      const own = { loaded: false, data: {} }
      const load = async () => { if (own.loaded) return; own.data = await file.read(); own.loaded = true }
      own.push = async (key, value) => { await load(); own.data[key] = value; await file.write(own.data) }
      return own
    }`,
  )

  test('is not told where a package makes twice what it makes of that', async () => {
    const text = await headlineOf(
      `const kept = { text: '{}' }
      const own = database({ read: async () => { await null; return JSON.parse(kept.text) }, write: async (data) => { await null; kept.text = JSON.stringify(data) } })
      await Promise.all([own.push('a', 1), own.push('b', 2)])
      if (kept.text !== '{"a":1,"b":2}' && kept.text !== '{"b":2,"a":1}') throw new Error(kept.text)`,
      { given: { database }, testFile },
    )
    expect(text).toMatch(/^Double initialisation on own\.loaded: /)
  })

  test('is told where the test itself makes the one of the other, whoever has called it', async () => {
    const queue = ofPackage('queue', `return () => { let running = false; return { add: async (task) => { if (!running) await null; running = true; try { return await task() } finally { running = false } } } }`)
    const text = await headlineOf(
      `const kept = { count: 0 }
      const own = queue()
      const add = () => own.add(async () => { const { count } = kept; await null; kept.count = count + 1 })
      await Promise.all([add(), add()])
      if (kept.count !== 2) throw new Error('lost')`,
      { given: { queue }, testFile },
    )
    expect(text).toMatch(/^Lost update on kept\.count: /)
  })
})
