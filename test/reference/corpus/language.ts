import { apart, apartByOpaqueCode, changeAndLook, changesAndEnd, type Case } from './case.ts'

const supers: readonly Case[] = [
  changeAndLook({ name: 'super.x = v while x', make: 'class Base {}; class Sub extends Base { go() { super.k = 1 } }; const o = new Sub()', change: 'o.go()', look: 'o.k ?? 0' }),
  changeAndLook({ name: 'super.x = v through a setter', make: 'class Base { n = 0; set k(v) { this.n = v } }; class Sub extends Base { go() { super.k = 1 } }; const o = new Sub()', change: 'o.go()', look: 'o.n' }),
  changeAndLook({ name: 'super.x through a getter', make: 'class Base { n = 0; get k() { return this.n } }; class Sub extends Base { go() { return super.k } }; const o = new Sub()', change: 'o.n = 1', look: 'o.go()' }),
  changeAndLook({ name: 'super.x of the prototype', make: 'class Base {}; Base.prototype.k = 0; class Sub extends Base { go() { return super.k } }; const o = new Sub()', change: 'Base.prototype.k = 1', look: 'o.go()' }),
  changeAndLook({ name: 'super[x]', make: `class Base {}; Base.prototype.k = 0; class Sub extends Base { go(key) { return super[key] } }; const o = new Sub()`, change: 'Base.prototype.k = 1', look: `o.go('k')` }),
  changeAndLook({ name: 'super.m() in an async method', make: 'class Base { n = 0; add() { this.n++ } }; class Sub extends Base { async go() { super.add() } }; const o = new Sub()', change: 'o.go()', look: 'o.n' }),
  changeAndLook({ name: 'super.m() of a static method', make: 'class Base { static n = 0; static add() { this.n++ } }; class Sub extends Base { static go() { super.add() } }', change: 'Sub.go()', look: 'Sub.n' }),
  changeAndLook({ name: 'super.m() of an object', make: 'const base = { add() { this.n++ } }; const o = { __proto__: base, n: 0, go() { super.add() } }', change: 'o.go()', look: 'o.n' }),
  changeAndLook({ name: 'super.x++', make: 'class Base {}; class Sub extends Base { k = 0; go() { super.k++ } }; Base.prototype.k = 4; const o = new Sub()', change: 'o.go()', look: 'o.k' }),
  changeAndLook({ name: 'super.x += 1', make: 'class Base {}; class Sub extends Base { go() { super.k += 1 } }; Base.prototype.k = 4; const o = new Sub()', change: 'o.go()', look: 'o.k' }),
]

const loops: readonly Case[] = [
  {
    name: 'for await over promises of an array',
    source: `let log = ''
const one = async () => { for await (const item of [Promise.resolve('a'), Promise.resolve('b')]) log += item }
const two = async () => { await null; log += 'x' }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"abx"', '"axb"', '"xab"'],
  },
  {
    name: 'for await over a sync iterable switches at its end',
    source: `let log = ''
const one = async () => { for await (const item of ['a']) log += item; log += 'e' }
const two = async () => { await null; log += 'x' }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"aex"', '"axe"', '"xae"'],
  },
  {
    name: 'for await over an empty array switches',
    source: `let log = ''
const one = async () => { for await (const item of []) log += item; log += 'e' }
const two = async () => { await null; log += 'x' }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"ex"', '"xe"'],
  },
  {
    name: 'for await over a list that grows',
    source: `const list = ['a']
let log = ''
const one = async () => { for await (const item of list) log += item }
const two = async () => { await null; list.push('b') }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"a"', '"ab"'],
  },
  {
    name: 'for await over a Set that grows',
    source: `const set = new Set(['a'])
let log = ''
const one = async () => { for await (const item of set) log += item }
const two = async () => { await null; set.add('b') }
await Promise.all([one(), two()])
return log`,
    outcomes: ['"a"', '"ab"'],
  },
  {
    name: 'for await over an async generator that looks',
    source: `let n = 0
async function* looks() { yield n; await null; yield n }
const seen = []
const one = async () => { for await (const item of looks()) seen.push(item) }
const two = async () => { await null; n++ }
await Promise.all([one(), two()])
return seen`,
    outcomes: ['[0,0]', '[0,1]'],
  },
  {
    name: 'for await over an async iterator of one’s own',
    source: `let n = 0
const iterable = { [Symbol.asyncIterator]: () => ({ i: 0, async next() { await null; return { value: n, done: this.i++ === 2 } } }) }
const seen = []
const one = async () => { for await (const item of iterable) seen.push(item) }
const two = async () => { await null; n++ }
await Promise.all([one(), two()])
return seen`,
    outcomes: 3,
  },
  {
    name: 'for await over two iterables apart',
    source: `const task = async (list) => { let sum = 0; for await (const item of list) sum += item; return sum }
return await Promise.all([task([1, 2]), task([3])])`,
    outcomes: ['[3,3]'],
    executions: 1,
  },
  {
    name: 'an async generator of two tasks',
    source: `async function* numbers() { yield 1; yield 2; yield 3 }
const o = numbers()
const task = async () => { await null; return (await o.next()).value }
return await Promise.all([task(), task()])`,
    outcomes: ['[1,2]', '[2,1]'],
  },
  {
    name: 'an async generator of two tasks that looks',
    source: `let n = 0
async function* numbers() { while (true) { await null; yield n } }
const o = numbers()
const task = async () => { const { value } = await o.next(); n++; return value }
return await Promise.all([task(), task()])`,
    outcomes: ['[0,0]', '[0,1]'],
  },
  {
    name: 'an async generator that two loops drain',
    source: `async function* numbers() { yield 1; yield 2; yield 3 }
const o = numbers()
const task = async () => { const got = []; for await (const item of o) got.push(item); return got }
return await Promise.all([task(), task()])`,
    outcomes: ['[[1,3],[2]]', '[[1],[2,3]]'],
  },
  {
    name: 'an async generator that one task ends',
    source: `async function* numbers() { yield 1; yield 2 }
const o = numbers()
const take = async () => { await null; return (await o.next()).done }
const end = async () => { await null; await o.return() }
return (await Promise.all([take(), end()]))[0]`,
    outcomes: ['false', 'true'],
  },
  {
    name: 'async generators of two tasks apart',
    source: `async function* numbers() { let n = 1; while (n < 2) { await null; yield n++ } }
const task = async () => { let sum = 0; for await (const item of numbers()) sum += item; return sum }
return await Promise.all([task(), task()])`,
    outcomes: ['[1,1]'],
    executions: 1,
  },
]

const accessors: readonly Case[] = [
  changeAndLook({ name: 'an opaque accessor is assigned, input.value', make: 'const o = opaque.input()', change: `o.value = 'k'`, look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor is assigned, a signal', make: 'const o = opaque.signal(0)', change: 'o.value = 1', look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor of a class', make: 'const o = new opaque.Counter()', change: 'o.value = 5', look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor and a method', make: 'const o = new opaque.Counter()', change: 'o.increment()', look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor destructured', make: 'const o = opaque.signal(0)', change: 'o.value = 1', look: '(({ value }) => value)(o)' }),
  changeAndLook({ name: 'an opaque accessor spread', make: 'const o = opaque.signal(0)', change: 'o.value = 1', look: '({ ...o })' }),
  changeAndLook({ name: 'an opaque accessor inherited', make: 'const o = Object.create(opaque.signal(0))', change: 'o.value = 1', look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor by Reflect.set', make: 'const o = opaque.signal(0)', change: `Reflect.set(o, 'value', 1)`, look: 'o.value' }),
  changeAndLook({ name: 'an opaque accessor by Object.assign', make: 'const o = opaque.signal(0)', change: 'Object.assign(o, { value: 1 })', look: 'o.value' }),
  changesAndEnd({ name: 'an opaque accessor, value++', make: 'const o = opaque.signal(0)', changes: ['const read = o.value; await null; o.value = read + 1', 'const read = o.value; await null; o.value = read + 1'], look: 'o.value', outcomes: ['1', '2'] }),
  changeAndLook({ name: 'an accessor of an object', make: 'let n = 0; const o = { get k() { return n }, set k(v) { n = v } }', change: 'o.k = 1', look: 'o.k' }),
  changeAndLook({ name: 'an accessor of a class', make: 'class A { #n = 0; get k() { return this.#n } set k(v) { this.#n = v } }; const o = new A()', change: 'o.k = 1', look: 'o.k' }),
  changeAndLook({ name: 'a static accessor', make: 'class A { static #n = 0; static get k() { return A.#n } static set k(v) { A.#n = v } }', change: 'A.k = 1', look: 'A.k' }),
  changeAndLook({ name: 'a private field', make: 'class A { #n = 0; add() { this.#n++ } see() { return this.#n } }; const o = new A()', change: 'o.add()', look: 'o.see()' }),
  changeAndLook({ name: 'a private method', make: 'class A { n = 0; #own() { this.n++ } add() { this.#own() } }; const o = new A()', change: 'o.add()', look: 'o.n' }),
  apartByOpaqueCode({ name: 'an opaque accessor', make: 'const o = opaque.signal(0)', change: 'o.value = 1', look: 'o.value' }),
  apartByOpaqueCode({ name: 'an opaque input', make: 'const o = opaque.input()', change: `o.value = 'k'`, look: 'o.value' }),
  apart({ name: 'an accessor', make: 'let n = 0; const o = { get k() { return n }, set k(v) { n = v } }', change: 'o.k = 1', look: 'o.k' }),
]

const proxies: readonly Case[] = [
  changeAndLook({ name: 'a proxy is written, its target read', make: 'const target = { k: 0 }; const o = new Proxy(target, {})', change: 'o.k = 1', look: 'target.k' }),
  changeAndLook({ name: 'a target is written, its proxy read', make: 'const target = { k: 0 }; const o = new Proxy(target, {})', change: 'target.k = 1', look: 'o.k' }),
  changeAndLook({ name: 'two proxies of one target', make: 'const target = { k: 0 }; const one = new Proxy(target, {}); const two = new Proxy(target, {})', change: 'one.k = 1', look: 'two.k' }),
  changeAndLook({ name: 'a proxy of a proxy', make: 'const target = { k: 0 }; const o = new Proxy(new Proxy(target, {}), {})', change: 'o.k = 1', look: 'target.k' }),
  changeAndLook({ name: 'a proxy with traps that use Reflect with the receiver', make: 'const target = { k: 0 }; const o = new Proxy(target, { get: (t, key, r) => Reflect.get(t, key, r), set: (t, key, v, r) => Reflect.set(t, key, v, r) })', change: 'o.k = 1', look: 'target.k' }),
  changeAndLook({ name: 'a proxy with traps that use Reflect without the receiver', make: 'const target = { k: 0 }; const o = new Proxy(target, { get: (t, key) => Reflect.get(t, key), set: (t, key, v) => Reflect.set(t, key, v) })', change: 'o.k = 1', look: 'target.k' }),
  changeAndLook({ name: 'a proxy with traps that use the target', make: 'const target = { k: 0 }; const o = new Proxy(target, { get: (t, key) => t[key], set: (t, key, v) => { t[key] = v; return true } })', change: 'o.k = 1', look: 'target.k' }),
  changeAndLook({ name: 'a trap that looks elsewhere', make: 'let n = 0; const o = new Proxy({}, { get: () => n })', change: 'n = 1', look: 'o.anything' }),
  changeAndLook({ name: 'a trap has', make: 'let n = false; const o = new Proxy({}, { has: () => n })', change: 'n = true', look: `'k' in o` }),
  changeAndLook({ name: 'a trap ownKeys', make: `const keys = []; const o = new Proxy({}, { ownKeys: () => keys, getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })`, change: `keys.push('k')`, look: 'Object.keys(o)' }),
  ...['Reflect.ownKeys(o)', 'Object.entries(o)', '({ ...o })', 'JSON.stringify(o)', '(() => { for (const key in o) return key; return null })()', 'Object.assign({}, o)', '(({ ...rest }) => rest)(o)'].map((look) =>
    changeAndLook({ name: `a trap ownKeys by ${look}`, make: `const keys = []; const o = new Proxy({}, { get: (t, key) => (key === 'k' ? 1 : undefined), ownKeys: () => keys, getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })`, change: `keys.push('k')`, look }),
  ),
  changeAndLook({ name: 'a trap ownKeys of a class of handlers', make: `class Handler { #keys = []; add(key) { this.#keys.push(key) } ownKeys() { return this.#keys } getOwnPropertyDescriptor() { return { value: 1, enumerable: true, configurable: true } } }; const handler = new Handler(); const o = new Proxy({}, handler)`, change: `handler.add('k')`, look: 'Object.keys(o)' }),
  changeAndLook({ name: 'a trap getOwnPropertyDescriptor', make: `const own = { value: 1, enumerable: true, configurable: true, writable: true }; const o = new Proxy({}, { getOwnPropertyDescriptor: () => own })`, change: 'own.value = 2', look: `Object.getOwnPropertyDescriptor(o, 'k').value` }),
  ...['o.k', `'k' in o`, 'Object.keys(o)', '({ ...o })', 'o.m()', `Reflect.get(o, 'k')`, '(o.k = 2)', 'delete o.k', 'JSON.stringify(o)', 'o instanceof Map', 'Object.create(o).k', '(({ k }) => k)(o)', '`${o.k}`', 'structuredClone(o.k)', `opaque.getProperty(o, 'k')`].map((look) =>
    changeAndLook({ name: `Proxy.revocable is revoked while ${look}`, make: 'const { proxy: o, revoke } = Proxy.revocable({ k: 1, m: () => 1 }, {})', change: 'revoke()', look: `(() => { try { return ${look} } catch { return 'revoked' } })()` }),
  ),
  changeAndLook({ name: 'a revocable array is revoked', make: 'const { proxy: o, revoke } = Proxy.revocable([], {})', change: 'revoke()', look: `(() => { try { return Array.isArray(o) } catch { return 'revoked' } })()` }),
  changeAndLook({ name: 'a revocable function is revoked', make: 'const { proxy: o, revoke } = Proxy.revocable(() => 1, {})', change: 'revoke()', look: `(() => { try { return o() } catch (error) { return error.message } })()` }),
  changeAndLook({ name: 'a revocable proxy is revoked by opaque code', make: 'const revocable = Proxy.revocable({ k: 1 }, {}); const o = revocable.proxy', change: 'opaque.call(revocable.revoke)', look: `(() => { try { return o.k } catch (error) { return error.message } })()` }),
  apart({ name: 'revocable proxies', make: 'const o = Proxy.revocable({ k: 1 }, {})', change: 'o.proxy.k++; o.revoke()', look: `(() => { try { return o.proxy.k } catch (error) { return error.message } })()` }),
  changeAndLook({ name: 'a trap deleteProperty', make: 'const target = { k: 1 }; const o = new Proxy(target, { deleteProperty: (t, key) => delete t[key] })', change: 'delete o.k', look: `'k' in target` }),
  changeAndLook({ name: 'a trap apply', make: 'let n = 0; const o = new Proxy(() => {}, { apply: () => ++n })', change: 'o()', look: 'n' }),
  changeAndLook({ name: 'a trap get of a function', make: `let n = 0; const o = new Proxy(() => {}, { get: (t, key) => { n++; return Reflect.get(t, key) } })`, change: 'o(); o.k', look: 'n' }),
  changeAndLook({ name: 'a trap construct', make: 'let n = 0; const o = new Proxy(class {}, { construct: () => { n++; return {} } })', change: 'new o()', look: 'n' }),
  changeAndLook({ name: 'Proxy.revocable is revoked', make: 'const { proxy: o, revoke } = Proxy.revocable({ k: 1 }, {})', change: 'revoke()', look: `(() => { try { return o.k } catch { return 'revoked' } })()` }),
  changeAndLook({ name: 'a proxy of an array', make: 'const target = []; const o = new Proxy(target, {})', change: 'o.push(1)', look: 'target.length' }),
  changeAndLook({ name: 'an array and its proxy', make: 'const target = []; const o = new Proxy(target, {})', change: 'target.push(1)', look: 'o.length' }),
  changeAndLook({ name: 'a proxy of a Map by bound methods', make: `const target = new Map(); const o = new Proxy(target, { get: (t, key) => typeof t[key] === 'function' ? t[key].bind(t) : t[key] })`, change: `o.set('k', 1)`, look: 'target.size' }),
  changeAndLook({ name: 'a proxy with a getter of its target', make: 'const target = { n: 0, get k() { return this.n } }; const o = new Proxy(target, {})', change: 'target.n = 1', look: 'o.k' }),
  changeAndLook({ name: 'an object that inherits from a proxy', make: 'const target = { k: 0 }; const o = Object.create(new Proxy(target, {}))', change: 'target.k = 1', look: 'o.k' }),
  apart({ name: 'a proxy', make: 'const o = new Proxy({ k: 0 }, {})', change: 'o.k = 1', look: 'o.k' }),
  apart({ name: 'a proxy with traps', make: 'const o = new Proxy({ k: 0 }, { get: (t, key, r) => Reflect.get(t, key, r), set: (t, key, v, r) => Reflect.set(t, key, v, r) })', change: 'o.k++', look: 'o.k' }),
]

const proxyLooks = [
  `'k' in x`, 'x.k ?? null', 'Object.keys(x)', 'Object.entries(x)', 'Object.values(x).length', `Object.hasOwn(x, 'k')`, `x.hasOwnProperty('k')`, 'JSON.stringify(x)', '({ ...x })', `Reflect.has(x, 'k')`, 'Reflect.ownKeys(x)',
  `Reflect.get(x, 'k') ?? null`, `Object.getOwnPropertyDescriptor(x, 'k') ?? null`, 'Object.getOwnPropertyNames(x)', '(() => { for (const key in x) return key; return null })()', '(({ k = 0 }) => k)(x)', '(({ ...rest }) => rest)(x)', 'x?.k ?? null', 'Object.assign({}, x)',
]

const proxyChanges = ['target.k = 1', 'x.k = 1', `Reflect.set(x, 'k', 1)`, `Object.defineProperty(x, 'k', { value: 1, enumerable: true, configurable: true })`, 'Object.assign(x, { k: 1 })']

const laterTraps: readonly Case[] = [
  changeAndLook({ name: 'a trap get that comes later', make: 'const handler = {}; const o = new Proxy({ k: 1 }, handler)', change: 'handler.get = () => 2', look: 'o.k' }),
  changeAndLook({ name: 'a trap get that goes', make: 'const handler = { get: () => 2 }; const o = new Proxy({ k: 1 }, handler)', change: 'delete handler.get', look: 'o.k' }),
  changeAndLook({ name: 'a trap get that is replaced', make: 'const handler = { get: () => 2 }; const o = new Proxy({ k: 1 }, handler)', change: 'handler.get = () => 3', look: '({ k: o.k })' }),
  changeAndLook({ name: 'a trap has that comes later', make: 'const handler = {}; const o = new Proxy({ k: 1 }, handler)', change: 'Object.assign(handler, { has: () => false })', look: `'k' in o` }),
  changeAndLook({ name: 'a trap ownKeys that comes later', make: 'const handler = {}; const o = new Proxy({ k: 1 }, handler)', change: `Object.defineProperty(handler, 'ownKeys', { value: () => [] })`, look: 'Reflect.ownKeys(o)' }),
  changeAndLook({ name: 'a trap set that comes later', make: 'const handler = {}; const target = {}; const o = new Proxy(target, handler)', change: 'handler.set = () => true', look: '(() => { o.k = 1; return Object.keys(target) })()' }),
  changeAndLook({ name: 'a trap of a revocable proxy that comes later', make: 'const handler = {}; const { proxy: o } = Proxy.revocable({ k: 1 }, handler)', change: 'handler.get = () => 2', look: 'o.k' }),
]

/** What stands behind a proxy, or inherits from one, changes as a whole. */
const behindProxies: readonly Case[] = [
  ...['target.a = 2', 'delete target.a', 'o.b = 1', `Reflect.deleteProperty(o, 'a')`].map((change) =>
    changeAndLook({ name: `for...in of what inherits from a proxy while ${change}`, make: 'const target = { a: 1 }; const o = new Proxy(target, {}); const child = Object.create(o)', change, look: '(() => { const keys = []; for (const key in child) keys.push(key, child[key]); return keys })()' }),
  ),
  ...['(o.c = 1, Object.keys(target))', '(delete o.a, Object.keys(target))', '(o.a = 5, target.a)', '(child.a = 5, target.a)', `Object.getOwnPropertyDescriptor(o, 'a')`].flatMap((look) =>
    ['Object.freeze(target)', 'Object.freeze(o)'].map((change) => changeAndLook({ name: `${look} through a proxy while ${change}`, make: 'const target = { a: 1 }; const o = new Proxy(target, {}); const child = Object.create(o)', change, look: `(() => { try { return ${look} } catch { return 'refused' } })()` })),
  ),
  ...['o.z ?? 0', 'child.z ?? 0', 'target.z ?? 0', `'z' in child`].map((look) => changeAndLook({ name: `${look} while a proxy gets a prototype`, make: 'const target = {}; const o = new Proxy(target, {}); const child = Object.create(o)', change: 'o.__proto__ = { z: 1 }', look })),
  changeAndLook({ name: 'a descriptor while the object is sealed', make: 'const o = { a: 1 }', change: 'Object.seal(o)', look: `Object.getOwnPropertyDescriptor(o, 'a').configurable` }),
  changeAndLook({ name: 'an assignment while the prototype is frozen', make: 'const base = { a: 1 }; const o = Object.create(base)', change: 'Object.freeze(base)', look: `(() => { try { o.a = 2; return o.a } catch { return 'refused' } })()` }),
  changeAndLook({ name: 'the size of a Map taken apart', make: 'const o = new Map()', change: `o.set('k', 1)`, look: '(({ size }) => size)(o)' }),
  changeAndLook({ name: 'the size of a Set taken apart by a callback', make: 'const o = new Set()', change: `o.add('k')`, look: '[o].map(({ size }) => size)' }),
  changeAndLook({ name: 'the parts of a URL taken apart', make: `const o = new URL('https://a.example/')`, change: `o.hash = 'h'`, look: '(({ href }) => href)(o)' }),
  changeAndLook({ name: 'the state of a signal taken apart', make: 'const controller = new AbortController(); const o = controller.signal', change: 'controller.abort()', look: '(({ aborted }) => aborted)(o)' }),
  changeAndLook({ name: 'the length of bytes taken apart', make: 'const buffer = new ArrayBuffer(2); const o = new Uint8Array(buffer)', change: 'structuredClone(buffer, { transfer: [buffer] })', look: '(({ length }) => length)(o)' }),
]

/** Everything that looks at an object, through a proxy, while the target or the proxy changes. */
const throughProxies: readonly Case[] = [
  ...proxyLooks.flatMap((look) =>
    proxyChanges.slice(0, 2).map((change) => changeAndLook({ name: `${look} through a proxy while ${change}`, make: 'const target = {}; const x = new Proxy(target, {})', change, look })),
  ),
  ...proxyLooks.map((look) => changeAndLook({ name: `${look} through a proxy while it is deleted`, make: 'const target = { k: 1 }; const x = new Proxy(target, {})', change: 'delete x.k', look })),
  ...proxyChanges.map((change) => changeAndLook({ name: `${change} while the target is looked at`, make: 'const target = {}; const x = new Proxy(target, {})', change, look: 'Object.entries(target)' })),
  {
    name: 'a key of a proxy deleted, set again and looked for',
    source: `const target = { a: 0 }
const x = new Proxy(target, {})
let seen
const one = async () => { await null; delete x.a; await null; seen = 'a' in x }
const two = async () => { await null; x.a = 1 }
await Promise.all([one(), two()])
return seen`,
    outcomes: ['false', 'true'],
  },
]

const variables: readonly Case[] = [
  ...['n++', 'n = n + 1', 'n += 1', '++n', '[n] = [1]', '({ n } = { n: 1 })', 'for (n of [1]);', 'n ||= 1', '(() => { n = 1 })()', '(function () { n = 1 })()', 'opaque.call(() => { n = 1 })', `[1].forEach((value) => { n = value })`].map((change) =>
    changeAndLook({ name: `${change} while n`, make: 'let n = 0', change: change.startsWith('(') || change.startsWith('[') ? `;${change}` : change, look: 'n' }),
  ),
  changesAndEnd({ name: 'two variables of one scope', make: 'let a = 0; let b = 0', changes: ['a++', 'b++'], look: 'a + b', outcomes: ['2'], executions: 1 }),
  {
    name: 'variables of two calls of one closure',
    source: `const make = () => { let n = 0; return { add: () => { n++ }, see: () => n } }
const task = async (counter) => { await null; counter.add(); await null; return counter.see() }
return await Promise.all([task(make()), task(make())])`,
    outcomes: ['[1,1]'],
    executions: 1,
  },
  {
    name: 'a closure that two tasks call',
    source: `const make = () => { let n = 0; return { add: async () => { const read = n; await null; n = read + 1 }, see: () => n } }
const counter = make()
await Promise.all([counter.add(), counter.add()])
return counter.see()`,
    outcomes: ['1'],
  },
  {
    name: 'variables of a loop are apart',
    source: `const tasks = []
for (let i = 0; i < 2; i++) { let n = 0; tasks.push((async () => { await null; n += i; await null; return n })()) }
return await Promise.all(tasks)`,
    outcomes: ['[0,1]'],
    executions: 1,
  },
]

export const language: readonly Case[] = [...supers, ...loops, ...accessors, ...proxies, ...laterTraps, ...behindProxies, ...throughProxies, ...variables]
