import { describe, expect, test } from 'vitest'
import { headlineOf, madeOf } from './executed.ts'

describe('where every order fails, as first parts of calls run in one step', () => {
  test('it is told what has changed there between a look and an act of one call, by a call that ended at once', async () => {
    const text = await headlineOf(`
      const names = new Set(['a.js'])
      const remove = async () => {
        for (const name of [...names]) { await null; names.delete(name) }
        if (names.size > 0) throw new Error('not empty')
      }
      const write = async (name) => { names.add(name) }
      await Promise.all([remove(), write('b.js')])`)
    expect(text).toMatch(/^Check-then-act on keys of names: remove#1 read 1, then test added "b\.js", then remove#1 still removed "a\.js"\. .* passes when its calls run one after the other/)
  })

  test('but nothing that comes to pass where calls do not overlap as well', async () => {
    const text = await headlineOf(`
      const total = { sum: 0 }, cache = { value: undefined }
      const count = async () => { await null; total.sum = 5 }
      const restart = async () => { const { sum } = total; await Promise.all([count()]); total.sum = sum + 10 }
      const load = async () => { await null; cache.value = 1 }
      const show = async () => cache.value
      await restart()
      const [, shown] = await Promise.all([load(), show()])
      if (shown !== 1) throw new Error('nothing')`)
    expect(text).toMatch(/^Order violation on cache\.value: test read undefined before load#1 wrote 1\./)
  })

  const requests = (runAs: string): string => `
    let current
    ${runAs}
    const place = async (item) => { await null; return current + ' ' + item }
    const orders = await Promise.all([runAs('ann', () => place('pen')), runAs('bob', () => place('ink'))])
    if (orders.join() !== 'ann pen,bob ink') throw new Error(orders.join())`

  test('what was left for a call is overwritten for the next one, before the first comes to it', async () => {
    const text = await headlineOf(requests('const runAs = async (name, work) => { current = name; return work() }'))
    expect(text).toMatch(/^Last write wins on current: test wrote "bob" over the "ann" that it had left for place#1, which then read "bob"\./)
  })

  test('also by one that goes on itself', async () => {
    const text = await headlineOf(requests('const runAs = async (name, work) => { current = name; const done = await work(); return done }'))
    expect(text).toMatch(/^Last write wins on current: runAs#2 wrote "bob" over the "ann" of runAs#1, which then read "bob"\./)
  })

  test('a list that each begins anew is that of the last one', async () => {
    const text = await headlineOf(`
      let islands = []
      const island = (site) => { islands.push(site) }
      const render = async (site) => { islands = []; await null; island(site); return islands }
      const [one, other] = await Promise.all([render('ann'), render('bob')])
      if (one.length !== 1 || other.length !== 1) throw new Error('mixed')`)
    expect(text).toMatch(/^Last write wins on islands: render#2 wrote \[\] over the \[\] of render#1, which then read that of render#2\./)
  })
})

describe('a timer that ends what nobody used when it was set', () => {
  const sessions = (isKept: string): string => `
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const entries = new Map()
    const subscribe = (key) => { const entry = entries.get(key); if (entry) entry.users++; else entries.set(key, { users: 1 }) }
    const unsubscribe = (key) => {
      const entry = entries.get(key)
      entry.users--
      if (entry.users === 0) setTimeout(() => { if (${isKept}) return; entries.delete(key) }, 60)
    }
    const first = async () => { subscribe('user'); await sleep(10); unsubscribe('user') }
    const second = async () => { await sleep(30); subscribe('user') }
    await Promise.all([first(), second()])
    await sleep(100)
    if (!entries.has('user')) throw new Error('gone')`

  test('does so though somebody uses it since', async () => {
    const text = await headlineOf(sessions('false'))
    expect(text).toMatch(/^Check-then-act on entries\.get\("user"\)\.users: first#1 read 0 for timer#3, then second#1 increased it to 1, then timer#3 still removed entries\.get\("user"\)\./)
  })

  test('unless it looks again', async () => {
    await expect(headlineOf(sessions('entry.users > 0'))).rejects.toThrow('no failure: holds')
  })

  test('is the same one where calls do not overlap, though timers are set in another order', async () => {
    const text = await headlineOf(`
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      const entries = new Map([['user', 'ann']])
      const expire = async () => { await sleep(10); setTimeout(() => entries.delete('user'), 60) }
      const use = async () => { await sleep(30); if (!entries.has('user')) entries.set('user', 'bob') }
      await Promise.all([expire(), use()])
      await sleep(100)
      if (!entries.has('user')) throw new Error('gone')`)
    expect(text).toMatch(/^Order violation on entries\.get\("user"\): use#1 read true before timer#3 removed it\./)
  })
})

test('what is looked at first decides, also where the same code looks again for what is in it, and the test is the one who fails by that', async () => {
  const text = await headlineOf(`
    class Client {
      constructor(token) { this.token = token }
      async get(path) {
        if (this.token.expired) this.token = await refresh(this.token.refresh)
        return path + this.token.access
      }
    }
    let valid = 'r1'
    const refresh = async (token) => {
      await null
      if (token !== valid) throw new Error('used before')
      valid = 'r2'
      return { access: 'a2', refresh: 'r2', expired: false }
    }
    const client = new Client({ access: 'a1', refresh: 'r1', expired: true })
    await Promise.all([client.get('/me'), client.get('/cart')])`)
  expect(text).toMatch(/^Stale read on client\.token: get#2 read \{"access":"a1",.* before get#1 wrote \{"access":"a2",.*\. Nothing makes get#2 wait for get#1\./)
})

describe('where time alone orders everything', () => {
  const cache = (forget: string): string => `
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    const values = new Map(), timers = new Map()
    const set = (key, value) => { ${forget}; values.set(key, value); timers.set(key, setTimeout(() => values.delete(key), 100)) }
    set('session', 'old')
    await sleep(60)
    set('session', 'new')
    await sleep(60)
    if (values.get('session') !== 'new') throw new Error('gone')`

  test('what a timer has taken away that was put there since is told where the test passes if that fires later', async () => {
    const text = await headlineOf(cache(''))
    expect(text).toMatch(/^Order violation on values\.get\("session"\): timer#1 removed the "new" of test, which then read undefined\..* Every order fails; the test passes when timer#1 fires later\./)
  })

  test('and holds where the timer is cleared', async () => {
    await expect(headlineOf(cache('clearTimeout(timers.get(key))'))).rejects.toThrow('no failure: holds')
  })
})

test('what a call does elsewhere in any case comes of nothing that it has found', async () => {
  const store = madeOf(
    `return (write) => {
      const own = { rows: [], isDirty: false, saving: undefined }
      own.add = (row) => { own.rows.push(row); own.isDirty = true }
      own.flush = async () => {
        if (own.saving || !own.isDirty) return
        own.isDirty = false
        own.saving = write(own.rows.join()).finally(() => { own.saving = undefined })
        await own.saving
      }
      return own
    }`,
    '/app/store.cjs',
  )
  const text = await headlineOf(
    `let disk = ''
    const own = store(async (text) => { await null; await null; disk = text })
    own.add('a')
    const first = own.flush()
    own.add('b')
    await own.flush()
    await first
    if (disk !== 'a,b') throw new Error('saved ' + disk)`,
    { given: { store }, testFile: '/app/store.spec.cjs' },
  )
  expect(text).not.toContain('still wrote own.saving')
})
