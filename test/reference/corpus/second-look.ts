import type { Case } from './case.ts'

/** Small bodies of all kinds, written by who had not looked at the others. How many outcomes each has only the reference says. */

function twoTasks(make: string, change: string, look: string): Case {
  return {
    name: `${make} | ${change} | ${look}`,
    source: `${make}
let seen
const changing = async () => { await null; ${change} }
const looking = async () => { await null; seen = ${look} }
await Promise.all([changing(), looking()])
return seen ?? null`,
  }
}

interface Reached {
  readonly make: string
  readonly method: string
  readonly given: string
  readonly look: string
  readonly type: string
}

/** One method, called in every way that there is. */
function reached({ make, method: m, given, look, type }: Reached): Case[] {
  const a = given ? `, ${given}` : ''
  const ways = [
    `o.${m}(${given})`, `o['${m}'](${given})`, `o.${m}.call(o${a})`, `o.${m}.apply(o, [${given}])`, `o.${m}.bind(o${a})()`, `o.${m}.bind(o)(${given})`,
    `Reflect.apply(o.${m}, o, [${given}])`, `Reflect.get(o, '${m}').call(o${a})`, `${type}.prototype.${m}.call(o${a})`, `Function.prototype.call.call(o.${m}, o${a})`,
    `Function.prototype.apply.call(o.${m}, o, [${given}])`, `[0].forEach(() => o.${m}(${given}))`, `[o].forEach((x) => x?.${m}?.(${given}))`, `(({ ${m} }) => ${m}.call(o${a}))(o)`,
    `Promise.resolve().then(() => o.${m}(${given}))`, `(function () { return this.${m}(${given}) }).call(o)`, `new Proxy(o.${m}, {}).call(o${a})`, `(0, o.${m}).call(o${a})`,
    `[o.${m}.bind(o${a})].map((f) => f())`, `Array.from([o], (x) => x.${m}(${given}))`, `Reflect.apply(Function.prototype.call, o.${m}, [o${a}])`, `queueMicrotask(() => o.${m}(${given})); await null; await null`,
  ]
  return ways.map((way) => ({ ...twoTasks(make, way, look), outcomes: 2 }))
}

const methods: readonly Reached[] = [
  { make: 'const o = new Map([["a", 1]])', method: 'set', given: '"b", 2', look: 'o.size', type: 'Map' },
  { make: 'const o = [1, 2, 3]', method: 'splice', given: '0, 1', look: 'o.join()', type: 'Array' },
  { make: 'const o = new Date(0)', method: 'setTime', given: '5', look: 'o.getTime()', type: 'Date' },
  { make: 'const o = new URLSearchParams("a=1")', method: 'append', given: '"b", "2"', look: 'o.toString()', type: 'URLSearchParams' },
  { make: 'const o = /a/g', method: 'exec', given: '"aa"', look: 'o.lastIndex', type: 'RegExp' },
]

type Row = readonly [make: string, change: string, look: string]

const rows: readonly Row[] = [
  ['class M extends Map { put(k, v) { return super.set(k, v) } }; const o = new M()', 'o.put("a", 1)', 'o.get("a")'],
  ['class L extends Array { add(x) { return super.push(x) } }; const o = new L()', 'o.add(1)', 'o.length'],
  ['class D extends Date { late() { super.setFullYear(2001) } }; const o = new D(0)', 'o.late()', 'o.toISOString()'],
  ['class S extends Set { has(x) { return !super.has(x) } }; const o = new S()', 'o.add(1)', 'o.has(1)'],
  ['const t = { n: 0 }; const o = new Proxy(t, {})', 'o.n++', 't.n'],
  ['const t = { n: 0 }; const o = new Proxy(t, {})', 't.n = 2', 'Object.entries(o).join()'],
  ['const t = []; const o = new Proxy(t, {})', 'o.push(1)', 't.length'],
  ['const t = []; const o = new Proxy(t, {})', 't.push(1)', 'o.map((x) => x + 1).join()'],
  ['const t = { n: 0 }; const o = new Proxy(t, { get: (t, k) => t[k] ?? "none", set(t, k, v) { t[k] = v * 2; return true } })', 'o.n = 3', 'o.n + String(o.m)'],
  ['const t = { n: 1 }; const o = new Proxy(new Proxy(t, {}), {})', 'delete o.n', '"n" in t'],
  ['const t = { n: 1 }; const { proxy: o, revoke } = Proxy.revocable(t, {})', 'revoke()', '(() => { try { return o.n } catch { return "revoked" } })()'],
  ['const o = { list: [1] }; const alias = o.list', 'o.list = [2]', 'alias[0] + o.list[0]'],
  ['const o = new Map([["k", { n: 0 }]]); const row = o.get("k")', 'o.get("k").n++', 'row.n'],
  ['const o = new Set([1]); const it = o.values()', 'o.add(2)', '[...it].length'],
  ['const o = [1, 2]; const it = o[Symbol.iterator]()', 'it.next()', 'it.next().value'],
  ['const o = [3, 1, 2]', 'o.sort()', 'o.toString()'], ['const o = [3, 1, 2]', 'o.reverse()', 'o.at(0)'], ['const o = [1, 2, 3]', 'o.copyWithin(0, 1)', 'o.join("")'],
  ['const o = [1, 2, 3]', 'o.fill(0, 1)', 'o.reduce((x, y) => x + y)'], ['const o = [1, 2, 3]', 'o.length = 1', 'o.includes(2)'], ['const o = [[1]]', 'o[0].push(2)', 'o.flat().length'],
  ['const o = [1, , 3]', 'o[1] = 2', 'o.indexOf(2)'], ['const o = [1]', 'o[3] = 1', 'Object.keys(o).length'], ['const o = [1, 2]', 'delete o[0]', '0 in o'], ['const o = [5, 6]', 'o.unshift(4)', 'o.entries().next().value.join()'],
  ['const o = [1, 2, 3]', 'o.pop()', 'o.findLast((x) => x)'], ['const o = [1, 2, 3]', 'o.shift()', 'o.some((x) => x === 1)'], ['const o = [1, 2, 3]', 'o[1] = 9', '`${o}`'], ['const o = [1]', 'o.push(2)', 'JSON.stringify(o)'],
  ['const o = [1]', 'o.push(2)', 'structuredClone(o).length'], ['const o = [1]', 'o.push(2)', '[...o, ...o].length'], ['const o = [1]', 'o.push(2)', 'Math.max(...o)'], ['const o = ["b"]', 'o.push("a")', 'o.toSorted().join()'],
  ['const o = [1]', 'o.push(2)', 'Array.from(o).length'], ['const o = [1]', 'o.push(2)', '[0].concat(o).length'], ['const o = [1]', 'o.push(2)', 'new Set(o).size'], ['const o = [[1, 2]]', 'o.push([3, 4])', 'Object.fromEntries(o)[3] ?? null'],
  ['const o = [[1, 2]]', 'o.push([3, 4])', 'new Map(o).size'], ['const o = [1]', 'o.push(2)', '(([a, b = 0]) => a + b)(o)'], ['const o = [1]', 'o.push(2)', 'String.raw({ raw: o })'], ['const o = [97]', 'o.push(98)', 'String.fromCharCode(...o)'],
  ['const o = { a: 1 }', 'o.b = 2', '{ ...o }.b ?? null'], ['const o = { a: 1 }', 'o.b = 2', 'Object.assign({}, o).b ?? null'], ['const o = { a: 1 }', 'o.a = 2', '(({ a }) => a)(o)'], ['const o = { a: 1 }', 'o.b = 2', '(({ a, ...r }) => Object.keys(r).length)(o)'],
  ['const o = { a: 1 }', 'Object.freeze(o)', 'Object.isFrozen(o)'], ['const o = { a: 1 }', 'Object.seal(o)', 'Object.isSealed(o)'], ['const o = { a: 1 }', 'Object.preventExtensions(o)', 'Reflect.isExtensible(o)'],
  ['const o = { a: 1 }', 'Object.defineProperty(o, "a", { enumerable: false })', 'Object.keys(o).length'], ['const o = { a: 1 }', 'Object.defineProperties(o, { b: { value: 1 } })', 'Object.getOwnPropertyNames(o).length'],
  ['const o = { a: 1 }', 'o.a = 2', 'Object.getOwnPropertyDescriptor(o, "a").value'], ['const o = { a: 1 }', 'Object.setPrototypeOf(o, { z: 1 })', 'o.z ?? null'], ['const o = {}', 'o.__proto__ = { z: 1 }', 'o.z ?? null'],
  ['const o = { a: 1 }', 'delete o.a', 'o.hasOwnProperty("a")'], ['const o = { a: 1 }', 'delete o.a', 'Object.hasOwn(o, "a")'], ['const o = { a: 1 }', 'o.a = 2', 'Object.values(o)[0]'], ['const o = { a: 1 }', 'o.b = 1', '(() => { let n = 0; for (const k in o) n++; return n })()'],
  ['const s = Symbol(); const o = {}', 'o[s] = 1', 'Object.getOwnPropertySymbols(o).length'], ['const o = { get x() { return this.y }, y: 1 }', 'o.y = 2', 'o.x'], ['const o = { set x(v) { this.y = v }, y: 1 }', 'o.x = 2', 'o.y'],
  ['const o = { n: 1n }', 'o.n += 1n', 'String(o.n)'], ['const o = { valueOf() { return this.n }, n: 1 }', 'o.n = 2', 'o + 1'], ['const o = { toString() { return this.n }, n: "a" }', 'o.n = "b"', '`${o}`'], ['const o = { [Symbol.toPrimitive]() { return this.n }, n: 1 }', 'o.n = 5', 'o > 3'],
  ['const o = { n: 1, toJSON() { return this.n } }', 'o.n = 2', 'JSON.stringify([o])'], ['const o = new WeakMap(); const k = {}', 'o.set(k, 1)', 'o.get(k) ?? null'], ['const o = new WeakSet(); const k = {}', 'o.add(k)', 'o.has(k)'], ['const t = { n: 1 }; const o = new WeakRef(t)', 't.n = 2', 'o.deref().n'],
  ['const o = new Uint8Array(4)', 'o.set([1, 2], 1)', 'o.join()'], ['const o = new Uint8Array(4); const v = new DataView(o.buffer)', 'v.setUint16(0, 258)', 'o[1]'], ['const o = new Uint16Array(2); const bytes = new Uint8Array(o.buffer)', 'bytes[0] = 1', 'o[0]'], ['const o = new Uint8Array([1, 2, 3, 4]); const p = o.subarray(1, 3)', 'p[0] = 9', 'o[1]'],
  ['const o = new Uint8Array([1, 2, 3, 4])', 'o.reverse()', 'o.slice(0, 1)[0]'], ['const o = Buffer.from("abc")', 'o.write("z", 1)', 'o.toString()'], ['const o = Buffer.alloc(4)', 'o.writeInt16LE(5)', 'o.readInt16LE()'], ['const o = Buffer.from("abcd"); const p = o.subarray(2)', 'p.fill("z")', 'o.toString("latin1")'],
  ['const o = new ArrayBuffer(2)', 'new Uint8Array(o)[0] = 1', 'new Uint8Array(o.slice(0))[0]'], ['const o = new Int32Array(2)', 'Atomics.add(o, 0, 2)', 'Atomics.load(o, 0)'], ['const o = new Int32Array(2)', 'Atomics.compareExchange(o, 0, 0, 7)', 'Atomics.exchange(o, 0, 1)'],
  ['const o = new Date(0)', 'o.setUTCHours(3)', 'o - 0'], ['const o = new Date(0)', 'o.setUTCDate(3)', '`${o.toJSON()}`'], ['const o = new Date(0)', 'o.setTime(9)', 'new Date(o).getTime()'], ['const o = new Date(0)', 'o.setTime(9)', 'structuredClone(o).valueOf()'], ['const o = new Date(0)', 'o.setTime(9)', 'JSON.stringify({ o })'], ['const o = new Date(0)', 'o.setTime(9)', 'o > new Date(4)'],
  ['const o = /a/y', '"ab".replace(o, "x")', 'o.lastIndex'], ['const o = /a/g', 'o.test("ba")', '"aaa".search(o) + o.lastIndex'], ['const o = /a/g', 'o.lastIndex = 2', 'o.test("aa")'], ['const o = /a/g', '[..."aa".matchAll(o)]; o.exec("aa")', '"aaa".match(o).length + o.lastIndex'],
  ['const o = new URL("http://a/?x=1")', 'o.searchParams.set("x", "2")', 'o.href'], ['const o = new URL("http://a/")', 'o.pathname = "/b"', 'String(o)'], ['const o = new URL("http://a/?x=1")', 'o.search = "?y=1"', 'o.searchParams.has("x")'], ['const o = new URLSearchParams("a=1&b=2")', 'o.delete("a")', '[...o.keys()].join()'], ['const o = new URLSearchParams("b=1&a=2")', 'o.sort()', '[...o].join("|")'],
  ['const o = new Headers({ a: "1" })', 'o.append("a", "2")', 'o.get("a")'], ['const o = new Headers()', 'o.set("x", "1")', '[...o].length'], ['const o = new FormData()', 'o.append("a", "1")', 'o.getAll("a").length'], ['const o = new Headers({ a: "1" })', 'o.delete("A")', 'o.has("a")'],
  ['const o = new TextDecoder()', 'o.decode(new Uint8Array([0xc3]), { stream: true })', 'o.decode(new Uint8Array([0xa4])) === "ä"'],
  ['const o = new EventEmitter(); let n = 0', 'o.on("x", () => n++)', '(o.emit("x"), n)'], ['const o = new EventEmitter(); let n = 0; o.once("x", () => n++)', 'o.emit("x")', '(o.emit("x"), o.listenerCount("x")) + n'],
  ['const o = new EventEmitter(); const f = () => {}; o.on("x", f)', 'o.off("x", f)', 'o.emit("x")'], ['const o = new EventEmitter()', 'o.prependListener("x", () => {})', 'o.eventNames().length'],
  ['const o = new EventTarget(); let n = 0', 'o.addEventListener("x", () => n++, { once: true })', '(o.dispatchEvent(new Event("x")), o.dispatchEvent(new Event("x")), n)'], ['const o = new AbortController()', 'o.abort("r")', 'o.signal.reason ?? null'], ['const o = new AbortController()', 'o.abort("r")', 'AbortSignal.any([o.signal]).aborted'], ['const o = new AbortController(); let n = 0; o.signal.onabort = () => n++', 'o.abort()', 'n'],
  ['const o = new AbortController()', 'o.abort()', '(() => { try { o.signal.throwIfAborted(); return 1 } catch (e) { return e.name } })()'],
  ['const o = new Map([["a", 1], ["b", 2]])', 'o.delete("a"); o.set("a", 3)', '[...o.keys()].join()'], ['const o = new Map([["a", 1]])', 'o.clear()', 'o.has("a")'], ['const o = new Map([["a", 1]])', 'o.set("a", 2)', 'o.entries().next().value[1]'], ['const o = new Map([["a", 1]])', 'o.set("b", 2)', '(() => { let n = 0; o.forEach((v) => { n += v }); return n })()'],
  ['const o = new Set([2])', 'o.add(1)', '[...o].join()'], ['const o = new Set([1])', 'o.delete(1)', 'o.size'], ['const o = { 2: "b" }', 'o[1] = "a"', 'Object.keys(o).join()'], ['const o = { b: 1 }', 'o.a = 1', 'JSON.stringify(o)'], ['const o = { b: 1, a: 2 }', 'delete o.b; o.b = 3', 'Object.values(o).join()'],
  ['let o = 1; const f = () => o', 'o = 2', 'f()'], ['let [p, q] = [1, 2]', '[p, q] = [q, p]', 'p * 10 + q'], ['let o = { n: 1 }', 'o = { n: 2 }', 'o.n'], ['let o = null', 'o ??= 4', 'o'], ['let o = 1; const g = { get o() { return o }, set o(v) { o = v } }', 'g.o = 7', 'o'],
  ['class A { static n = 0; static #m = 1; static bump() { return A.#m++ } static get m() { return A.#m } }', 'A.bump()', 'A.m'], ['class A { #x = 0; inc() { this.#x++ } get x() { return this.#x } }; const o = new A()', 'o.inc()', 'o.x'], ['class A { #x = 0; static get(a) { return a.#x } static set(a, v) { a.#x = v } }; const o = new A()', 'A.set(o, 3)', 'A.get(o)'],
  ['class A { n = 1; get d() { return this.n * 2 } }; class B extends A { get d() { return super.d + 1 } }; const o = new B()', 'o.n = 5', 'o.d'], ['class A { set v(x) { this.w = x } }; class B extends A { put(x) { super.v = x } }; const o = new B()', 'o.put(3)', 'o.w ?? null'], ['class A { m() { return 1 } }; const o = new A()', 'A.prototype.m = () => 2', 'o.m()'], ['class A { m() { return 1 } }; const o = new A()', 'o.m = () => 3', 'o.m()'],
  ['function F() {}; F.count = 0', 'F.count++', 'F.count'], ['const o = Object.create({ n: 1 })', 'o.n = 2', 'Object.getPrototypeOf(o).n + o.n'], ['const p = { n: 1 }; const o = Object.create(p)', 'p.n = 2', 'o.n'], ['const o = Object.create(null)', 'o.k = 1', '"k" in o'], ['const o = function* () { yield 1; yield 2 }()', 'o.next()', 'o.next().value'], ['const o = function* () { try { yield 1; yield 2 } finally { yield 3 } }()', 'o.return(5)', 'o.next().value ?? null'],
  ['const o = { *[Symbol.iterator]() { yield* this.l }, l: [1] }', 'o.l.push(2)', '[...o].length'], ['const o = { n: 0, get [Symbol.toStringTag]() { return "T" + this.n } }', 'o.n = 1', 'String(o)'], ['const o = new Error("a")', 'o.message = "b"', 'String(o)'], ['const o = new Error("a", { cause: { n: 1 } })', 'o.cause.n = 2', 'o.cause.n'], ['const o = { a: { b: { c: 1 } } }', 'o.a.b = { c: 2 }', 'o?.a?.b?.c'],
  ['const o = { f: null }', 'o.f = () => 4', 'o.f?.() ?? null'], ['const o = { n: 3 }', 'o.n -= 1', 'o.n ** 2'], ['const o = { n: 3 }', 'o.n <<= 1', 'o.n'], ['const o = { n: 0 }', 'o.n ||= 5', 'o.n'], ['const o = { n: 1 }', 'o.n &&= 5', 'o.n'], ['process.env.ZZ_EX = "1"', 'process.env.ZZ_EX = "2"', 'process.env.ZZ_EX'], ['process.env.ZZ_EX = "1"', 'delete process.env.ZZ_EX', '"ZZ_EX" in process.env'],
]

const map = 'const o = new Map([["a", 1]])'

/** A Proxy of a function of the platform is called. */
const proxied: readonly Row[] = [
  [map, 'new Proxy(new Proxy(o.set, {}), {}).call(o, "b", 2)', 'o.size'],
  [map, 'Reflect.apply(new Proxy(o.set, {}), o, ["b", 2])', 'o.size'],
  [map + '; o.put = new Proxy(o.set, {})', 'o.put("b", 2)', 'o.size'],
  [map + '; o.put = new Proxy(o.set.bind(o), {})', 'o.put("b", 2)', 'o.size'],
  [map + '; o.put = new Proxy(o.set, { apply: (f, t, a) => Reflect.apply(f, t, a) })', 'o.put("b", 2)', 'o.size'],
  [map + '; const h = {}; o.put = new Proxy(o.set, h)', 'h.apply = (f, t, a) => f.call(t, "a", a[1])', '(o.put("b", 2), o.size)'],
  [map + '; o.put = Proxy.revocable(o.set, {}).proxy', 'o.put("b", 2)', 'o.size'],
  [map, '["b"].forEach(new Proxy((k) => o.set(k, 1), {}))', 'o.size'],
  [map, '[["b", 2]].forEach(([k, v]) => new Proxy(o.set, { get: Reflect.get }).apply(o, [k, v]))', 'o.size'],
  ['const o = {}', 'new Proxy(Object.assign, {})(o, { n: 1 })', 'o.n'],
  ['const o = []', 'new Proxy(o.push, {}).bind(o)(1)', 'o.length'],
  ['const o = [1]', 'o.push(2)', 'new Proxy(o.map, {}).call(o, (x) => x).length'],
  ['const o = { f: new Proxy(function () { return this.n }, {}), n: 1 }', 'o.n = 2', 'o.f()'],
  ['class A { static n = 0; constructor() { A.n++ } }; const o = new Proxy(A, {})', 'new o()', 'A.n'],
]

const bodies: readonly string[] = [
  'const ps = []\nconst a = async () => { await null; ps.push(Promise.resolve(1)) }\nconst b = async () => { await null; return (await Promise.all(ps)).length }\nreturn (await Promise.all([a(), b()]))[1]',
  'const ps = new Set()\nconst a = async () => { await null; ps.add(Promise.resolve(1)) }\nconst b = async () => { await null; return (await Promise.allSettled(ps)).length }\nreturn (await Promise.all([a(), b()]))[1]',
  'let r; const p = new Promise((x) => { r = x })\nconst a = async () => { await null; r(1) }\nconst b = async () => { await null; r(2) }\nconst [x] = await Promise.all([p, a(), b()])\nreturn x',
  'let r, j; const p = new Promise((x, y) => { r = x; j = y })\nconst a = async () => { await null; r(1) }\nconst b = async () => { await null; j(2) }\nconst [x] = await Promise.all([p.catch((e) => -e), a(), b()])\nreturn x',
  'const later = async (v) => { await null; return v }\nreturn await Promise.race([later(1), later(2)])',
  'const later = async (v) => { await null; return v }\nreturn await Promise.race([later(1).then((x) => x), later(2).finally(() => {})])',
  'const later = async (v) => { await null; await null; return v }\nreturn await Promise.race([later(1), (async () => later(2))(), new Promise((r) => r(later(3)))])',
  'const fails = async (v) => { await null; throw v }\nconst later = async (v) => { await null; return v }\nreturn await Promise.any([fails(1), later(2), later(3)])',
  'const fails = async (v) => { await null; throw v }\nreturn await Promise.any([fails(1), fails(2)]).catch((e) => e.errors.join())',
  'const fails = async (v) => { await null; throw v }\nreturn await Promise.all([fails(1), fails(2)]).catch((e) => e)',
  'const log = []\nconst f = async (v) => { await null; log.push(v); return v }\nawait Promise.allSettled([f(1), f(2)])\nreturn log.join()',
  'async function* g() { yield 1; yield 2; yield 3 }\nconst o = g()\nconst t = async () => { await null; return (await o.next()).value }\nreturn (await Promise.all([t(), t()])).join()',
  'async function* g() { yield 1; yield 2 }\nconst o = g()\nconst a = async () => { await null; return (await o.next()).value ?? null }\nconst b = async () => { await null; return (await o.return(9)).value }\nreturn (await Promise.all([a(), b()])).join()',
  'async function* g() { try { yield 1; yield 2 } catch (e) { yield e } }\nconst o = g(); await o.next()\nconst a = async () => { await null; return (await o.next()).value ?? null }\nconst b = async () => { await null; return (await o.throw("t")).value }\nreturn (await Promise.all([a(), b()])).join()',
  'async function* g() { yield 1 }\nconst o = g(); await o.return()\nlet open; const gate = new Promise((r) => { open = r })\nconst log = []\nconst a = async () => { await null; await o.return(gate); log.push("a") }\nconst b = async () => { await null; await o.next(); log.push("b") }\nconst c = async () => { await null; await null; log.push("open"); open() }\nawait Promise.all([a(), b(), c()])\nreturn log.join()',
  'const o = (async function* () { let n = 0; while (true) yield n++ })()\nconst a = async () => { for await (const x of o) if (x >= 1) break }\nconst b = async () => { await null; return (await o.next()).value ?? "done" }\nreturn (await Promise.all([a(), b()]))[1]',
  'const src = [1, 2]\nconst out = []\nconst a = async () => { for await (const x of src) out.push(x) }\nconst b = async () => { await null; src.push(3) }\nawait Promise.all([a(), b()])\nreturn out.join()',
  'const src = { l: [1, 2], *[Symbol.iterator]() { for (const x of this.l) yield Promise.resolve(x) } }\nconst out = []\nconst a = async () => { for await (const x of src) out.push(x) }\nconst b = async () => { await null; src.l.push(3) }\nawait Promise.all([a(), b()])\nreturn out.join()',
  'const rows = JSON.parse(`[{"n":1},{"n":2}]`)\nconst t = async (r) => { await null; r.n++; await null; return r.n }\nreturn (await Promise.all(rows.map(t))).join()',
  'const rows = JSON.parse(`[{"n":1}]`); const [first] = rows\nconst a = async () => { await null; rows[0].n++ }\nconst b = async () => { await null; return first.n }\nreturn (await Promise.all([a(), b()]))[1]',
  'const clone = structuredClone({ r: { n: 1 } }); const r = clone.r\nconst a = async () => { await null; clone.r.n = 2 }\nconst b = async () => { await null; return r.n }\nreturn (await Promise.all([a(), b()]))[1]',
  'const own = async () => { const row = JSON.parse(`{"n":0}`); await null; row.n++; await null; return row.n }\nreturn (await Promise.all([own(), own(), own()])).join()',
  'const m = new Map()\nconst t = async (k) => { await null; m.set(k, 1) }\nawait Promise.all([t("a"), t("b"), t("c")])\nreturn [...m.keys()].join()',
  'const m = new Map()\nconst t = async (k) => { await null; m.set(k, 1) }\nawait Promise.all([t("a"), t("b"), t("c")])\nreturn m.size',
  'const o = {}\nconst t = async (k) => { await null; o[k] = 1 }\nawait Promise.all([t("a"), t("b")])\nreturn JSON.stringify(o)',
  'const o = {}\nconst t = async (k) => { await null; o[k] = k }\nawait Promise.all([t("a"), t("b")])\nreturn o.a + o.b',
  'const l = []\nconst t = async (k) => { await null; l.push(k) }\nawait Promise.all([t(1), t(2), t(3)])\nreturn l.length',
  'const l = []\nconst t = async (k) => { await null; l.push(k) }\nawait Promise.all([t(1), t(2), t(3)])\nreturn l.includes(2)',
  'const lru = new Map([["a", 1], ["b", 2], ["c", 3]])\nconst hit = async (k) => { await null; const v = lru.get(k); lru.delete(k); lru.set(k, v) }\nawait Promise.all([hit("a"), hit("b")])\nreturn lru.keys().next().value',
  'const q = new Map([["a", 1], ["b", 2]])\nconst take = async () => { await null; for (const [k, v] of q) { q.delete(k); return v } }\nreturn (await Promise.all([take(), take()])).join()',
  'const s = new Set()\nconst on = async (f) => { await null; s.add(f) }\nconst log = []\nawait Promise.all([on(() => log.push(1)), on(() => log.push(2))])\nfor (const f of s) f()\nreturn log.join()',
  'let n = 0\nconst t = async () => { await null; n++ }\nawait Promise.all([t(), t(), t()])\nreturn n',
  'let n = 0\nconst t = async () => { await null; return n++ }\nreturn (await Promise.all([t(), t()])).join()',
  'class P extends Promise {}\nlet r; const p = new P((x) => { r = x })\nconst a = async () => { await null; r("p") }\nconst b = async () => { await null; return "b" }\nreturn [await P.race([p, b()]), await a()][0]',
  'const th = { then(f) { f(this.v) }, v: 1 }\nconst a = async () => { await null; th.v = 2 }\nconst b = async () => { await null; return await th }\nreturn (await Promise.all([a(), b()]))[1]',
  'const { promise, resolve } = Promise.withResolvers ? Promise.withResolvers() : (() => { let resolve; const promise = new Promise((r) => { resolve = r }); return { promise, resolve } })()\nconst log = []\npromise.then((v) => log.push("x" + v)); \nconst a = async () => { await null; resolve(1) }\nconst b = async () => { await null; promise.then((v) => log.push("y" + v)) }\nawait Promise.all([a(), b()]); await promise\nreturn log.sort().join()',
  'const cache = new Map()\nlet loads = 0\nconst load = async (k) => { loads++; await null; return k }\nconst get = async (k) => { if (!cache.has(k)) cache.set(k, load(k)); return cache.get(k) }\nawait Promise.all([get(1), get(1)])\nreturn loads',
  'const cache = new Map()\nlet loads = 0\nconst load = async (k) => { loads++; await null; return k }\nconst get = async (k) => { await null; if (!cache.has(k)) cache.set(k, await load(k)); return cache.get(k) }\nawait Promise.all([get(1), get(1)])\nreturn loads',
  'let lock = Promise.resolve()\nconst log = []\nconst run = (f) => (lock = lock.then(f))\nconst t = async (k) => { await null; await run(async () => { log.push(k); await null; log.push(k) }) }\nawait Promise.all([t(1), t(2)])\nreturn log.join("")',
  'const log = []\nconst t = async (k) => { await null; setTimeout(() => log.push(k), 1) }\nawait Promise.all([t(1), t(2)])\nawait new Promise((r) => setTimeout(r, 5))\nreturn log.length',
  'const c = new AbortController()\nconst w = async () => { await null; try { c.signal.throwIfAborted(); return "ran" } catch { return "aborted" } }\nconst a = async () => { await null; c.abort() }\nreturn (await Promise.all([w(), a()]))[0]',
  'const t = { a: 1 }\nconst w = new Proxy(t, { ownKeys: () => Reflect.ownKeys(t).filter((k) => k !== "h") })\nconst a = async () => { await null; t.b = 1 }\nconst b = async () => { await null; return Object.keys(w).length }\nreturn (await Promise.all([a(), b()]))[1]',
  'const k1 = {}, k2 = {}\nconst m = new WeakMap()\nconst a = async (k) => { await null; m.set(k, (m.get(k) ?? 0) + 1); await null; return m.get(k) }\nreturn (await Promise.all([a(k1), a(k2)])).join()',
  'const f = () => 1\nf.calls = 0\nconst t = async () => { await null; f.calls += 1 }\nawait Promise.all([t(), t()])\nreturn f.calls',
  'const counter = (() => { let n = 0; return { up: () => ++n, get: () => n } })()\nconst a = async () => { await null; counter.up() }\nconst b = async () => { await null; return counter.get() }\nreturn (await Promise.all([a(), b()]))[1]',
  'const o = { a: 1 }; const view = Object.freeze({ o })\nconst a = async () => { await null; view.o.a = 2 }\nconst b = async () => { await null; return o.a }\nreturn (await Promise.all([a(), b()]))[1]',
  'const list = [{ id: 1 }, { id: 2 }]; const byId = new Map(list.map((r) => [r.id, r]))\nconst a = async () => { await null; byId.get(2).done = true }\nconst b = async () => { await null; return list.filter((r) => r.done).length }\nreturn (await Promise.all([a(), b()]))[1]',
  'const o = { n: 0 }\nconst g = function* () { yield o.n++; yield o.n++ }\nconst t = async () => { await null; return [...g()].join("") }\nreturn (await Promise.all([t(), t()])).join()',
  'const sum = { v: 0 }\nconst add = async (n) => { const v = sum.v; await null; sum.v = v + n }\nawait Promise.all([add(1), add(2)])\nreturn sum.v',
]

export const secondLook: readonly Case[] = [
  ...methods.flatMap(reached),
  ...[...rows, ...proxied].map(([make, change, look]) => twoTasks(make, change, look)),
  ...bodies.map((source) => ({ name: source.replaceAll('\n', '; ').slice(0, 150), source })),
]
