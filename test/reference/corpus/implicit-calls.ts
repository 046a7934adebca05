import { changeAndLook, type Case } from './case.ts'

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
].map(([change, look]) => changeAndLook({ name: `${look}, while ${change}`, make: base, change: change!, look: look! }))

const traps = `const o = new Function("let v = 0; return { set(x) { v = x }, get: () => v, proxy: new Proxy({ own: 1 }, { get: (t, k) => (k === 'p' ? v : t[k]), set: (t, k, x) => { v = x; return true }, has: () => v > 0, ownKeys: () => (v > 0 ? ['own', 'z'] : ['own']), getOwnPropertyDescriptor: () => ({ value: v, enumerable: true, configurable: true }), deleteProperty: () => { v = 9; return true } }) }")()`

const ofProxies: readonly Case[] = [
  ['o.set(1)', 'o.proxy.p'], ['o.set(1)', `'q' in o.proxy`], ['o.set(1)', 'Object.keys(o.proxy).length'], ['o.set(1)', 'Reflect.ownKeys(o.proxy).length'], ['o.set(1)', `Object.getOwnPropertyDescriptor(o.proxy, 'own').value`],
  ['o.proxy.p = 1', 'o.get()'], ['delete o.proxy.x', 'o.get()'], ['Object.assign(o.proxy, { a: 1 })', 'o.get()'], ['o.proxy.p = 1', 'o.proxy.p'], ['o.proxy.a = 1', 'o.proxy.p'], ['o.set(1)', '(({ p }) => p)(o.proxy)'],
].map(([change, look]) => changeAndLook({ name: `${look}, while ${change}`, make: traps, change: change!, look: look! }))

/** Elements and lengths become numbers as well. */
const ofLists: readonly Case[] = ['Array.from({ length: o }).length', 'Array.from({ length: o }, (_, i) => i).length', 'new Uint8Array([o])[0]', 'new Float64Array({ length: 1, 0: o })[0]', 'Uint8Array.from([o])[0]', 'Uint8Array.of(o)[0]', 
  '(() => { const bytes = new Uint8Array(1); bytes.set([o]); return bytes[0] })()', '(() => { const bytes = new Uint8Array(1); bytes[0] = o; return bytes[0] })()', '(() => { const bytes = new Uint8Array(1); bytes.fill(o); return bytes[0] })()', 'Array.prototype.indexOf.call({ length: o, 0: 5 }, 5)', 'Array.prototype.join.call({ length: o, 0: 5 })', '[5, 6].includes(5, o)',
  '[5, 6].indexOf(5, o)', '[5, 6].lastIndexOf(6, o)', '[5, 6].with(o, 7).join()', '[5, 6].toSpliced(o, 1).join()', '(() => { const list = [5, 6]; list.length = o; return list.length })()', 'new Array(3).fill(1, o).join()', 'Buffer.from([o])[0]', 'String.fromCharCode(o)', 'String.raw({ raw: ["a", "b"] }, o)',
  '"abc".at(o)', '"abc"[o]', '"abc".charAt(o)', '"a-1".replace("1", o)', '"a1".includes(o)', '/1/.test(o)', '/1/.exec(o) === null', 'Number.prototype.toString.call(3, o + 2)', 'new Date(2020, o).getMonth()', 'new Date(0).setHours(o)', 'new Uint8Array(o + 1).length', '[5, [6, [7]]].flat(o).length', 'new DataView(new Uint8Array([3, 4]).buffer).getInt8(o)', '"a1b0".split(o)[0]', 'Date.UTC(2020, o)', 'BigInt.asUintN(8, BigInt(o)).toString()',
].map(looking)

const ofCalls = `const o = new Function("f", "let v = 0; class Traps { apply(t, self, args) { return v } construct(t, args) { return { v } } get(t, k) { return k === 'p' ? v : Reflect.get(t, k) } } return { set(x) { v = x }, proxy: new Proxy(f, { apply: () => v, construct: () => ({ v }) }), inherited: new Proxy(f, new Traps()) }")(function () { return 7 })`

const ofCalledProxies: readonly Case[] = ['o.proxy()', 'new o.proxy().v', 'o.inherited()', 'new o.inherited().v', 'o.inherited.p', 'o.proxy.call(null)', 'Reflect.apply(o.proxy, null, [])', '[1].map(o.proxy)[0]', 'o.proxy`x`', 'Reflect.construct(o.proxy, []).v', 'new (class extends o.proxy {})().v', 'await Promise.resolve().then(o.proxy)'].map((look) => changeAndLook({ name: `${look}, while o.set(1)`, make: ofCalls, change: 'o.set(1)', look }))

/** A key that one task changes, in an expression of another. */
const keyed = ['o[key]', 'o?.[key]', 'Reflect.get(o, key)', 'Object.keys({ [key]: 1 })[0]', '(({ [key]: x }) => x)(o)', 'Object.getOwnPropertyDescriptor(o, key).value', '(() => { o[key] = 7; return o.a })()', '(() => { delete o[key]; return "a" in o })()', '(() => { delete o.b; return key in o })()', '(() => { delete o.b; return Object.hasOwn(o, key) })()', '(() => { o[key]++; return o.a })()', '`${key}`']

const ofReplacedKeys: readonly Case[] = keyed.flatMap((look) => [
  ["const key = { toString() { return 'a' } }", "key.toString = () => 'b'"],
  ["const key = { text: 'a', toString() { return this.text } }", "key.text = 'b'"],
  ["const key = { toString() { return 'a' } }", "key[Symbol.toPrimitive] = () => 'b'"],
  ["class Key { toString() { return 'a' } } const key = new Key()", "Key.prototype.toString = () => 'b'"],
  ["const key = ['a']", "key[0] = 'b'"],
].map(([key, change]) => changeAndLook({ name: `${look}, ${key}, ${change}`, make: `${key}; const o = { a: 1, b: 2 }`, change: change!, look })))

const keyOnce = ['o[key]', 'o[key] = 1', 'o[key] ??= 1', 'o[key] ||= 1', 'delete o[key]', 'key in o', 'o?.[key]', 'Object.hasOwn(o, key)', 'o.hasOwnProperty(key)', 'o.propertyIsEnumerable(key)', 'Object.defineProperty(o, key, { value: 1 })', 'Object.getOwnPropertyDescriptor(o, key)',
  'Reflect.get(o, key)', 'Reflect.get(o, key, {})', 'Reflect.set(o, key, 1)', 'Reflect.set(o, key, 1, {})', 'Reflect.has(o, key)', 'Reflect.deleteProperty(o, key)', 'Reflect.defineProperty(o, key, { value: 1 })', 'Reflect.getOwnPropertyDescriptor(o, key)', '({ [key]: o.x } = o)', '(({ [key]: x }) => x)(o)', '({ [key]: 1 })', '({ [key]() {} })', '(class { [key]() {} })', '(class { static [key] = 1 })',
  "'abc'[key]", '(5)[key]', 'o.__defineGetter__(key, () => 1)', 'o.__lookupGetter__(key)', 'f[key]()', 'f[key]?.()', 'f[key]``', 'f?.[key]()', 'new Proxy(o, {})[key]', 'new Proxy(o, {})[key] = 1', 'delete new Proxy(o, {})[key]', 'key in new Proxy(o, {})', 'Object.hasOwn(new Proxy(o, {}), key)', 'Reflect.get(new Proxy(o, {}), key)', 'Reflect.set(new Proxy(o, {}), key, 1)', 'Reflect.deleteProperty(new Proxy(o, {}), key)',
  'Object.defineProperty(new Proxy(o, {}), key, { value: 1 })', 'Object.getOwnPropertyDescriptor(new Proxy(o, {}), key)', 'new (class extends (class { get a() { return 1 } }) { m() { return super[key] } })().m()', 'new (class extends (class { a() { return 1 } }) { m() { return super[key]() } })().m()', 'new (class { m() { super[key] = 1 } })().m()', 'Object.fromEntries([[key, 1]])', 'Object.groupBy?.([1], () => key) ?? `${key}`', 'Symbol.for(key)', 'new Headers([[key, "1"]])',
]

const onces: readonly Case[] = keyOnce.map((use) => ({
  name: `a key becomes text once: ${use}`,
  source: `let n = 0
const key = { toString() { n++; return 'a' } }; const o = { a: 1 }; const f = { a: () => 1 }
const both = [o]
await Promise.all([(async () => { await null; try { ${use} } catch (error) { n = error.name + n } })(), (async () => { await null; both.push(1) })()])
return [n, both.length]`,
  outcomes: ['[1,2]'],
}))

export const implicitCalls: readonly Case[] = [...looks.map(looking), instances, changing, ...ofBases, ...ofProxies, ...ofLists, ...ofCalledProxies, ...ofReplacedKeys, ...onces]
