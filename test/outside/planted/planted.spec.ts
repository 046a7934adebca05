import { afterEach, aroundEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Account, Cache, Draft, Feed, Pool, Registry, Search, Session, total, uploadAll } from './services.ts'

describe.each([
  ['racy', false],
  ['fixed', true],
])('%s:', (_kind, isFixed) => {
  const options = { isFixed }

  describe('mocks', () => {
    test('withdrawals', async () => {
      let balance = 100
      const bank = { read: vi.fn(async () => balance), write: vi.fn(async (value: number) => void (balance = value)) }
      const account = new Account(bank, options)
      const first = account.withdraw(30)
      await account.withdraw(20)
      await first
      expect(isFixed ? balance : [50, 80]).toEqual(isFixed ? 50 : expect.arrayContaining([balance]))
    })

    test('the newest answer', async () => {
      const find = vi.fn<(text: string) => Promise<string[]>>()
      find.mockResolvedValueOnce(['of a']).mockResolvedValueOnce(['of ab'])
      const search = new Search(find, options)
      await Promise.all([search.type('a'), search.type('ab')])
      expect(search.results).toEqual(['of ab'])
    })

    test('an older load', async () => {
      const load = vi.fn().mockResolvedValueOnce('old').mockResolvedValueOnce('new')
      const cache = new Cache(load, options)
      const early = cache.refresh('a')
      cache.invalidate('a')
      await Promise.all([early, cache.refresh('a')])
      expect(cache.peek('a')).toBe('new')
    })

    test('log in as another', async () => {
      const api = { login: vi.fn(async (name: string) => name), profile: vi.fn(async (name: string) => `profile of ${name}`) }
      const session = new Session(api, options)
      await Promise.all([session.login('ada'), session.login('alan')])
      expect(session.profile).toBe('profile of alan')
    })

    test('in the order of the names', async () => {
      const upload = vi.fn(async (name: string) => `/${name}`)
      expect(await uploadAll(['a', 'b', 'c'], upload, options)).toEqual(['/a', '/b', '/c'])
    })

    test('calls of a spy', async () => {
      const store = { put: async (_text: string): Promise<void> => {} }
      const put = vi.spyOn(store, 'put').mockResolvedValue()
      const ended: string[] = []
      const draft = new Draft((text) => store.put(text).then(() => void ended.push(text)), options)
      await Promise.all(['one', 'two'].map((text) => ((draft.text = text), draft.save())))
      expect(put).toHaveBeenCalledTimes(2)
      expect(ended).toEqual(['one', 'two'])
    })

    test('an error of one, a value of the other', async () => {
      const load = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce('up')
      const log: string[] = []
      const state = { status: 'unknown' }
      const ask = async (n: number): Promise<void> => {
        const status = await load().then((value: string) => value, () => 'down')
        if (!isFixed || n === 2) state.status = status
        log.push(status)
      }
      await Promise.all([ask(1), ask(2)])
      expect(state.status).toBe('up')
    })
  })

  describe('hooks', () => {
    let pool: Pool
    let closed: boolean
    const query = vi.fn(async (text: string) => text)
    beforeEach(async () => {
      await null
      closed = false
      pool = new Pool(query, options)
      return () => {
        closed = pool.isClosed
      }
    })
    afterEach(() => {
      expect(pool.isClosed).toBe(true)
    })

    test('a pool is closed', async () => {
      const flush = vi.fn(async () => {})
      const used = pool.use('select')
      await pool.close(flush)
      expect(await used).toBe('select')
      expect(closed).toBe(false)
    })
  })

  describe('what a hook looks at', () => {
    let seen: number[]
    const answer = vi.fn(async (n: number) => n)
    beforeEach(() => {
      seen = []
    })
    afterEach(() => {
      expect(isFixed ? seen.toSorted() : seen).toEqual([1, 2])
    })
    test('is looked at after every execution', async () => {
      await Promise.all([1, 2].map(async (n) => seen.push(await answer(n))))
    })
  })

  describe('around and at the end', () => {
    const answer = vi.fn(async (n: number) => n)
    let state = { last: 0 }
    aroundEach(async (runTest) => {
      state = { last: 0 }
      await runTest()
      await null
      expect(isFixed || state.last === 2).toBe(true)
    })
    test('the hook around it', async () => {
      await Promise.all([1, 2].map(async (n) => void (state.last = await answer(n))))
    })
  })

  test('at the end of the test', async () => {
    const answer = vi.fn(async (n: number) => n)
    const state = { last: 0 }
    onTestFinished(() => {
      expect(isFixed || state.last === 2).toBe(true)
    })
    await Promise.all([1, 2].map(async (n) => void (state.last = await answer(n))))
  })

  describe('fixtures', () => {
    const extended = test.extend<{ rows: { has(name: string): Promise<boolean>; add(name: string): Promise<void>; count: number }; registry: Registry }>({
      rows: async ({ task: _ }, use) => {
        const names: string[] = []
        await use({
          has: vi.fn(async (name: string) => names.includes(name)),
          add: vi.fn(async (name: string) => void names.push(name)),
          get count() {
            return names.length
          },
        })
        expect(new Set(names).size).toBe(names.length)
      },
      registry: async ({ rows }, use) => {
        await use(new Registry(rows, options))
      },
    })
    const pause = vi.fn(async () => {})

    extended('names are taken once', async ({ registry, rows }) => {
      const first = registry.register('ada')
      await pause()
      await pause()
      await pause()
      await pause()
      await Promise.all([first, registry.register('ada')])
      expect(rows.count).toBeLessThanOrEqual(isFixed ? 1 : 2)
    })

    const built = test.extend('cart', () => ({ ids: ['a', 'b'] }))
    built('the sum of a cart', async ({ cart }) => {
      let asked = 0
      const price = vi.fn(async () => ++asked * 10)
      const sum = await total(cart.ids, price, options)
      // In the plain order the last answer is what the sum is without the fix.
      expect(sum).toBe(isFixed ? 30 : 20)
    })
  })

  describe('fake timers', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    test('saves in the background', async () => {
      const stored: string[] = []
      const put = vi.fn(async (text: string) => text)
      const draft = new Draft((text) => put(text).then((saved) => void stored.push(saved)), options)
      draft.edit('one')
      vi.advanceTimersByTime(500)
      draft.edit('two')
      vi.advanceTimersByTime(500)
      await vi.waitFor(() => expect(stored).toHaveLength(2))
      expect(stored).toEqual(['one', 'two'])
    })

    test('a timer and an answer', async () => {
      const feed = new Feed(options)
      const open = vi.fn(async () => {})
      const event = vi.fn(async () => 'event')
      const connected = feed.connect(open)
      const received = event().then((name) => feed.receive(name))
      await Promise.all([connected, received])
      expect(feed.seen).toEqual(['open', 'event'])
    })

    test('asynchronous time', async () => {
      const answer = vi.fn(async (n: number) => n)
      const seen: number[] = []
      for (const n of [1, 2]) setTimeout(() => void answer(n).then((value) => seen.push(value)), 100)
      await vi.advanceTimersByTimeAsync(100)
      await vi.waitFor(() => expect(seen).toHaveLength(2))
      expect(isFixed ? seen.toSorted() : seen).toEqual([1, 2])
    })
  })

  describe('of other kinds', () => {
    test.each([['a'], ['b']])('one load for two (%s)', async (key) => {
      let loads = 0
      const load = vi.fn(async (asked: string) => `${asked} ${++loads}`)
      const cache = new Cache(load, options)
      const both = await Promise.all([cache.get(key), cache.get(key)])
      const later = await cache.get(key)
      expect(later).toBe(both[0])
    })

    test('awaits of the test itself', async () => {
      const shared = { n: 0 }
      const add = async (n: number): Promise<void> => {
        const before = shared.n
        await null
        shared.n = isFixed ? shared.n + n : before + n
      }
      await Promise.all([add(1), add(2)])
      expect(shared.n).toBe(isFixed ? 3 : 2)
    })

    test('a snapshot', async () => {
      const answer = vi.fn(async (n: number) => n)
      const seen: number[] = []
      await Promise.all([1, 2].map(async (n) => seen.push(await answer(n))))
      expect(isFixed ? seen.toSorted() : seen).toMatchInlineSnapshot(`
        [
          1,
          2,
        ]
      `)
    })

    test('expect.soft', async () => {
      const answer = vi.fn(async (n: number) => n)
      const order: number[] = []
      await Promise.all([1, 2].map(async (n) => order.push(await answer(n))))
      expect.soft(isFixed ? order.length : order[0]).toBe(isFixed ? 2 : 1)
      expect.soft(order).toHaveLength(2)
    })
  })
})
