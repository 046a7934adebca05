import { apart, changeAndLook, type Case, type Sharing } from './case.ts'

/** One object by two names, and functions that are called by those who do not look like it. */

interface Row extends Sharing {
  /** Left out of the forms in which each task has an object of its own: it needs more than that object. */
  readonly isApart?: false
}

const aliases: readonly Row[] = [
  { name: 'alias through Map value', make: 'const s = { n: 0 }; const o = new Map([["a", s], ["b", s]])', change: 'o.get("a").n = 1', look: 'o.get("b").n' },
  { name: 'alias through closure', make: 'const s = { n: 0 }; const o = { get: () => s, other: s }', change: 'o.get().n = 1', look: 'o.other.n' },
  { name: 'alias through array concat', make: 'const s = { n: 0 }; const o = [s].concat([s])', change: 'o[0].n = 1', look: 'o[1].n' },
  { name: 'alias through Object.values', make: 'const s = { n: 0 }; const o = { a: s }; o.l = Object.values(o)', change: 'o.a.n = 1', look: 'o.l[0].n' },
  { name: 'alias through Object.entries', make: 'const s = { n: 0 }; const o = { a: s }; o.l = Object.entries(o)', change: 'o.a.n = 1', look: 'o.l[0][1].n' },
  { name: 'alias through spread', make: 'const s = { n: 0 }; const o = { a: s }; o.l = { ...o }', change: 'o.a.n = 1', look: 'o.l.a.n' },
  { name: 'alias through rest', make: 'const s = { n: 0 }; const o = { a: s, b: 1 }; const { b, ...r } = o; o.r = r', change: 'o.a.n = 1', look: 'o.r.a.n' },
  { name: 'alias through JSON reviver', make: 'const s = { n: 0 }; const o = { s, j: JSON.parse("[1]", (k, v) => (v === 1 ? s : v)) }', change: 'o.s.n = 1', look: 'o.j[0].n' },
  { name: 'alias through generator', make: 'const s = { n: 0 }; const o = { s, g: (function* () { yield s })().next().value }', change: 'o.s.n = 1', look: 'o.g.n' },
  { name: 'alias through Promise', make: 'const s = { n: 0 }; const o = { s, p: Promise.resolve(s) }', change: 'o.s.n = 1', look: '(await o.p).n' },
  { name: 'alias through all', make: 'const s = { n: 0 }; const o = { s, p: Promise.all([s]) }', change: 'o.s.n = 1', look: '(await o.p)[0].n' },
  { name: 'alias through WeakMap', make: 'const s = { n: 0 }; const o = { s, w: new WeakMap() }; o.w.set(o, s)', change: 'o.s.n = 1', look: 'o.w.get(o).n' },
  { name: 'alias through bind', make: 'const s = { n: 0 }; const o = { s, f: function () { return this }.bind(s) }', change: 'o.s.n = 1', look: 'o.f().n' },
  { name: 'alias through arguments', make: 'const s = { n: 0 }; const o = { s, a: (function () { return arguments })(s) }', change: 'o.s.n = 1', look: 'o.a[0].n' },
  { name: 'alias through Proxy', make: 'const s = { n: 0 }; const o = { s, p: new Proxy(s, {}) }', change: 'o.p.n = 1', look: 'o.s.n' },
  { name: 'alias through Reflect.get', make: 'const s = { n: 0 }; const o = { s }', change: 'Reflect.get(o, "s").n = 1', look: 'o.s.n' },
  { name: 'alias through Object.freeze', make: 'const s = { n: 0 }; const o = { s, f: Object.freeze({ s }) }', change: 'o.f.s.n = 1', look: 'o.s.n' },
  { name: 'alias through groupBy', make: 'const s = { n: 0 }; const o = { s, g: [s].reduce((g, x) => ({ ...g, [x.n]: [x] }), {}) }', change: 'o.g[0][0].n = 1', look: 'o.s.n' },
  { name: 'alias through flatMap', make: 'const s = { n: 0 }; const o = { s, l: [[s]].flatMap((x) => x) }', change: 'o.l[0].n = 1', look: 'o.s.n' },
  { name: 'alias through Array.from map', make: 'const s = { n: 0 }; const o = { s, l: Array.from({ length: 1 }, () => s) }', change: 'o.l[0].n = 1', look: 'o.s.n' },
  { name: 'alias through structured class', make: 'class N { constructor(v) { this.v = v; v.owner = this } }; const s = { n: 0 }; const o = { s, k: new N(s) }', change: 'o.s.owner.v.n = 1', look: 'o.s.n' },
  { name: 'alias through Error cause', make: 'const s = { n: 0 }; const o = { s, e: new Error("x", { cause: s }) }', change: 'o.e.cause.n = 1', look: 'o.s.n' },
  { name: 'alias through AggregateError', make: 'const s = { n: 0 }; const o = { s, e: new AggregateError([s]) }', change: 'o.e.errors[0].n = 1', look: 'o.s.n' },
  { name: 'alias through event detail', make: 'const s = { n: 0 }; const o = { s, e: new CustomEvent("x", { detail: s }) }', change: 'o.e.detail.n = 1', look: 'o.s.n' },
  { name: 'alias through abort reason', make: 'const s = { n: 0 }; const c = new AbortController(); c.abort(s); const o = { s, c }', change: 'o.c.signal.reason.n = 1', look: 'o.s.n' },
  { name: 'alias through thrown', make: 'const s = { n: 0 }; const o = { s }; try { throw s } catch (e) { o.e = e }', change: 'o.e.n = 1', look: 'o.s.n' },
  { name: 'alias through symbol key', make: 'const k = Symbol("k"); const s = { n: 0 }; const o = { s, [k]: s, get() { return this[k] } }', change: 'o.get().n = 1', look: 'o.s.n' },
  { name: 'alias through iterator helper', make: 'const s = { n: 0 }; const o = { s, l: [...new Map([["a", s]]).values()] }', change: 'o.l[0].n = 1', look: 'o.s.n' },
  { name: 'alias through sort result', make: 'const s = { n: 0 }; const o = { s, l: [s, { n: 5 }].sort((a, b) => b.n - a.n) }', change: 'o.l[1].n = 1', look: 'o.s.n' },
  { name: 'alias through find', make: 'const s = { n: 0 }; const o = [s]', change: 'o.find((x) => x.n === 0).n = 1', look: 'o.at(-1).n' },
  { name: 'alias through opaque list', make: 'const s = { n: 0 }; const o = { s, l: opaque.list(s) }', change: 'o.l[0].n = 1', look: 'o.s.n' },
]

const calls: readonly Row[] = [
  { name: 'called through Array.prototype.map.call string', make: 'const o = { n: 0 }', change: 'Array.prototype.map.call("ab", () => o.n++)', look: 'o.n' },
  { name: 'called through Function constructor apply', make: 'const o = { n: 0, f() { this.n++ } }', change: 'Function.prototype.apply.call(o.f, o, [])', look: 'o.n' },
  { name: 'called through getter returning bound', make: 'const o = { n: 0, get f() { return () => { this.n++ } } }', change: 'o.f()', look: 'o.n' },
  { name: 'called through Reflect.construct', make: 'const o = { n: 0 }; o.C = class { constructor() { o.n++ } }', change: 'Reflect.construct(o.C, [])', look: 'o.n' },
  { name: 'called through new.target subclass', make: 'const o = { n: 0 }; class A { constructor() { o.n += new.target === A ? 1 : 10 } }; o.B = class extends A {}', change: 'new o.B()', look: 'o.n' },
  { name: 'called through toString in template', make: 'const o = { n: 0, toString() { return `${++this.n}` } }', change: '`${o}`', look: 'o.n' },
  { name: 'called through valueOf compare', make: 'const o = { n: 0, valueOf() { return ++this.n } }', change: 'o > 5', look: 'o.n' },
  { name: 'called through sort default toString', make: 'const o = { n: 0, toString() { this.n++; return "x" } }', change: '[o, "y"].sort()', look: 'o.n > 0' },
  { name: 'called through Array.join', make: 'const o = { n: 0, toString() { this.n++; return "x" } }', change: '[o].join()', look: 'o.n' },
  { name: 'called through Object.keys of proxy', make: 'const o = { n: 0 }; o.p = new Proxy({}, { ownKeys() { o.n++; return [] } })', change: 'Object.keys(o.p)', look: 'o.n' },
  { name: 'called through in of proxy', make: 'const o = { n: 0 }; o.p = new Proxy({}, { has() { o.n++; return true } })', change: '"a" in o.p', look: 'o.n' },
  { name: 'called through with spread of iterator', make: 'const o = { n: 0, *[Symbol.iterator]() { this.n++; yield 1 } }', change: 'Math.max(...o)', look: 'o.n' },
  { name: 'called through Map constructor', make: 'const o = { n: 0, *[Symbol.iterator]() { this.n++ } }', change: 'new Map(o)', look: 'o.n' },
  { name: 'called through Promise.all', make: 'const o = { n: 0, *[Symbol.iterator]() { this.n++ } }', change: 'Promise.all(o)', look: 'o.n' },
  { name: 'called through Object.fromEntries', make: 'const o = { n: 0, *[Symbol.iterator]() { this.n++ } }', change: 'Object.fromEntries(o)', look: 'o.n' },
  { name: 'called through Array.from length getter', make: 'const o = { n: 0, get length() { this.n++; return 0 } }', change: 'Array.from(o)', look: 'o.n' },
  { name: 'called through JSON toJSON', make: 'const o = { n: 0, toJSON() { return ++this.n } }', change: 'JSON.stringify([o])', look: 'o.n' },
  { name: 'called through replace callback', make: 'const o = { n: 0 }', change: '"aa".replace(/a/g, () => { o.n++; return "" })', look: 'o.n' },
  { name: 'called through then job', make: 'const o = { n: 0 }', change: 'await Promise.resolve().then(() => { o.n++ })', look: 'o.n' },
  { name: 'called through queueMicrotask', make: 'const o = { n: 0 }', change: 'await new Promise((r) => queueMicrotask(() => { o.n++; r() }))', look: 'o.n' },
  { name: 'called through setter of destructuring in loop', make: 'const o = { n: 0, set x(v) { this.n += v } }', change: 'for ([o.x] of [[1], [2]]);', look: 'o.n' },
  { name: 'called through structuredClone getter', make: 'const o = { n: 0, get x() { return ++this.n } }', change: 'structuredClone(o)', look: 'o.n > 0' },
  { name: 'called through opaque', make: 'const o = { n: 0 }', change: 'opaque.call(() => { o.n++ })', look: 'o.n', isApart: false },
  { name: 'called through opaque each', make: 'const o = { n: 0 }', change: 'opaque.each([1, 2], (x) => { o.n += x })', look: 'o.n', isApart: false },
  { name: 'called through event listener object', make: 'const o = { n: 0, handleEvent() { this.n++ } }; o.t = new EventTarget(); o.t.addEventListener("x", o)', change: 'o.t.dispatchEvent(new Event("x"))', look: 'o.n' },
  { name: 'called through abort listener', make: 'const o = { n: 0, c: new AbortController() }; o.c.signal.addEventListener("abort", () => { o.n++ })', change: 'o.c.abort()', look: 'o.n' },
  { name: 'called through decorator-like wrapper', make: 'const memo = (f) => { const c = new Map(); return (k) => { if (!c.has(k)) c.set(k, f(k)); return c.get(k) } }; let calls = 0; const o = { f: memo((k) => ++calls) }', change: 'o.f("b")', look: 'o.f("a")' },
  { name: 'called through curry', make: 'const o = { n: 0 }; o.add = (a) => (b) => { o.n = a + b }', change: 'o.add(1)(2)', look: 'o.n' },
  { name: 'called through comma', make: 'const o = { n: 0, f() { return typeof this } , g() { this.n++ } }', change: '(0, o.g).call(o)', look: 'o.n' },
  { name: 'called through optional bind', make: 'const o = { n: 0, g() { this.n++ } }', change: 'o?.g?.bind?.(o)?.()', look: 'o.n' },
  { name: 'called through class static this', make: 'class A { static n = 0; static up() { this.n++ } }; const o = A', change: 'const { up } = o; up.call(o)', look: 'o.n' },
  { name: 'called through Symbol.dispose by hand', make: 'const o = { n: 0, [Symbol.for("d")]() { this.n++ } }', change: 'o[Symbol.for("d")]()', look: 'o.n' },
]

const rows = [...aliases, ...calls]

export const manyNames: readonly Case[] = [...rows.map(changeAndLook), ...rows.filter(({ isApart = true }) => isApart).map(apart)]
