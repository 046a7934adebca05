import { changeAndLook, type Case } from './case.ts'

/** Values that are taken apart, wherever that can be written. */

/** What is taken apart, and how: the words stand for these in the rows. */
const patterns = [
  { name: 'an object pattern', change: 'o.a = 9', pattern: '{ a }', value: 'o', taken: 'a' },
  { name: 'an array pattern', change: 'o.l[1].b = 9', pattern: '[, { b: a }]', value: 'o.l', taken: 'a' },
  { name: 'a default', change: 'o.a = 9', pattern: '{ z = o.a }', value: '{}', taken: 'z' },
  { name: 'a pattern with a default', change: 'o.d.a = 9', pattern: '{ z: { a } = o.d }', value: '{}', taken: 'a' },
  { name: 'a rest', change: 'o.a = 9', pattern: '{ l, ...r }', value: 'o', taken: 'r.a' },
]

const places: readonly { readonly name: string; readonly look: string }[] = [
  { name: 'arrow', look: '((PATTERN) => TAKEN)(VALUE)' },
  { name: 'arrow after a name', look: `((name, f) => f(VALUE))('x', (PATTERN) => TAKEN)` },
  { name: 'arrow that a name calls', look: `(() => { const on = (name, f) => f(VALUE); return on('x', (PATTERN) => TAKEN) })()` },
  { name: 'arrow that a method of a test API would take', look: `(() => { const on = { each: (name, f) => f(VALUE) }; return on.each('x', (PATTERN) => TAKEN) })()` },
  { name: 'async arrow that a name calls', look: `await (() => { const on = async (name, f) => await f(VALUE); return on('x', async (PATTERN) => TAKEN) })()` },
  { name: 'function', look: '(function (PATTERN) { return TAKEN })(VALUE)' },
  { name: 'function declaration', look: '(() => { function f(PATTERN) { return TAKEN } return f(VALUE) })()' },
  { name: 'method', look: '({ m(PATTERN) { return TAKEN } }).m(VALUE)' },
  { name: 'setter', look: '(() => { let v; const s = { set m(PATTERN) { v = TAKEN } }; s.m = VALUE; return v })()' },
  { name: 'constructor', look: 'new (class { constructor(PATTERN) { this.v = TAKEN } })(VALUE).v' },
  { name: 'static method', look: '(class { static m(PATTERN) { return TAKEN } }).m(VALUE)' },
  { name: 'private method', look: '(class { static #m(PATTERN) { return TAKEN } static g(v) { return this.#m(v) } }).g(VALUE)' },
  { name: 'async arrow', look: 'await (async (PATTERN) => TAKEN)(VALUE)' },
  { name: 'async function', look: 'await (async function (PATTERN) { await null; return TAKEN })(VALUE)' },
  { name: 'async method', look: 'await ({ async m(PATTERN) { return TAKEN } }).m(VALUE)' },
  { name: 'generator', look: '(function* (PATTERN) { yield TAKEN })(VALUE).next().value' },
  { name: 'async generator', look: '(await (async function* (PATTERN) { yield TAKEN })(VALUE).next()).value' },
  { name: 'second parameter', look: '((x, PATTERN) => TAKEN)(1, VALUE)' },
  { name: 'rest parameter', look: '((...[PATTERN]) => TAKEN)(VALUE)' },
  { name: 'parameter with default', look: '((PATTERN = VALUE) => TAKEN)()' },
  { name: 'for of', look: '(() => { for (const PATTERN of [VALUE]) return TAKEN })()' },
  { name: 'for of let', look: '(() => { for (let PATTERN of [VALUE]) { return TAKEN } })()' },
  { name: 'for of var', look: '(() => { for (var PATTERN of [VALUE]); return TAKEN })()' },
  { name: 'for await', look: 'await (async () => { for await (const PATTERN of [VALUE]) return TAKEN })()' },
  { name: 'for in head', look: '(() => { for (const k in { x: 1 }) { const PATTERN = VALUE; return TAKEN } })()' },
  { name: 'for init', look: '(() => { for (let PATTERN = VALUE; ; ) return TAKEN })()' },
  { name: 'catch', look: '(() => { try { throw VALUE } catch (PATTERN) { return TAKEN } })()' },
  { name: 'async catch', look: 'await (async () => { try { await Promise.reject(VALUE) } catch (PATTERN) { return TAKEN } })()' },
  { name: 'declaration list', look: '(() => { const x = 1, PATTERN = VALUE; return TAKEN })()' },
  { name: 'var declaration', look: '(() => { var PATTERN = VALUE; return TAKEN })()' },
  { name: 'then callback', look: 'await Promise.resolve(VALUE).then((PATTERN) => TAKEN)' },
  { name: 'map callback', look: '[VALUE].map((PATTERN) => TAKEN)[0]' },
  { name: 'map callback function', look: '[VALUE].map(function (PATTERN) { return TAKEN })[0]' },
  { name: 'reduce callback', look: '[VALUE].reduce((x, PATTERN) => TAKEN, 0)' },
  { name: 'callback of opaque', look: 'opaque.call((PATTERN) => TAKEN, VALUE)' },
  { name: 'Map forEach', look: '(() => { let v; new Map([[1, VALUE]]).forEach((PATTERN) => { v = TAKEN }); return v })()' },
  { name: 'emitter listener', look: '(() => { let v; const e = new EventEmitter(); e.on("x", (PATTERN) => { v = TAKEN }); e.emit("x", VALUE); return v })()' },
  { name: 'replacer callback', look: '(() => { let v; "x".replace("x", () => { const PATTERN = VALUE; v = TAKEN; return "" }); return v })()' },
  { name: 'sort callback', look: '(() => { let v; [VALUE, VALUE].sort((PATTERN) => { v = TAKEN; return 0 }); return v })()' },
  { name: 'Array.from callback', look: 'Array.from([VALUE], (PATTERN) => TAKEN)[0]' },
  { name: 'class field arrow', look: 'new (class { f = (PATTERN) => TAKEN })().f(VALUE)' },
  { name: 'static block', look: '(() => { let v; class A { static { const PATTERN = VALUE; v = TAKEN } } return v })()' },
  { name: 'iife', look: '(((PATTERN) => TAKEN))(VALUE)' },
  { name: 'bound', look: '((PATTERN) => TAKEN).bind(null, VALUE)()' },
  { name: 'tagged', look: `((s, PATTERN) => TAKEN)\`\${VALUE}\`` },
  { name: 'getter body', look: '({ get g() { const PATTERN = VALUE; return TAKEN } }).g' },
  { name: 'nested function', look: '((f) => f(VALUE))((PATTERN) => TAKEN)' },
  { name: 'assignment', look: '(() => { let a, z, r, l; (PATTERN = VALUE); return TAKEN })()' },
  { name: 'switch case', look: '(() => { switch (1) { case 1: { const PATTERN = VALUE; return TAKEN } } })()' },
  { name: 'labelled block', look: '(() => { x: { const PATTERN = VALUE; if (TAKEN) { return TAKEN } break x } })()' },
  { name: 'proxy trap', look: 'new Proxy({}, { get: (t, k) => { const PATTERN = VALUE; return TAKEN } }).q' },
  { name: 'generator yield', look: '(() => { const g = (function* () { const PATTERN = yield; return TAKEN })(); g.next(); return g.next(VALUE).value })()' },
  { name: 'async iterator', look: 'await (async () => { async function* g() { yield VALUE } for await (const PATTERN of g()) return TAKEN })()' },
]

export const patternsEverywhere: readonly Case[] = places.flatMap(({ name, look }) =>
  patterns.map(({ name: kind, change, pattern, value, taken }) =>
    changeAndLook({
      name: `${kind} in ${name}`,
      make: 'const o = { a: 1, l: [1, { b: 2 }], d: { a: 1 } }',
      change,
      look: look.replaceAll('PATTERN', pattern).replaceAll('VALUE', value).replaceAll('TAKEN', taken),
    }),
  ),
)
