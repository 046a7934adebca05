import { SourceMap } from 'node:module'
import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import type { Emitted } from '../../src/runtime/calls/emitted.ts'
import { inert } from '../../src/runtime/calls/inert.ts'
import { execute, rewritten } from './execute.ts'

/** What the code calls of the runtime outside an exploration. */
async function called(code: string): Promise<string[]> {
  const calls: string[] = []
  const runtime = new Proxy(inert, {
    get: (target, name) => {
      calls.push(String(name))
      return Reflect.get(target, name) as unknown
    },
  }) as Emitted
  const { error } = await execute(rewritten(code), runtime, { isOn: false })
  if (error) throw new Error(error)
  return calls.filter((name) => name !== 'file')
}

test.each([
  'const o = { p: 1, q: { r: [1] } }; o.p += 2; o.q.r[0]++; delete o.p; "p" in o; o?.q.r?.length; o.z ??= [o.p]; `${o}${o.q}`',
  'class C { #n = 1; static s = 2; constructor(x) { this.x = x } m(k) { this.#n += k; return this.#n++ + this.x } get g() { return C.s } } class D extends C { m(k) { return super.m(k) + this.g } } new D(1).m(2); new D(3) instanceof C',
  'let n = 0; const f = () => { n++; return () => n }; f()(); const g = (...all) => all.length; g(1, 2)',
  'const f = ({ a, b = 1 }, [c]) => a + b + c; function g({ a }) { return a } f({ a: 1 }, [2]); const { a, ...rest } = { a: 1, b: 2 }; g({ a })',
  'const xs = [3, 1, 2]; xs.map((x) => x * 2).filter((x) => x > 2).sort((x, y) => x - y); new Map([[1, 2]]).forEach((v) => v); [1].length',
  'for (const k in { a: 1 }); try { throw new Error("x") } catch ({ message }) { message.length }',
])('outside an exploration nothing is called: %s', async (code) => {
  expect(await called(code)).toEqual([])
})

test('what iterates is looked at once, for the message of an error', async () => {
  expect(await called('for (const x of [1]); const [a] = [2]; Math.max(...[3])')).toEqual(['iterable', 'iterable'])
})

test('functions are there before a method is looked up, and everything else after it', async () => {
  const code = 'const o = { get m() { log("m"); return () => {} } }; o.m(() => 1, log("argument"), { f: () => 2 }); log(String(o.m.name))'
  expect((await execute(rewritten(code), inert, { isOn: false })).log).toEqual((await execute(code)).log)
})

const source = `export function first(items) {
  return items
    // the ones that are left
    .filter((item) => {
      return item.rest > 0
    })
    .map(function (item) { return item.name.toUpperCase() })[0].length + items.size
}
`

test.each(['toUpperCase', 'size', 'rest > 0', 'length'])('%s of the plain expression leads back to its place', (text) => {
  const { code, map } = rewrite(source, '/plain.js')!
  const lines = code.split('\n')
  const line = lines.findLastIndex((candidate) => candidate.includes(text))
  const found = new SourceMap(map as never).findEntry(line, lines[line]!.lastIndexOf(text)) as { originalLine: number; originalColumn: number }
  const sourceLine = source.split('\n').findIndex((candidate) => candidate.includes(text))
  expect([found.originalLine, found.originalColumn]).toEqual([sourceLine, source.split('\n')[sourceLine]!.indexOf(text)])
})

test('a file has as many lines as before', () => {
  expect(rewrite(source, '/plain.js')!.code.split('\n')).toHaveLength(source.split('\n').length)
})

test('a function that makes nothing stands beside what calls the runtime as it is: one flag, and as short as before', () => {
  const body = 'this.x += this.vx * dt; this.y += this.vy * dt; return this.x * this.x + this.y'
  const { code } = rewrite(`class Point {\n  step(dt) { ${body} }\n}`, '/point.js')!
  const [, inside, outside] = /step\(dt\) \{if \(__dporOn\) return function \$dpor_step\(dt\) \{(.*)\}\.call\(this, dt\);(.*)\}\n/.exec(code)!
  expect(inside).not.toContain('__dporOn')
  expect(outside!.trim()).toBe(`${body};`)
})

test.each([
  ['arguments', 'return arguments.length + o.a + o.b + o.c + o.d + o.e + o.f'],
  ['a function', 'o.f = () => o.a; return o.a + o.b + o.c + o.d + o.e + o.f'],
  ['an object', 'o.f = {}; return o.a + o.b + o.c + o.d + o.e + o.f'],
  ['super', 'return super.m + o.a + o.b + o.c + o.d + o.e + o.f'],
  ['new.target', 'return new.target && o.a + o.b + o.c + o.d + o.e + o.f'],
  ['text that is run', 'return eval("o.g") + o.a + o.b + o.c + o.d + o.e + o.f'],
])('a method with %s stands once', (_, body) => {
  expect(rewrite(`class C { m(o) { ${body} } }`, '/once.mjs')!.code).not.toContain('if (__dporOn) return function')
})

test.each([
  ['a function that is called where it stands', 'const x = o.p + (() => o.q)()'],
  ['a tagged template', 'const x = tag`a` + o.p, y = `${o.q}`'],
  ['what Vitest finds by its text', 'import { vi } from "vitest"; const x = [vi.fn(), o.p]'],
  ['an await', 'async () => o.p + await o.q'],
  ['what is bound', 'const f = [o.f.bind(o), o.p]'],
  ['a template with line breaks', 'const x = `\n` + o.p'],
])('%s stands once', (_, text) => {
  const code = rewrite(text, '/once.mjs')!.code.split(/\]\]', \d+\)[^;]*;/).at(-1)!
  for (const part of ['() =>', '`a`', 'vi.fn(', 'await', 'bind', '`\n`']) if (text.includes(part)) expect(code.split(part)).toHaveLength(2)
})
