import { execFileSync } from 'node:child_process'
import { rewrite } from '../plugin/3-rewrite/rewrite.ts'
import { namingName } from '../src/runtime/calls/emitted.ts'
import { explore } from '../src/runtime/exploration/explore.ts'
import { install } from '../src/runtime/index.ts'

/**
 * What instrumented code costs outside explorations: small programs as source, each of which is run as it is and rewritten, in turn. Each
 * is the body of a function that returns the work to repeat.
 */
const kernels: Record<string, string> = {
  'object literals': 'return () => { let s = 0; for (let i = 0; i < 20000; i++) { const o = { x: i, y: i + 1 }; s += o.x + o.y } return s }',
  'kept literals': 'return () => { const all = []; for (let i = 0; i < 5000; i++) all.push({ id: i, tags: [i] }); return all.length }',
  classes: 'class V { constructor(x, y) { this.x = x; this.y = y } plus(o) { return new V(this.x + o.x, this.y + o.y) } } return () => { let v = new V(0, 0); const one = new V(1, 1); for (let i = 0; i < 20000; i++) v = v.plus(one); return v.x }',
  'classes with fields': 'class A { n = 0; items = []; add(x) { this.items.push(x); this.n++; return this } } class B extends A { m = 1; add(x) { super.add(x); this.m += x; return this } } return () => { let s = 0; for (let i = 0; i < 3000; i++) s += new B().add(i).add(2).n; return s }',
  'properties of a class': 'class P { constructor() { this.x = 1; this.y = 2; this.vx = 0.1; this.vy = 0.2; this.m = 3 } step(dt) { this.x += this.vx * dt; this.y += this.vy * dt; if (this.x > 10) this.vx = -this.vx; if (this.y > 10) this.vy = -this.vy; return this.x * this.x + this.y * this.y + this.m } } const p = new P(); return () => { let s = 0; for (let i = 0; i < 30000; i++) s += p.step(0.01); return s }',
  'private fields': 'class C { #n = 0; #max = 1e9; add(k) { if (this.#n + k < this.#max) this.#n += k; this.#n++; return this.#n } get n() { return this.#n } } const c = new C(); return () => { for (let i = 0; i < 30000; i++) c.add(1); return c.n }',
  'destructured literals': 'const f = (i) => ({ a: i, b: i + 1, c: { d: i } }); return () => { let s = 0; for (let i = 0; i < 20000; i++) { const { a, b, c: { d } } = f(i); s += a + b + d } return s }',
  'destructured parameters': 'const f = ({ a, b = 2 }, [c, d]) => a + b + c + d; const all = Array.from({ length: 1000 }, (_, i) => [{ a: i }, [i, 2]]); return () => { let s = 0; for (const [o, pair] of all) s += f(o, pair); return s }',
  arrays: 'return () => { const a = []; for (let i = 0; i < 5000; i++) a.push(i * 2); let s = 0; for (let i = 0; i < a.length; i++) s += a[i]; a[3] = s; return a.slice(1).reverse().indexOf(4) + s }',
  'array methods': 'const a = Array.from({ length: 2000 }, (_, i) => ({ n: i, k: i % 7 })); return () => a.filter((x) => x.k > 2).map((x) => x.n * 2).reduce((s, x) => s + x, 0)',
  sort: 'const a = Array.from({ length: 1000 }, (_, i) => ({ n: (i * 7919) % 1000 })); return () => [...a].sort((x, y) => x.n - y.n)[5].n',
  maps: 'return () => { const m = new Map(); for (let i = 0; i < 3000; i++) { const k = "k" + (i % 300); m.set(k, (m.get(k) ?? 0) + 1) } let s = 0; for (const [k, v] of m) s += k.length + v; return s + m.size }',
  'objects as maps': 'return () => { const m = {}; for (let i = 0; i < 5000; i++) { const k = "k" + (i % 50); m[k] = (m[k] || 0) + 1 } let s = 0; for (const k in m) s += m[k]; return s + Object.keys(m).length }',
  closures: 'const counter = () => { let n = 0; return { inc: () => ++n, get: () => n } }; return () => { let s = 0; for (let i = 0; i < 5000; i++) { const c = counter(); c.inc(); c.inc(); s += c.get() } return s }',
  'captured variables': 'let n = 0, log = []; const add = (k) => { n += k; n++; return n }; return () => { for (let i = 0; i < 30000; i++) add(i); log = [n]; return log.length }',
  'curried functions': 'const add = (a) => (b) => (c) => a + b + c; const all = []; return () => { for (let i = 0; i < 1000; i++) all[i] = add(i)(1); let s = 0; for (const f of all) s += f(2); return s }',
  strings: 'return () => { let s = ""; for (let i = 0; i < 5000; i++) { s += `${i}:${s.length};`; if (s.length > 200) s = s.slice(100).toUpperCase() } return s.split(";").length }',
  'string scanning': 'const text = "let x = 10 + foo(bar, 2); ".repeat(100); return () => { let words = 0, digits = 0; for (let i = 0; i < text.length; i++) { const c = text.charCodeAt(i); if (c >= 48 && c <= 57) digits++; else if (c === 32) words++ } return words * digits }',
  heap: 'class Heap { items = []; push(v) { const a = this.items; a.push(v); let i = a.length - 1; while (i > 0) { const p = (i - 1) >> 1; if (a[p] <= a[i]) break; [a[p], a[i]] = [a[i], a[p]]; i = p } } pop() { const a = this.items; const top = a[0]; const last = a.pop(); if (a.length > 0) { a[0] = last; let i = 0; for (;;) { const l = 2 * i + 1; const r = l + 1; let m = i; if (l < a.length && a[l] < a[m]) m = l; if (r < a.length && a[r] < a[m]) m = r; if (m === i) break; const t = a[m]; a[m] = a[i]; a[i] = t; i = m } } return top } } return () => { const h = new Heap(); for (let i = 0; i < 2000; i++) h.push((i * 7919) % 2003); let s = 0; while (h.items.length > 0) s = (s + h.pop()) | 0; return s }',
  'linked list': 'class Node { constructor(v, next) { this.v = v; this.next = next } } return () => { let head = null; for (let i = 0; i < 5000; i++) head = new Node(i, head); let s = 0; for (let n = head; n !== null; n = n.next) s += n.v; return s }',
  'method calls': 'class S { constructor(f) { this.f = f } area(x) { return this.f * x } } class T extends S { area(x) { return super.area(x) + 1 } } const all = [new S(1), new T(2), new T(3)]; return () => { let s = 0; for (let i = 0; i < 20000; i++) s += all[i % 3].area(i); return s }',
  getters: 'const o = { _n: 1, get n() { return this._n }, set n(v) { this._n = v } }; class G { static all = 0; get twice() { return o.n * 2 } } const g = new G(); return () => { let s = 0; for (let i = 0; i < 20000; i++) { o.n = i; s += g.twice; G.all++ } return s }',
  generators: 'function* range(n) { for (let i = 0; i < n; i++) yield i } return () => { let s = 0; for (const i of range(3000)) s += i; return s + [...range(10)].length }',
  'async functions': 'const add = async (a, b) => a + b; const twice = async (x) => { const y = await add(x, x); return y }; return async () => { let s = 0; for (let i = 0; i < 1000; i++) s += await twice(i); return s }',
  'promise chains': 'return async () => { let p = Promise.resolve(0); for (let i = 0; i < 500; i++) p = p.then((x) => x + i); const all = await Promise.all([p, ...[1, 2, 3].map(async (x) => x * 2)]); return all.length }',
  spread: 'const base = { a: 1, b: 2, c: 3 }; return () => { let s = 0; for (let i = 0; i < 5000; i++) { const o = { ...base, b: i }; const a = [...[i, 2], o.b]; s += Math.max(...a) } return s }',
  'iteration of sets': 'const set = new Set(Array.from({ length: 1000 }, (_, i) => i)); return () => { let s = 0; for (const x of set) s += x; for (const x of set.values()) s -= x >> 1; return s }',
  matrices: 'const n = 30; const m = () => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => i + j)); const a = m(), b = m(), c = m(); return () => { for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { let s = 0; for (let k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s } return c[3][4] }',
  'typed arrays': 'const size = 4096; const sieve = new Uint8Array(size); return () => { sieve.fill(1); for (let i = 2; i * i < size; i++) if (sieve[i]) for (let j = i * i; j < size; j += i) sieve[j] = 0; let s = 0; for (let i = 2; i < size; i++) s += sieve[i]; return s }',
  'numeric loops': 'return () => { let x = 0.5; for (let i = 0; i < 50000; i++) x = 3.9 * x * (1 - x); let a = 1; for (let i = 1; i < 20000; i++) a = (a * 31 + i) | 0; return x + a }',
  recursion: 'const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); return () => fib(18)',
  'recursion over a tree': 'const tree = (d) => (d === 0 ? null : { left: tree(d - 1), right: tree(d - 1), value: d }); const sum = (t) => (t ? sum(t.left) + sum(t.right) + t.value : 0); const t = tree(11); return () => sum(t)',
  'a parser': 'class Parser { constructor(s) { this.s = s; this.i = 0 } peek() { return this.s[this.i] } expr() { let v = this.term(); for (;;) { const c = this.peek(); if (c === "+") { this.i++; v += this.term() } else if (c === "-") { this.i++; v -= this.term() } else return v } } term() { let v = this.atom(); while (this.peek() === "*") { this.i++; v *= this.atom() } return v } atom() { if (this.peek() === "(") { this.i++; const v = this.expr(); this.i++; return v } let n = 0; while (this.peek() >= "0" && this.peek() <= "9") n = n * 10 + Number(this.s[this.i++]); return n } } const text = "1+2*(3+4)*5-6*(7-2)+8".repeat(1); return () => { let s = 0; for (let i = 0; i < 300; i++) s += new Parser(text).expr(); return s }',
  'optional chains': 'const all = [{ a: { b: { c: 1 } } }, { a: null }, {}, { a: { b: { c: 2 } }, f: (x) => x }]; return () => { let s = 0; for (let i = 0; i < 10000; i++) { const o = all[i & 3]; s += o.a?.b?.c ?? 1; s += o.f?.(i) ?? 0; o.n ??= 1; o.n += s & 1 } return s }',
  exceptions: 'const f = (i) => { if (i % 100 === 0) throw new Error("no " + i); return i }; return () => { let s = 0; for (let i = 0; i < 2000; i++) { try { s += f(i) } catch (error) { s -= error.message.length } finally { s++ } } return s }',
  switches: 'const ops = Array.from({ length: 1000 }, (_, i) => ({ op: ["push", "add", "mul", "pop"][i % 4], v: i })); return () => { const stack = [1, 2]; for (const { op, v } of ops) { switch (op) { case "push": stack.push(v); break; case "add": stack.push(stack.pop() + 1); break; case "mul": stack[0] = (stack[0] * 3) % 1009; break; default: if (stack.length > 2) stack.pop() } } return stack.length }',
  'events with listeners': 'class Bus { #listeners = new Map(); on(name, f) { const all = this.#listeners.get(name) ?? []; all.push(f); this.#listeners.set(name, all) } emit(name, ...args) { for (const f of this.#listeners.get(name) ?? []) f(...args) } } return () => { const bus = new Bus(); let s = 0; bus.on("a", (x) => { s += x }); bus.on("a", (x, y) => { s -= y }); for (let i = 0; i < 2000; i++) bus.emit("a", i, 1); return s }',
}

type Kernel = () => unknown

function load(source: string, { isRewritten }: { isRewritten: boolean }): Kernel {
  const module = `function make() {${source}}`
  // CommonJS, as it is run by a function.
  const code = isRewritten ? rewrite(module, '/kernel.cjs')!.code : module
  return (new Function(`'use strict';${code}\nreturn make()`) as () => Kernel)()
}

/** CPU milliseconds of a number of runs. */
async function time(kernel: Kernel, runs: number): Promise<number> {
  const start = process.cpuUsage()
  for (let i = 0; i < runs; i++) {
    const result = kernel()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** How many runs take so long. */
async function runsIn(kernel: Kernel, milliseconds: number): Promise<number> {
  let runs = 1
  while ((await time(kernel, runs)) < milliseconds) runs *= 2
  return runs
}

const rounds = 5
/** The time that the runs of one round take of the plain program. CPU milliseconds. */
const roundTime = 10

/** How much longer the instrumented program takes: the smallest of several ratios of neighbours is that of the quietest moment, their median the rest. */
async function ratioOf(source: string): Promise<number> {
  const plain = load(source, { isRewritten: false })
  const instrumented = load(source, { isRewritten: true })
  // Until both are compiled for good: a function that is longer, since what it does stands in it twice, waits for that until it was called more often.
  let runs = await runsIn(plain, roundTime)
  await time(plain, runs * 24)
  runs = await runsIn(plain, roundTime)
  for (const kernel of [plain, instrumented]) await time(kernel, runs * 40)
  const ratios: number[] = []
  for (let i = 0; i < rounds; i++) ratios.push((await time(instrumented, runs)) / (await time(plain, runs)))
  return ratios.toSorted((a, b) => a - b)[rounds >> 1]!
}

async function measure(name: string): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {}
  for (const [kernel, source] of Object.entries(kernels)) if (kernel.includes(name)) ratios[kernel] = await ratioOf(source)
  return ratios
}

const mean = (ratios: readonly number[]): number => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
const round = (value: number): number => Math.round(value * 100) / 100

/** The ratios of one column, in a process of its own: compiled code takes flags that never change for constants. */
export async function measureKernels(column: string, name: string): Promise<void> {
  if (column === 'never explored') Object.defineProperty(globalThis, namingName, { value: null, writable: true, configurable: true })
  install()
  if (column === 'after one') await explore({ tasks: [async () => {}, async () => {}] })
  console.log(JSON.stringify(await measure(name)))
}

/** CPU of instrumented kernels outside explorations, as ratios to the plain ones: where no test explores, where one may, and after one did. */
export function benchKernels(name?: string): void {
  const columns: Record<string, Record<string, number>> = {}
  for (const column of ['never explored', 'before an exploration', 'after one'])
    columns[column] = JSON.parse(execFileSync(process.execPath, [...process.execArgv, process.argv[1]!, 'kernels-in', column, name ?? ''], { encoding: 'utf8' })) as Record<string, number>
  const rows: Record<string, Record<string, number>> = {}
  for (const kernel of Object.keys(columns['never explored']!)) rows[kernel] = Object.fromEntries(Object.entries(columns).map(([column, ratios]) => [column, round(ratios[kernel]!)]))
  const all = (summary: (ratios: readonly number[]) => number): Record<string, number> => Object.fromEntries(Object.entries(columns).map(([column, ratios]) => [column, round(summary(Object.values(ratios)))]))
  rows['geometric mean'] = all(mean)
  rows['worst'] = all((ratios) => Math.max(...ratios))
  console.log('\noutside explorations: CPU of instrumented kernels, ratio to plain')
  console.table(rows)
}
