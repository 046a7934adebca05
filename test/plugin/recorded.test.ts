import { describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { execute, rewritten } from './execute.ts'
import type { Emitted } from '../../src/runtime/calls/emitted.ts'
import { inert } from '../../src/runtime/calls/inert.ts'
import { placeOf } from '../../src/runtime/execution/sources.ts'
import { recorder } from './recorder.ts'

/** What is recorded when the code runs, without the places. */
async function recorded(code: string): Promise<string[]> {
  const { runtime, events } = recorder()
  const { error } = await execute(rewritten(code, `/recorded-${count++}.cjs`), runtime)
  if (error) throw new Error(error)
  return events.map((event) => event.replace(/ @\d+:\d+/, ''))
}

let count = 0

describe('accesses that are recorded', () => {
  const cases: Record<string, [code: string, events: string[]]> = {
    'a read, a write, an update': ['const o = JSON.parse(`{"p":1}`); o.p; o.p = 2; o.p += 3; o.p++; delete o.p', ['call JSON.parse(`{"p":1}`) (1)', 'get o.p', 'set o.p', 'increase o.p', 'increment o.p, unseen', 'remove o.p']],
    'an object of each literal': ['const o = { a: [1] }', ['made [1]', 'made { a: [1] }']],
    'instanceof': ['const o = {}; o instanceof Map', ['made {}', 'instance of o instanceof Map']],
    'in and delete': ['const o = {}; "a" in o; delete o["a"]', ['made {}', 'has "a" in o', 'remove o["a"]']],
    'a chain, link by link': ['const a = { b: { c: 1 } }; a?.b.c; a.z?.b.c', ['made { c: 1 }', 'made { b: { c: 1 } }', 'get a?.b', 'get a?.b.c', 'get a.z']],
    'calls of methods': ['const m = new Map(); m.set("a", 1); m.get?.("a")', ['construct new Map() (0)', 'call m.set("a", 1) (2), unseen', 'find m.get?.("a")', 'call m.get?.("a") (1), unseen']],
    'nothing for constants and pure functions': ['Math.max(Math.PI, Number.MAX_SAFE_INTEGER); "abc".length; Symbol.iterator', []],
    'variables of the environment': ['process.env.HOME; process.env["HOME"]', ['private get process.env.HOME', 'get process.env["HOME"]']],
    'globals whose functions look into objects': ['Object.keys([]); structuredClone(1)', ['made []', 'call Object.keys([]) (1), unseen']],
    'a pattern': ['const { a, b: { c }, ...rest } = { a: 1, b: { c: 2 } }', ['made { c: 2 }', 'made { a: 1, b: { c: 2 } }', 'take (intermediate value).a', 'take (intermediate value).b', 'take (intermediate value).b.c', 'all', 'made rest']],
    'patterns in loops and arrays': ['const xs = [{ id: 1 }]; for (const { id } of xs) ; const [{ id }] = xs', ['made { id: 1 }', 'made [{ id: 1 }]', 'iterate xs', 'take id', 'iterate xs', 'take id']],
    'patterns in parameters': ['const f = ({ a }) => a; function g({ b }, [c]) { } f({ a: 1 }); g({ b: 1 }, [2])', ['made { a: 1 }', 'take a', 'made { b: 1 }', 'made [2]', 'take b', 'take c']],
    'an await between a read and a write': ['return (async () => { const o = { n: 1 }; o.n += await 2 })()', ['run anonymous anonymous', 'made { n: 1 }', 'get o.n', 'suspend await 2', 'set o.n']],
    'captured variables, when they are reassigned': ['let n = 0, m = 0; const f = () => n + m; n = 1; n++; f()', ['write n = 1', 'increments n, unseen', 'read n']],
    'no variables that are not captured': ['let n = 0; n = 1; n++; n', []],
    'no loop variables that only the loop changes': ['for (let i = 0; i < 2; i++) (() => i)()', []],
    'loop variables that the body changes': ['for (let i = 0; i < 1; i++) { i = 5; (() => i)() }', ['read i', 'write i = 5', 'read i', 'increments i, unseen', 'read i']],
    'a `var` with the name of a caught error changes that': ['try { throw 0 } catch (e) { var e = 1; (() => e)() }', ['write e = 1', 'read e']],
    'the value of a pair in functions inside, where its setter is in sight': [
      'const useIt = (x) => [x, () => {}]; const C = () => { const [n, give] = useIt(1); const [m, other] = C.pair(2); const [k, setK] = C.pair(3); n; return () => { n; m; k; const o = { n }; (() => { n; { const give = 0; n } })() } }; C.pair = useIt; C()()',
      ['set C.pair', 'made [x, () => {}]', 'iterate useIt(...)', 'call C.pair(2) (1)', 'made [x, () => {}]', 'iterate C.pair(...)', 'call C.pair(3) (1)', 'made [x, () => {}]', 'iterate C.pair(...)', 'paired n', 'paired k', 'paired n', 'made { n }', 'paired n'],
    ],
    'a pair that is taken apart by index': [
      'const useIt = (x) => [x, () => {}], read = (list, n) => list; const C = () => { var _a = useIt(1), n = _a[0], give = _a[1]; var _b = read((0, useIt)(2), 2), m = _b[0], setM = _b[1]; var _c = useIt(3), _d = read(_c, 2), k = _d[0], other = _d[1]; var _e = read(1, 2), j = _e[0]; var _f = read([1], 1), i = _f[0], h = _f[1] }; C()',
      ['made [x, () => {}]', 'pair useIt(1)', 'get _a[0]', 'get _a[1]', 'made [x, () => {}]', 'pair read((0, useIt)(2), 2)', 'get _b[0]', 'get _b[1]', 'made [x, () => {}]', 'pair read(_c, 2)', 'get _d[0]', 'get _d[1]', 'get _e[0]', 'made [1]', 'get _f[0]', 'get _f[1]'],
    ],
    'variables in patterns': ['let x; const f = () => x; [x] = [1]; ({ x } = { x: 2 })', ['made [1]', 'iterate (intermediate value)', 'variable x', 'made { x: 2 }', 'take (intermediate value).x', 'variable x']],
    'targets in patterns': ['const o = {}; [o.a, o.b] = [1, 2]', ['made {}', 'made [1, 2]', 'iterate (intermediate value)', 'reference o.a', 'reference o.b']],
    'private fields, not private methods': ['class C { #p = 1; #m() {} run() { this.#p; this.#p = 2; this.#p++; this.#m() } } new C().run()', ['construct new C() (0)', 'call new C().run() (0), unseen', 'private get this.#p', 'private set this.#p', 'private increment this.#p, unseen']],
    'spreads': ['const a = [1]; const b = [...a]; const c = { ...a }; Math.max(...a)', ['made [1]', 'iterate a', 'made [...a]', 'enumerate a', 'made { ...a }', 'iterate ...a']],
    'loops': ['const o = { a: 1 }; for (const k in o); for (const x of [1]);', ['made { a: 1 }', 'enumerate o', 'made [1]', 'iterate [1]']],
    'the names of async functions': ['async function a() {} const b = async () => {}; const o = { async c() {} }; class D { async e() {} f = async () => {}; static async *g() {} } a(); b(); o.c(); const d = new D(); d.e(); d.f(); D.g(); [1].map(async () => {})', [
      'made { async c() {} }', 'run a a', 'run b b', 'call o.c() (0), unseen', 'run c c', 'construct new D() (0)', 'call d.e() (0), unseen', 'run e e', 'call d.f() (0), unseen', 'run f f', 'call D.g() (0), unseen', 'generate g g', 'made [1]', 'call [1].map(async () => {}) (1), unseen', 'run map callback map callback']],
    'a hook returns what it is given': ['const useIt = (f) => f; useIt.useIt = useIt; const a = useIt(async () => {}); const b = useIt.useIt(async () => {}, 1); const user = (f) => f; const c = user(async () => {}); a(); b(); c(); useIt(async () => {})()', [
      'set useIt.useIt', 'call useIt.useIt(async () => {}, 1) (2)', 'run a a', 'run b b', 'run user callback user callback', 'run useIt callback useIt callback']],
    'results that nothing sees': [
      'const o = { n: 1, m() {} }; let v = 0; const f = () => v; for (o.m(); v < 1; v++) o.n -= 2; o.m(), o.n++; void o.m(); if (v) o?.m(); v && (o.m()); v ? o.m() : o.n++; v += 5; o.n += 1, v -= 1',
      ['made { n: 1, m() {} }', 'call o.m() (0), unseen', 'read v', 'decrease o.n', 'increments v, unseen', 'read v', 'call o.m() (0), unseen', 'increment o.n, unseen', 'call o.m() (0), unseen', 'read v', 'call o?.m() (0), unseen',
        'read v', 'call o.m() (0), unseen', 'read v', 'call o.m() (0), unseen', 'increases v by 5', 'increase o.n', 'decreases v by 1']],
    'results that something may see': [
      'const o = { n: 1, m() { return this } }; let v = 0; const f = () => o.m(), g = () => v; f(); if (o.m()) ; o.m().m; o.m() && 1; [o.m()]; const w = o.n++; (v++, v++) + 1; const h = () => o.n += 1; h(); const x = (o.n -= 1, v += 1)',
      ['made { n: 1, m() { return this } }', 'call o.m() (0)', 'call o.m() (0)', 'call o.m() (0)', 'get o.m().m', 'call o.m() (0)', 'call o.m() (0)', 'made [o.m()]', 'increment o.n', 'increments v, unseen', 'increments v', 'get o.n', 'set o.n', 'decrease o.n', 'read v', 'write v = 3']],
    'what is added to a private field': ['class C { #n = 1; run() { this.#n += 2; const x = this.#n -= 1; this.#n -= 1 } } new C().run()', ['construct new C() (0)', 'call new C().run() (0), unseen', 'private increase this.#n', 'private get this.#n', 'private set this.#n', 'private decrease this.#n']],
    'assertions stay as they are': ['const expect = (x) => ({ toBe() {}, not: { toBe() {} } }); expect({ a: 1 }.a).not.toBe(2)', ['made { a: 1 }', 'get { a: 1 }.a', 'made { toBe() {} }', 'made { toBe() {}, not: { toBe() {} } }']],
  }

  test.each(Object.entries(cases))('%s', async (_, [code, events]) => {
    expect(await recorded(code)).toEqual(events)
  })
})

describe('variables in TypeScript', () => {
  const recordedNames = (code: string): string[] => [...(rewrite(code, '/typed.ts')?.code ?? '').matchAll(/__dpor\.(?:read|write|increments|increases|variable)\([^,]*, '(\w+)'/g)].map(([, name]) => name!)

  test.each<[string, string, string[]]>([
    ['type assertions around targets', 'let n: any; (n as any) = 1; n!++; (<any>n) += 2; [n as any] = []; for (n! of []) ; () => n', ['n', 'n', 'n', 'n', 'n', 'n']],
    ['namespaces have their own variables', 'namespace A { let n = 0; n = 1; () => n } let n = 2; () => n', ['n', 'n']],
    ['what is declared elsewhere, as a property of the global object', 'declare let n: number; n = 1; () => n; declare namespace A { let m: number } m = 1; () => m', ['n', 'm']],
    ['not what only types use', 'let n = 0; n = 1; function f(): typeof n { return 0 }', []],
    ['not enums and namespaces', 'enum E { A } namespace N { export const a = 1 } import M = N; () => [E.A, N.a, M.a]', []],
    ['not parameters where they stand', 'class C { constructor(private a: number, b = a) { a = 1; () => a } }', ['a', 'a']],
    ['parameters that functions among them use', 'class C { constructor(private a: number, b = () => a) { a = 1; () => a } }', ['a', 'a', 'a']],
  ])('%s', (_, code, names) => {
    expect(recordedNames(code)).toEqual(names)
  })
})

test('places are those of the property, from 1', async () => {
  const { runtime, events } = recorder()
  await execute(rewritten('const account = { balance: 1 }\n  account\n    .balance = account.balance - 1', '/places.cjs'), runtime)
  expect(events).toEqual(['made { balance: 1 } @1:17', 'get account.balance @3:24', 'set account .balance @3:6'])
})

test('what an object is made for is told with its place', async () => {
  const named = async (code: string): Promise<(string | undefined)[]> => {
    const names: (string | undefined)[] = []
    const note = (site: number): number => names.push(placeOf(site)?.name)
    const runtime: Emitted = {
      ...inert,
      made: (value, site) => (note(site), value),
      construct: (constructor, site, args) => (note(site), inert.construct(constructor, site, args)),
    }
    const { error } = await execute(rewritten(code, `/named-${count++}.cjs`), runtime)
    if (error) throw new Error(error)
    return names
  }
  expect(await named('const stock = new Map(); let list = [], other; other = {}')).toEqual(['stock', 'list', 'other'])
  expect(await named('const shop = { cache: new Map(), "by id": [] }')).toEqual(['cache', 'by id', 'shop'])
  expect(await named('class C { #stock = new Map(); all = [1]; static none = {}; constructor() { this.late = new Set() } } new C()')).toEqual(['none', undefined, 'stock', 'all', 'late'])
  expect(await named('class C { #stock; run() { this.#stock ??= new Map(); this.list ||= [] } } const c = new C(); c.run()')).toEqual(['c', 'stock', 'list'])
  expect(await named('const f = (x) => x; const seats = f([]) ?? {}; const { list } = {}; [].x = f({}).y')).toEqual([undefined, undefined, undefined, undefined])
  expect(await named('const seats = [[0], [1]]; const rows = seats ? [] : {}; const far = (null ?? [])')).toEqual([undefined, undefined, 'seats', 'rows', 'far'])
  expect(await named('const key = "k", o = {}; o[key] = []; o.f = new Set([1].values()); const { ...rest } = o')).toEqual(['o', undefined, undefined, 'f', undefined])
})
