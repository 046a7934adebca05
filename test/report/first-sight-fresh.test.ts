import { expect, test } from 'vitest'
import { headlineOf, madeOf, throwingIn } from './executed.ts'

const semaphore = madeOf(
  `return (free, timeout) => {
    const own = { free, queue: [] }
    return {
      own,
      enter: () => new Promise((resolve, reject) => {
        if (own.free > 0) { own.free--; resolve(); return }
        const waiting = { resolve }
        waiting.timer = setTimeout(() => { waiting.resolve = null; reject(new Error('too late')) }, timeout)
        own.queue.push(waiting)
      }),
      leave: () => {
        own.free++
        if (own.queue.length === 0) return
        const { resolve, timer } = own.queue.shift()
        clearTimeout(timer)
        if (resolve) setTimeout(resolve, 0)
      },
    }
  }`,
  '/app/node_modules/semaphore/index.cjs',
)

test.each(['await', 'event-loop'] as const)('who has given up stays in the queue, and is woken in the place of the one who waits: %s', async (interleave) => {
  const text = await headlineOf(
    `const lock = semaphore(1, 5)
    await lock.enter()
    await lock.enter().catch(() => {})
    const third = lock.enter()
    lock.leave()
    await third`,
    { given: { semaphore }, testFile: '/app/semaphore.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Leaked permit on .*queue\)?: \S+ took out the entry of one who had given up when timer#1 fired, and nobody has called that of \S+, which waited until timer#2 fired\./)
  expect(text).toMatch(/ index\.cjs:14 update .*queue.* 2 -> 1/)
})

test.each(['await', 'event-loop'] as const)('a number of what is free that both count on from is no skew of it and of what the test counts: %s', async (interleave) => {
  const text = await headlineOf(
    `const lock = semaphore(1, 1000)
    let inside = 0, most = 0
    const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const work = async () => { await lock.enter(); most = Math.max(most, ++inside); await rest(1); inside--; lock.leave() }
    const later = async () => { await rest(2); await work() }
    await Promise.all([work(), work(), later()])
    if (most !== 1) throw new Error('two are in')`,
    { given: { semaphore }, testFile: '/app/semaphore.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Check-then-act on own\.free: /)
})

test.each(['await', 'event-loop'] as const)('a second failure clears the timer by which the first one would have let calls in again: %s', async (interleave) => {
  const breakers = madeOf(
    `return (ask, wait) => {
      const own = { isOpen: false, isTrying: false, timer: undefined }
      const open = () => {
        if (own.timer) clearTimeout(own.timer)
        if (own.isOpen) return
        own.isOpen = true
        own.timer = setTimeout(() => { own.isTrying = true }, wait)
      }
      return {
        get isTrying() { return own.isTrying },
        fire: () => {
          if (own.isOpen) return Promise.reject(new Error('open'))
          return ask().then((answer) => answer, (error) => { open(); throw error })
        },
      }
    }`,
    '/app/node_modules/breakers/index.cjs',
  )
  const text = await headlineOf(
    `const ask = async () => { await new Promise((resolve) => setTimeout(resolve, 1)); throw new Error('down') }
    const breaker = breakers(ask, 10)
    await Promise.allSettled([breaker.fire(), breaker.fire()])
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (!breaker.isTrying) throw wrong(5)`,
    { given: { breakers, wrong: throwingIn('/app/breakers.spec.cjs') }, testFile: '/app/breakers.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Order violation on own\.timer: \S+ cleared (\S+), which \S+ had set, and nobody has set it again; /)
  expect(text).toMatch(/ index\.cjs:4 clear timer#\d/)
})

test.each(['await', 'event-loop'] as const)('two calls that both load what is not loaded yet are told, and not the file of the test that they load: %s', async (interleave) => {
  const stores = madeOf(
    `return (adapter) => {
      const db = { isLoaded: false, data: undefined }
      const load = async () => {
        if (db.isLoaded) return
        db.data = await adapter.read()
        db.isLoaded = true
      }
      return { async push(name, value) { await load(); db.data[name] = value; await adapter.write(db.data) } }
    }`,
    '/app/node_modules/stores/index.cjs',
  )
  const text = await headlineOf(
    `let file = {}
    const wait = () => new Promise((resolve) => setTimeout(resolve, 1))
    const store = stores({ read: async () => { await wait(); return structuredClone(file) }, write: async (data) => { await wait(); file = structuredClone(data) } })
    await Promise.all([store.push('a', 1), store.push('b', 2)])
    if (file.a !== 1 || file.b !== 2) throw new Error('lost')`,
    { given: { stores }, testFile: '/app/stores.spec.cjs', interleave },
  )
  expect(text).toMatch(/^Double initialisation on db\.isLoaded: /)
})

test('an object that a list without a name has as well has the name of its property', async () => {
  const forms = madeOf(
    `return () => {
      const fields = {}
      return {
        add: (name) => { for (const field of [{ value: 'none' }]) if (field.value === 'none') fields[name] = field },
        set: async (name, value) => { await null; fields[name].value = value },
        get: (name) => fields[name].value,
      }
    }`,
    '/app/node_modules/forms/index.cjs',
  )
  const text = await headlineOf(
    `const form = forms()
    form.add('email')
    await Promise.all([form.set('email', 'a'), form.set('email', 'b')])
    if (form.get('email') !== 'b') throw new Error('other')`,
    { given: { forms }, testFile: '/app/forms.spec.cjs' },
  )
  expect(text).toMatch(/^Last write wins on email\.value: /)
})

test('what an object keeps to itself is told with the name of the object', async () => {
  const cache = madeOf('class Cache { _entries = new Map(); async set(key, value) { await null; this._entries.set(key, value) } get(key) { return this._entries.get(key) } } const own = new Cache(); return { set: (key, value) => own.set(key, value), get: (key) => own.get(key) }', '/app/node_modules/cache/index.cjs')
  const text = await headlineOf("await Promise.all([cache.set('a', 1), cache.set('a', 2)]); if (cache.get('a') !== 2) throw new Error('older')", { given: { cache }, testFile: '/app/cache.spec.cjs' })
  expect(text).toMatch(/^Last write wins on cache\._entries\.get\("a"\): /)
})

test.each(['ask(text)', 'Promise.all([ask(text)]).then(([found]) => found)'])('a reaction without a name goes by the call for whose answer it waits: %s', async (asked) => {
  const search = madeOf(`return (ask, show) => (text) => ${asked}.then((found) => { show.found = found })`, '/app/node_modules/search/index.cjs') as (...given: unknown[]) => unknown
  const text = await headlineOf(
    `const show = { found: undefined }
    const ask = async (text) => { await null; return text }
    const find = search(ask, show)
    await Promise.all([find('a'), find('ab')])
    if (show.found !== 'ab') throw new Error('older')`,
    { given: { search }, testFile: '/app/search.spec.cjs' },
  )
  expect(text).toMatch(/^Last write wins on show\.found: ask\.then#1 wrote "a" over the "ab" of ask\.then#2\./)
})

test('what is given to one who has given up while another one waits for it already', async () => {
  const pools = madeOf(
    `return (make, max, timeout) => {
      const all = [], waiting = []
      const create = (done) => { const item = { id: all.length }; all.push(item); make(() => done(item)) }
      return {
        get: () => new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error('too late')), timeout)
          const done = (item) => { clearTimeout(timer); resolve(item) }
          if (all.length >= max) waiting.push(done)
          else create(done)
        }),
        put: (item) => { const next = waiting.shift(); if (next) next(item) },
        drop: (item) => { all.splice(all.indexOf(item), 1); const next = waiting.shift(); if (next) create(next) },
      }
    }`,
    '/app/node_modules/pools/index.cjs',
  )
  const text = await headlineOf(
    `const pool = pools((done) => { setTimeout(done, 7) }, 1, 10)
    const first = await pool.get()
    const second = pool.get().then((item) => pool.put(item), () => {})
    await new Promise((resolve) => setTimeout(resolve, 5))
    pool.drop(first)
    await second
    await pool.get()`,
    { given: { pools }, testFile: '/app/pools.spec.cjs' },
  )
  expect(text).toMatch(/^Leaked permit on all\.length: test pushed \{"id":0\}, then (timer#\d) gave that to test, which had given up when timer#\d fired, and test read 1 and waited until timer#\d fired\./)
})
