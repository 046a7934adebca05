import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/report/accesses.ts'
import { raceName, type Finding } from '../../src/report/finding.ts'
import { investigated, madeOf } from './executed.ts'

/** A package in which a value is kept behind an accessor, or behind the traps of a Proxy. */
const reactivity = madeOf(`class Box {
    constructor(value) { this._raw = value; this._value = value }
    get value() { return this._value }
    set value(value) {
      const old = this._raw
      if (old === value) return
      this._raw = value
      this._value = value
    }
  }
  const kept = new WeakMap()
  const traps = {
    get(target, key, receiver) { return key === '__raw' ? target : Reflect.get(target, key, receiver) },
    set(target, key, value, receiver) {
      const old = target[key]
      const done = Reflect.set(target, key, value, receiver.__raw === target ? target : receiver)
      if (old !== value) kept.get(target).changes++
      return done
    },
  }
  return {
    box: (value) => new Box(value),
    reactive(target) { kept.set(target, { changes: 0 }); return new Proxy(target, traps) },
  }`, '/app/node_modules/reactivity/index.cjs') as object

const search = (state: string, place: string): string => `
  const useSearch = () => {
    const ${state}
    const find = async (text) => {
      const found = await ask(text)
      ${place} = found
    }
    return { state, find }
  }
  const ask = async (text) => { await null; return text === 'a' ? 'none' : '' }
  const { state, find } = useSearch()
  await Promise.all([find('a'), find('ab')])
  if (${place} !== '') throw new Error(${place})`

test.each([
  ['an accessor', search('state = reactivity.box("")', 'state.value'), 'state.value', '"none" over the ""'],
  ['a Proxy', search('state = reactivity.reactive({ error: "" })', 'state.error'), 'state.error', '"none" over the ""'],
])('what a package does for a property that is assigned is told of that, in the line that does so: %s', async (_, code, name, values) => {
  const { explanation: { headline, rows, focus } } = await investigated(code, { given: { reactivity } })
  expect(headline).toMatch(new RegExp(`^Last write wins on ${name.replace('.', String.raw`\.`)}: find#1 wrote ${values} of find#2\\.`))
  expect(rows.map(({ place }) => place?.line)).toEqual([6, 6])
  expect(focus?.line).toBe(6)
})

test('but not what it does for its own code', async () => {
  const Breaker = madeOf(`return class Breaker {
      state = 'closed'
      get isClosed() { return this.state === 'closed' }
      async fire(action) {
        if (!this.isClosed) return
        await action()
        this.state = 'open'
      }
    }`, '/app/node_modules/breaker/index.cjs')
  const { explanation: { headline, rows } } = await investigated(`
    let fired = 0
    const breaker = new Breaker()
    await Promise.all([1, 2].map(() => breaker.fire(async () => { fired++; await null })))
    if (fired !== 1) throw new Error('twice')`, { given: { Breaker } })
  expect(headline).toMatch(/^Check-then-act on breaker\.state: /)
  expect(rows.map(({ place }) => place?.line)).toEqual([3, 3, 7, 7])
})

test('accessors of one\'s own code are shown as they are', async () => {
  const { explanation: { headline } } = await investigated(`
    class Account { #money = 0; get balance() { return this.#money } set balance(money) { this.#money = money } }
    const account = new Account()
    const add = async (amount) => { const before = account.balance; await null; account.balance = before + amount }
    await Promise.all([add(1), add(2)])
    if (account.balance !== 3) throw new Error('lost')`)
  expect(headline).toMatch(/^Lost update on account\.#money: /)
})

/** A package that keeps values in objects of its own classes, behind methods and accessors. */
const cells = madeOf(`class ObservableCell {
    value_
    seen = 0
    constructor(value) { this.value_ = value }
    get() { this.seen++; return this.convert(this.value_) }
    set(value) { this.value_ = value }
    convert(value) { return this.seen < 0 ? undefined : value }
  }
  class Cache {
    #list = []
    get(i) { return this.#list[i] }
    set(i, value) { this.#list[i] = value }
  }
  const kept = new ObservableCell(4)
  return {
    Cache,
    cell: (value) => new ObservableCell(value),
    kept: () => kept,
    observe(object, name) {
      const cell = new ObservableCell(object[name])
      return Object.defineProperty(object, name, { get: () => cell.get(), set: (value) => cell.set(value) })
    },
    signal(value) {
      const node = Object.create({ kind: 'signal' })
      node.current = value
      const read = () => node.current
      read[Symbol('state')] = node
      read.set = (next) => { node.current = next }
      return read
    },
  }`, '/app/node_modules/cells/index.cjs') as object

const twice = (get: string, set: string): string => `
  const add = async () => {
    const before = ${get}
    await null
    ${set.replace('NEW', 'before + 1')}
  }
  await Promise.all([add(), add()])
  if (${get} !== 6) throw new Error('lost')`

describe('an object of a package has the name that its user has for it', () => {
  test.each([
    ['of the variable that it is made for', `const total = cells.cell(4)${twice('total.get()', 'total.set(NEW)')}`, 'total (its value_)'],
    ['of the property that it is made for', `const cart = { total: cells.cell(4) }${twice('cart.total.get()', 'cart.total.set(NEW)')}`, 'total (its value_)'],
    ['of the variable by which it is used', `const { total } = { total: cells.kept() }${twice('total.get()', 'total.set(NEW)')}`, 'total (its value_)'],
    ['what it keeps in a list is a part of it', `const cache = new cells.Cache(); cache.set(0, 4)${twice('cache.get(0)', 'cache.set(0, NEW)')}`, 'cache (its list[0])'],
    ['what is asked for by a call of it, as a signal is', `const total = cells.signal(4)${twice('total()', 'total.set(NEW)')}`, 'total.current'],
    ['what it keeps for a property is that', `const profile = cells.observe({ age: 4 }, 'age')${twice('profile.age', 'profile.age = NEW')}`, 'profile.age'],
  ])('%s', async (_, code, name) => {
    const { explanation: { headline } } = await investigated(code, { given: { cells } })
    expect(headline).toMatch(/^(?:Lost update|Check-then-act|Stale read) on /)
    expect(headline.slice(headline.indexOf(' on ') + 4, headline.indexOf(':'))).toBe(name)
  })

  test('so has a list that another race is on', () => {
    const [first, second] = (['append', 'read'] as const).map((kind, index) => ({ kind, index, owner: 'cache', inside: 'waiting', key: { kind: 'order', size: 'length' } }) as Access) as [Access, Access]
    expect(raceName({ pattern: 'order-violation', first, second } as Finding)).toBe('cache (its waiting)')
  })

  test('what a Proxy stands for is shown', async () => {
    const { explanation: { headline } } = await investigated(`
      const page = { user: undefined }
      const show = async (name) => { const user = reactivity.reactive({ name }); await null; page.user = user }
      await Promise.all([show('ann'), show('bob')])
      if (page.user.name !== 'bob') throw new Error('wrong')`, { given: { reactivity } })
    expect(headline).toMatch(/^Last write wins on page\.user: show#1 wrote {"name":"ann"} over the {"name":"bob"} of show#2\./)
  })
})

describe('a list that a method has made goes by what it is made for', () => {
  const body = (made: string): string => `
    const seats = ${made}
    const take = async (who) => { if (seats[1].by === undefined) { await null; seats[1].by = who; return 1 } return 0 }
    const [one, other] = await Promise.all([take('ann'), take('bob')])
    if (one + other !== 1) throw new Error('taken twice')`

  test.each(['[0, 1].map(() => ({ by: undefined }))', 'Object.keys({ a: 1, b: 2 }).map((id) => ({ id, by: undefined }))'])('%s', async (made) => {
    const { explanation: { headline } } = await investigated(body(made))
    expect(headline).toMatch(/^Check-then-act on seats\[1\]\.by: /)
  })

  test('and not by another list that its elements come from', async () => {
    const { explanation: { headline } } = await investigated(`
      const find = (all) => { const wanted = all.find(({ id }) => id === 1); return wanted }
      const all = [{ id: 0, n: 0 }, { id: 1, n: 0 }]
      const add = async () => { const { n } = find(all); await null; find(all).n = n + 1 }
      await Promise.all([add(), add()])
      if (all[1].n !== 2) throw new Error('lost')`)
    expect(headline).toMatch(/^Lost update on all\[1\]\.n: /)
  })
})
