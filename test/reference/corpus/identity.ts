import { changeAndLook, changesAndEnd, type Case } from './case.ts'

const callsOpaqueCode = (source: string): boolean => /opaque|nodeCrypto/.test(source)

/** As many executions as the orders of the two calls of opaque code, if there are any. What such code may have kept, its second call may look at: before or after each change. */
const enough = (made: string, isKept = false): { executions: number } | { atMost: number } => (callsOpaqueCode(made) ? { atMost: isKept ? 6 : 2 } : { executions: 1 })

/** Two tasks that each change something of their own, which they make themselves. */
function own(name: string, made: string, change = 'own.k = 1; await null; own.k++', look = 'own.k', isKept = false): Case {
  return {
    name: `${name} are apart`,
    source: `const task = async (n) => { await null; const own = ${made}; ${change}; await null; return ${look} }
return await Promise.all([task(1), task(2)])`,
    outcomes: 1,
    ...enough(made, isKept),
  }
}

/** The same, made before the tasks begin, so that no calls are in question but only names. */
function given(name: string, made: string, change: string, look: string): Case {
  return {
    name: `${name}, made before, are apart`,
    source: `const make = (n) => ${made}
const both = [make(1), make(2)]
const task = async (own, n) => { await null; ${change}; await null; return ${look} }
return await Promise.all([task(both[0], 1), task(both[1], 2)])`,
    outcomes: 1,
    executions: 1,
  }
}

const rows: readonly Case[] = [
  changeAndLook({ name: 'one row by two queries', make: '', change: 'opaque.row(1).stock = 0', look: 'opaque.row(1).stock' }),
  changeAndLook({ name: 'one row by its id and in a list', make: '', change: 'opaque.row(1).stock = 0', look: 'opaque.rows()[0].stock' }),
  changeAndLook({ name: 'one row in a list and in a table', make: '', change: 'opaque.rows()[0].stock = 0', look: 'opaque.table().first.stock' }),
  changeAndLook({ name: 'one row by two ways through one result', make: 'const table = opaque.table()', change: 'table.first.stock = 0', look: 'table.all[0].stock' }),
  changeAndLook({ name: 'one row by a Map of a result', make: 'const table = opaque.table()', change: 'table.byId.get(1).stock = 0', look: 'table.first.stock' }),
  changeAndLook({ name: 'the inside of one row by two queries', make: '', change: `opaque.row(1).tags.push('b')`, look: '[...opaque.row(1).tags]' }),
  changeAndLook({ name: 'one row by async queries', make: '', change: '(await opaque.query(1)).stock = 0', look: '(await opaque.query(1)).stock' }),
  changesAndEnd({ name: 'a lost update of one row', make: '', changes: ['const row = opaque.row(1); const { stock } = row; await null; row.stock = stock - 1', 'const row = opaque.row(1); const { stock } = row; await null; row.stock = stock - 1'], look: 'opaque.row(1).stock', outcomes: ['-1', '0'] }),
  changeAndLook({ name: 'a row that was handed in and comes out', make: 'const o = { k: 0 }', change: 'opaque.call((same) => same, o).k = 1', look: 'o.k' }),
  changeAndLook({ name: 'a row in a list that comes out', make: 'const o = { k: 0 }', change: 'opaque.list(o)[0].k = 1', look: 'o.k' }),
  changeAndLook({ name: 'a shared row kept in a Map of one’s own', make: 'const cache = new Map([[1, opaque.row(1)]])', change: 'cache.get(1).stock = 0', look: 'opaque.row(1).stock' }),
  own('rows made afresh', 'opaque.freshRow(n)', 'own.stock--; await null; own.tags.push(n)', '[own.stock, own.tags.length]'),
  own('rows by async queries', 'await opaque.queryFresh(n)', 'own.stock--; await null; own.stock--', 'own.stock'),
  own('rows of two ids', 'opaque.row(n)', 'own.stock--; await null; own.stock--', 'own.stock', true),
  own('copies of one row', 'opaque.rowCopy(1)', 'own.stock--; await null; own.tags.push(n)', '[own.stock, own.tags.length]', true),
  given('rows made afresh', 'opaque.freshRow(n)', 'own.stock--; await null; own.tags.push(n)', '[own.stock, own.tags.length]'),
  given('rows of two ids', 'opaque.row(n)', 'own.stock--; await null; own.stock--', 'own.stock'),
  given('rows of one list', 'opaque.rows()[n - 1]', 'own.stock--; await null; own.tags.push(n)', '[own.stock, own.tags.length]'),
  given('copies of one row', 'opaque.rowCopy(1)', 'own.stock--; await null; own.tags.push(n)', '[own.stock, own.tags.length]'),
  given('errors of opaque code', `opaque.error('x')`, 'own.code++; await null; own.code++', 'own.code'),
  given('clones by opaque code', 'opaque.clone({ k: 0, list: [] })', 'own.k++; await null; own.list.push(n)', '[own.k, own.list.length]'),
  {
    name: 'three tasks with rows of their own',
    source: `const rows = [opaque.freshRow(1), opaque.freshRow(2), opaque.freshRow(3)]
const task = async (row) => { await null; const { stock } = row; await null; row.stock = stock - 1 }
await Promise.all(rows.map(task))
return rows.map(({ stock }) => stock)`,
    outcomes: ['[0,0,0]'],
    executions: 1,
  },
  own('parsed JSON', `JSON.parse('{"k":0,"deep":{"n":0}}')`, 'own.k++; await null; own.deep.n++', '[own.k, own.deep.n]'),
  own('JSON parsed by opaque code', `opaque.parse('{"k":0,"deep":{"n":0}}')`, 'own.k++; await null; own.deep.n++', '[own.k, own.deep.n]'),
  own('clones', 'structuredClone({ k: 0, list: [] })', 'own.k++; await null; own.list.push(n)', '[own.k, own.list.length]'),
  own('clones by opaque code', 'opaque.clone({ k: 0, list: [] })', 'own.k++; await null; own.list.push(n)', '[own.k, own.list.length]'),
  own('errors', `opaque.error('x')`, 'own.code++; await null; own.code++', 'own.code'),
  own('errors that were thrown', `(() => { try { opaque.fail('x') } catch (error) { return error } })()`, 'own.code = n; await null; own.code++', 'own.message'),
  own('errors of one’s own', `new Error('x')`, 'own.code = 1; await null; own.code++', 'own.code'),
  own('errors of the platform', `(() => { try { null.x } catch (error) { return error } })()`, 'own.code = 1; await null; own.code++', 'own.code'),
  own('lists by opaque code', 'opaque.list(1, 2)', 'own.push(n); await null; own.shift()', 'own.length'),
  own('matches', `'aa'.match(/a/)`, 'own.push(n); await null; own.index++', 'own.length'),
  own('split texts', `'a,b'.split(',')`, 'own.push(n); await null; own.shift()', 'own.length'),
  own('entries', 'Object.entries({ a: 1 })', 'own[0].push(n); await null; own[0].push(n)', 'own[0].length'),
  own('mapped arrays', '[1].map((k) => ({ k }))', 'own[0].k++; await null; own[0].k++', 'own[0].k'),
  own('bound functions', '(() => {}).bind(null)'),
  // Each call of such a function may look at what the module keeps, which the other task's call of `func` may change.
  { ...own('functions by opaque code', 'opaque.func()', 'own(); await null; own()', 'own.calls'), atMost: 6 },
  own('functions with properties', '() => {}'),
  own('classes', 'class { static k = 0 }'),
  own('instances', 'new (class { k = 0 })()'),
  own('objects by Object.create', 'Object.create(null)'),
  own('objects by Object.fromEntries', `Object.fromEntries([['k', 0]])`),
  own('objects by Reflect.construct', 'Reflect.construct(class { k = 0 }, [])'),
  own('objects by Array.from', 'Array.from({ length: 1 }, () => ({ k: 0 }))[0]'),
  own('typed arrays', 'new Uint8Array(1)', 'own[0]++; await null; own[0]++', 'own[0]'),
  own('groups of a match', '/(?<k>a)/.exec(\'a\').groups', 'own.k += n; await null; own.k += n', 'own.k.length'),
  own('symbols as keys', `{ [Symbol('k')]: 1 }`),
  own('resolvers', '(() => { let settle; const promise = new Promise((resolve) => { settle = resolve }); return { promise, settle } })()', 'own.settle(1)', 'await own.promise'),
]

/** Objects of every kind as keys of a Map that the tasks share. */
const keys: readonly Case[] = [
  ...['{}', '[]', '() => {}', 'async () => {}', 'function () {}', 'class {}', `Symbol('k')`, 'new Map()', `Buffer.from('k')`, `opaque.key('k')`, `nodeCrypto.createSecretKey(Buffer.from('k'))`, 'opaque.freshRow(n)', 'Promise.resolve()', `new Error('k')`, `opaque.func()`, '(() => {}).bind(null)', '/k/', 'new Date(0)', 'new AbortController().signal', 'new Proxy({}, {})', 'structuredClone({})', 'JSON.parse(\'{}\')'].map(
    (key): Case => ({
      name: `${key} as the key of a shared Map is apart`,
      source: `const o = new Map()
const task = async (n) => { await null; const key = ${key}; o.set(key, n); await null; o.set(key, o.get(key) + 1); await null; return o.get(key) }
return await Promise.all([task(1), task(2)])`,
      outcomes: ['[2,3]'],
      ...enough(key),
    }),
  ),
  ...['{}', '() => {}', `opaque.key('k')`, 'opaque.row(1)'].map(
    (key): Case => changesAndEnd({ name: `${key} as a key that two tasks share`, make: `const key = ${key}; const o = new Map([[key, 0]])`, changes: ['const read = o.get(key); await null; o.set(key, read + 1)', 'const read = o.get(key); await null; o.set(key, read + 1)'], look: 'o.get(key)', outcomes: ['1', '2'] }),
  ),
  {
    name: 'closures in a Set of listeners',
    source: `const listeners = new Set()
const task = async (name) => { await null; const listener = () => name; listeners.add(listener); await null; listeners.delete(listener); await null; return listeners.has(listener) }
return await Promise.all([task('a'), task('b')])`,
    outcomes: ['[false,false]'],
    executions: 1,
  },
  changeAndLook({ name: 'a property of a function that two tasks share', make: 'const o = () => {}; o.k = 0', change: 'o.k = 1', look: 'o.k' }),
  changeAndLook({ name: 'two functions of one text', make: 'const make = () => () => {}; const one = make(); const two = make(); one.k = two.k = 0', change: 'one.k = 1', look: '(two.k++, one.k)' }),
]

/** What immer does: drafts by proxies that are revoked when the recipe has ended. */
const drafts: readonly Case[] = [
  {
    name: 'a draft that is revoked',
    source: `const produce = (base, recipe) => {
  const copy = structuredClone(base)
  const { proxy, revoke } = Proxy.revocable(copy, {})
  recipe(proxy)
  revoke()
  return Object.freeze(copy)
}
let state = produce({ n: 0, list: [] }, () => {})
const task = async (name) => { const before = state; await null; state = produce(before, (draft) => { draft.n++; draft.list.push(name) }) }
await Promise.all([task('a'), task('b')])
return state`,
    outcomes: ['{"n":1,"list":["a"]}', '{"n":1,"list":["b"]}'],
  },
  {
    name: 'a draft with nested proxies that are revoked',
    source: `const produce = (base, recipe) => {
  const revokes = []
  const copies = new Map()
  const draft = (target) => {
    if (!copies.has(target)) {
      const copy = Array.isArray(target) ? [...target] : { ...target }
      const { proxy, revoke } = Proxy.revocable(copy, { get: (inner, key) => (typeof inner[key] === 'object' ? draft(inner[key]) : inner[key]) })
      revokes.push(revoke)
      copies.set(target, proxy)
    }
    return copies.get(target)
  }
  const root = draft(base)
  recipe(root)
  const result = JSON.parse(JSON.stringify(root))
  for (const revoke of revokes) revoke()
  return result
}
let state = { a: { n: 0 }, b: { n: 0 } }
const task = async (key) => { await null; state = produce(state, (draft) => { draft[key] = { n: draft[key].n + 1 } }) }
await Promise.all([task('a'), task('b')])
return state`,
    outcomes: ['{"a":{"n":1},"b":{"n":1}}'],
  },
]

export const identity: readonly Case[] = [...rows, ...keys, ...drafts]
