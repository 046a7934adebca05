import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

const modes = ['await', 'event-loop'] as const

const codes = madeOf(
  `return (maximum) => {
    const rows = new Map([['code', { used: 0 }]])
    const granted = []
    const find = async (code) => { await null; return rows.get(code) }
    const update = async (code, change) => { await null; rows.set(code, { ...rows.get(code), ...change }) }
    return {
      granted,
      rows,
      async redeem(user) {
        const { used } = await find('code')
        if (used >= maximum) return
        await null
        granted.push(user)
        await update('code', { used: used + 1 })
      },
      async rename(name) { await update('code', { name }) },
    }
  }`,
  '/app/codes.cjs',
)

test.each(modes)('both write the same number, as each has counted on from what it had found, and would not have had it found the other one: %s', async (interleave) => {
  const text = await headlineOf("const own = codes(1); await Promise.all([own.redeem('ann'), own.redeem('bob')]); if (own.granted.length > 1) throw new Error('twice')", { given: { codes }, testFile: '/app/codes.spec.cjs', interleave })
  expect(text).toMatch(/^Check-then-act on rows\.get\("code"\): \S+ read \{"used":0\}.*, then \S+ wrote \{"used":1\}, then \S+ changed it to \{"used":1\}\./)
})

test('who looks only at what is there then, and has not looked before, has no stale answer', async () => {
  const text = await headlineOf("const own = codes(2); const seen = []; const look = async () => { await null; seen.push(own.rows.get('code').name) }; await Promise.all([own.rename('a'), look()]); if (seen[0] === undefined) throw new Error('unnamed')", { given: { codes }, testFile: '/app/codes.spec.cjs' })
  expect(text).not.toContain('Check-then-act')
})

test.each(modes)('what is asked for by calls within others is made twice: %s', async (interleave) => {
  const products = madeOf(
    `return ({ get, set }) => async (id, load) => {
      const [value, at] = await Promise.all([get(id), get(id + ':at')])
      if (value !== undefined && at !== undefined) return value
      const made = await load(id)
      await Promise.all([set(id, made), set(id + ':at', 1)])
      return made
    }`,
    '/app/products.cjs',
  )
  const text = await headlineOf(
    `const data = new Map()
    const get = async (key) => { await null; return data.get(key) }
    const set = async (key, value) => { await null; data.set(key, value) }
    let loads = 0
    const product = products({ get, set })
    const load = async (id) => { loads++; return 'product ' + id }
    await Promise.all([product('1', load), product('1', load)])
    if (loads > 1) throw new Error('twice')`,
    { given: { products }, testFile: '/app/products.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Double initialisation on data\.get\("1(?::at)?"\): /)
})

const dedupe = (isGuarded: boolean): unknown =>
  madeOf(
    `return (timeout) => {
      const pending = new Map()
      return (key, load) => {
        const known = pending.get(key)
        if (known) return known
        const promise = load()
        pending.set(key, promise)
        const timer = setTimeout(() => { if (pending.get(key) === promise) pending.delete(key) }, timeout)
        void promise.finally(() => { clearTimeout(timer); ${isGuarded ? 'if (pending.get(key) === promise) ' : ''}pending.delete(key) })
        return promise
      }
    }`,
    '/app/dedupe.cjs',
  )

const dedupeBody = (loads: number): string => `
  const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
  let loads = 0
  const times = [90, 50, 50]
  const load = async () => { loads++; await sleep(times.shift()); return 'page' }
  const fetch = dedupe(60)
  const first = fetch('/', load)
  await sleep(70)
  const second = fetch('/', load)
  await sleep(30)
  await Promise.all([first, second, fetch('/', load)])
  if (loads > ${loads}) throw new Error('loads ' + loads)`

test.each(modes)('what comes of the first one takes away the second, which the same line has put there since: %s', async (interleave) => {
  const text = await headlineOf(dedupeBody(2), { given: { dedupe: dedupe(false) }, testFile: '/app/dedupe.spec.cjs', interleave })
  expect(text).toMatch(/Wrong-holder release on pending\.get\("\/"\): \S+, which had held another one, removed the \[Promise\] of test, which then read undefined\./)
})

test('who takes away its own is told of none', async () => {
  expect(await headlineOf(dedupeBody(1), { given: { dedupe: dedupe(true) }, testFile: '/app/dedupe.spec.cjs' })).not.toContain('Wrong-holder release')
})

const start = madeOf(
  `return async function start(app, load) {
    const config = await load()
    await new Promise((end) => app.on('ready', end))
    return config
  }`,
  '/app/start.cjs',
)

test.each(modes)('who listens for an event that has come before is told when that was, also where there is no other order: %s', async (interleave) => {
  const text = await headlineOf(
    `const app = new EventEmitter()
    const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
    const init = async () => { await sleep(10); app.emit('ready') }
    await Promise.all([init(), start(app, async () => { await sleep(20); return {} })])`,
    { given: { start, EventEmitter }, testFile: '/app/start.spec.cjs', interleave },
  )
  expect(text).toMatch(/Lost wakeup on listeners of eventEmitter for "ready": \S+ read 0, then \S+ changed them to 1 and waits, and nobody has looked there since\./)
})

test('who listens in time for what does not come has missed nothing', async () => {
  const text = await headlineOf('const app = new EventEmitter(); app.emit("closed"); await start(app, async () => ({}))', { given: { start, EventEmitter }, testFile: '/app/start.spec.cjs' })
  expect(text).not.toContain('Lost wakeup')
})

test.each(modes)('a rejection that comes while something else is awaited is told as that: %s', async (interleave) => {
  const page = madeOf('return async function load(posts, profile) { const one = posts(); const other = profile(); const name = await other; return name + (await one) }', '/app/page.cjs')
  const text = await headlineOf(
    `const posts = async () => { await null; throw new Error('no posts') }
    const profile = async () => { await null; await null; return 'ann' }
    await page(posts, profile).catch(() => {})`,
    { given: { page }, testFile: '/app/page.spec.cjs', interleave, io: ({ file }) => (file === '/app/page.spec.cjs' ? 'awaits' : 'nothing') },
  )
  expect(text).toMatch(/^Unhandled rejection of promise of posts(?:#1)?: posts#1 rejected it before load#1 (?:handled|waited for) it\./)
})

test('an error that is thrown where a promise has come too early is none', async () => {
  const text = await headlineOf(
    `const own = { count: 0 }
    const add = async () => { const { count } = own; await null; own.count = count + 1 }
    await Promise.all([add(), add()])
    if (own.count !== 2) throw new Error('lost')`,
    { interleave: 'event-loop', io: () => 'awaits' },
  )
  expect(text).toMatch(/^Lost update on own\.count: /)
})

const cron = madeOf(
  `return (jobs) => {
    const own = { isRunning: false }
    return async () => {
      if (own.isRunning) return
      const due = await jobs.due()
      own.isRunning = true
      try { for (const job of due) await jobs.run(job) } finally { own.isRunning = false }
    }
  }`,
  '/app/cron.cjs',
)

const jobs = madeOf(
  `return () => {
    const next = new Map([['report', 0]])
    const ran = []
    return {
      ran,
      due: async () => { await null; return [...next].filter(([, at]) => at <= 100).map(([job]) => job) },
      run: async (job) => { await null; ran.push(job); next.set(job, 1000) },
    }
  }`,
  '/app/jobs.cjs',
)

test('a flag that should have kept one of the two out is told, and not what both do under it', async () => {
  const text = await headlineOf("const own = jobs(); const tick = cron(own); const fire = async () => { await null; await tick() }; await Promise.all([fire(), fire()]); if (own.ran.length > 1) throw new Error('twice')", { given: { cron, jobs }, testFile: '/app/cron.spec.cjs' })
  expect(text).toMatch(/^(?:Check-then-act|Double initialisation) on own\.isRunning: /)
})

test('a flag that is looked at for something else is not', async () => {
  const text = await headlineOf(
    `const own = { isBusy: false, count: 0 }
    const add = async () => { if (own.isBusy) await null; const { count } = own; await null; own.isBusy = true; own.count = count + 1; await null; own.isBusy = false }
    await Promise.all([add(), add()])
    if (own.count !== 2) throw new Error('lost')`,
  )
  expect(text).toMatch(/^Lost update on own\.count: /)
})

const tab = madeOf(
  `return (storage, fetch) => async () => {
    const wait = async () => { await new Promise((end) => setTimeout(end, 500)) }
    if (storage.get('lock')) { await wait(); return storage.get('token') }
    storage.set('lock', 1)
    const token = await fetch()
    storage.set('token', token)
    storage.delete('lock')
    return token
  }`,
  '/app/tab.cjs',
)

const tabBody = (milliseconds: number): string => `
  const storage = new Map([['token', 'older']])
  const refresh = tab(storage, async () => { await new Promise((end) => setTimeout(end, ${milliseconds})); return 'newer' })
  expect(await Promise.all([refresh(), refresh()])).toEqual(['newer', 'newer'])`

test.each(modes)('who waits for a time, and not for the other one, finds what was there before: %s', async (interleave) => {
  const text = await headlineOf(tabBody(600), { given: { tab, expect }, testFile: '/app/tab.spec.cjs', interleave })
  expect(text).toMatch(/^Timeout wins on storage\.get\("token"\): \S+ waited only for timer#\d+ and read "older", before \S+ wrote "newer"\./)
})

const handler = (isCleared: boolean): unknown =>
  madeOf(
    `return (work) => {
      const tasks = new Map()
      let [last, timer] = [0]
      const end = () => { for (const { reject } of tasks.values()) reject(new Error('terminated')); tasks.clear() }
      return {
        exec(name) {
          const id = ++last
          ${isCleared ? 'clearTimeout(timer)' : ''}
          const promise = new Promise((resolve, reject) => tasks.set(id, { resolve, reject }))
          work(name).then((value) => { tasks.get(id)?.resolve(value); tasks.delete(id) })
          return { promise, cancel() { const task = tasks.get(id); tasks.delete(id); task.reject(new Error('cancelled')); timer = setTimeout(end, 100) } }
        },
      }
    }`,
    '/app/handler.cjs',
  )

test.each(modes)('a timer that was set for one ends what has come since: %s', async (interleave) => {
  const text = await headlineOf(
    `const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
    const own = handler(async (name) => { await sleep(80); return name })
    const first = own.exec('first')
    const failed = first.promise.catch((error) => error.message)
    first.cancel()
    await failed
    await sleep(50)
    await own.exec('second').promise`,
    { given: { handler: handler(false) }, testFile: '/app/handler.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Timeout wins on tasks\.get\(2\): test wrote .* after end#1 had been set for something else, which then fired and found it there\./)
})

test('a timer that was set for that is one as any other', async () => {
  const request = madeOf('return (ms) => { const tasks = new Map(); return () => new Promise((resolve, reject) => { tasks.set(1, { reject }); setTimeout(() => tasks.get(1).reject(new Error("timeout")), ms) }) }', '/app/request.cjs')
  expect(await headlineOf('await request(100)()', { given: { request }, testFile: '/app/request.spec.cjs' })).not.toContain('had been set for something else')
})

const limit = madeOf(
  `return (most) => {
    const queue = []
    let active = 0
    const resume = () => { if (active < most && queue.length > 0) { active++; queue.shift()() } }
    const run = async (work, resolve) => { const result = (async () => work())(); resolve(result); try { await result } catch {} active--; resume() }
    return (work) => new Promise((resolve) => { new Promise((go) => { queue.push(go) }).then(() => run(work, resolve)); if (active < most) resume() })
  }`,
  '/app/limit.cjs',
)

const tree = madeOf(
  `return (limit, disk) => {
    const of = async (folder) => limit(async () => sum(folder))
    const sum = async (folder) => {
      const names = await disk(folder)
      const sizes = await Promise.all(names.map((name) => (name.endsWith('/') ? of(folder + name) : 1)))
      return sizes.reduce((one, other) => one + other, 0)
    }
    return of
  }`,
  '/app/tree.cjs',
)

test.each(modes)('all that a limit has are held by those who wait for what they have begun, which needs one more: %s', async (interleave) => {
  const text = await headlineOf(
    `const folders = { '/': ['a/', 'b/'], '/a/': ['c/'], '/a/c/': ['one'], '/b/': ['d/'], '/b/d/': ['two'] }
    await tree(limit(2), async (folder) => { await null; return folders[folder] })('/')`,
    { given: { limit, tree }, testFile: '/app/tree.spec.cjs', interleave, io: () => 'awaits' },
  )
  expect(text).toMatch(/Self-deadlock on active: \S+ and \S+ have taken all 2 that there are, and \S+, which comes of \S+, read 2 and waits for one more\./)
})

test('who holds what others wait for, and waits for something else, is none that waits for itself', async () => {
  const text = await headlineOf('const own = limit(1); await Promise.all([own(() => new Promise(() => {})), own(async () => 1)])', { given: { limit }, testFile: '/app/tree.spec.cjs' })
  expect(text).not.toContain('Self-deadlock')
})

const service = madeOf(
  `return (load, made) => {
    const own = { listener: undefined }
    const open = async () => {
      await load()
      const listener = { isOpen: false, async listen() { await null; this.isOpen = true }, async close() { await null; this.isOpen = false } }
      await listener.listen()
      made(listener)
      own.listener = listener
    }
    return { open, stop: async () => { await own.listener?.close(); own.listener = undefined } }
  }`,
  '/app/service.cjs',
)

test.each(modes)('who finds nothing to stop, and says so after that, has looked too early: that is told, and not which of the two writes last: %s', async (interleave) => {
  const text = await headlineOf(
    `const listeners = []
    const own = service(async () => { await null }, (one) => listeners.push(one))
    const end = async () => { await null; await own.stop() }
    await Promise.all([own.open(), end()])
    if (listeners.some(({ isOpen }) => isOpen)) throw new Error('listens')`,
    { given: { service }, testFile: '/app/service.spec.cjs', interleave, io: ({ file }) => (file === '/app/service.spec.cjs' ? 'awaits' : 'nothing') },
  )
  expect(text).toMatch(/^Order violation on own\.listener: end#1 read undefined before open#1 wrote /)
})

test('who writes last decides where what it has looked at before is written by nobody else', async () => {
  const text = await headlineOf(
    `const own = { last: 'none' }
    const set = async (value) => { if (own.last === value) return; await null; own.last = value }
    const other = async () => { await null; await null; own.last = 'other' }
    await Promise.all([set('first'), other()])
    if (own.last !== 'first') throw new Error('not first')`,
  )
  expect(text).toMatch(/^Last write wins on own\.last: |^Check-then-act on own\.last: /)
})

const reports = madeOf(
  `return (source) => {
    const kept = new Map()
    let run = 0
    const make = async (name, number) => { const rows = await source(name); kept.set(name, number + ': ' + rows) }
    const late = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), ms))
    return { kept, build: async (name) => { await Promise.race([make(name, ++run), late(100)]) } }
  }`,
  '/app/reports.cjs',
)

const reportsBody = (last: number): string => `
  const sleep = (ms) => new Promise((end) => setTimeout(end, ms))
  const times = [150, 20]
  const own = reports(async () => { await sleep(times.shift()); return 'row' })
  await own.build('sales').catch(() => {})
  await own.build('sales')
  await sleep(100)
  expect(own.kept.get('sales')).toBe('${last}: row')`

test.each(modes)('what a timeout has given up goes on, and has the last word: %s', async (interleave) => {
  const text = await headlineOf(reportsBody(2), { given: { reports, expect }, testFile: '/app/reports.spec.cjs', interleave })
  expect(text).toMatch(/^Last write wins on kept\.get\("sales"\): make#1, which began first, wrote "1: row" over the "2: row" of make#2\./)
})

test.each(modes)('an assertion that fails where a timer lets the test go on is no timeout, and no older answer: %s', async (interleave) => {
  const text = await headlineOf(reportsBody(3), { given: { reports, expect }, testFile: '/app/reports.spec.cjs', interleave })
  expect(text).not.toContain('Last write wins')
  expect(text).not.toContain('has rejected')
})

test('two who have both looked in vain have made it twice: neither has looked too early', async () => {
  const text = await headlineOf(
    `class Cache {
      profiles = new Map()
      async get(id) {
        const known = this.profiles.get(id)
        if (known) return known
        const profile = await load(id)
        this.profiles.set(id, profile)
        return profile
      }
    }
    const loaded = []
    const load = async (id) => { loaded.push(id); await null; return { id } }
    const cache = new Cache()
    const header = async () => (await cache.get('ada')).id
    const feed = async () => { await null; await null; await null; await null; return (await cache.get('ada')).id }
    await Promise.all([header(), feed()])
    if (loaded.length !== 1) throw new Error('loaded twice')`,
  )
  expect(text).toMatch(/^Double initialisation on \S*profiles/)
})
