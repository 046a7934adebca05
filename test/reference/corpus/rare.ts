import { apart, apartByOpaqueCode, changeAndLook, type Case, type Sharing } from './case.ts'

/** What is seldom written, and shared all the same. */

interface Row extends Sharing {
  /** Left out of the forms in which each task has an object of its own: it needs more than that object. */
  readonly isApart?: false
}

/** One task changes, one looks. */
const shared: readonly Row[] = [
  { name: 'subclass Array push through super in map species', make: 'class L extends Array { add(x) { this.push(x); return this } }; const o = new L()', change: 'o.add(1)', look: 'o.map((x) => x).length' },
  { name: 'Array species constructor keeps state', make: 'class L extends Array { static made = 0; constructor(...a) { super(...a); L.made++ } }; const o = { l: L.from([1, 2]), L }', change: 'o.l.map((x) => x)', look: 'o.L.made' },
  { name: 'Symbol.species replaced', make: 'class L extends Array { static get [Symbol.species]() { return L.kind } static kind = Array }; const o = { l: L.of(1), L }', change: 'o.L.kind = o.L', look: 'o.l.map((x) => x) instanceof o.L' },
  { name: 'Map subclass with computed default', make: 'class D extends Map { get(k) { if (!this.has(k)) this.set(k, []); return super.get(k) } }; const o = new D()', change: `o.get('a').push(1)`, look: `o.get('a').length` },
  { name: 'Set subclass overriding add', make: 'class S extends Set { add(x) { this.last = x; return super.add(x) } }; const o = new S()', change: 'o.add(3)', look: 'o.last ?? null' },
  { name: 'Error subclass with state', make: `class E extends Error { constructor(m, o) { super(m, o); this.name = 'E' } }; const o = new E('a', { cause: { n: 1 } })`, change: 'o.cause.n = 2', look: 'o.cause.n' },
  { name: 'Error text', make: `class E extends Error {}; const o = new E('a')`, change: `o.message = 'b'`, look: '`${o}`' },
  { name: 'AggregateError errors', make: `const o = new AggregateError([new Error('a')], 'x')`, change: `o.errors[0].message = 'b'`, look: 'o.errors.map((e) => e.message)' },
  { name: 'Error stack own', make: `const o = new Error('a')`, change: `o.stack = 'own'`, look: `o.stack === 'own'` },
  { name: 'Promise subclass with state', make: 'class P extends Promise { static n = 0; constructor(f) { super(f); P.n++ } }; const o = P', change: 'new o(() => {})', look: 'o.n' },
  { name: 'Function property as state', make: 'const o = Object.assign(() => o.n, { n: 0 })', change: 'o.n = 1', look: 'o()' },
  { name: 'Uint8Array subclass', make: 'class B extends Uint8Array { bump() { this[0]++ } }; const o = new B(2)', change: 'o.bump()', look: 'o[0]' },
  { name: 'DataView subclass', make: 'class V extends DataView { put(v) { this.setUint8(0, v) } }; const o = new V(new ArrayBuffer(2))', change: 'o.put(4)', look: 'o.getUint8(0)' },
  { name: 'EventTarget subclass', make: 'class T extends EventTarget { n = 0; constructor() { super(); this.addEventListener("x", () => { this.n++ }) } }; const o = new T()', change: 'o.dispatchEvent(new Event("x"))', look: 'o.n' },
  { name: 'Date subclass with cache', make: 'class D extends Date { #c; iso() { return this.#c ??= this.toISOString() } }; const o = new D(0)', change: 'o.setTime(86400000)', look: 'o.iso()' },
  { name: 'WeakRef of shared', make: 'const t = { n: 0 }; const o = { r: new WeakRef(t), t }', change: 'o.t.n = 1', look: 'o.r.deref().n' },
  { name: 'WeakRef replaced', make: 'const o = { r: new WeakRef({ n: 1 }), k: [{ n: 2 }] }', change: 'o.r = new WeakRef(o.k[0])', look: 'o.r.deref().n' },
  { name: 'private setter chain', make: 'class A { #v = 1; get #x() { return this.#v } set #x(n) { this.#v = n * 2 } up() { this.#x = this.#x + 1 } get v() { return this.#v } }; const o = new A()', change: 'o.up()', look: 'o.v' },
  { name: 'static private method', make: 'class A { static #n = 0; static #bump() { return ++A.#n } static go() { return A.#bump() } static get n() { return A.#n } }; const o = A', change: 'o.go()', look: 'o.n' },
  { name: 'static block shares', make: 'let get, set; class A { #x = 1; static { get = (a) => a.#x; set = (a, v) => { a.#x = v } } }; const o = { a: new A(), get, set }', change: 'o.set(o.a, 5)', look: 'o.get(o.a)' },
  { name: 'accessor keyword by hand', make: 'class A { #n = 0; get n() { return this.#n } set n(v) { this.#n = v } }; const o = new A()', change: 'o.n++', look: 'o.n' },
  { name: 'getter on array element object', make: 'const s = { n: 1 }; const o = [{ get v() { return s.n } }, s]', change: 'o[1].n = 4', look: 'o[0].v' },
  { name: 'getter by destructuring default', make: 'const s = { n: 1 }; const o = { s, get d() { return s.n } }', change: 'o.s.n = 2', look: '(({ x = o.d }) => x)({})' },
  { name: 'setter by destructuring', make: 'const o = { n: 0, set v(x) { this.n = x } }', change: '[o.v] = [4]', look: 'o.n' },
  { name: 'setter by for of', make: 'const o = { n: 0, set v(x) { this.n += x } }', change: 'for (o.v of [1, 2]);', look: 'o.n' },
  { name: 'setter by object rest', make: 'const o = { set v(x) { this.n = Object.keys(x).length }, n: 0 }', change: '({ a: o.w, ...o.v } = { a: 1, b: 2, c: 3 })', look: 'o.n' },
  { name: 'getter deletes itself', make: 'const o = { get v() { delete o.v; o.v = 5; return 1 } }', change: 'o.v', look: 'o.v' },
  { name: 'static getter', make: 'class A { static s = 1; static get v() { return this.s } }; class B extends A {}; const o = { A, B }', change: 'o.B.s = 2', look: 'o.B.v' },
  { name: 'instance getter via super', make: 'class A { get v() { return this.x } }; class B extends A { x = 1; get v() { return super.v + 1 } }; const o = new B()', change: 'o.x = 4', look: 'o.v' },
  { name: 'super setter creates own', make: 'class A {}; class B extends A { put(v) { super.p = v } }; const o = new B()', change: 'o.put(3)', look: 'o.p ?? null' },
  { name: 'class field arrow capture', make: 'class A { n = 0; add = () => { this.n++ } }; const o = new A(); o.f = o.add', change: '(0, o.f)()', look: 'o.n' },
  { name: 'class field arrow replaced', make: 'class A { f = () => 1 }; const o = new A()', change: 'o.f = () => 2', look: 'o.f()' },
  { name: 'field initializer reads outer', make: 'const o = { n: 1 }', change: 'o.n = 2', look: 'new (class { v = o.n })().v' },
  { name: 'computed field name reads', make: `const o = { k: 'a' }`, change: `o.k = 'b'`, look: '(() => { class A { [o.k] = 1 } return Object.keys(new A()) })()' },
  { name: 'static field initializer writes', make: 'const o = { n: 0 }', change: '(() => { class A { static x = o.n++ } })()', look: 'o.n' },
  { name: 'getter on prototype via defineProperty on class', make: 'class A { n = 1 }; Object.defineProperty(A.prototype, "v", { get() { return this.n }, configurable: true }); const o = new A()', change: 'o.n = 2', look: 'o.v' },
  { name: 'toString of class instance', make: 'class A { n = 1; toString() { return `A${this.n}` } }; const o = new A()', change: 'o.n = 2', look: '`${o}`' },
  { name: 'Symbol.toPrimitive', make: 'class A { n = 1; [Symbol.toPrimitive](h) { return h === "number" ? this.n : "s" + this.n } }; const o = new A()', change: 'o.n = 2', look: '[+o, `${o}`]' },
  { name: 'Symbol.isConcatSpreadable', make: 'const o = { 0: "a", length: 1 }', change: 'o[Symbol.isConcatSpreadable] = true', look: '[].concat(o).length + typeof [].concat(o)[0]' },
  { name: 'Symbol.unscopables no', make: 'const o = [1]', change: 'o[Symbol.unscopables]; o.push(1)', look: 'o.length' },
  { name: 'Symbol.iterator replaced', make: 'const o = [1, 2]', change: 'o[Symbol.iterator] = function* () { yield 9 }', look: '[...o]' },
  { name: 'Symbol.iterator on object', make: 'const o = { n: 1, *[Symbol.iterator]() { yield this.n } }', change: 'o.n = 5', look: '[...o]' },
  { name: 'Symbol.asyncIterator replaced', make: 'const o = { async *[Symbol.asyncIterator]() { yield 1 } }', change: 'o[Symbol.asyncIterator] = async function* () { yield 2 }', look: 'await (async () => { for await (const x of o) return x })()' },
  { name: 'Symbol.hasInstance', make: 'const o = { [Symbol.hasInstance]: () => false }', change: 'o[Symbol.hasInstance] = () => true', look: '({} instanceof (Object.assign(function () {}, {}), class { static [Symbol.hasInstance](v) { return o[Symbol.hasInstance](v) } }))' },
  { name: 'array with own toString', make: 'const o = [1, 2]', change: `o.toString = () => 'own'`, look: '`${o}`' },
  { name: 'array with own join', make: 'const o = [1, 2]', change: `o.join = () => 'own'`, look: 'String(o)' },
  { name: 'array with own toPrimitive', make: 'const o = [1, 2]', change: `o[Symbol.toPrimitive] = () => 'own'`, look: 'o + ""' },
  { name: 'array toJSON', make: 'const o = [1, 2]', change: `o.toJSON = () => 'own'`, look: 'JSON.stringify({ o })' },
  { name: 'Date own toISOString in JSON', make: 'const o = new Date(0)', change: `o.toISOString = () => 'own'`, look: 'JSON.stringify({ o })' },
  { name: 'Map with own property', make: 'const o = new Map()', change: 'o.x = 1', look: 'o.x ?? null' },
  { name: 'Map own get', make: 'const o = new Map([["a", 1]])', change: 'o.get = () => 9', look: 'o.get("a")' },
  { name: 'array own push', make: 'const o = []', change: 'o.push = function (x) { this[0] = -x; return 7 }', look: '(o.push(1), o[0])' },
  { name: 'array length not writable', make: 'const o = [1]', change: 'Object.defineProperty(o, "length", { writable: false })', look: '(() => { try { o.push(2); return "ok" } catch { return "no" } })()' },
  { name: 'array element accessor', make: 'const o = [1]', change: 'Object.defineProperty(o, 0, { get: () => 5 })', look: 'o.map((x) => x)[0]' },
  { name: 'array hole inherits', make: 'const p = { 0: "p" }; const o = Object.assign([, 1], { p }); Object.setPrototypeOf(o, Object.assign(Object.create(Array.prototype), p)); o.q = Object.getPrototypeOf(o)', change: 'o.q[0] = "r"', look: 'o[0]' },
  { name: 'Intl.NumberFormat format of shared', make: 'const o = { n: 1 }', change: 'o.n = 2', look: 'new Intl.NumberFormat("en").format(o.n)' },
  { name: 'Intl.DateTimeFormat of shared Date', make: 'const o = new Date(0)', change: 'o.setTime(1e12)', look: 'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).format(o)' },
  { name: 'Intl.DateTimeFormat formatToParts of Date', make: 'const o = new Date(0)', change: 'o.setTime(1e12)', look: 'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts(o).length + new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatToParts(o)[4].value' },
  { name: 'Intl.DateTimeFormat formatRange', make: 'const o = new Date(0)', change: 'o.setTime(1e12)', look: 'new Intl.DateTimeFormat("en", { timeZone: "UTC" }).formatRange(new Date(0), o)' },
  { name: 'Intl.Collator compare', make: 'const o = ["b", "a"]', change: 'o[0] = "A"', look: '[...o].sort(new Intl.Collator("en").compare)' },
  { name: 'Intl options read', make: 'const o = { minimumFractionDigits: 0 }', change: 'o.minimumFractionDigits = 2', look: 'new Intl.NumberFormat("en", o).format(1)' },
  { name: 'toLocaleString options', make: 'const o = { minimumFractionDigits: 0 }', change: 'o.minimumFractionDigits = 2', look: '(1).toLocaleString("en", o)' },
  { name: 'Intl.PluralRules', make: 'const o = { n: 1 }', change: 'o.n = 2', look: 'new Intl.PluralRules("en").select(o.n)' },
  { name: 'Intl.Segmenter', make: 'const o = { s: "ab" }', change: 'o.s = "abc"', look: '[...new Intl.Segmenter("en").segment(o.s)].length' },
  { name: 'Intl.RelativeTimeFormat', make: 'const o = { n: 1 }', change: 'o.n = 2', look: 'new Intl.RelativeTimeFormat("en").format(o.n, "day")' },
  { name: 'Date toLocaleDateString', make: 'const o = new Date(0)', change: 'o.setTime(1e12)', look: 'o.toLocaleDateString("en", { timeZone: "UTC" })' },
  { name: 'array toLocaleString', make: 'const o = [1]', change: 'o.push(2)', look: 'o.toLocaleString()' },
  { name: 'localeCompare', make: 'const o = { a: "a" }', change: 'o.a = "c"', look: '"b".localeCompare(o.a)' },
  { name: 'proxy get trap counts', make: 'const t = { n: 0, hits: 0 }; const o = new Proxy(t, { get(t, k, r) { if (k === "n") t.hits++; return Reflect.get(t, k, r) } }); o.t = t', change: 'o.n', look: 'o.hits' },
  { name: 'proxy of class instance private', make: 'class A { #n = 0; up() { this.#n++ } get n() { return this.#n } }; const a = new A(); const o = new Proxy(a, { get(t, k) { const v = Reflect.get(t, k, t); return typeof v === "function" ? v.bind(t) : v } })', change: 'o.up()', look: 'o.n' },
  { name: 'proxy revoked', make: 'const { proxy, revoke } = Proxy.revocable({ n: 1 }, {}); const o = { proxy, revoke }', change: 'o.revoke()', look: '(() => { try { return o.proxy.n } catch { return "revoked" } })()' },
  { name: 'proxy handler replaced', make: 'const h = { get: () => 1 }; const o = { h, p: new Proxy({}, h) }', change: 'o.h.get = () => 2', look: 'o.p.x' },
  { name: 'proxy handler trap added', make: 'const h = {}; const o = { h, p: new Proxy({ x: 1 }, h) }', change: 'o.h.get = () => 2', look: 'o.p.x' },
  { name: 'proxy as prototype', make: 'const t = { x: 1 }; const o = Object.create(new Proxy(t, {})); o.t = t', change: 'o.t.x = 2', look: 'o.x' },
  { name: 'proxy as prototype with trap', make: 'const s = { v: 1 }; const o = Object.create(new Proxy({}, { get: (t, k) => s[k] })); Object.defineProperty(o, "s", { value: s })', change: 'o.s.v = 2', look: 'o.v' },
  { name: 'proxy array push', make: 'const t = []; const o = { t, p: new Proxy(t, {}) }', change: 'o.p.push(1)', look: 'o.t.length' },
  { name: 'proxy array traps log', make: 'const log = []; const o = { log, p: new Proxy([], { set(t, k, v) { log.push(k); t[k] = v; return true } }) }', change: 'o.p.push(1)', look: 'o.log.length' },
  { name: 'proxy of Map with bound methods', make: 'const m = new Map(); const o = new Proxy(m, { get: (t, k) => { const v = t[k]; return typeof v === "function" ? v.bind(t) : v } })', change: 'o.set("a", 1)', look: 'o.size' },
  { name: 'proxy apply trap counts', make: 'const s = { n: 0 }; const o = new Proxy(() => 1, { apply(t, self, args) { s.n++; return t() }, get: (t, k) => s[k] })', change: 'o()', look: 'o.n' },
  { name: 'proxy construct trap counts', make: 'const s = { n: 0 }; const o = new Proxy(class {}, { construct(t, args) { s.n++; return {} }, get: (t, k) => k === "n" ? s.n : t[k] })', change: 'new o()', look: 'o.n' },
  { name: 'proxy in membrane', make: 'const t = { a: { b: 1 } }; const wrap = (x) => typeof x === "object" ? new Proxy(x, { get: (t, k) => wrap(t[k]) }) : x; const o = { t, w: wrap(t) }', change: 'o.w.a.b; o.t.a.b = 2', look: 'o.w.a.b' },
  { name: 'proxy getOwnPropertyDescriptor by keys', make: 'const t = { a: 1 }; const o = new Proxy(t, { ownKeys: (t) => Reflect.ownKeys(t), getOwnPropertyDescriptor: (t, k) => Reflect.getOwnPropertyDescriptor(t, k) })', change: 'o.b = 1', look: 'Object.keys(o).length' },
  { name: 'proxy JSON', make: 'const t = { a: 1 }; const o = new Proxy(t, {})', change: 'o.a = 2', look: 'JSON.stringify(o)' },
  { name: 'proxy spread', make: 'const t = { a: 1 }; const o = new Proxy(t, {})', change: 'o.a = 2', look: '({ ...o }).a' },
  { name: 'proxy structure in Set', make: 'const t = { a: 1 }; const p = new Proxy(t, {}); const o = { s: new Set([p]), p, t }', change: 'o.s.delete(o.p)', look: 'o.s.has(o.p)' },
  { name: 'proxy delete trap', make: 'const t = { a: 1 }; const o = new Proxy(t, { deleteProperty(t, k) { delete t[k]; t.gone = k; return true } })', change: 'delete o.a', look: 'o.gone ?? null' },
  { name: 'array iterator shared by two loops', make: 'const o = [1, 2, 3].values()', change: 'o.next()', look: '[...o]' },
  { name: 'map iterator while deleting', make: 'const m = new Map([[1, 1], [2, 2]]); const o = { m, i: m.keys() }', change: 'o.m.delete(1)', look: '[...o.i]' },
  { name: 'set iterator after clear', make: 'const m = new Set([1, 2]); const o = { m, i: m.values() }', change: 'o.m.clear()', look: '[...o.i]' },
  { name: 'iterator of string', make: 'const o = { i: "ab"[Symbol.iterator]() }', change: 'o.i.next()', look: '[...o.i].length' },
  { name: 'iterator by hand with throw', make: 'const o = { n: 0, next() { return { value: this.n++, done: false } }, throw(e) { this.n = e; return { done: true } }, [Symbol.iterator]() { return this } }', change: 'o.throw(7)', look: 'o.next().value' },
  { name: 'entries of array live', make: 'const l = [1]; const o = { l, e: l.entries() }', change: 'o.l.push(2)', look: '[...o.e].length' },
  { name: 'matchAll result', make: 'const o = { i: "aXbX".matchAll(/X/g) }', change: 'o.i.next()', look: '[...o.i].length' },
  { name: 'lazy getter by destructuring', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '(({ v }) => v)(o)', isApart: false },
  { name: 'lazy getter by spread', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '({ ...o }).v', isApart: false },
  { name: 'lazy getter by json', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'JSON.stringify(o)', isApart: false },
  { name: 'lazy getter by values', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'Object.values(o)[0]', isApart: false },
  { name: 'lazy getter by entries', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'Object.entries(o)[0][1]', isApart: false },
  { name: 'lazy getter by assign', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'Object.assign({}, o).v', isApart: false },
  { name: 'lazy getter by reflect', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'Reflect.get(o, "v")', isApart: false },
  { name: 'lazy getter by clone', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'structuredClone(o).v', isApart: false },
  { name: 'lazy getter by inc', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '(o.v += 1)', isApart: false },
  { name: 'lazy getter by optional', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'o?.v', isApart: false },
  { name: 'lazy getter by call', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'o.v.toString()', isApart: false },
  { name: 'lazy getter by template', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '`${o.v}`', isApart: false },
  { name: 'lazy getter by rest', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '(({ ...r }) => r.v)(o)', isApart: false },
  { name: 'lazy getter by superget', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: '(() => { const p = { __proto__: o, g() { return super.v } }; return p.g() })()', isApart: false },
  { name: 'lazy getter method', make: 'const o = { get m() { delete this.m; this.m = () => 5; return () => 1 } }', change: 'o.m()', look: 'o.m()', isApart: false },
  { name: 'lazy getter of class', make: `class A { get v() { Object.defineProperty(this, 'v', { value: 5 }); return 1 } } const o = new A()`, change: 'o.v', look: 'o.v', isApart: false },
  { name: 'lazy method of class', make: `class A { get m() { const f = () => 5; Object.defineProperty(this, 'm', { value: f }); return () => 1 } } const o = new A()`, change: 'o.m()', look: 'o.m()', isApart: false },
  { name: 'lazy method of class by assign', make: `class A { get m() { Object.defineProperty(this, 'm', { value: null, writable: true }); this.m = () => 5; return () => 1 } } const o = new A()`, change: 'o.m()', look: 'o.m()', isApart: false },
  { name: 'lazy setter', make: 'const o = { set v(x) { delete this.v; this.v = x * 2 } }', change: 'o.v = 1', look: '(o.v = 10, o.v)', isApart: false },
  { name: 'lazy static getter', make: `class A { static get v() { Object.defineProperty(this, 'v', { value: 5 }); return 1 } } const o = A`, change: 'o.v', look: 'o.v', isApart: false },
  { name: 'lazy getter inherited by assign through own data', make: `const p = { get v() { Object.defineProperty(this, 'v', { value: 0, writable: true }); this.v = 5; return 1 } }; const o = Object.create(p)`, change: 'o.v', look: 'o.v', isApart: false },
  { name: 'assign with a getter that adds', make: 'const o = { get a() { o.c = 1; return 1 }, b: 2 }', change: 'delete o.b', look: 'Object.assign({}, o)', isApart: false },
  { name: 'JSON with toJSON that changes', make: 'const o = { a: { toJSON() { o.b++; return 1 } }, b: 2 }', change: 'o.b = 7', look: 'JSON.stringify(o)', isApart: false },
  { name: 'spread of array with getter', make: 'const o = [1, 2]; Object.defineProperty(o, 0, { get() { return o[1]++ }, configurable: true })', change: 'o[1] = 9', look: '[...o]', isApart: false },
  { name: 'sort with comparator that changes', make: 'const o = { n: 0, l: [3, 1, 2] }', change: 'o.n = 5', look: '(o.l.sort((a, b) => { o.n++; return a - b }), o.n)', isApart: false },
  { name: 'reduce that pushes elsewhere', make: 'const o = { l: [1, 2], m: [] }', change: 'o.m.push(9)', look: '(o.l.reduce((a, x) => (o.m.push(x), a), 0), o.m)', isApart: false },
  { name: 'map over what callback changes', make: 'const o = [1, 2, 3]', change: 'o[2] = 9', look: 'o.map((x, i) => (i === 0 ? (o[1] = 5, x) : x))', isApart: false },
  { name: 'forEach stops at shortened', make: 'const o = [1, 2, 3]', change: 'o.length = 2', look: '(() => { const r = []; o.forEach((x) => r.push(x)); return r })()', isApart: false },
  { name: 'every stops early', make: 'const o = [1, 2, 3]', change: 'o[2] = 0', look: '(() => { const r = []; o.every((x) => (r.push(x), x < 2)); return [r, o[2]] })()', isApart: false },
  { name: 'find stops early', make: 'const o = [1, 2, 3]', change: 'o[0] = 2', look: 'o.findIndex((x) => x === 2)', isApart: false },
  { name: 'lastIndexOf', make: 'const o = [1, 2, 1]', change: 'o[2] = 5', look: 'o.lastIndexOf(1)', isApart: false },
  { name: 'includes NaN', make: 'const o = [1]', change: 'o[0] = NaN', look: 'o.includes(NaN)', isApart: false },
  { name: 'flat depth', make: 'const i = [1]; const o = [[i]]', change: 'o[0][0].push(2)', look: 'o.flat(2)', isApart: false },
  { name: 'join nested', make: 'const i = [1]; const o = [i, 2]', change: 'o[0].push(2)', look: 'o.join("-")', isApart: false },
  { name: 'copyWithin of typed', make: 'const o = new Uint8Array([1, 2, 3])', change: 'o.copyWithin(0, 1)', look: '[...o]', isApart: false },
  { name: 'typed set from array', make: 'const s = [1, 2]; const o = { s, t: new Uint8Array(2) }', change: 'o.s[0] = 9', look: '(o.t.set(o.s), [...o.t])', isApart: false },
  { name: 'typed from', make: 'const o = { s: [1, 2] }', change: 'o.s.push(3)', look: 'Uint8Array.from(o.s).length', isApart: false },
  { name: 'concat of spreadable', make: 'const o = { s: [1] }', change: 'o.s.push(3)', look: '[0].concat(o.s, [[2]]).length', isApart: false },
  { name: 'array from arraylike', make: 'const o = { length: 1, 0: "a" }', change: 'o.length = 2', look: 'Array.from(o).length', isApart: false },
  { name: 'array destructuring with holes', make: 'const o = [1, , 3]', change: 'o[1] = 2', look: '(([, b = 7]) => b)(o)', isApart: false },
  { name: 'apply with arraylike', make: 'const o = { length: 1, 0: 4, 1: 9 }', change: 'o.length = 2', look: 'Math.max.apply(null, o)', isApart: false },
  { name: 'Reflect.apply args', make: 'const o = [1, 2]', change: 'o[1] = 9', look: 'Reflect.apply(Math.max, null, o)', isApart: false },
  { name: 'String.fromCharCode spread', make: 'const o = [65]', change: 'o[0] = 66', look: 'String.fromCharCode(...o)', isApart: false },
  { name: 'String.fromCharCode apply', make: 'const o = [65]', change: 'o[0] = 66', look: 'String.fromCharCode.apply(null, o)', isApart: false },
  { name: 'Math.max spread', make: 'const o = [1]', change: 'o.push(5)', look: 'Math.max(...o)', isApart: false },
  { name: 'new with array', make: 'const o = [1]', change: 'o.push(5)', look: 'new Array(...o).length', isApart: false },
  { name: 'bind with shared args', make: 'const o = { a: [1] }; o.f = Math.max.bind(null, ...o.a)', change: 'o.f = Math.max.bind(null, 5)', look: 'o.f(0)', isApart: false },
  { name: 'new Function closure', make: 'const o = { f: new Function("s", "return s.n++"), n: 0 }', change: 'o.f(o)', look: 'o.n', isApart: false },
  { name: 'indirect eval', make: 'const o = { n: 0 }; o.f = (0, eval)("(s) => { s.n = 4 }")', change: 'o.f(o)', look: 'o.n', isApart: false },
  { name: 'error caught of the platform', make: 'const o = { v: null }', change: 'try { null.x } catch (e) { o.e = e; e.tag = 1 }', look: 'o.e?.tag ?? null', isApart: false },
  { name: 'class method replaced, super', make: 'class A { m() { return 1 } } class B extends A { m() { return super.m() } } const o = { A, b: new B() }', change: 'o.A.prototype.m = () => 2', look: 'o.b.m()' },
  { name: 'class extends replaced prototype chain', make: 'class A { m() { return 1 } } class C { m() { return 3 } } class B extends A {} const o = { B, C, b: new B() }', change: 'Object.setPrototypeOf(o.B.prototype, o.C.prototype)', look: 'o.b.m()' },
  { name: 'static inheritance replaced', make: 'class A { static k = 1 } class C { static k = 3 } class B extends A {} const o = { B, C }', change: 'Object.setPrototypeOf(o.B, o.C)', look: 'o.B.k' },
  { name: 'constructor of parent replaced', make: 'class A { constructor() { this.k = 1 } } class C { constructor() { this.k = 3 } } class B extends A {} const o = { B, C }', change: 'Object.setPrototypeOf(o.B, o.C)', look: 'new o.B().k' },
  { name: 'method by accessor pair replaced', make: 'const o = { get f() { return () => 1 } }', change: 'Object.defineProperty(o, "f", { get: () => () => 2 })', look: 'o.f()' },
  { name: 'prototype accessor to data', make: 'class A { get v() { return 1 } } const o = { A, a: new A() }', change: 'Object.defineProperty(o.A.prototype, "v", { value: 2 })', look: 'o.a.v' },
  { name: 'prototype method deleted', make: 'class A { m() { return 1 } } const o = { A, a: new A() }', change: 'delete o.A.prototype.m', look: 'typeof o.a.m' },
  { name: 'function prototype replaced new', make: 'function F() {} F.prototype.v = 1; const o = { F }', change: 'o.F.prototype = { v: 2 }', look: 'new o.F().v' },
  { name: 'function name redefined', make: 'const o = () => {}', change: 'Object.defineProperty(o, "name", { value: "x" })', look: 'o.name' },
  { name: 'function length redefined', make: 'const o = (a) => {}', change: 'Object.defineProperty(o, "length", { value: 9 })', look: 'o.length' },
  { name: 'array length redefined read', make: 'const o = [1, 2, 3]', change: 'o.length = 1', look: 'o.length' },
  { name: 'array index getter inherits', make: 'class L extends Array {} const o = new L(2); o.P = L.prototype', change: 'Object.defineProperty(o.P, 0, { get: () => 5, configurable: true })', look: 'o[0] ?? null' },
  { name: 'buffer concat', make: 'const o = [Buffer.from("a"), Buffer.from("b")]', change: 'o[0][0] = 99', look: 'Buffer.concat(o).toString()' },
  { name: 'buffer compare', make: 'const o = [Buffer.from("a"), Buffer.from("b")]', change: 'o[0][0] = 99', look: 'Buffer.compare(o[0], o[1])' },
  { name: 'buffer equals', make: 'const o = Buffer.from("a")', change: 'o[0] = 98', look: 'o.equals(Buffer.from("a"))' },
  { name: 'buffer swap', make: 'const o = Buffer.from([1, 2])', change: 'o.swap16()', look: 'o[0]' },
  { name: 'buffer from array buffer alias', make: 'const ab = new ArrayBuffer(2); const o = { b: Buffer.from(ab), u: new Uint8Array(ab) }', change: 'o.b[0] = 4', look: 'o.u[0]' },
  { name: 'buffer subarray alias', make: 'const o = Buffer.from([1, 2, 3])', change: 'o.subarray(1)[0] = 9', look: 'o[1]' },
  { name: 'buffer copy', make: 'const o = { a: Buffer.from([1, 2]), b: Buffer.alloc(2) }', change: 'o.a.copy(o.b)', look: 'o.b[1]' },
  { name: 'buffer indexOf', make: 'const o = Buffer.from("ab")', change: 'o[0] = 98', look: 'o.indexOf("b")' },
  { name: 'buffer JSON', make: 'const o = Buffer.from("a")', change: 'o[0] = 98', look: 'JSON.stringify(o)' },
  { name: 'encodeInto', make: 'const o = new Uint8Array(2)', change: 'new TextEncoder().encodeInto("a", o)', look: 'o[0]' },
  { name: 'decode shared', make: 'const o = new Uint8Array([97])', change: 'o[0] = 98', look: 'new TextDecoder().decode(o)' },
  { name: 'getRandomValues shared', make: 'const o = new Uint8Array(8)', change: 'crypto.getRandomValues(o)', look: 'o.every((x) => x === 0)' },
  { name: 'typed sort', make: 'const o = new Uint8Array([2, 1])', change: 'o.sort()', look: 'o[0]' },
  { name: 'typed subarray set', make: 'const o = new Uint8Array(4)', change: 'o.subarray(2).set([7])', look: 'o[2]' },
  { name: 'array buffer slice', make: 'const o = new ArrayBuffer(2)', change: 'new Uint8Array(o)[0] = 5', look: 'new Uint8Array(o.slice(0, 1))[0]' },
  { name: 'resizable buffer', make: 'const o = new ArrayBuffer(2, { maxByteLength: 4 })', change: 'o.resize(4)', look: 'o.byteLength' },
  { name: 'resizable buffer view length', make: 'const b = new ArrayBuffer(2, { maxByteLength: 4 }); const o = { b, u: new Uint8Array(b) }', change: 'o.b.resize(4)', look: 'o.u.length' },
  { name: 'float view', make: 'const b = new ArrayBuffer(8); const o = { f: new Float64Array(b), u: new Uint8Array(b) }', change: 'o.f[0] = 1', look: 'o.u[7]' },
  { name: 'request headers alias', make: 'const o = new Request("http://a/", { headers: { a: "1" } }); o.h = o.headers', change: 'o.h.set("a", "2")', look: 'o.headers.get("a")' },
  { name: 'response headers', make: 'const o = new Response("x", { headers: { a: "1" } })', change: 'o.headers.append("a", "2")', look: 'o.headers.get("a")' },
  { name: 'response bodyUsed', make: 'const o = new Response("x")', change: 'o.text()', look: 'o.bodyUsed' },
  { name: 'emitter listeners copy', make: 'const o = new EventEmitter(); const f = () => {}; o.f = f; o.on("x", f)', change: 'o.off("x", o.f)', look: 'o.listeners("x").length' },
  { name: 'events setMaxListeners', make: 'const o = new EventEmitter()', change: 'events.setMaxListeners(3, o)', look: 'o.getMaxListeners()' },
  { name: 'target handler property', make: 'const o = new AbortController(); let n = 0', change: 'o.signal.onabort = () => {}', look: 'typeof o.signal.onabort' },
  { name: 'custom event in flight', make: 'const o = new EventTarget(); o.seen = []; o.addEventListener("x", (e) => o.seen.push(e.detail))', change: 'o.dispatchEvent(new CustomEvent("x", { detail: 1 }))', look: 'o.seen.length', isApart: false },
  { name: 'url port', make: 'const o = new URL("http://a:1/")', change: 'o.port = "2"', look: 'o.host' },
  { name: 'url search null', make: 'const o = new URL("http://a/?x=1")', change: 'o.search = ""', look: 'o.searchParams.size' },
  { name: 'weakset by object', make: 'const k = {}; const o = { k, w: new WeakSet() }', change: 'o.w.add(o.k)', look: 'o.w.has(o.k)' },
  { name: 'weakmap delete', make: 'const k = {}; const o = { k, w: new WeakMap([[k, 1]]) }', change: 'o.w.delete(o.k)', look: 'o.w.get(o.k) ?? null' },
  { name: 'map of maps', make: 'const o = new Map([["a", new Map()]])', change: 'o.get("a").set("b", 1)', look: 'JSON.stringify([...o].map(([k, v]) => [k, [...v]]))' },
  { name: 'map keyed by object', make: 'const k = {}; const o = new Map([[k, 1]]); o.k = k', change: 'o.set(o.k, 2)', look: '[...o.values()][0]' },
  { name: 'map forEach', make: 'const o = new Map([["a", 1]])', change: 'o.set("b", 1)', look: '(() => { let n = 0; o.forEach(() => n++); return n })()' },
  { name: 'set forEach adds', make: 'const o = new Set([1])', change: 'o.add(5)', look: '(() => { let n = 0; o.forEach((x) => { n++; if (x === 1) o.add(2) }); return n })()' },
  { name: 'Object.fromEntries of Map', make: 'const o = new Map([["a", 1]])', change: 'o.set("a", 2)', look: 'Object.fromEntries(o).a' },
  { name: 'new Map of Map', make: 'const o = new Map([["a", 1]])', change: 'o.set("b", 2)', look: 'new Map(o).size' },
  { name: 'Array.from Map entries', make: 'const o = new Map([["a", 1]])', change: 'o.delete("a")', look: 'Array.from(o.entries()).length' },
  { name: 'symbol in Map', make: 'const k = Symbol("k"); const o = new Map(); o.k = k', change: 'o.set(o.k, 1)', look: 'o.get(o.k) ?? null' },
  { name: 'nested destructuring', make: 'const o = { a: { b: [1, { c: 2 }] } }', change: 'o.a.b[1].c = 3', look: '(({ a: { b: [, { c }] } }) => c)(o)' },
  { name: 'parameter default reads', make: 'const o = { n: 1 }', change: 'o.n = 2', look: '((x = o.n) => x)()' },
  { name: 'computed property order', make: 'const o = { n: 0 }', change: 'o.n = 5', look: '(() => { const r = { [o.n++]: o.n++ }; return Object.entries(r)[0] })()' },
  { name: 'comma and void', make: 'const o = { n: 0 }', change: 'void (o.n = 1, 0)', look: '(0, o.n)' },
  { name: 'chained assignment', make: 'const o = { a: 0, b: 0 }', change: 'o.a = o.b = 3', look: 'o.a + o.b' },
  { name: 'nullish on deep', make: 'const o = { a: null }', change: 'o.a = { b: 1 }', look: 'o.a?.b ?? "none"' },
  { name: 'delete and in', make: 'const o = { a: 1 }', change: 'delete o.a', look: '"a" in o' },
  { name: 'Reflect.has inherited', make: 'const p = { a: 1 }; const o = Object.create(p); o.p = p', change: 'delete o.p.a', look: 'Reflect.has(o, "a")' },
  { name: 'Object.entries sorted', make: 'const o = { b: 1, a: 2 }', change: 'delete o.b', look: 'Object.entries(o).sort().length' },
  { name: 'typeof of property', make: 'const o = {}', change: 'o.f = () => {}', look: 'typeof o.f' },
  { name: 'instanceof of property', make: 'const o = { v: {} }', change: 'o.v = new Map()', look: 'o.v instanceof Map' },
  { name: 'switch on property', make: 'const o = { k: "a" }', change: 'o.k = "b"', look: '(() => { switch (o.k) { case "a": return 1; default: return 2 } })()' },
  { name: 'while on property', make: 'const o = { n: 3 }', change: 'o.n = 1', look: '(() => { let c = 0; let n = o.n; while (n-- > 0) c++; return c })()' },
  { name: 'for of with entries destructuring', make: 'const o = new Map([["a", { n: 1 }]])', change: 'o.get("a").n = 2', look: '(() => { for (const [k, { n }] of o) return n })()' },
  { name: 'try finally return', make: 'const o = { n: 0 }', change: 'o.n = 1', look: '(() => { try { return o.n } finally { o.n = 7 } })()' },
  { name: 'catch param destructured', make: 'const o = { e: new Error("a") }', change: 'o.e.message = "b"', look: '(() => { try { throw o.e } catch ({ message }) { return message } })()' },
  { name: 'error cause chain', make: 'const o = new Error("a", { cause: new Error("b") })', change: 'o.cause.message = "c"', look: 'o.cause.message' },
  { name: 'generator return value', make: 'const o = { n: 1 }', change: 'o.n = 2', look: '(() => { function* g() { return o.n } return g().next().value })()' },
  { name: 'async arrow in map', make: 'const o = [1, 2]', change: 'o[1] = 5', look: '(await Promise.all(o.map(async (x) => x))).at(-1)' },
  { name: 'await in template', make: 'const o = { n: 1 }', change: 'o.n = 2', look: '`${await null}${o.n}`' },
]

/** The same with code that is not instrumented. */
const byOpaqueCode: readonly Row[] = [
  { name: 'lazy getter by opaque', make: 'const o = { get v() { delete this.v; this.v = 5; return 1 } }', change: 'o.v', look: 'opaque.getProperty(o, "v")', isApart: false },
  { name: 'opaque keeps a callback, called by a later opaque call', make: 'const o = { n: 0 }; opaque.keep(() => { o.n++ })', change: 'opaque.call(() => opaque.kept()())', look: 'o.n', isApart: false },
  { name: 'opaque keeps an object that instrumented code changes', make: 'const o = { n: 0 }; opaque.keep(o)', change: 'o.n = 3', look: 'opaque.describe(opaque.kept())', isApart: false },
  { name: 'opaque merges into a class instance with a setter', make: 'class A { #n = 0; set n(v) { this.#n = v } get n() { return this.#n } } const o = new A()', change: 'opaque.merge(o, { n: 5 })', look: 'o.n', isApart: false },
  { name: 'opaque pushes through a subclass', make: 'class L extends Array { push(...a) { this.count = (this.count ?? 0) + 1; return super.push(...a) } } const o = new L()', change: 'opaque.push(o, 1)', look: 'o.count ?? 0', isApart: false },
  { name: 'opaque calls a getter', make: 'const o = { n: 0, get v() { return ++this.n } }', change: 'opaque.getProperty(o, "v")', look: 'o.n', isApart: false },
  { name: 'opaque calls toString', make: 'const o = { n: 0, toJSON() { return ++this.n } }', change: 'opaque.describe(o)', look: 'o.n', isApart: false },
  { name: 'opaque iterates', make: 'const o = { n: 0, *[Symbol.iterator]() { yield ++this.n } }', change: 'opaque.each(o, () => {})', look: 'o.n', isApart: false },
  { name: 'opaque reads Map entries', make: 'const o = new Map([["k", 1]])', change: 'o.set("k", 2)', look: 'opaque.invoke(o, "get", ["k"])', isApart: false },
  { name: 'opaque reads Set', make: 'const o = new Set([1])', change: 'o.add(2)', look: 'opaque.getProperty(o, "size")', isApart: false },
  { name: 'opaque reads Date', make: 'const o = new Date(0)', change: 'o.setTime(5)', look: 'opaque.invoke(o, "getTime")', isApart: false },
  { name: 'opaque changes Date', make: 'const o = new Date(0)', change: 'opaque.invoke(o, "setTime", [5])', look: 'o.getTime()', isApart: false },
  { name: 'opaque reads regexp', make: 'const o = /a/g', change: 'o.test("aa")', look: 'opaque.getProperty(o, "lastIndex")', isApart: false },
  { name: 'opaque execs regexp', make: 'const o = /a/g', change: 'opaque.invoke(o, "test", ["aa"])', look: 'o.lastIndex', isApart: false },
  { name: 'opaque reads URL', make: 'const o = new URL("http://a/b")', change: 'o.pathname = "/c"', look: 'opaque.getProperty(o, "href")', isApart: false },
  { name: 'opaque changes URLSearchParams', make: 'const o = new URLSearchParams("a=1")', change: 'opaque.invoke(o, "set", ["a", "2"])', look: 'o.get("a")', isApart: false },
  { name: 'opaque reads typed array', make: 'const o = new Uint8Array(2)', change: 'o[0] = 3', look: 'opaque.total([...o])', isApart: false },
  { name: 'opaque totals typed array', make: 'const o = new Uint8Array(2)', change: 'o[0] = 3', look: 'opaque.total(o)', isApart: false },
  { name: 'opaque reads buffer through view', make: 'const b = new ArrayBuffer(2); const o = { a: new Uint8Array(b), d: new DataView(b) }', change: 'o.a[0] = 3', look: 'opaque.invoke(o.d, "getUint8", [0])', isApart: false },
  { name: 'opaque aborts', make: 'const o = new AbortController()', change: 'opaque.invoke(o, "abort", ["x"])', look: 'o.signal.aborted', isApart: false },
  { name: 'opaque listens', make: 'const o = new EventTarget(); o.n = 0', change: 'opaque.invoke(o, "addEventListener", ["x", () => { o.n++ }])', look: '(o.dispatchEvent(new Event("x")), o.n)', isApart: false },
  { name: 'opaque emits', make: 'const o = new EventEmitter(); o.n = 0; o.on("x", () => { o.n++ })', change: 'opaque.invoke(o, "emit", ["x"])', look: 'o.n', isApart: false },
  { name: 'opaque nexts a generator', make: 'const o = (function* () { yield 1; yield 2 })()', change: 'opaque.invoke(o, "next")', look: 'o.next().value', isApart: false },
  { name: 'opaque nexts an iterator', make: 'const o = [1, 2].values()', change: 'opaque.invoke(o, "next")', look: 'o.next().value', isApart: false },
  { name: 'opaque freezes', make: 'const o = { n: 1 }', change: 'opaque.call(Object.freeze, o)', look: 'Object.isFrozen(o)', isApart: false },
  { name: 'opaque deletes', make: 'const o = { n: 1 }', change: 'opaque.call(Reflect.deleteProperty, o, "n")', look: '"n" in o', isApart: false },
  { name: 'opaque defines', make: 'const o = { n: 1 }', change: 'opaque.call(Object.defineProperty, o, "n", { value: 2 })', look: 'o.n', isApart: false },
  { name: 'opaque sets a prototype', make: 'const o = {}', change: 'opaque.call(Object.setPrototypeOf, o, { x: 1 })', look: 'o.x ?? null', isApart: false },
  { name: 'opaque resolves', make: 'const o = {}; o.p = new Promise((r) => { o.r = r })', change: 'opaque.call(o.r, 5)', look: 'await Promise.race([o.p, (async () => { await null; return 0 })()])', isApart: false },
  { name: 'opaque subclass with own state', make: 'class C extends opaque.Counter { own = 0; increment() { this.own++; return super.increment() } } const o = new C()', change: 'o.increment()', look: '[o.own, o.value]' },
  { name: 'opaque object with instrumented method', make: 'const o = Object.assign(opaque.freshRow(1), { up() { this.stock++ } })', change: 'o.up()', look: 'o.stock' },
  { name: 'opaque row by id', make: 'const o = { opaque }', change: 'opaque.row(1).stock = 5', look: 'opaque.row(1).stock', isApart: false },
  { name: 'opaque rows tags', make: 'const o = {}', change: 'opaque.row(1).tags.push("z")', look: 'opaque.rows()[0].tags.length', isApart: false },
  { name: 'opaque query', make: 'const o = {}', change: '(await opaque.query(1)).stock--', look: '(await opaque.query(1)).stock', isApart: false },
  { name: 'opaque store listener', make: 'const o = { n: 0 }; opaque.store.subscribe((s) => { o.n = s.value })', change: 'opaque.store.setState({ value: 4 })', look: 'o.n', isApart: false },
  { name: 'opaque signal', make: 'const o = opaque.signal(1)', change: 'o.value = 2', look: 'o.value' },
  { name: 'opaque signal through proxy', make: 'const s = opaque.signal(1); const o = new Proxy(s, {})', change: 'o.value = 2', look: 'o.value' },
  { name: 'opaque func property', make: 'const o = opaque.func()', change: 'o()', look: 'o.calls' },
  { name: 'opaque debounce', make: 'const o = { n: 0 }; o.f = opaque.debounced((v) => { o.n = v })', change: 'o.f(3)', look: 'o.n' },
  { name: 'opaque makeCounter', make: 'const o = opaque.makeCounter()', change: 'o.increment()', look: 'o.value()' },
  { name: 'opaque error shared', make: 'const o = opaque.error("x")', change: 'o.code = 5', look: 'o.code' },
  { name: 'opaque input', make: 'const o = opaque.input()', change: 'o.value = "b"', look: 'o.value' },
]

const bodies: readonly Case[] = [
  { name: 'generator shared by two', source: `const g = (function* () { let n = 0; while (true) { const x = yield n; n += x ?? 1 } })(); g.next()
const t = async (k) => { await null; return g.next(k).value }
return await Promise.all([t(1), t(10)])`, outcomes: 2 },
  { name: 'generator for of by two', source: `function* gen() { yield 1; yield 2; yield 3 } const g = gen(); const got = { a: [], b: [] }
const t = async (n) => { await null; for (const x of g) { got[n].push(x); break } }
await Promise.all([t('a'), t('b')]); return got`, outcomes: 2 },
  { name: 'generator paused in try finally', source: `let log = ''; function* gen() { try { yield 1; log += 'n' } finally { log += 'f' } } const g = gen(); g.next()
await Promise.all([(async () => { await null; g.next() })(), (async () => { await null; g.return(); log += 'r' })()]); return log`, outcomes: 2 },
  { name: 'generator with yield star over shared list', source: `const l = [1]; function* gen() { yield* l } const g = gen(); 
await Promise.all([(async () => { await null; l.push(2) })(), (async () => { await null; l.unshift(0) })()]); return [...g]`, outcomes: 1 },
  { name: 'generator objects apart', source: `function* gen(o) { while (true) { o.n++; yield o.n } }
const t = async () => { const g = gen({ n: 0 }); await null; g.next(); await null; return g.next().value }
return await Promise.all([t(), t()])`, outcomes: 1, executions: 1 },
  { name: 'generator running error', source: `let e; const o = { g: null }; o.g = (function* () { try { o.g.next() } catch (x) { e = x.constructor.name } yield 1 })()
await Promise.all([(async () => { await null; o.g.next() })(), (async () => { await null; e = e ?? 'none' })()]); return e`, outcomes: 1 },
  { name: 'async generator return during', source: `let log = ''; async function* gen() { try { yield 1; await null; log += 'a'; yield 2 } finally { await null; log += 'f' } } const g = gen(); await g.next()
await Promise.all([(async () => { await null; const r = await g.next(); log += r.done })(), (async () => { await null; const r = await g.return(5); log += r.value })()]); return log`, outcomes: 5 },
  { name: 'async generator throw', source: `let log = ''; async function* gen() { while (true) { try { yield 1 } catch (e) { log += e; await null } } } const g = gen(); await g.next()
await Promise.all([(async () => { const r = await g.throw('x'); log += r.value })(), (async () => { await null; const r = await g.next(); log += 'n' })()]); return log`, outcomes: 2 },
  { name: 'async generator yield star delegating', source: `let log = ''; async function* inner() { try { yield 'a'; yield 'b' } finally { log += 'F' } } async function* gen() { yield* inner() } const g = gen()
await Promise.all([(async () => { for await (const x of g) { log += x; break } })(), (async () => { await null; log += 'z' })()]); return log`, outcomes: 3 },
  { name: 'for await with async return()', source: `let log = ''; const it = { n: 0, [Symbol.asyncIterator]() { return this }, async next() { await null; return { value: this.n++, done: this.n > 3 } }, async return() { await null; log += 'R'; return {} } }
await Promise.all([(async () => { for await (const x of it) { if (x === 1) break; log += x } log += 'e' })(), (async () => { await null; log += 'z' })()]); return log`, outcomes: 4 },
  { name: 'for await over sync iterator of promises with rejection', source: `let log = ''; const mk = async (v) => { await null; if (v === 2) throw 'x'; return v }
try { for await (const x of [mk(1), mk(2), mk(3)]) log += x } catch (e) { log += e } return log`, outcomes: 2 },
  { name: 'sync iterator return by break of shared', source: `let log = ''; const it = { n: 0, [Symbol.iterator]() { return this }, next() { return { value: this.n++, done: false } }, return() { log += 'R'; this.n = 100; return {} } }
const t = async (k) => { await null; for (const x of it) { log += k + x; break } }
await Promise.all([t('a'), t('b')]); return log`, outcomes: 2 },
  { name: 'array destructuring closes', source: `let log = ''; const it = { n: 0, [Symbol.iterator]() { return this }, next() { return { value: this.n++, done: false } }, return() { log += 'R'; return {} } }
const t = async (k) => { await null; const [a, b] = it; log += k + a + b }
await Promise.all([t('a'), t('b')]); return log`, outcomes: 2 },
  { name: 'destructuring default with await by two', source: `const o = { n: 0 }; const f = async () => (o.n++, await null, o.n)
const t = async () => { await null; const { a = await f() } = {}; return a }
return await Promise.all([t(), t()])`, outcomes: 3 },
  { name: 'labelled continue with await', source: `let log = ''; const t = async (k) => { outer: for (let i = 0; i < 2; i++) { for (let j = 0; j < 2; j++) { await null; if (j === i) continue outer; log += k + i + j } } }
await Promise.all([t('a'), t('b')]); return log`, outcomes: 2 },
  { name: 'labelled block break with await in finally', source: `let log = ''; const t = async (k) => { x: { try { await null; log += k; break x } finally { await null; log += k.toUpperCase() } } }
await Promise.all([t('a'), t('b')]); return log`, outcomes: 6 },
  { name: 'switch over shared with await in case', source: `const o = { s: 0 }; const t = async (k) => { await null; switch (o.s) { case 0: o.s = 1; await null; case 1: o.s++; break; default: o.s = 10 } }
await Promise.all([t(1), t(2)]); return o.s`, outcomes: 2 },
  { name: 'tagged template with await', source: `let log = ''; const tag = (s, ...v) => { log += s.raw.join('|') + v.join(); return log }
const t = async (k) => { await null; return tag\`x\${k}y\${await k}\` }
return await Promise.all([t('a'), t('b')])`, outcomes: 2 },
  { name: 'optional call on awaited method', source: `const o = { f: null }; const t1 = async () => { await null; o.f = (x) => x + 1 }; const t2 = async () => { await null; return (await o).f?.(await 1) ?? 'none' }
return (await Promise.all([t1(), t2()]))[1]`, outcomes: 2 },
  { name: 'optional chain with delete', source: `const o = { a: { b: { c: 1 } } }; const t1 = async () => { await null; o.a.b = undefined }; const t2 = async () => { await null; const r = delete o.a?.b?.c; return [r, o.a.b?.c ?? null] }
return (await Promise.all([t1(), t2()]))[1]`, outcomes: 1 },
  { name: 'structuredClone of cyclic while changed', source: `const o = { n: 1 }; o.self = o; const t1 = async () => { await null; o.n = 2 }; const t2 = async () => { await null; const c = structuredClone(o); await null; return [c.n, c.self === c, c.self.n] }
return (await Promise.all([t1(), t2()]))[1]`, outcomes: 2 },
  { name: 'structuredClone transfer', source: `const o = { b: new ArrayBuffer(4) }; const t1 = async () => { await null; structuredClone(o.b, { transfer: [o.b] }) }; const t2 = async () => { await null; return o.b.byteLength }
return (await Promise.all([t1(), t2()]))[1]`, outcomes: 2 },
  { name: 'structuredClone Map of Sets', source: `const o = new Map([['a', new Set([1])]]); const t1 = async () => { await null; o.get('a').add(2) }; const t2 = async () => { await null; return [...structuredClone(o).get('a')] }
return (await Promise.all([t1(), t2()]))[1]`, outcomes: 2 },
  { name: 'Atomics add', source: `const a = new Int32Array(new SharedArrayBuffer(8)); const t = async (n) => { await null; return Atomics.add(a, 0, n) }
const r = await Promise.all([t(1), t(10)]); return [r, a[0]]`, outcomes: 2 },
  { name: 'Atomics compareExchange lock', source: `const a = new Int32Array(new SharedArrayBuffer(8)); const t = async (n) => { await null; return Atomics.compareExchange(a, 0, 0, n) }
const r = await Promise.all([t(1), t(10)]); return [r, a[0]]`, outcomes: 2 },
  { name: 'Atomics disjoint', source: `const a = new Int32Array(new SharedArrayBuffer(8)); const t = async (n) => { await null; Atomics.store(a, n, 5); await null; return Atomics.load(a, n) }
return await Promise.all([t(0), t(1)])`, outcomes: 1, executions: 1 },
  { name: 'Atomics exchange against plain', source: `const a = new Int32Array(new SharedArrayBuffer(8)); const t1 = async () => { await null; return Atomics.exchange(a, 0, 3) }; const t2 = async () => { await null; a[0] += 1; return a[0] }
return await Promise.all([t1(), t2()])`, outcomes: 2 },
  { name: 'setTimeout vs promise', source: `let log = ''; setTimeout(() => { log += 't' }, 0); await Promise.all([(async () => { await null; log += 'a' })(), new Promise((r) => setTimeout(r, 0))]); return log`, outcomes: 1 },
  { name: 'setImmediate vs setTimeout', source: `let log = ''; await Promise.all([new Promise((r) => setImmediate(() => { log += 'i'; r() })), new Promise((r) => setTimeout(() => { log += 't'; r() }, 0))]); return log`, outcomes: 1 },
  { name: 'clearTimeout in a race', source: `let log = ''; const t = setTimeout(() => { log += 't' }, 5); await Promise.all([(async () => { await new Promise((r) => setTimeout(r, 5)); clearTimeout(t); log += 'c' })(), new Promise((r) => setTimeout(r, 6))]); return log`, outcomes: 1 },
  { name: 'debounce', source: `let calls = 0; let t; const deb = (ms) => { clearTimeout(t); t = setTimeout(() => { calls++ }, ms) }; await Promise.all([(async () => { await null; deb(1) })(), (async () => { await null; deb(2) })()]); await new Promise((r) => setTimeout(r, 10)); return calls`, outcomes: 1 },
  { name: 'two for awaits over one async iterator', source: `async function* gen() { yield 1; yield 2; yield 3; yield 4 } const g = gen(); const got = { a: [], b: [] }
await Promise.all(['a', 'b'].map(async (k) => { for await (const x of g) got[k].push(x) })); return got`, outcomes: 4 },
  { name: 'async iterator hand made queue', source: `const q = []; const waiting = []; const it = { [Symbol.asyncIterator]() { return this }, next() { if (q.length) return Promise.resolve({ value: q.shift(), done: false }); return new Promise((r) => waiting.push(r)) } }
const put = (v) => { const w = waiting.shift(); if (w) w({ value: v, done: false }); else q.push(v) }
const got = []; const reader = async (k, n) => { for await (const x of it) { got.push(k + x); if (--n === 0) break } }
await Promise.all([reader('a', 1), reader('b', 1), (async () => { await null; put(1); await null; put(2) })()]); return got`, outcomes: 2 },
  { name: 'yield star to sync iterable of promises in async gen', source: `async function* g() { yield* [Promise.resolve(1), 2] } let log = ''; await Promise.all([(async () => { for await (const x of g()) log += x })(), (async () => { await null; log += 'z' })()]); return log`, outcomes: 3 },
  { name: 'async gen return in finally overrides', source: `async function* g() { try { yield 1 } finally { await null; return 9 } } const i = g(); await i.next(); return await Promise.all([i.return(5), i.next()])`, outcomes: 1 },
  { name: 'async generator throw before start', source: `async function* g() { yield 1 } const i = g(); const r = await Promise.allSettled([i.throw(new Error('x')), i.next()]); return r.map((x) => [x.status, x.value ?? null])`, outcomes: 1 },
  { name: 'then on same promise from two tasks', source: `let log = ''; const p = Promise.resolve(); await Promise.all([(async () => { await null; await p.then(() => { log += 'a' }) })(), (async () => { await null; await p.then(() => { log += 'b' }) })()]); return log`, outcomes: 2 },
  { name: 'thenable with shared state', source: `const s = { n: 0 }; const th = { then(r) { r(++s.n) } }; const t = async () => await th; return await Promise.all([t(), t()])`, outcomes: 2 },
  { name: 'promise resolved with thenable that settles twice', source: `let log = ''; const p = new Promise((r) => r({ then(a, b) { a(1); b(2); a(3) } })); return await p`, outcomes: 1 },
  { name: 'allSettled of mixed', source: `const o = { n: 0 }; const f = async (k) => { await null; o.n++; if (o.n === 2) throw k; return k }; const r = await Promise.allSettled([f('a'), f('b')]); return r.map((x) => x.value ?? '!' + x.reason)`, outcomes: 2 },
  { name: 'any with late', source: `const f = async (k, bad) => { await null; if (bad) throw k; await null; return k }; return await Promise.any([f('a', true), f('b'), f('c')])`, outcomes: 2 },
  { name: 'race with loser changing', source: `let n = 0; const f = async (k) => { await null; n++; return k }; const w = await Promise.race([f('a'), f('b')]); return [w, n]`, outcomes: 4 },
  { name: 'catch rethrow finally chain', source: `let log = ''; const f = async (k) => { await null; throw k }; await Promise.all(['a', 'b'].map((k) => f(k).catch((e) => { log += e; throw e }).finally(() => { log += 'F' }).catch(() => { log += 'x' }))); return log`, outcomes: 10 },
  { name: 'promise constructor throws', source: `let log = ''; const mk = () => new Promise(() => { throw 'e' }); await Promise.all([mk().catch((e) => { log += e }), (async () => { await null; log += 'z' })()]); return log`, outcomes: 2 },
  { name: 'async function returning rejected', source: `let log = ''; const f = async () => Promise.reject('r'); try { await f() } catch (e) { log += e } return log`, outcomes: 1 },
  { name: 'unhandled then handled', source: `let p; const r = await Promise.allSettled([(async () => { await null; p = Promise.reject('x'); p.catch(() => {}) })(), (async () => { await null; await null; return p ? await p.catch((e) => e) : 'none' })()]); return r[1].value`, outcomes: 2 },
  { name: 'nested all', source: `const s = { n: 0 }; const f = async () => { await null; return ++s.n }; return await Promise.all([Promise.all([f(), f()]), f()])`, outcomes: 6 },
  { name: 'promise stored and replaced', source: `const o = { p: null }; const load = () => (o.p ??= (async () => { await null; return Math.random() > 2 ? 0 : 1 })()); const t = async () => { const v = await load(); o.p = null; return v }; await Promise.all([t(), t()]); return o.p === null`, outcomes: 1 },
  { name: 'single flight', source: `let calls = 0; let inflight; const get = () => inflight ??= (async () => { calls++; await null; return calls })().finally(() => { inflight = undefined }); const t = async () => { await null; return await get() }; return [await Promise.all([t(), t()]), calls]`, outcomes: 3 },
  { name: 'lock by chained promises with error', source: `let tail = Promise.resolve(); let log = ''; const lock = (f) => { const r = tail.then(f); tail = r.then(() => {}, () => {}); return r }; await Promise.allSettled(['a', 'b'].map((k) => (async () => { await null; return lock(async () => { log += k; await null; log += k; if (k === 'a') throw 1 }) })())); return log`, outcomes: 2 },
  { name: 'deferred resolved in finally', source: `let res; const p = new Promise((r) => { res = r }); const a = async () => { try { await null; throw 1 } catch {} finally { res('f') } }; const b = async () => await p; return (await Promise.all([a(), b()]))[1]`, outcomes: 1 },
  { name: 'async constructor pattern', source: `class A { static async make(l) { const a = new A(); await null; l.push(a.id = l.length); return a } } const l = []; const r = await Promise.all([A.make(l), A.make(l)]); return r.map((x) => x.id)`, outcomes: 2 },
  { name: 'await in class static via async iife', source: `const l = []; class A { static ready = (async () => { await null; l.push('r') })() } await Promise.all([A.ready, (async () => { await null; l.push('z') })()]); return l`, outcomes: 2 },
  { name: 'await in parameter default via arrow', source: `const o = { n: 0 }; const f = async (x = o.n++) => { await null; return x }; return await Promise.all([f(), f()])`, outcomes: 1 },
  { name: 'async method with super and fields', source: `class A { n = 0; async up() { const v = this.n; await null; this.n = v + 1 } } class B extends A { async up() { await super.up(); this.done = (this.done ?? 0) + 1 } } const b = new B(); await Promise.all([b.up(), b.up()]); return [b.n, b.done]`, outcomes: 1 },
  { name: 'getter returning promise', source: `const o = { n: 0, get p() { return (async () => { const v = o.n; await null; return (o.n = v + 1) })() } }; await Promise.all([o.p, o.p]); return o.n`, outcomes: 1 },
  { name: 'async setter-like', source: `const o = { n: 0, set p(v) { this.last = (async () => { await null; this.n = v })() } }; o.p = 1; const l1 = o.last; o.p = 2; await Promise.all([l1, o.last]); return o.n`, outcomes: 2 },
  { name: 'async disposal', source: `let log = ''; const use = async (k) => { const r = { async close() { await null; log += 'c' + k } }; try { await null; log += k } finally { await r.close() } }; await Promise.all([use('a'), use('b')]); return log`, outcomes: 6 },
  { name: 'events once both', source: `const e = new EventEmitter(); const t = async () => { const [v] = await events.once(e, 'x'); return v }; const r = [t(), t()]; await (async () => { await null; e.emit('x', 1); await null; e.emit('x', 2) })(); return await Promise.all(r)`, outcomes: 1 },
  { name: 'error in listener', source: `const e = new EventTarget(); let n = 0; e.addEventListener('x', () => { n++ }); await Promise.all([(async () => { await null; e.dispatchEvent(new Event('x')) })(), (async () => { await null; n *= 10 })()]); return n`, outcomes: 2 },
  { name: 'opaque async callback', source: `let log = ''; await Promise.all([opaque.call(async () => { await null; log += 'a' }), (async () => { await null; log += 'b' })()]); return log`, outcomes: 2 },
  { name: 'opaque twice async', source: `let n = 0; await Promise.all([opaque.twice(async () => { const v = n; await null; n = v + 1 }), (async () => { await null; n += 10 })()]); return n`, outcomes: 2 },
  { name: 'opaque then chain', source: `let log = ''; await Promise.all([opaque.call((p) => p.then((v) => { log += v }).then(() => { log += 'c' }), Promise.resolve('a')), (async () => { await null; log += 'b' })()]); return log`, outcomes: 3 },
  { name: 'opaque invoke then with a native bound', source: `const l = []; await Promise.all([opaque.invoke(Promise.resolve('a'), 'then', [l.push.bind(l)]), (async () => { await null; l.push('b') })()]); return l`, outcomes: 2 },
  { name: 'opaque returns our promise', source: `let log = ''; const p = (async () => { await null; return 'a' })(); await Promise.all([opaque.asyncValue(p).then((v) => { log += v }), (async () => { await null; log += 'b' })()]); return log`, outcomes: 2 },
  { name: 'opaque all of ours', source: `let log = ''; const f = async (k) => { await null; log += k }; await Promise.all([opaque.call((l) => Promise.all(l), [f('a'), f('b')]), f('c')]); return log`, outcomes: 6 },
  { name: 'opaque race of ours', source: `const f = async (k) => { await null; return k }; return await opaque.call((l) => Promise.race(l), [f('a'), f('b')])`, outcomes: 2 },
  { name: 'opaque finally', source: `let log = ''; await Promise.all([opaque.invoke((async () => { await null; throw 'x' })(), 'finally', [() => { log += 'f' }]).catch((e) => { log += e }), (async () => { await null; log += 'b' })()]); return log`, outcomes: 3 },
  { name: 'opaque catch rejection', source: `let log = ''; await Promise.all([opaque.invoke((async () => { await null; throw 'x' })(), 'catch', [(e) => { log += e }]), (async () => { await null; log += 'b' })()]); return log`, outcomes: 2 },
  { name: 'opaque queryFresh apart', source: `const t = async () => { await null; const r = await opaque.queryFresh(1); r.stock--; await null; return r.stock }; return await Promise.all([t(), t()])`, outcomes: 1, atMost: 6 },
  { name: 'errors of the platform apart', source: `const t = async () => { await null; try { null.x } catch (e) { e.tag = 1; await null; return e.tag } }; return await Promise.all([t(), t()])`, outcomes: 1 },
  { name: 'errors of parse apart', source: `const t = async () => { await null; try { JSON.parse('{') } catch (e) { e.tag = 1; await null; return e.tag } }; return await Promise.all([t(), t()])`, outcomes: 1 },
  { name: 'errors of a proxy apart', source: `const t = async () => { await null; try { new Array(-1) } catch (e) { e.tag = 1; await null; return e.tag } }; return await Promise.all([t(), t()])`, outcomes: 1 },
  { name: 'new Function apart', source: `const t = async () => { await null; const f = new Function('s', 'return s.n++'); const s = { n: 0 }; f(s); await null; f(s); return s.n }; return await Promise.all([t(), t()])`, outcomes: 1, atMost: 6 },
  { name: 'own symbols apart', source: `const t = async () => { await null; const k = Symbol('k'); const s = {}; s[k] = 1; await null; return s[k] }; return await Promise.all([t(), t()])`, outcomes: 1, executions: 1 },
  { name: 'own symbols on a shared object', source: `const s = {}; const t = async () => { await null; const k = Symbol('k'); s[k] = 1; await null; return s[k] }; return await Promise.all([t(), t()])`, outcomes: 1 },
  { name: 'own symbols in a shared map', source: `const s = new Map(); const t = async () => { await null; const k = Symbol('k'); s.set(k, 1); await null; return s.get(k) }; return await Promise.all([t(), t()])`, outcomes: 1, executions: 1 },
  { name: 'variables of functions among parameters', source: `const f = async (a, b = () => a++) => { await null; b(); await null; return a }; return await Promise.all([f(1), f(2)])`, outcomes: 1 },
  { name: 'variables among destructured parameters', source: `const f = async ({ a }, b = () => a++) => { await null; b(); await null; return a }; return await Promise.all([f({ a: 1 }), f({ a: 2 })])`, outcomes: 1 },
  { name: 'global function added', source: `let seen
await Promise.all([(async () => { await null; globalThis.helper = () => 1 })(), (async () => { await null; seen = typeof globalThis.helper })()])
delete globalThis.helper
return seen`, outcomes: 2 },
  { name: 'global function by bare name', source: `globalThis.helper2 = () => 0
let seen
await Promise.all([(async () => { await null; globalThis.helper2 = () => 1 })(), (async () => { await null; seen = helper2() })()])
delete globalThis.helper2
return seen`, outcomes: 2 },
  { name: 'Array.prototype method replaced', source: `const old = Array.prototype.findLastIndex; const l = [1]
let seen
await Promise.all([(async () => { await null; Array.prototype.findLastIndex = () => 7 })(), (async () => { await null; seen = l.findLastIndex((x) => x) })()])
Array.prototype.findLastIndex = old
return seen`, outcomes: 2 },
  { name: 'Array.prototype method added', source: `const l = [1]
let seen
await Promise.all([(async () => { await null; Array.prototype.mine = function () { return this.length } })(), (async () => { await null; seen = l.mine?.() ?? null })()])
delete Array.prototype.mine
return seen`, outcomes: 2 },
  { name: 'Object.prototype property added', source: `const l = {}
let seen
await Promise.all([(async () => { await null; Object.prototype.mine = 4 })(), (async () => { await null; seen = l.mine ?? null })()])
delete Object.prototype.mine
return seen`, outcomes: 2 },
  { name: 'Object.prototype property in', source: `const l = {}
let seen
await Promise.all([(async () => { await null; Object.prototype.mine = 4 })(), (async () => { await null; seen = "mine" in l })()])
delete Object.prototype.mine
return seen`, outcomes: 2 },
  { name: 'Object.prototype for in', source: `const l = { a: 1 }
let seen
await Promise.all([(async () => { await null; Object.prototype.mine = 4 })(), (async () => { await null; seen = (() => { let n = 0; for (const k in l) n++; return n })() })()])
delete Object.prototype.mine
return seen`, outcomes: 2 },
  { name: 'Function.prototype method added', source: `const f = () => 1
let seen
await Promise.all([(async () => { await null; Function.prototype.twice = function () { return this() * 2 } })(), (async () => { await null; seen = f.twice?.() ?? null })()])
delete Function.prototype.twice
return seen`, outcomes: 2 },
  { name: 'String.prototype method by call', source: `let seen
await Promise.all([(async () => { await null; String.prototype.shout = function () { return this.toUpperCase() } })(), (async () => { await null; seen = String.prototype.shout?.call("a") ?? null })()])
delete String.prototype.shout
return seen`, outcomes: 2 },
  { name: 'Date.prototype method replaced', source: `const old = Date.prototype.getDay; const d = new Date(0)
let seen
await Promise.all([(async () => { await null; Date.prototype.getDay = () => 77 })(), (async () => { await null; seen = d.getDay() })()])
Date.prototype.getDay = old
return seen`, outcomes: 2 },
  { name: 'Error.prototype.name', source: `const e = new Error("a")
let seen
await Promise.all([(async () => { await null; Error.prototype.name = "Mine" })(), (async () => { await null; seen = String(e) })()])
Error.prototype.name = "Error"
return seen`, outcomes: 2 },
  { name: 'Number.prototype.toFixed replaced', source: `const old = Number.prototype.toFixed; const n = [1][0]
let seen
await Promise.all([(async () => { await null; Number.prototype.toFixed = () => "x" })(), (async () => { await null; seen = n.toFixed(1) })()])
Number.prototype.toFixed = old
return seen`, outcomes: 2 },
  { name: 'EventEmitter.prototype.emit replaced', source: `const old = EventEmitter.prototype.listenerCount; const e = new EventEmitter()
let seen
await Promise.all([(async () => { await null; EventEmitter.prototype.listenerCount = () => 5 })(), (async () => { await null; seen = e.listenerCount("x") })()])
EventEmitter.prototype.listenerCount = old
return seen`, outcomes: 2 },
  { name: 'RegExp.prototype.flags read', source: `const r = /a/
let seen
await Promise.all([(async () => { await null; Object.defineProperty(r, "global", { value: true, configurable: true }) })(), (async () => { await null; seen = r.global })()])

return seen`, outcomes: 2 },
]

const own = (rows: readonly Row[]): readonly Row[] => rows.filter(({ isApart = true }) => isApart)

export const rare: readonly Case[] = [
  ...[...shared, ...byOpaqueCode].map(changeAndLook), ...own(shared).map(apart), ...own(byOpaqueCode).map(apartByOpaqueCode), ...bodies,
]
