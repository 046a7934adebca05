import { afterEach, describe, expect, test } from 'vitest'
import { PageHistory } from '../../src/runtime/execution/page-history.ts'
import { PageAddress } from '../../src/runtime/execution/page-address.ts'

interface Entry {
  href: string
  state: unknown
}

/** Keeps its entries as happy-dom does. */
class HiddenHistory {
  #current: Entry = { href: 'http://localhost/', state: null }
  readonly #entries = [this.#current]

  get length(): number {
    return this.#entries.length
  }
  get state(): unknown {
    return this.#current.state
  }
  get href(): string {
    return this.#current.href
  }
  go(steps: number): void {
    this.#current = this.#entries[this.#entries.indexOf(this.#current) + steps] ?? this.#current
  }
  pushState(state: unknown, _: string, url = this.href): void {
    this.#entries.length = this.#entries.indexOf(this.#current) + 1
    this.#current = { href: new URL(url, this.href).href, state }
    this.#entries.push(this.#current)
  }
  replaceState(state: unknown, _: string, url = this.href): void {
    const index = this.#entries.indexOf(this.#current)
    this.#entries.length = index + 1
    this.#current = { href: new URL(url, this.href).href, state }
    this.#entries[index] = this.#current
  }
}

/** As jsdom does. */
class Session {
  readonly _entries: Entry[] = [{ href: 'http://localhost/', state: null }]
  _currentIndex = 0

  get length(): number {
    return this._entries.length
  }
  get state(): unknown {
    return this._entries[this._currentIndex]!.state
  }
  get href(): string {
    return this._entries[this._currentIndex]!.href
  }
  go(steps: number): void {
    this._currentIndex += steps
  }
  pushState(state: unknown, _: string, url = this.href): void {
    this._entries.splice(this._currentIndex + 1, Infinity, { href: new URL(url, this.href).href, state })
    this._currentIndex++
  }
  replaceState(state: unknown, _: string, url = this.href): void {
    Object.assign(this._entries[this._currentIndex]!, { href: new URL(url, this.href).href, state })
  }
}

afterEach(() => {
  for (const name of ['history', 'location', 'jsdom', 'happyDOM']) Reflect.deleteProperty(globalThis, name)
})

function pageOf(history: HiddenHistory | Session): void {
  Object.assign(globalThis, { history, location: { get href() { return history.href }, origin: 'http://localhost' } })
  Object.assign(globalThis, history instanceof Session ? { jsdom: { window: { _sessionHistory: history } } } : { happyDOM: {} })
}

describe.each([
  ['hidden', () => new HiddenHistory()],
  ["of jsdom's windows", () => new Session()],
])('entries are put back where they are %s', (_, made) => {
  test.each([
    ['pushed', (history: HiddenHistory | Session) => { history.pushState(1, '', '/x'); history.pushState(2, '', '/y') }],
    ['pushed where one has gone back', (history: HiddenHistory | Session) => { history.go(-1); history.pushState(1, '', '/x') }],
    ['replaced', (history: HiddenHistory | Session) => { history.replaceState(1, '', '/x'); history.go(-1); history.replaceState(2, '', '/y') }],
    ['left as they are', () => {}],
  ])('%s', (_what, visits) => {
    const history = made()
    pageOf(history)
    history.pushState('a', '', '/a')
    history.pushState('b', '', '/b')
    history.go(-1)
    const [address, entries] = [new PageAddress(), new PageHistory()]
    for (let i = 0; i < 2; i++) {
      visits(history)
      address.restore()
      entries.restore()
      expect([history.href, history.state, history.length]).toEqual(['http://localhost/a', 'a', 3])
    }
    history.go(1)
    expect(history.href).toBe('http://localhost/b')
    history.go(-1)
    history.go(-1)
    expect([history.href, history.state]).toEqual(['http://localhost/', null])
  })
})

test('a mock in the place of what replaces an entry hears of nothing', () => {
  const history = new HiddenHistory()
  pageOf(history)
  const heard: unknown[] = []
  Object.assign(history, { replaceState: Object.assign((state: unknown) => void heard.push(state), { _isMockFunction: true }) })
  new PageHistory().restore()
  expect(heard).toEqual([])
})

test('a browser, which counts how often it is asked, is not', () => {
  const heard: unknown[] = []
  Object.assign(globalThis, { history: Object.create({ length: 1, state: null, pushState: () => {}, replaceState: (state: unknown) => void heard.push(state) }) as object })
  new PageHistory().restore()
  expect(heard).toEqual([])
})

test('a page that a test has given another origin is back at its own', () => {
  const location = { href: 'http://localhost/', origin: 'http://localhost' }
  const setURL = (url: string): void => void Object.assign(location, { href: url, origin: new URL(url).origin })
  Object.assign(globalThis, { location, happyDOM: { setURL } })
  const address = new PageAddress()
  setURL('https://example.com/home')
  address.restore()
  expect(location).toEqual({ href: 'http://localhost/', origin: 'http://localhost' })
})
