import { changesAndEnd, type Case } from './case.ts'

/** `n` tasks that do the same with their number `i`. */
function tasks({ n, make, change, look }: { n: number; make: string; change: string; look: string }): string {
  return `${make}
await Promise.all(Array.from({ length: ${n} }, async (_, i) => { await null; ${change} }))
return ${look}`
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))

/** Changes that commute until somebody looks at what their order decides. */
const counts: readonly Case[] = [2, 3, 4].flatMap((n) => [
  { name: `${n} tasks with stats.n++ that nobody reads`, source: tasks({ n, make: 'const stats = { n: 0 }', change: 'stats.n++', look: `'done'` }), outcomes: 1, executions: 1 },
  { name: `${n} tasks with stats.n++, the sum read at the end`, source: tasks({ n, make: 'const stats = { n: 0 }', change: 'stats.n++', look: 'stats.n' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks with a variable n++ that nobody reads`, source: tasks({ n, make: 'let n = 0', change: 'n++', look: `'done'` }), outcomes: 1, executions: 1 },
  { name: `${n} tasks with stats.n += i, the sum read at the end`, source: tasks({ n, make: 'const stats = { n: 0 }', change: 'stats.n += i', look: 'stats.n' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that push, the length looked at`, source: tasks({ n, make: 'const log = []', change: 'log.push(i)', look: 'log.length' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that push, nothing looked at`, source: tasks({ n, make: 'const log = []', change: 'log.push(i)', look: `'done'` }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that push, the order looked at`, source: tasks({ n, make: 'const log = []', change: 'log.push(i)', look: 'log' }), outcomes: factorial(n), executions: factorial(n) },
  { name: `${n} tasks that push one value, the order looked at`, source: tasks({ n, make: 'const log = []', change: `log.push('x')`, look: 'log' }), outcomes: 1 },
  { name: `${n} tasks with done = true that nobody reads`, source: tasks({ n, make: 'const state = {}', change: 'state.done = true', look: `'done'` }), outcomes: 1, executions: 1 },
  { name: `${n} tasks with done = true, read at the end`, source: tasks({ n, make: 'const state = {}', change: 'state.done = true', look: 'state.done' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks with last = i, read at the end`, source: tasks({ n, make: 'const state = {}', change: 'state.last = i', look: 'state.last' }), outcomes: n },
  { name: `${n} tasks that insert keys, the size looked at`, source: tasks({ n, make: 'const map = new Map()', change: 'map.set(i, 1)', look: 'map.size' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that insert keys, each looked at`, source: tasks({ n, make: 'const map = new Map()', change: 'map.set(i, i)', look: `[0, 1].map((key) => map.get(key))` }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that insert keys, their order looked at`, source: tasks({ n, make: 'const map = new Map()', change: 'map.set(i, 1)', look: '[...map.keys()]' }), outcomes: factorial(n), executions: factorial(n) },
  { name: `${n} tasks that add to a Set, the order looked at`, source: tasks({ n, make: 'const set = new Set()', change: 'set.add(i)', look: '[...set]' }), outcomes: factorial(n), executions: factorial(n) },
  { name: `${n} tasks that add to a Set, membership looked at`, source: tasks({ n, make: 'const set = new Set()', change: 'set.add(i)', look: 'set.has(0) && set.has(1)' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that make properties, their order looked at`, source: tasks({ n, make: 'const o = {}', change: `o['k' + i] = i`, look: 'Object.keys(o)' }), outcomes: factorial(n), executions: factorial(n) },
  { name: `${n} tasks that make properties, each looked at`, source: tasks({ n, make: 'const o = {}', change: `o['k' + i] = i`, look: 'o.k0 + o.k1' }), outcomes: 1, executions: 1 },
  { name: `${n} tasks that make index properties, their order looked at`, source: tasks({ n, make: 'const o = {}', change: 'o[i] = i', look: 'Object.keys(o)' }), outcomes: 1 },
])

/** Four hits of a cache that moves what was used to the end. */
const lru = (look: string): string => `const cache = new Map([['a', 1], ['b', 2], ['c', 3], ['d', 4]])
const get = (key) => { const value = cache.get(key); cache.delete(key); cache.set(key, value); return value }
const hit = async (key) => { await null; return get(key) }
const got = await Promise.all(['a', 'b', 'c', 'd'].map(hit))
return ${look}`

/** A service that counts its rows and its calls; `take` says what becomes of the id. */
const service = (take: string, look: string): string => `let nextId = 0
const stats = { calls: 0 }
const rows = new Map()
const create = async (name) => { await null; ${take}; stats.calls++; rows.set(name, { name }); await null; return id }
const ids = await Promise.all(['a', 'b', 'c'].map(create))
return ${look}`

const taken = 'const id = nextId++'
const untaken = 'const id = undefined; nextId++'

const lookups = ['[...o]', 'Object.fromEntries(o)', '[...o.keys()]', '[...o.values()]', 'Array.from(o)', 'o.keys().next().value', '(() => { const keys = []; o.forEach((value, key) => keys.push(key)); return keys })()', 'structuredClone(o).keys().next().value', '(([[first]]) => first)(o)', '(() => { for (const [key] of o) return key })()']
const objectLookups = ['Object.keys(o)', 'Object.values(o)', 'Object.entries(o)', 'JSON.stringify(o)', '({ ...o })', 'Object.assign({}, o)', 'Reflect.ownKeys(o)', 'Object.getOwnPropertyNames(o)', '(() => { const keys = []; for (const key in o) keys.push(key); return keys })()', 'structuredClone(o)', '(({ x, ...rest }) => rest)(o)', 'Object.getOwnPropertyDescriptors(o)', 'opaque.describe(o)', 'new Map(Object.entries(o)).keys().next().value']

const orders: readonly Case[] = [
  { name: 'LRU, four hits by values', source: lru('got'), outcomes: 1, executions: 1 },
  { name: 'LRU, four hits by order', source: lru('[...cache.keys()]'), outcomes: 24, executions: 24 },
  { name: 'LRU, three hits and an eviction', source: `const cache = new Map([['a', 1], ['b', 2], ['c', 3]])
const get = (key) => { const value = cache.get(key); cache.delete(key); if (value) cache.set(key, value); return value }
const hit = async (key) => { await null; return get(key) }
const evict = async () => { await null; cache.delete(cache.keys().next().value) }
await Promise.all([hit('a'), hit('b'), hit('c'), evict()])
return [...cache.keys()].toSorted()`, outcomes: 3 },
  { name: 'service with ids that are returned', source: service(taken, 'ids'), outcomes: 6, executions: 6 },
  { name: 'service with ids that nobody reads', source: service(untaken, `'done'`), outcomes: 1, executions: 1 },
  { name: 'service with ids that go nowhere', source: service(taken, `'done'`), outcomes: 1, atMost: 6 },
  { name: 'service, its statistics read at the end', source: service(untaken, 'stats.calls'), outcomes: 1, executions: 1 },
  { name: 'a Map as queue', source: `const queue = new Map()
const got = []
const put = async (name) => { await null; queue.set(name, name) }
const take = async () => { await null; const first = queue.keys().next().value; if (first !== undefined) { queue.delete(first); got.push(first) } }
await Promise.all([put('a'), put('b'), take()])
return got`, outcomes: 3 },
  { name: 'a Set of listeners called in their order', source: `const listeners = new Set()
let log = ''
const subscribe = async (name) => { await null; listeners.add(() => { log += name }) }
await Promise.all([subscribe('a'), subscribe('b')])
for (const listener of listeners) listener()
return log`, outcomes: ['"ab"', '"ba"'] },
  ...lookups.map((look) => changesAndEnd({ name: `the order of a Map by ${look}`, make: 'const o = new Map()', changes: [`o.set('a', 1)`, `o.set('b', 2)`], look, outcomes: 2 })),
  ...['[...o]', '[...o].join()', 'Array.from(o)', 'o.values().next().value', '(([first]) => first)(o)', '(() => { for (const item of o) return item })()', 'Math.max(...o) + [...o][0]', 'new Map([...o].map((item, i) => [i, item])).get(0)', '[...new Set(o)]', 'structuredClone(o).values().next().value'].map((look) => changesAndEnd({ name: `the order of a Set by ${look}`, make: 'const o = new Set()', changes: ['o.add(1)', 'o.add(2)'], look, outcomes: 2 })),
  ...objectLookups.map((look) => changesAndEnd({ name: `the order of an object by ${look}`, make: 'const o = {}', changes: ['o.a = 1', 'o.b = 2'], look, outcomes: 2 })),
  changesAndEnd({ name: 'insert and delete, the size looked at', make: `const o = new Map([['a', 1]])`, changes: [`o.delete('a')`, `o.set('a', 2)`], look: 'o.size', outcomes: ['0', '1'] }),
  changesAndEnd({ name: 'delete and set again, the order looked at', make: `const o = new Map([['a', 1], ['b', 2]])`, changes: [`o.delete('a'); o.set('a', 1)`, `o.delete('b'); o.set('b', 1)`], look: '[...o.keys()]', outcomes: ['["a","b"]', '["b","a"]'] }),
  changesAndEnd({ name: 'set of a key that is there keeps its place', make: `const o = new Map([['a', 1], ['b', 2]])`, changes: [`o.set('b', 3)`, `o.set('a', 4)`], look: '[...o]', outcomes: ['[["a",4],["b",3]]'] }),
  changesAndEnd({ name: 'a key deleted while another is inserted, the first looked at', make: `const o = new Map([['a', 1]])`, changes: [`o.delete('a')`, `o.set('b', 1)`], look: 'o.keys().next().value', outcomes: ['"b"'] }),
  changesAndEnd({ name: 'set c against delete c, and who reads the first key', make: `const o = new Map([['c', 0], ['d', 0]]); let seen`, changes: [`o.set('c', 1)`, `o.delete('c')`, `seen = o.keys().next().value`], look: '[seen, o.size]', outcomes: 4 }),
  changesAndEnd({ name: 'adding numbers and texts', make: 'let x = 0', changes: ['x += 2', `x += 's'`], look: 'x', outcomes: ['"0s2"', '"2s"'] }),
  changesAndEnd({ name: 'adding beyond the safe integers', make: 'let x = 2 ** 53', changes: ['x += 1', 'x += 1', 'x += 2'], look: 'x', outcomes: 2 }),
  changesAndEnd({ name: 'adding fractions', make: 'let x = 0', changes: ['x += 0.1', 'x += 0.2', 'x += 0.3'], look: 'x', outcomes: 2 }),
  changesAndEnd({ name: 'adding and doubling', make: 'let x = 1', changes: ['x += 1', 'x *= 2'], look: 'x', outcomes: ['3', '4'] }),
  changesAndEnd({ name: 'the result of n++', make: 'let n = 0; const got = {}', changes: ['got.a = n++', 'got.b = n++'], look: '[got.a, got.b]', outcomes: ['[0,1]', '[1,0]'] }),
  changesAndEnd({ name: 'x = 1 against x = 2, x read at the end', make: 'let x = 0', changes: ['x = 1', 'x = 2'], look: 'x', outcomes: ['1', '2'] }),
  changesAndEnd({ name: 'y = 0 and y = 1 against a reader', make: 'let y; let r', changes: ['y = 0', 'y = 1', 'r = y'], look: 'r ?? null', outcomes: 3 }),
  changesAndEnd({ name: 'push 2 and push 0 against push 0, the items looked at', make: 'const o = []', changes: ['o.push(2)', 'o.push(0); await null; o.push(0)'], look: 'o', outcomes: 3 }),
  changesAndEnd({ name: 'a reader between two additions', make: 'let x = 0; let r', changes: ['x += 1', 'x += 2', 'r = x'], look: '[r, x]', outcomes: 4 }),
  changesAndEnd({ name: 'a condition that is false for a while', make: 'let x = 0; let seen = 0', changes: ['x = 2; await null; x = 0', 'if (x === 2) seen = 1'], look: 'seen', outcomes: ['0', '1'] }),
  changesAndEnd({ name: 'appending to a text', make: `let log = ''`, changes: [`log += 'a'`, `log += 'b'`], look: 'log', outcomes: ['"ab"', '"ba"'] }),
  changesAndEnd({ name: 'appending to a text, its length looked at', make: `let log = ''`, changes: [`log += 'a'`, `log += 'b'`], look: 'log.length', outcomes: ['2'] }),
  changesAndEnd({ name: 'unshift, the order looked at', make: 'const o = []', changes: ['o.unshift(1)', 'o.unshift(2)'], look: 'o', outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'push and sort at the end', make: 'const o = []', changes: ['o.push(1)', 'o.push(2)'], look: 'o.toSorted()', outcomes: ['[1,2]'] }),
  changesAndEnd({ name: 'URLSearchParams in the order of appending', make: 'const o = new URLSearchParams()', changes: [`o.append('a', '1')`, `o.append('b', '2')`], look: 'o.toString()', outcomes: 2 }),
  changesAndEnd({ name: 'FormData in the order of appending', make: 'const o = new FormData()', changes: [`o.append('a', '1')`, `o.append('b', '2')`], look: '[...o.keys()]', outcomes: 2 }),
  changesAndEnd({ name: 'Headers are in the order of their names', make: 'const o = new Headers()', changes: [`o.append('a', '1')`, `o.append('b', '2')`], look: '[...o.keys()]', outcomes: ['["a","b"]'] }),
]

export const order: readonly Case[] = [...counts, ...orders]
