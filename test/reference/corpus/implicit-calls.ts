import type { Case } from './case.ts'

/** An object of code that is not instrumented, whose methods the language calls where no call is written. */
const make = `const make = new Function("let v = 0; return { set(x) { v = x }, toJSON() { return v }, toString() { return String(v) }, valueOf() { return v }, get v() { return v }, *[Symbol.iterator]() { yield v } }")
const o = make(); const holder = { o }`

const looks = [
  'JSON.stringify(o)', 'JSON.stringify(holder)', 'JSON.stringify([o])', 'JSON.stringify({ a: 1 }, (k, x) => (k === "a" ? o : x))', '`${o}`', '`${[o]}`', 'o + 1', 'o > 0', 'o == 1', '+o', 'o - 0', '-o', '~o', '2 ** o', 'String(o)', 'Number(o)',
  'BigInt(o).toString()', 'parseInt(o)', 'encodeURIComponent(o)', 'Symbol(o).description', 'Math.max(o, 0)', 'Math.min(...o)', '(5).toFixed(o)', '"x".repeat(o)', '"ab".slice(o)', '"x".padStart(o + 1, "y")', '[o].join()',
  '[5, 6].at(o)', '[5, 6].slice(o).length', '[9, 8][o]', '"0" in { [o]: 1 }', '[...o][0]', 'Array.from(o)[0]', '[...new Set(o)][0]', '(await Promise.all(o))[0]', '(([first]) => first)(o)', '(() => { for (const x of o) return x })()', 'new Date(o).getTime()',
  'new URLSearchParams({ o }).toString()', 'new Headers({ o }).get("o")', 'new Intl.NumberFormat("en").format(o)', '({ ...o }).v', 'Object.assign({}, o).v', 'o.v', '(({ v }) => v)(o)',
]

/** One task changes what the object keeps to itself, one looks. */
const looking = (look: string): Case => ({
  name: look,
  source: `${make}
let seen
const changing = async () => { await null; o.set(1) }
const looking = async () => { await null; try { seen = ${look} } catch (error) { seen = error.name } }
await Promise.all([changing(), looking()])
return seen`,
  outcomes: 2,
})

const instances: Case = {
  name: 'instanceof by code that is not instrumented',
  source: `const K = new Function("let made = 0; class K { constructor() { made++ } static [Symbol.hasInstance]() { return made > 0 } } return K")()
let seen
await Promise.all([(async () => { await null; new K() })(), (async () => { await null; seen = {} instanceof K })()])
return seen`,
  outcomes: 2,
}

/** Such a method may change the object itself. */
const changing: Case = {
  name: 'a text that counts itself',
  source: `const o = new Function("return { n: 0, toString() { return 'x' + ++this.n } }")()
let seen
await Promise.all([(async () => { await null; String(o) })(), (async () => { await null; seen = o.n })()])
return [seen, o.n]`,
  outcomes: 2,
}

const base = `const made = new Function("let v = 0; return { set(x) { v = x }, get: () => v, Base: class { constructor(x) { if (x) v = x } get b() { return v } set b(x) { v = x } m() { return v } }, aiter: { [Symbol.asyncIterator]: () => { let n = 0; return { next: async () => ({ done: n++ > 0, value: v }) } } } }")()
class Own extends made.Base { m() { return super.m() } get own() { return super.b } set own(x) { super.b = x } }
const o = new Own()`

const ofBases: readonly Case[] = [
  ['made.set(1)', 'o.own'], ['made.set(1)', 'o.b'], ['made.set(1)', 'o.m()'], ['o.own = 1', 'made.get()'], ['o.b = 1', 'made.get()'], ['new Own(1)', 'made.get()'], ['new Own(1)', 'o.m()'],
  ['made.set(1)', 'await (async () => { for await (const x of made.aiter) return x })()'], ['made.set(1)', '(await (async function* () { yield* made.aiter })().next()).value'],
].map(([change, look]) => ({
  name: `${look}, while ${change}`,
  source: `${base}
let seen
await Promise.all([(async () => { await null; ${change} })(), (async () => { await null; seen = ${look} })()])
return seen`,
  outcomes: 2,
}))

const traps = `const o = new Function("let v = 0; return { set(x) { v = x }, get: () => v, proxy: new Proxy({ own: 1 }, { get: (t, k) => (k === 'p' ? v : t[k]), set: (t, k, x) => { v = x; return true }, has: () => v > 0, ownKeys: () => (v > 0 ? ['own', 'z'] : ['own']), getOwnPropertyDescriptor: () => ({ value: v, enumerable: true, configurable: true }), deleteProperty: () => { v = 9; return true } }) }")()`

const ofProxies: readonly Case[] = [
  ['o.set(1)', 'o.proxy.p'], ['o.set(1)', `'q' in o.proxy`], ['o.set(1)', 'Object.keys(o.proxy).length'], ['o.set(1)', 'Reflect.ownKeys(o.proxy).length'], ['o.set(1)', `Object.getOwnPropertyDescriptor(o.proxy, 'own').value`],
  ['o.proxy.p = 1', 'o.get()'], ['delete o.proxy.x', 'o.get()'], ['Object.assign(o.proxy, { a: 1 })', 'o.get()'], ['o.proxy.p = 1', 'o.proxy.p'], ['o.proxy.a = 1', 'o.proxy.p'], ['o.set(1)', '(({ p }) => p)(o.proxy)'],
].map(([change, look]) => ({
  name: `${look}, while ${change}`,
  source: `${traps}
let seen
await Promise.all([(async () => { await null; ${change} })(), (async () => { await null; seen = ${look} })()])
return seen`,
  outcomes: 2,
}))

export const implicitCalls: readonly Case[] = [...looks.map(looking), instances, changing, ...ofBases, ...ofProxies]
