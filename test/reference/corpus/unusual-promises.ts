import { changesAndEnd, type Case, type Changes } from './case.ts'

/** Promises, thenables and async iteration over what others change. */

/** All tasks change, the end looks. */
const changing: readonly Changes[] = [
  { name: 'race over shared list', make: 'const l = [], r = {}', changes: [`{ r.a = await Promise.race([...l, Promise.resolve('none')]) }`, `l.push(Promise.resolve('x'))`], look: 'r', outcomes: ['{"a":"none"}', '{"a":"x"}'] },
  { name: 'race list itself', make: `const l = [Promise.resolve('first')], r = {}`, changes: ['{ r.a = await Promise.race(l) }', `l.unshift(Promise.resolve('x'))`], look: 'r', outcomes: ['{"a":"first"}', '{"a":"x"}'] },
  { name: 'any list itself', make: 'const l = [Promise.reject(1)], r = {}; l[0].catch(() => {})', changes: ['{ r.a = await Promise.any(l).catch((e) => e.errors.length) }', `l.push(Promise.resolve('x'))`], look: 'r', outcomes: ['{"a":"x"}', '{"a":1}'] },
  { name: 'allSettled list', make: 'const l = [], r = {}', changes: ['{ r.a = (await Promise.allSettled(l)).map((x) => x.status) }', `l.push(Promise.resolve('x'))`, 'l.push(Promise.reject(1).catch(() => 2))'], look: 'r', outcomes: ['{"a":["fulfilled","fulfilled"]}', '{"a":["fulfilled"]}', '{"a":[]}'] },
  { name: 'all of a set', make: 'const l = new Set(), r = {}', changes: ['{ r.a = (await Promise.all(l)).length }', `l.add(Promise.resolve('x'))`], look: 'r', outcomes: ['{"a":0}', '{"a":1}'] },
  { name: `all of a map's values`, make: 'const l = new Map(), r = {}', changes: ['{ r.a = (await Promise.all(l.values())).length }', `l.set('k', 1)`], look: 'r', outcomes: ['{"a":0}', '{"a":1}'] },
  { name: 'all of mapped list', make: 'const l = [1], r = {}', changes: ['{ r.a = await Promise.all(l.map(async (x) => { await null; return x * 2 })) }', 'l.push(5)'], look: 'r', outcomes: ['{"a":[2,10]}', '{"a":[2]}'] },
  { name: 'all of generator', make: 'const l = [1], r = {}', changes: ['{ r.a = await Promise.all((function* () { for (const x of l) yield Promise.resolve(x) })()) }', 'l.push(5)'], look: 'r', outcomes: ['{"a":[1,5]}', '{"a":[1]}'] },
  { name: 'all then mutate result', make: 'const r = {}; const p = Promise.all([1, 2])', changes: ['{ const v = await p; v.push(3); r.a = v.length }', '{ const v = await p; v.push(4); r.b = v.length }'], look: 'r', outcomes: ['{"a":3,"b":4}', '{"b":3,"a":4}'] },
  { name: 'withResolvers by hand', make: 'const d = {}; d.promise = new Promise((a, b) => { d.resolve = a; d.reject = b }); const r = {}', changes: ['d.resolve(1)', 'd.resolve(2)', 'r.a = await d.promise'], look: 'r', outcomes: ['{"a":1}', '{"a":2}'] },
  { name: 'resolve against reject', make: 'const d = {}; d.promise = new Promise((a, b) => { d.resolve = a; d.reject = b }); const r = {}', changes: ['d.resolve(1)', 'd.reject(2)', `r.a = await d.promise.catch((e) => 'e' + e)`], look: 'r', outcomes: ['unhandled rejection 2', '{"a":"e2"}', '{"a":1}'] },
  { name: 'race of deferreds', make: 'const d = [0, 1].map(() => { const x = {}; x.p = new Promise((a) => { x.go = a }); return x }); const r = {}; const w = Promise.race(d.map((x) => x.p)).then((v) => { r.w = v })', changes: [`d[0].go('a')`, `d[1].go('b')`, 'await w'], look: 'r', outcomes: ['{"w":"a"}', '{"w":"b"}'] },
  { name: 'all rejects first', make: 'const d = [0, 1].map(() => { const x = {}; x.p = new Promise((a, b) => { x.go = a; x.no = b }); return x }); const r = {}; const w = Promise.all(d.map((x) => x.p)).catch((e) => { r.e = e })', changes: [`d[0].no('a')`, `d[1].no('b')`, 'await w'], look: 'r', outcomes: ['{"e":"a"}', '{"e":"b"}'] },
  { name: 'finally reads', make: 'let n = 0; const r = {}', changes: ['await Promise.resolve().finally(() => { r.n = n })', 'n = 1'], look: 'r', outcomes: ['{"n":0}', '{"n":1}'] },
  { name: 'finally throws wins', make: 'let n = 0; const r = {}', changes: [`await Promise.resolve(1).finally(() => { if (n) throw 'f' }).then((v) => { r.v = v }, (e) => { r.e = e })`, 'n = 1'], look: 'r', outcomes: ['{"e":"f"}', '{"v":1}'] },
  { name: 'then chain with state', make: 'let n = 1; const r = {}', changes: ['await Promise.resolve(n).then((x) => x + n).then((x) => { r.x = x + n })', 'n = 10'], look: 'r', outcomes: ['{"x":12}', '{"x":21}', '{"x":30}', '{"x":3}'] },
  { name: 'thenable awaited', make: 'let n = 0; const r = {}', changes: ['r.a = await { then(f) { n++; f(n) } }', 'r.b = await { then(f) { n++; f(n) } }'], look: 'r', outcomes: ['{"a":1,"b":2}', '{"a":2,"b":1}', '{"b":1,"a":2}', '{"b":2,"a":1}'] },
  { name: 'thenable reads state', make: 'let n = 0; const r = {}', changes: ['r.a = await { then(f) { f(n) } }', 'n = 5'], look: 'r', outcomes: ['{"a":0}', '{"a":5}'] },
  { name: 'thenable rejects', make: 'let bad = false; const r = {}', changes: [`{ try { r.a = await { then(f, g) { bad ? g('no') : f('yes') } } } catch (e) { r.e = e } }`, 'bad = true'], look: 'r', outcomes: ['{"a":"yes"}', '{"e":"no"}'] },
  { name: 'thenable resolves twice', make: 'const r = {}; let n = 0', changes: ['r.a = await { then(f) { f(++n); f(++n) } }', 'r.b = n'], look: 'r', outcomes: ['{"a":1,"b":2}', '{"b":0,"a":1}', '{"b":2,"a":1}'] },
  { name: 'thenable with getter then', make: 'let n = 0; const r = {}', changes: ['r.a = await { get then() { n++; return undefined }, x: 1 } && n', 'n += 10'], look: '[r, n]', outcomes: ['[{"a":11},11]', '[{"a":1},11]'] },
  { name: 'Promise.resolve of thenable', make: 'let n = 0; const r = {}', changes: ['r.a = await Promise.resolve({ then(f) { f(n) } })', 'n = 7'], look: 'r', outcomes: ['{"a":0}', '{"a":7}'] },
  { name: 'resolve with itself throws', make: 'const r = {}; const d = {}; d.p = new Promise((a) => { d.go = a })', changes: ['d.go(d.p)', 'r.a = await d.p.catch((e) => e.name)'], look: 'r', outcomes: ['unhandled rejection TypeError: Chaining cycle detected for promise #<Promise>', '{"a":"TypeError"}'] },
  { name: 'handled late', make: 'const r = {}; const d = {}; d.p = new Promise((a, b) => { d.no = b })', changes: [`d.no('x')`, 'r.a = await d.p.catch((e) => e)'], look: 'r', outcomes: ['unhandled rejection x', '{"a":"x"}'] },
  { name: 'promise subclass', make: 'class P extends Promise { static n = 0; then(...a) { P.n++; return super.then(...a) } }; const r = {}', changes: ['await P.resolve(1)', 'r.n = P.n > 0'], look: 'r', outcomes: ['{"n":false}', '{"n":true}'] },
  { name: 'promise subclass race', make: 'class P extends Promise {}; const r = {}; let go; const p = new P((a) => { go = a })', changes: [`go('a')`, `r.a = await P.race([p, P.resolve('b')])`], look: 'r', outcomes: ['{"a":"a"}', '{"a":"b"}'] },
  { name: 'promise subclass keeps class', make: 'class P extends Promise { get mine() { return true } }; const r = {}', changes: ['r.a = P.resolve(1).then().mine && P.all([]).finally().mine', 'r.b = P.race([]).mine'], look: 'r', outcomes: ['{"a":true,"b":true}', '{"b":true,"a":true}'] },
  { name: 'Symbol.species of Promise', make: 'class P extends Promise { static get [Symbol.species]() { return Promise } }; const r = {}', changes: ['r.a = P.resolve(1).then() instanceof P', 'r.b = 1'], look: 'r', outcomes: ['{"a":false,"b":1}', '{"b":1,"a":false}'] },
  { name: 'mutex order', make: 'let tail = Promise.resolve(); const r = []; const lock = (f) => (tail = tail.then(f))', changes: [`await lock(() => r.push('a'))`, `await lock(() => r.push('b'))`], look: 'r', outcomes: ['["a","b"]', '["b","a"]'] },
  { name: 'cached value, double fetch', make: 'let cache; let calls = 0; const load = async () => { if (cache) return cache; calls++; await null; return cache = { calls } }; const r = {}', changes: ['r.a = await load()', 'r.b = await load()'], look: '[calls, r.a.calls, r.b.calls]', outcomes: ['[1,1,1]', '[2,2,2]'] },
  { name: 'async generator shared', make: 'const g = (async function* () { let n = 0; while (true) yield n++ })(); const r = {}', changes: ['r.a = (await g.next()).value', 'r.b = (await g.next()).value'], look: 'r', outcomes: ['{"a":0,"b":1}', '{"a":1,"b":0}', '{"b":0,"a":1}', '{"b":1,"a":0}'] },
  { name: 'async generator return by another', make: 'const g = (async function* () { try { yield 1; yield 2 } finally { r.f = (r.f ?? 0) + 1 } })(); const r = {}', changes: ['{ for await (const x of g) r.a = (r.a ?? 0) + x }', `r.b = (await g.return('b')).value`], look: 'r', outcomes: ['{"a":1,"f":1,"b":"b"}', '{"a":3,"f":1,"b":"b"}', '{"b":"b"}', '{"f":1,"a":1,"b":"b"}', '{"f":1,"b":"b","a":1}'] },
  { name: 'async generator throw by another', make: `const g = (async function* () { for (;;) try { yield 'n' } catch (e) { yield 'c' + e } })(); const r = {}`, changes: ['r.a = (await g.next()).value', `r.b = await g.throw('x').then((x) => x.value, (e) => 'rejected ' + e)`], look: 'r', outcomes: ['{"a":"n","b":"cx"}', '{"b":"cx","a":"n"}', '{"b":"rejected x"}'] },
  { name: 'async generator reads shared', make: 'let n = 1; const g = (async function* () { yield n; await null; yield n })(); const r = []', changes: ['{ for await (const x of g) r.push(x) }', 'n = 2'], look: 'r', outcomes: ['[1,1]', '[1,2]', '[2,2]'] },
  { name: 'async generator yields promises', make: 'let n = 1; const g = (async function* () { yield Promise.resolve(n); yield (async () => n)() })(); const r = []', changes: ['{ for await (const x of g) r.push(x) }', 'n = 2'], look: 'r', outcomes: ['[1,1]', '[1,2]', '[2,2]'] },
  { name: 'async generator requests queue', make: 'const g = (async function* () { yield 1; yield 2; yield 3 })(); const r = {}', changes: ['r.a = (await Promise.all([g.next(), g.next()])).map((x) => x.value)', 'r.b = (await g.next()).value'], look: 'r', outcomes: ['{"a":[1,2],"b":3}', '{"a":[2,3],"b":1}', '{"b":1,"a":[2,3]}', '{"b":3,"a":[1,2]}'] },
  { name: 'async generator delegates', make: 'let n = 1; const inner = async function* () { yield n; yield n }; const g = (async function* () { yield* inner() })(); const r = []', changes: ['{ for await (const x of g) r.push(x) }', 'n = 2'], look: 'r', outcomes: ['[1,1]', '[1,2]', '[2,2]'] },
  { name: 'async iterator by hand', make: 'const it = { i: 0, [Symbol.asyncIterator]() { return this }, async next() { const i = this.i; await null; this.i = i + 1; return { done: i > 1, value: i } } }; const r = { a: [], b: [] }', changes: ['{ r.a.push((await it.next()).value) }', '{ r.b.push((await it.next()).value) }'], look: '[r, it.i]', outcomes: ['[{"a":[0],"b":[0]},1]', '[{"a":[0],"b":[1]},2]', '[{"a":[1],"b":[0]},2]'] },
  { name: 'async iterator return', make: `const r = []; const it = { [Symbol.asyncIterator]() { return { next: async () => ({ done: false, value: 1 }), return: async () => { r.push('closing'); await null; r.push('closed'); return {} } } } }`, changes: [`{ for await (const x of it) break; r.push('after') }`, `r.push('b')`], look: 'r', outcomes: ['["b","closing","closed","after"]', '["closing","b","closed","after"]', '["closing","closed","after","b"]', '["closing","closed","b","after"]'] },
  { name: 'for await over promises', make: 'let n = 1; const r = []', changes: [`{ for await (const x of [Promise.resolve('p'), 'q']) r.push(x + n) }`, 'n = 2'], look: 'r', outcomes: ['["p1","q1"]', '["p1","q2"]', '["p2","q2"]'] },
  { name: 'for await over a queue', make: `const q = ['a']; const r = []`, changes: ['{ for await (const x of q) r.push(x) }', `q.push('b')`], look: 'r', outcomes: ['["a","b"]', '["a"]'] },
  { name: 'for await with break and finally', make: `const r = []; let stop = false; const g = async function* () { try { yield 1; yield 2; yield 3 } finally { r.push('f') } }`, changes: ['{ for await (const x of g()) { r.push(x); if (stop) break } }', 'stop = true'], look: 'r', outcomes: ['[1,"f"]', '[1,2,"f"]', '[1,2,3,"f"]'] },
  { name: 'promise in a map, dedupe', make: 'const m = new Map(); let calls = 0; const get = (k) => { if (!m.has(k)) m.set(k, (async () => { calls++; await null; m.delete(k); return calls })()); return m.get(k) }; const r = {}', changes: [`r.a = await get('x')`, `r.b = await get('x')`], look: '[calls, r]', outcomes: ['[1,{"a":1,"b":1}]', '[1,{"b":1,"a":1}]', '[2,{"a":1,"b":2}]', '[2,{"a":2,"b":1}]', '[2,{"b":1,"a":2}]', '[2,{"b":2,"a":1}]'] },
  { name: 'semaphore', make: 'let free = 1; const q = []; const r = []; const acquire = async () => { if (free > 0) { free--; return } await new Promise((a) => q.push(a)) }; const release = () => { const n = q.shift(); n ? n() : free++ }', changes: [`{ await acquire(); r.push('a'); await null; r.push('A'); release() }`, `{ await acquire(); r.push('b'); await null; r.push('B'); release() }`], look: 'r', outcomes: ['["a","A","b","B"]', '["b","B","a","A"]'] },
  { name: 'await in parallel reads', make: 'let n = 0; const get = async () => n; const r = {}', changes: ['{ const [a, b] = await Promise.all([get(), (async () => { await null; return n })()]); r.v = [a, b] }', 'n = 1'], look: 'r', outcomes: ['{"v":[0,0]}', '{"v":[0,1]}', '{"v":[1,1]}'] },
  { name: 'catch with a bound delete', make: `const s = new Set(['x']); const r = {}`, changes: [`await Promise.reject('x').catch(s.delete.bind(s))`, `r.n = s.has('x')`], look: 'r', outcomes: ['{"n":false}', '{"n":true}'] },
  { name: 'finally with a bound delete', make: `const s = new Set(['x']); const r = {}`, changes: [`await Promise.resolve(1).finally(s.delete.bind(s, 'x'))`, `r.n = s.has('x')`], look: 'r', outcomes: ['{"n":false}', '{"n":true}'] },
  { name: 'then with console-like method', make: 'const log = { lines: [], add(x) { log.lines.push(x) } }', changes: [`await Promise.resolve('a').then(log.add)`, `log.add('b')`], look: 'log.lines', outcomes: ['["a","b"]', '["b","a"]'] },
  { name: 'async reduce', make: 'let n = 1; const r = {}', changes: ['r.a = await [1, 2].reduce(async (acc, x) => (await acc) + x * n, 0)', 'n = 10'], look: 'r', outcomes: ['{"a":21}', '{"a":30}', '{"a":3}'] },
  { name: 'async forEach not awaited', make: 'const r = []; let n = 1', changes: ['{ [1, 2].forEach(async (x) => { await null; r.push(x * n) }) }', 'n = 10'], look: '(await null, await null, r)', outcomes: 11 },
  { name: 'map async filter', make: 'const seen = new Set(); const r = {}; const uniq = async (l) => { const o = []; for (const x of l) if (!seen.has(x)) { await null; seen.add(x); o.push(x) } return o }', changes: ['r.a = await uniq([1])', 'r.b = await uniq([1])'], look: 'r', outcomes: ['{"a":[1],"b":[1]}', '{"a":[1],"b":[]}', '{"a":[],"b":[1]}', '{"b":[1],"a":[1]}', '{"b":[1],"a":[]}', '{"b":[],"a":[1]}'] },
  { name: 'queueMicrotask state', make: 'let n = 0; const r = {}', changes: ['await new Promise((a) => queueMicrotask(() => { r.n = n; a() }))', 'n = 1'], look: 'r', outcomes: ['{"n":0}', '{"n":1}'] },
  { name: 'setImmediate state', make: 'let n = 0; const r = {}', changes: ['await new Promise((a) => setImmediate(() => { r.n = n; a() }))', '{ await null; n = 1 }'], look: 'r', outcomes: ['{"n":0}', '{"n":1}'] },
  { name: 'constructor throws after resolve', make: 'let n = 0; const r = {}', changes: ['r.a = await new Promise((a) => { a(n); throw 1 })', 'n = 2'], look: '[r, n]', outcomes: ['[{"a":0},2]', '[{"a":2},2]'] },
  { name: 'reject with state', make: 'let n = 0; const r = {}', changes: ['r.a = await new Promise((a, b) => b({ n })).catch((e) => e.n + n)', 'n = 1'], look: 'r', outcomes: ['{"a":0}', '{"a":1}', '{"a":2}'] },
  { name: 'error object shared', make: `const e = Object.assign(new Error('m'), { n: 0 }); const r = {}`, changes: ['{ try { await Promise.reject(e) } catch (x) { x.n++; r.a = x.n } }', '{ try { throw e } catch (x) { x.n += 10; r.b = x.n } }'], look: 'r', outcomes: ['{"a":1,"b":11}', '{"b":10,"a":11}'] },
  { name: 'promise with properties', make: 'const p = Object.assign(Promise.resolve(1), { hits: 0 }); const r = {}', changes: ['{ await p; p.hits++; r.a = p.hits }', '{ await p; p.hits++; r.b = p.hits }'], look: 'r', outcomes: ['{"a":1,"b":2}', '{"b":1,"a":2}'] },
  { name: 'promise as key', make: 'const m = new Map(); const p = Promise.resolve(1); const r = {}', changes: [`{ m.set(p, 'x') }`, '{ r.a = m.has(p) }'], look: 'r', outcomes: ['{"a":false}', '{"a":true}'] },
  { name: 'all over custom then', make: 'const t = { then(f) { f(n++) } }; let n = 0; const r = {}', changes: ['r.a = await Promise.all([t, t])', 'n = 10'], look: 'r', outcomes: ['{"a":[0,10]}', '{"a":[0,1]}', '{"a":[1,0]}', '{"a":[10,0]}', '{"a":[10,11]}', '{"a":[11,10]}'] },
  { name: 'Promise.prototype.then called', make: 'let n = 0; const r = {}', changes: ['await Promise.prototype.then.call(Promise.resolve(), () => { r.n = n })', 'n = 1'], look: 'r', outcomes: ['{"n":0}', '{"n":1}'] },
  { name: 'destructured Promise statics', make: 'let n = 0; const { resolve } = Promise; const r = {}', changes: ['r.n = await resolve.call(Promise, n) + n', 'n = 1'], look: 'r', outcomes: ['{"n":0}', '{"n":1}', '{"n":2}'] },
  { name: 'Reflect.construct promise', make: 'let n = 0; const r = {}', changes: ['r.n = await Reflect.construct(Promise, [(a) => a(n)]) + n', 'n = 1'], look: 'r', outcomes: ['{"n":0}', '{"n":1}', '{"n":2}'] },
]

const bodies: readonly Case[] = [
  {
    name: 'race settles once, loser writes',
    source: [
      'let n = 0',
      `const slow = async () => { await null; await null; n += 1; return 's' }`,
      `const fast = async () => { await null; return 'f' }`,
      'const w = await Promise.race([slow(), fast()])',
      'return [w, n]',
    ].join('\n'),
    outcomes: ['["f",0]', '["f",1]', '["s",1]'],
  },
  {
    name: 'all rejected, others go on',
    source: [
      'let n = 0',
      `const bad = async () => { await null; throw 'x' }`,
      'const good = async () => { await null; n++ }',
      'try { await Promise.all([bad(), good()]) } catch (e) { return [e, n] }',
    ].join('\n'),
    outcomes: ['["x",0]', '["x",1]'],
  },
  {
    name: 'deadlock of two promises',
    source: [
      'let a, b',
      'const pa = new Promise((r) => { a = r }), pb = new Promise((r) => { b = r })',
      'await Promise.all([(async () => { await pb; a() })(), (async () => { await pa; b() })()])',
      'return 1',
    ].join('\n'),
    outcomes: ['deadlock'],
  },
  {
    name: 'deadlock only in one order',
    source: [
      'let waiter; let flag = false',
      'const wait = async () => { await null; if (!flag) await new Promise((r) => { waiter = r }) }',
      'const set = async () => { await null; waiter?.(); await null; flag = true }',
      'await Promise.all([wait(), set()])',
      `return 'done'`,
    ].join('\n'),
    outcomes: ['"done"', 'deadlock'],
  },
  {
    name: 'reactions order of one promise',
    source: [
      'const r = []; let go; const p = new Promise((a) => { go = a })',
      `const a = async () => { await null; p.then(() => r.push('a')) }`,
      `const b = async () => { await null; p.then(() => r.push('b')) }`,
      'await Promise.all([a(), b()]); go(); await p; await null; await null',
      'return r',
    ].join('\n'),
    outcomes: ['["a","b"]', '["b","a"]'],
  },
  {
    name: 'own promises are apart',
    source: [
      'const t = async (x) => { let go; const p = new Promise((a) => { go = a }); await null; go(x); return (await p.then((v) => v + 1)) + await Promise.all([p]).then(([v]) => v) }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[3,5]'],
    executions: 1,
  },
  {
    name: 'own async generators are apart',
    source: [
      'const t = async (x) => { let s = 0; for await (const v of (async function* () { yield x; yield x })()) s += v; return s }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[2,4]'],
    executions: 1,
  },
  {
    name: 'own thenables are apart',
    source: [
      'const t = async (x) => { let n = 0; const y = await { then(f) { n++; f(x) } }; return y + n }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[2,3]'],
    executions: 1,
  },
  {
    name: 'own errors are apart',
    source: [
      `const t = async (x) => { try { await null; throw Object.assign(new Error('a'), { x }) } catch (e) { await null; e.x++; return e.x } }`,
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[2,3]'],
    executions: 1,
  },
  {
    name: 'own deferreds in one map by own keys',
    source: [
      'const m = new Map()',
      'const t = async (k) => { const p = new Promise((a) => m.set(k, a)); await null; m.get(k)(k); m.delete(k); return await p }',
      `return await Promise.all([t('a'), t('b')])`,
    ].join('\n'),
    outcomes: ['["a","b"]'],
    executions: 1,
  },
  {
    name: 'combinators of own lists are apart',
    source: [
      'const t = async (x) => { const l = [x]; await null; l.push(Promise.resolve(x)); const s = await Promise.all(l); const a = await Promise.allSettled(l); l.length = 0; return s.length + a.length }',
      'return await Promise.all([t(1), t(2)])',
    ].join('\n'),
    outcomes: ['[4,4]'],
    executions: 1,
  },
  {
    name: 'batching loader',
    source: [
      'let batch = null; const batches = []',
      `const load = (k) => { if (!batch) { const b = batch = []; queueMicrotask(() => { batch = null; batches.push(b.map((x) => x.k).join('')); for (const x of b) x.resolve(x.k) }) } return new Promise((resolve) => batch.push({ k, resolve })) }`,
      'const t = async (k) => { await null; return await load(k) }',
      `await Promise.all([t('a'), t('b')])`,
      'return batches',
    ].join('\n'),
    outcomes: ['["a","b"]', '["ab"]', '["b","a"]', '["ba"]'],
  },
  {
    name: 'event queue consumer',
    source: [
      'const q = []; let wake',
      'const take = async () => { while (!q.length) await new Promise((r) => { wake = r }); return q.shift() }',
      'const put = (x) => { q.push(x); wake?.(); wake = undefined }',
      'const g = []',
      'const c = async () => { g.push(await take()); g.push(await take()) }',
      'const p = async (x) => { await null; put(x) }',
      'await Promise.all([c(), p(1), p(2)])',
      'return g',
    ].join('\n'),
    outcomes: ['[1,2]', '[2,1]'],
  },
  {
    name: 'await using a getter then on class',
    source: [
      'class L { #v = 0; get then() { this.#v++; return undefined } get v() { return this.#v } }',
      'const l = new L(); const r = {}',
      'const a = async () => { await null; await l; r.a = l.v }',
      'const b = async () => { await null; await l; r.b = l.v }',
      'await Promise.all([a(), b()])',
      'return r',
    ].join('\n'),
    outcomes: ['{"a":1,"b":2}', '{"a":2,"b":2}', '{"b":1,"a":2}', '{"b":2,"a":2}'],
  },
  {
    name: 'return of a promise in try with catch',
    source: [
      'let n = 0; const r = []',
      `const f = async () => { try { return Promise.reject('x') } catch { return 'caught' } }`,
      `const g = async () => { try { return await Promise.reject(n) } catch (e) { return 'caught' + e + n } }`,
      'const a = async () => { r.push(await f().catch((e) => e), await g()) }',
      'const b = async () => { await null; n = 1 }',
      'await Promise.all([a(), b()])',
      'return r',
    ].join('\n'),
    outcomes: ['["x","caught00"]', '["x","caught01"]', '["x","caught11"]'],
  },
  {
    name: 'async disposal by hand',
    source: [
      `const log = []; const res = { open: true, async close() { this.open = false; await null; log.push('closed') } }`,
      `const use = async () => { await null; if (res.open) { await null; log.push(res.open ? 'used' : 'used after close') } }`,
      'const close = async () => { await null; await res.close() }',
      'await Promise.all([use(), close()])',
      'return log',
    ].join('\n'),
    outcomes: ['["closed","used after close"]', '["closed"]', '["used after close","closed"]', '["used","closed"]'],
  },
  {
    name: 'race thenable replaced',
    source: [
      `const o = { then(f) { f('own') } }`,
      'const r = []',
      'const a = async () => { await null; o.then = (f) => f(50); r.push(1) }',
      `const b = async () => { await null; r.push(await Promise.race([o, 'none'])) }`,
      'await Promise.all([a(), b()])',
      'return r',
    ].join('\n'),
    outcomes: ['["none",1]', '[1,"none"]'],
  },
  {
    name: 'race thenable replaced and deleted',
    source: [
      'let n = 0; const o = { then(f) { n++; f(n) } }',
      'const r = []',
      'const a = async () => { await null; o.then = (f) => f(50); r[0] = 1 }',
      'const c = async () => { await null; delete o.then; r[1] = 2 }',
      `const b = async () => { await null; r[2] = await Promise.race([o, 'none']) }`,
      'await Promise.all([a(), c(), b()])',
      'return [r, n]',
    ].join('\n'),
    outcomes: ['[[1,2,"none"],0]', '[[1,2,"none"],1]', '[[1,2,{}],0]'],
  },
]

const counted: Case = {
  name: 'a class that counts its promises, one of which is rejected',
  source: `class P extends Promise { static made = 0; constructor(f) { super(f); P.made++ } }
let fail
const p = new P((_, reject) => { fail = reject })
p.catch(() => {})
let seen
await Promise.all([(async () => { await null; fail(2) })(), (async () => { await null; seen = P.made })()])
return [seen, P.made]`,
  outcomes: ['[2,2]'],
}

export const unusualPromises: readonly Case[] = [...changing.map(changesAndEnd), ...bodies, counted]
