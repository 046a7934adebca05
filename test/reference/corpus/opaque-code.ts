import { apart, apartByOpaqueCode, changeAndLook, changesAndEnd, type Case } from './case.ts'

/** What an object inherits changes, while code that is not instrumented uses the object. */
const inherited: readonly Case[] = [
  changeAndLook({ name: 'a call of a method, of which the prototype is replaced', make: 'class A { m() { return 1 } }; class B { m() { return 2 } }; const o = new A()', change: 'Object.setPrototypeOf(o, B.prototype)', look: `opaque.invoke(o, 'm')` }),
  changeAndLook({ name: 'a call of a method that is replaced', make: 'class A { m() { return 1 } }; const o = new A()', change: 'A.prototype.m = () => 2', look: `opaque.invoke(o, 'm')` }),
  changeAndLook({ name: 'a call of a method that is replaced further up', make: 'class A { m() { return 1 } }; class B extends A {}; const o = new B()', change: 'A.prototype.m = () => 2', look: `opaque.invoke(o, 'm')` }),
  changeAndLook({ name: 'a method that is added', make: 'class A {}; const o = new A()', change: 'A.prototype.m = () => 2', look: `typeof opaque.getProperty(o, 'm')` }),
  changeAndLook({ name: 'a method by a symbol that is replaced', make: `const m = Symbol('m'); class A { [m]() { return 1 } }; const o = new A()`, change: 'A.prototype[m] = () => 2', look: 'opaque.invoke(o, m)' }),
  changeAndLook({ name: 'an accessor that is replaced', make: 'class A { get k() { return 1 } }; const o = new A()', change: `Object.defineProperty(A.prototype, 'k', { get: () => 2 })`, look: `opaque.getProperty(o, 'k')` }),
  changeAndLook({ name: 'a property of a prototype', make: 'const p = { k: 1 }; const o = Object.create(p)', change: 'p.k = 2', look: `opaque.getProperty(o, 'k')` }),
  changeAndLook({ name: 'an inherited static property', make: 'class A { static k = 1 }; class B extends A {}', change: 'A.k = 2', look: `opaque.getProperty(B, 'k')` }),
  changeAndLook({ name: 'a static method that is replaced', make: 'class A { static m() { return 1 } }', change: 'A.m = () => 2', look: `opaque.invoke(A, 'm')` }),
  changeAndLook({ name: 'a method of a class that it makes instances of', make: 'class A { m() { return 1 } }', change: 'A.prototype.m = () => 2', look: `opaque.call((C) => opaque.invoke(new C(), 'm'), A)` }),
  changeAndLook({ name: 'a method of an object inside', make: 'class A { toJSON() { return 1 } }; const o = { a: new A() }', change: 'A.prototype.toJSON = () => 2', look: 'opaque.describe(o)' }),
  changeAndLook({ name: 'a property that is not enumerated', make: `const o = Object.defineProperty({}, 'k', { value: 1, writable: true })`, change: 'o.k = 2', look: `opaque.getProperty(o, 'k')` }),
  {
    name: 'a method of the platform that is replaced',
    source: `const { anchor } = String.prototype; let seen
await Promise.all([(async () => { await null; String.prototype.anchor = () => 9 })(), (async () => { await null; seen = opaque.invoke(new String('a'), 'anchor', [0]) })()])
String.prototype.anchor = anchor
return seen`,
    outcomes: 2,
  },
  apartByOpaqueCode({ name: 'methods of one class', make: 'class A { k = 0; add() { this.k++ } get() { return this.k } }; const o = new A()', change: `opaque.invoke(o, 'add')`, look: `opaque.invoke(o, 'get')` }),
]

export const opaqueCode: readonly Case[] = [
  changeAndLook({ name: 'a counter that a thenable shows', make: '', change: 'opaque.increment()', look: 'await opaque.builder' }),
  changeAndLook({ name: 'a counter that a thenable in a race shows', make: '', change: 'opaque.increment()', look: 'await Promise.race([opaque.builder])' }),
  ...inherited,
  changeAndLook({ name: 'a counter in a closure', make: '', change: 'opaque.increment()', look: 'opaque.count()' }),
  changesAndEnd({ name: 'a counter in a closure, its results', make: 'const got = {}', changes: ['got.a = opaque.increment()', 'got.b = opaque.increment()'], look: '[got.a, got.b]', outcomes: ['[1,2]', '[2,1]'] }),
  changesAndEnd({ name: 'a value kept in a closure', make: '', changes: ['opaque.keep(1)', 'opaque.keep(2)'], look: 'opaque.kept()', outcomes: ['1', '2'] }),
  changeAndLook({ name: 'store.setState while getState', make: 'const { store } = opaque', change: 'store.setState({ value: 1 })', look: 'store.getState().value' }),
  changesAndEnd({ name: 'store.setState from what getState said', make: 'const { store } = opaque', changes: ['const { value } = store.getState(); await null; store.setState({ value: value + 1 })', 'const { value } = store.getState(); await null; store.setState({ value: value + 1 })'], look: 'store.getState().value', outcomes: ['1', '2'] }),
  changesAndEnd({ name: 'store.setState by a function', make: 'const { store } = opaque', changes: ['store.setState((state) => ({ list: [...state.list, 1] }))', 'store.setState((state) => ({ list: [...state.list, 2] }))'], look: 'store.getState().list', outcomes: ['[1,2]', '[2,1]'] }),
  changeAndLook({ name: 'store.subscribe while setState', make: 'const { store } = opaque; let n = 0', change: 'store.subscribe(() => n++)', look: '(store.setState({ value: 1 }), n)' }),
  changeAndLook({ name: 'a store by destructured functions', make: 'const { getState, setState } = opaque.store', change: 'setState({ value: 1 })', look: 'getState().value' }),
  changeAndLook({ name: 'a cache behind functions', make: '', change: `opaque.cacheSet('k', 1)`, look: `opaque.cacheGet('k') ?? 0` }),
  changesAndEnd({ name: 'a cache that makes what it lacks', make: 'const got = {}', changes: [`got.a = opaque.cached('k', () => 'a')`, `got.b = opaque.cached('k', () => 'b')`], look: '[got.a, got.b]', outcomes: ['["a","a"]', '["b","b"]'] }),
  changeAndLook({ name: 'a method of an opaque class', make: 'const o = new opaque.Counter()', change: 'o.increment()', look: 'o.value' }),
  changeAndLook({ name: 'a method of an opaque class by call', make: 'const o = new opaque.Counter()', change: 'opaque.Counter.prototype.increment.call(o)', look: 'o.value' }),
  changeAndLook({ name: 'a subclass of an opaque class', make: 'class Sub extends opaque.Counter { go() { super.increment() } }; const o = new Sub()', change: 'o.go()', look: 'o.value' }),
  changeAndLook({ name: 'functions that share a closure', make: 'const { increment, value } = opaque.makeCounter()', change: 'increment()', look: 'value()' }),
  changeAndLook({ name: 'a function that changes its argument', make: 'const o = { k: 0 }', change: `opaque.setProperty(o, 'k', 1)`, look: 'o.k' }),
  changeAndLook({ name: 'a function that looks at its argument', make: 'const o = { k: 0 }', change: 'o.k = 1', look: `opaque.getProperty(o, 'k')` }),
  changeAndLook({ name: 'a function that changes deep inside its argument', make: 'const o = { a: { b: { k: 0 } } }', change: `opaque.deepSet(o, ['a', 'b', 'k'], 1)`, look: 'o.a.b.k' }),
  changeAndLook({ name: 'a function that looks deep inside its argument', make: 'const o = { a: { b: { k: 0 } } }', change: 'o.a.b.k = 1', look: 'opaque.describe(o)' }),
  changeAndLook({ name: 'a function that looks into a Map it is handed', make: 'const o = new Map()', change: `o.set('k', 1)`, look: `opaque.invoke(o, 'get', ['k']) ?? 0` }),
  changeAndLook({ name: 'a function that changes a list it is handed', make: 'const o = []', change: 'opaque.push(o, 1)', look: 'o.length' }),
  changeAndLook({ name: 'a function that kept what it was handed', make: 'const o = { k: 0 }; opaque.keep(o)', change: 'opaque.kept().k = 1', look: 'o.k' }),
  changeAndLook({ name: 'a callback called twice', make: 'let n = 0', change: 'opaque.twice(() => n++)', look: 'n' }),
  changeAndLook({ name: 'a callback that was kept', make: 'let n = 0; opaque.keep(() => n++)', change: 'opaque.kept()()', look: 'n' }),
  changeAndLook({ name: 'a debounced callback', make: 'let n = 0; const later = opaque.debounced((value) => { n = value })', change: 'later(1)', look: 'n' }),
  changeAndLook({ name: 'a callback of a callback', make: 'let n = 0', change: 'opaque.call((inner) => opaque.call(inner), () => n++)', look: 'n' }),
  changeAndLook({ name: 'a function with properties', make: 'const o = opaque.func()', change: 'o()', look: 'o.calls' }),
  changeAndLook({ name: 'Object.assign to an opaque object', make: 'const o = opaque.freshRow(1)', change: 'opaque.merge(o, { stock: 0 })', look: 'o.stock' }),
  apartByOpaqueCode({ name: 'opaque counters', make: 'const o = new opaque.Counter()', change: 'o.increment()', look: 'o.value' }),
  apartByOpaqueCode({ name: 'arguments of opaque calls', make: 'const o = { k: 0 }', change: `opaque.setProperty(o, 'k', 1)`, look: `opaque.getProperty(o, 'k')` }),
  apart({ name: 'what opaque code returned before', make: 'const o = opaque.freshRow(1)', change: 'o.stock--', look: 'o.stock' }),
  {
    name: 'pure functions of the platform are no shared state',
    source: `const task = async (n) => { await null; const a = Math.max(n, 1); await null; const b = String(a).padStart(2, '0'); await null; return parseInt(b) + Number.isInteger(a) + encodeURIComponent(b) + JSON.parse(b.replace('0', '')) }
return await Promise.all([task(1), task(2)])`,
    outcomes: 1,
    executions: 1,
  },
]
