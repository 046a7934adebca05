import { expect, test } from 'vitest'
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
