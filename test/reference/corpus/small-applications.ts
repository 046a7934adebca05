import { type Case } from './case.ts'

/** Small applications: caches, locks, queues, stores, and what belongs to one task. */

const bodies: readonly Case[] = [
  {
    name: 'lru cache with awaits',
    source: [
      `class Lru { #m = new Map(); constructor(n) { this.n = n } get(k) { if (!this.#m.has(k)) return; const v = this.#m.get(k); this.#m.delete(k); this.#m.set(k, v); return v } set(k, v) { this.#m.delete(k); this.#m.set(k, v); if (this.#m.size > this.n) this.#m.delete(this.#m.keys().next().value) } get keys() { return [...this.#m.keys()].join('') } }`,
      'const c = new Lru(2)',
      'const t = async (k) => { await null; if (c.get(k) === undefined) { await null; c.set(k, k) } }',
      `await Promise.all([t('a'), t('b'), t('c')])`,
      'return c.keys',
    ].join('\n'),
    outcomes: ['"ab"', '"ac"', '"ba"', '"bc"', '"ca"', '"cb"'],
  },
  {
    name: 'read write lock',
    source: [
      'let readers = 0, writing = false; const q = []; const log = []',
      'const lockR = async () => { while (writing) await new Promise((r) => q.push(r)); readers++ }',
      'const unlockR = () => { readers--; q.splice(0).forEach((r) => r()) }',
      'const lockW = async () => { while (writing || readers) await new Promise((r) => q.push(r)); writing = true }',
      'const unlockW = () => { writing = false; q.splice(0).forEach((r) => r()) }',
      `const r = async () => { await lockR(); log.push('r'); await null; unlockR() }`,
      `const w = async () => { await lockW(); log.push('w'); await null; log.push('W'); unlockW() }`,
      'await Promise.all([r(), w()])',
      'return log',
    ].join('\n'),
    outcomes: ['["r","w","W"]'],
  },
  {
    name: 'optimistic version',
    source: [
      'const row = { v: 0, x: 0 }; const r = {}',
      `const upd = async (k, d) => { for (let i = 0; i < 2; i++) { const { v, x } = row; await null; if (row.v === v) { row.v++; row.x = x + d; r[k] = i; return } } r[k] = 'gave up' }`,
      `await Promise.all([upd('a', 1), upd('b', 2)])`,
      'return [row, r]',
    ].join('\n'),
    outcomes: ['[{"v":2,"x":3},{"a":0,"b":1}]', '[{"v":2,"x":3},{"b":0,"a":1}]'],
  },
  {
    name: 'pub sub unsubscribe while publishing',
    source: [
      'const subs = new Set(); const got = []',
      'const publish = (x) => { for (const s of subs) s(x) }',
      `const a = async () => { const off = (x) => { got.push('a' + x); subs.delete(off) }; subs.add(off); await null; publish(1) }`,
      `const b = async () => { await null; subs.add((x) => got.push('b' + x)); publish(2) }`,
      'await Promise.all([a(), b()])',
      'return got',
    ].join('\n'),
    outcomes: ['["a1","b2"]', '["a2","b2","b1"]'],
  },
  {
    name: 'token bucket',
    source: [
      'let tokens = 1; const r = {}',
      `const take = async (k) => { if (tokens < 1) { r[k] = 'no'; return } await null; tokens--; r[k] = tokens }`,
      `await Promise.all([take('a'), (async () => { await null; await take('b') })()])`,
      'return r',
    ].join('\n'),
    outcomes: ['{"a":0,"b":"no"}', '{"a":0,"b":-1}', '{"b":0,"a":-1}'],
  },
  {
    name: 'id generator in closure and table',
    source: [
      'const table = []; const insert = ((id) => (v) => { const row = { id: id++, ...v }; table.push(row); return row })(1); const r = {}',
      'const t = async (k) => { await null; const row = insert({ k }); await null; r[k] = table.findIndex((x) => x.id === row.id) }',
      `await Promise.all([t('a'), t('b')])`,
      'return [r, table]',
    ].join('\n'),
    outcomes: ['[{"a":0,"b":1},[{"id":1,"k":"a"},{"id":2,"k":"b"}]]', '[{"a":1,"b":0},[{"id":1,"k":"b"},{"id":2,"k":"a"}]]', '[{"b":0,"a":1},[{"id":1,"k":"b"},{"id":2,"k":"a"}]]', '[{"b":1,"a":0},[{"id":1,"k":"a"},{"id":2,"k":"b"}]]'],
  },
  {
    name: 'immutable state and reducers',
    source: [
      'let state = { list: [], n: 0 }; const dispatch = (f) => { state = { ...state, ...f(state) } }',
      'const a = async () => { const { n } = state; await null; dispatch(() => ({ n: n + 1 })) }',
      `const b = async () => { await null; dispatch((s) => ({ n: s.n + 10, list: [...s.list, 'b'] })) }`,
      'await Promise.all([a(), b()])',
      'return state',
    ].join('\n'),
    outcomes: ['{"list":["b"],"n":11}', '{"list":["b"],"n":1}'],
  },
  {
    name: 'undo stack',
    source: [
      `const doc = { t: '' }, undo = []`,
      'const type = async (c) => { await null; undo.push(doc.t); doc.t += c }',
      'const back = async () => { await null; if (undo.length) doc.t = undo.pop() }',
      `await Promise.all([type('a'), type('b'), back()])`,
      'return [doc.t, undo]',
    ].join('\n'),
    outcomes: ['["a",[""]]', '["ab",["","a"]]', '["b",[""]]', '["ba",["","b"]]'],
  },
  {
    name: 'debounce by generation',
    source: [
      'let gen = 0; const out = []',
      'const search = async (q) => { const g = ++gen; await null; await null; if (g === gen) out.push(q) }',
      `await Promise.all([search('a'), (async () => { await null; await search('b') })()])`,
      'return out',
    ].join('\n'),
    outcomes: ['["a","b"]', '["b"]'],
  },
  {
    name: 'latest wins by abort',
    source: [
      'let c; const out = []',
      'const load = async (q) => { c?.abort(); c = new AbortController(); const { signal } = c; await null; if (!signal.aborted) out.push(q) }',
      `await Promise.all([load('a'), (async () => { await null; await load('b') })()])`,
      'return out',
    ].join('\n'),
    outcomes: ['["a","b"]', '["b"]'],
  },
  {
    name: 'worker pool over a shared queue',
    source: [
      'const q = [1, 2, 3]; const done = {}',
      'const worker = async (k) => { while (q.length) { const x = q.shift(); await null; (done[k] ??= []).push(x) } }',
      `await Promise.all([worker('a'), worker('b')])`,
      'return done',
    ].join('\n'),
    outcomes: ['{"a":[1,3],"b":[2]}', '{"b":[2,3],"a":[1]}'],
  },
  {
    name: 'single flight with failure',
    source: [
      'let inflight; let calls = 0; const r = {}',
      `const get = () => inflight ??= (async () => { calls++; await null; if (calls === 1) { inflight = undefined; throw 'x' } return calls })()`,
      'const t = async (k) => { await null; r[k] = await get().catch((e) => e) }',
      `await Promise.all([t('a'), t('b')])`,
      'return [r, calls]',
    ].join('\n'),
    outcomes: ['[{"a":"x","b":"x"},1]', '[{"a":"x","b":2},2]', '[{"a":2,"b":"x"},2]', '[{"b":"x","a":"x"},1]', '[{"b":"x","a":2},2]', '[{"b":2,"a":"x"},2]'],
  },
  {
    name: 'cart total kept',
    source: [
      'const cart = { items: new Map(), total: 0 }',
      `const add = async (k, p) => { await null; cart.items.set(k, (cart.items.get(k) ?? 0) + 1); await null; cart.total = [...cart.items].reduce((s, [k2, n]) => s + n * (k2 === 'a' ? 1 : 10), 0) }`,
      `await Promise.all([add('a'), add('b')])`,
      'return [cart.total, [...cart.items]]',
    ].join('\n'),
    outcomes: ['[11,[["a",1],["b",1]]]', '[11,[["b",1],["a",1]]]'],
  },
  {
    name: 'barrier',
    source: [
      'let waiting = 0; let open; const gate = new Promise((r) => { open = r }); const log = []',
      `const t = async (k) => { await null; log.push(k); if (++waiting === 2) open(); await gate; log.push(k + '!') }`,
      `await Promise.all([t('a'), t('b')])`,
      'return log',
    ].join('\n'),
    outcomes: ['["a","b","a!","b!"]', '["b","a","b!","a!"]'],
  },
  {
    name: 'channel of capacity one',
    source: [
      'let slot, full = false; const puts = [], takes = []; const got = []',
      'const put = async (x) => { while (full) await new Promise((r) => puts.push(r)); slot = x; full = true; takes.shift()?.() }',
      'const take = async () => { while (!full) await new Promise((r) => takes.push(r)); full = false; puts.shift()?.(); return slot }',
      'const p = async (x) => { await null; await put(x) }',
      'const c = async () => { got.push(await take()); got.push(await take()) }',
      'await Promise.all([p(1), p(2), c()])',
      'return got',
    ].join('\n'),
    outcomes: ['[1,2]', '[2,1]'],
  },
  {
    name: 'retry with state',
    source: [
      'let n = 0; const log = []',
      'const flaky = async () => { await null; if (++n % 2) throw n; return n }',
      `const t = async (k) => { for (let i = 0; i < 2; i++) try { log.push(k + await flaky()); return } catch (e) { log.push(k + 'x' + e) } }`,
      `await Promise.all([t('a'), t('b')])`,
      'return log',
    ].join('\n'),
    outcomes: 12,
  },
  {
    name: 'memo by WeakMap and object',
    source: [
      'const memo = new WeakMap(); let calls = 0; const key = {}',
      'const get = async (k) => { if (memo.has(k)) return memo.get(k); calls++; await null; const v = { calls }; memo.set(k, v); return v }',
      'const [x, y] = await Promise.all([get(key), get(key)])',
      'return [calls, x === y]',
    ].join('\n'),
    outcomes: ['[2,false]'],
  },
  {
    name: 'transaction log with rollback',
    source: [
      'const acc = { a: 10, b: 0 }; const log = []',
      `const move = async (n) => { const before = { ...acc }; acc.a -= n; await null; if (acc.a < 0) { Object.assign(acc, before); log.push('rollback'); return } acc.b += n }`,
      'await Promise.all([move(7), move(6)])',
      'return [acc, log]',
    ].join('\n'),
    outcomes: ['[{"a":10,"b":6},["rollback"]]', '[{"a":3,"b":7},["rollback"]]'],
  },
  {
    name: 'event sourcing replay',
    source: [
      `const happened = []; const project = () => happened.reduce((s, e) => e.t === 'add' ? s + e.n : s * e.n, 1)`,
      'const r = {}',
      `const a = async () => { await null; happened.push({ t: 'add', n: 2 }) }`,
      `const b = async () => { await null; happened.push({ t: 'mul', n: 3 }); r.b = project() }`,
      'await Promise.all([a(), b()])',
      'return [project(), r]',
    ].join('\n'),
    outcomes: ['[5,{"b":3}]', '[9,{"b":9}]'],
  },
  {
    name: 'observers with a getter cache',
    source: [
      'class Store { #v = 1; #c; get double() { return this.#c ??= this.#v * 2 } set v(x) { this.#v = x } invalidate() { this.#c = undefined } }',
      'const s = new Store(); const r = {}',
      'const a = async () => { await null; s.v = 5; await null; s.invalidate() }',
      'const b = async () => { await null; r.x = s.double; await null; r.y = s.double }',
      'await Promise.all([a(), b()])',
      'return r',
    ].join('\n'),
    outcomes: ['{"x":10,"y":10}', '{"x":2,"y":10}', '{"x":2,"y":2}'],
  },
  {
    name: 'tree walk while it changes',
    source: [
      'const tree = { v: 1, kids: [{ v: 2, kids: [] }] }; const seen = []',
      'const walk = async (n) => { seen.push(n.v); await null; for (const k of n.kids) await walk(k) }',
      'const grow = async () => { await null; tree.kids.push({ v: 3, kids: [] }); await null; tree.kids[0].kids.push({ v: 4, kids: [] }) }',
      'await Promise.all([walk(tree), grow()])',
      'return seen',
    ].join('\n'),
    outcomes: ['[1,2,3]', '[1,2,4,3]', '[1,2]'],
  },
  {
    name: 'two phase init',
    source: [
      'let inst; const log = []',
      'class S { ready = false; async init() { await null; this.ready = true } static async get() { if (!inst) { inst = new S(); await inst.init() } log.push(inst.ready); return inst } }',
      'await Promise.all([S.get(), (async () => { await null; await S.get() })()])',
      'return log',
    ].join('\n'),
    outcomes: ['[false,true]', '[true,true]'],
  },
  {
    name: 'counter by Atomics with await between',
    source: [
      'const c = new Int32Array(new SharedArrayBuffer(4)); ',
      'const good = async () => { await null; Atomics.add(c, 0, 1) }',
      'const bad = async () => { const x = Atomics.load(c, 0); await null; Atomics.store(c, 0, x + 1) }',
      'await Promise.all([good(), bad()])',
      'return c[0]',
    ].join('\n'),
    outcomes: ['1', '2'],
  },
  {
    name: 'service over own rows',
    source: [
      'const rows = new Map([[1, { n: 0 }], [2, { n: 0 }]])',
      'const svc = { async inc(id) { const row = rows.get(id); const { n } = row; await null; row.n = n + 1; return row.n } }',
      'return await Promise.all([svc.inc(1), svc.inc(2)])',
    ].join('\n'),
    outcomes: ['[1,1]'],
    executions: 1,
  },
  {
    name: 'service with a stat nobody reads',
    source: [
      'const rows = new Map([[1, { n: 0 }], [2, { n: 0 }], [3, { n: 0 }]]); let calls = 0',
      'const svc = { async inc(id) { calls++; const row = rows.get(id); const { n } = row; await null; row.n = n + 1; calls++; return row.n } }',
      'return await Promise.all([svc.inc(1), svc.inc(2), svc.inc(3)])',
    ].join('\n'),
    outcomes: ['[1,1,1]'],
    executions: 1,
  },
  {
    name: 'own class instances with private Map',
    source: [
      'class C { #m = new Map(); async put(k) { await null; this.#m.set(k, (this.#m.get(k) ?? 0) + 1); await null; return this.#m.get(k) } }',
      `return await Promise.all([new C().put('a'), new C().put('a')])`,
    ].join('\n'),
    outcomes: ['[1,1]'],
    executions: 1,
  },
  {
    name: 'own emitters in a shared registry by own keys',
    source: [
      'const reg = {}',
      `const t = async (k) => { await null; const e = reg[k] = new EventEmitter(); let n = 0; e.on('x', () => n++); await null; reg[k].emit('x'); return n }`,
      `return await Promise.all([t('a'), t('b')])`,
    ].join('\n'),
    outcomes: ['[1,1]'],
    executions: 1,
  },
  {
    name: 'own dates, urls and regexps',
    source: [
      `const t = async (k) => { await null; const d = new Date(0), u = new URL('http://a/'), r = /a/g; d.setTime(k); u.searchParams.set('k', k); r.test('aa'); await null; return [+d, u.search, r.lastIndex] }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[[1,"?k=1",1],[2,"?k=2",1]]'],
    executions: 1,
  },
  {
    name: 'own typed arrays and buffers',
    source: [
      `const t = async (k) => { await null; const u = new Uint8Array(2), b = Buffer.from('ab'); u[0] = k; b[0] = k; await null; return [u.join(), b.toString('hex')] }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[["1,0","0162"],["2,0","0262"]]'],
    executions: 1,
  },
  {
    name: 'own errors, promises and generators',
    source: [
      `const t = async (k) => { await null; const e = new TypeError('x'); e.k = k; const p = Promise.resolve(e); const g = (function* () { yield k; yield e.k })(); g.next(); await null; return [(await p).k, g.next().value] }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[[1,1],[2,2]]'],
    executions: 1,
  },
  {
    name: 'own results of JSON, split, match, entries, concat, slice, map',
    source: [
      `const base = { a: [1, 2], s: 'x,y' }`,
      `const t = async (k) => { await null; const l = [JSON.parse('[1]'), base.s.split(','), base.s.match(/x/), Object.entries(base), base.a.concat([3]), base.a.slice(), base.a.map((x) => x), Array.from(base.a), [...base.a], Object.keys(base), Object.assign({}, base), structuredClone(base.a)]; for (const x of l) x[0] = k; await null; return l.map((x) => x[0]) }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[[1,1,1,1,1,1,1,1,1,1,1,1],[2,2,2,2,2,2,2,2,2,2,2,2]]'],
    executions: 1,
  },
  {
    name: 'own results of Object.groupBy-like, fromEntries, spread, rest',
    source: [
      'const base = { a: 1, b: 2 }',
      `const t = async (k) => { await null; const { a, ...rest } = base; const o = { ...base }, f = Object.fromEntries([['a', 1]]), c = Object.create(null); rest.b = o.a = f.a = c.a = k; await null; return [rest.b, o.a, f.a, c.a] }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[[1,1,1,1],[2,2,2,2]]'],
    executions: 1,
  },
  {
    name: 'own async iterators over own lists',
    source: [
      'const t = async (k) => { const l = [k]; const out = []; for await (const x of l) { out.push(x); if (l.length < 2) l.push(k * 10) } return out }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[[1,10],[2,20]]'],
    executions: 1,
  },
  {
    name: 'own queues with own waiters',
    source: [
      'const t = async (k) => { const q = []; let wake; const c = (async () => { while (!q.length) await new Promise((r) => { wake = r }); return q.shift() })(); await null; q.push(k); wake?.(); return await c }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[1,2]'],
    executions: 1,
  },
  {
    name: 'own proxies',
    source: [
      'const t = async (k) => { const target = { n: 0 }; const p = new Proxy(target, { get: (o, x) => o[x], set: (o, x, v) => (o[x] = v, true) }); await null; p.n += k; await null; return target.n }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[1,2]'],
    executions: 1,
  },
]

export const smallApplications: readonly Case[] = [...bodies]
