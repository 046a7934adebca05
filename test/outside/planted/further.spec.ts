import { afterEach, beforeEach, describe, expect, test as ordinaryTest, vi } from 'vitest'
import { Jobs, Login, Pages, Poller, SearchBox, Settings, Stock, Toggle, Tokens, Uploads } from './further-services.ts'

/** A while in which everything has been answered, in the plain order. */
const elsewhere = vi.fn(async () => {})
const aWhile = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) await elsewhere()
}

interface Fixtures {
  readonly shelves: { readonly books: Map<string, number>; count(name: string): Promise<number>; take(name: string): Promise<void> }
}

const test = ordinaryTest.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern
  shelves: async ({}, use) => {
    const books = new Map([['dune', 1]])
    await use({
      books,
      async count(name) {
        await null
        return books.get(name)!
      },
      async take(name) {
        await null
        books.set(name, books.get(name)! - 1)
      },
    })
    books.clear()
  },
})

describe.each([
  ['racy', false],
  ['fixed', true],
])('%s:', (_kind, isFixed) => {
  const kind = { isFixed }

  describe('further mocks', () => {
    test('tokens', async () => {
      let count = 0
      const tokens = new Tokens(vi.fn(async () => `token ${++count}`), kind)
      await Promise.all([tokens.renewed(), tokens.renewed()])
      expect(tokens.token).toBe(`token ${count}`)
    })

    test('pages', async () => {
      const pages = new Pages(vi.fn(async (page: number) => [`${page}a`, `${page}b`]), kind)
      await Promise.all([pages.more(), pages.more()])
      expect(pages.rows).toEqual(['0a', '0b', '1a', '1b'])
    })

    test('a toggle', async () => {
      const toggle = new Toggle(vi.fn(async (isOn: boolean) => isOn), kind)
      const first = toggle.flip()
      await aWhile()
      await Promise.all([first, toggle.flip()])
      expect(toggle.isOn).toBe(false)
    })

    test('versions', async () => {
      let version = 0
      const poller = new Poller(vi.fn(async () => ({ version: ++version })), kind)
      await Promise.all([poller.poll(), poller.poll(), poller.poll()])
      expect(poller.latest).toBe(3)
    })

    test('bytes', async () => {
      const uploads = new Uploads(vi.fn(async (bytes: number) => bytes), kind)
      const first = uploads.add(1)
      await aWhile()
      await Promise.all([first, uploads.add(2)])
      expect(uploads.sent).toBe(3)
    })

    test('who is there', async () => {
      const login = new Login(vi.fn().mockResolvedValue('ada'), kind)
      const entering = login.enter()
      await aWhile()
      login.leave()
      await entering
      expect(login.user).toBeUndefined()
    })

    test('jobs', async () => {
      const jobs = new Jobs(vi.fn(async () => {}), kind)
      const first = jobs.add('a')
      await aWhile()
      await Promise.all([first, jobs.add('b')])
      expect(jobs.done).toEqual(['a', 'b'])
    })

    test('settings', async () => {
      const settings = new Settings(vi.fn(async () => ({ a: 1, b: 2 })), kind)
      const setting = settings.set('a', 5)
      await aWhile()
      await Promise.all([setting, settings.get('b')])
      expect(await settings.get('a')).toBe(5)
    })
  })

  test('a fixture: the last book', async ({ shelves }) => {
    const stock = new Stock(shelves, kind)
    const first = stock.reserve('dune')
    await aWhile()
    const reserved = await Promise.all([first, stock.reserve('dune')])
    expect(reserved).toEqual([true, false])
  })

  describe('further fake timers', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    test('a search', async () => {
      const find = vi.fn(async (text: string) => `of ${text}`)
      const box = new SearchBox(find, kind)
      box.type('a')
      vi.advanceTimersByTime(100)
      await aWhile()
      box.type('ab')
      vi.advanceTimersByTime(100)
      await Promise.all(find.mock.results.map(({ value }) => value as Promise<string>))
      expect(box.shown).toBe('of ab')
    })
  })
})
