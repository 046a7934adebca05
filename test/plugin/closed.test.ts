import { expect, test } from 'vitest'
import { stateOf } from '../../plugin/2-analyse/closed.ts'

const closed = [
  'class Ledger { #sum = 0; add(n) { this.#sum += n } get sum() { return this.#sum } }',
  'function store(initial) { let state = initial; const listeners = new Set(); return { get: () => state, set(next) { state = next; for (const listener of listeners) listener(state) } } }',
  '(make) => { const cache = new Map(); return (key) => { if (!cache.has(key)) cache.set(key, make(key)); return cache.get(key) } }',
  'async function later() { await null; return { n: Math.random() } }',
  'create(n) { return { n } }',
  'class Later { constructor() { this.done = new Promise((resolve) => setTimeout(resolve, 1)) } }',
]
test.each(closed)('names no state outside: %s', (text) => {
  expect(stateOf(text)).not.toBe('shared')
})

const open = [
  '() => table',
  '() => ({ get: (key) => table.get(key) })',
  'class Client { get(key) { return table.get(key) } }',
  'class Part extends Base {}',
  'class Counter { static #count = 0; add() { Counter.#count++ } }',
  'class Counter { add() { this.constructor.count++ } }',
  'class Counter { add() { const { constructor } = this; constructor.count++ } }',
  'class Counter { add() { Object.getPrototypeOf(this).count++ } }',
  "class Counter { add() { this['constructor'].count++ } }",
  'function counter() { counter.count++; return {} }',
  'function counter() { const module = this; return { add: () => module.count++ } }',
  'function counter() { return { add: () => globalThis.count++ } }',
  'function counter() { count++; return {} }',
  'function counter() { return arguments.callee }',
  "function counter() { return { add: () => eval('count++') } }",
  'function counter() { return import("./state.js") }',
  'function () { [native code] }',
  'not a function',
]
test.each(open)('may have one: %s', (text) => {
  expect(stateOf(text)).toBe('shared')
})

test('a function without others in it keeps nothing', () => {
  expect(['(n) => ({ n })', 'async (n) => { await null; return [n] }', '(list) => list.map((n) => n)', '(o) => ({ get n() { return 1 } })', 'class { n = 1 }'].map(stateOf)).toEqual(['none', 'none', 'own', 'own', 'own'])
})
