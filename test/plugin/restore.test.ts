import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from 'esbuild'
import { parseSync } from 'oxc-parser/src-js/index.js'
import { describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { restored } from '../../plugin/4-restore/restore.ts'
import { Restoring } from '../../plugin/4-restore/restoring.ts'
import type { Node } from '../../plugin/1-parse/node.ts'

const parsed = (source: string): Node => {
  for (const sourceType of ['module', 'commonjs'] as const) {
    const { program, errors } = parseSync('text.js', source, { lang: 'js', sourceType, preserveParens: true })
    if (errors.length === 0) return program as unknown as Node
  }
  throw new Error(`does not parse: ${source.slice(0, 200)}`)
}

/** The text that the function in `const f = ...` is run with. */
function runText(written: string): string {
  const { code } = rewrite(`const use = (f) => f\nconst f = ${written}\nuse(f)`, '/made.js')!
  const declaration = (parsed(code).body as Node[]).find(({ type, declarations }) => type === 'VariableDeclaration' && declarations[0].id.name === 'f')!
  let value = declaration.declarations[0].init as Node
  while (!/Function|Class/.test(value.type)) value = innermost(value)
  return code.slice(value.start, value.end)
}

function innermost(node: Node): Node {
  switch (node.type) {
    case 'CallExpression': return node.arguments[0] as Node
    case 'MemberExpression': return node.object as Node
    case 'ConditionalExpression': return node.alternate as Node
    case 'ParenthesizedExpression': return node.expression as Node
    // The text of a method begins with its key.
    case 'ObjectExpression': return node.properties[0].method ? { ...(node.properties[0] as Node), type: 'Function' } : (node.properties[0].value as Node)
    default: throw new Error(node.type)
  }
}

describe('a text that was written', () => {
  test.each([
    '() => 3', '(o) => o.a', 'o => o.a', '() => { return 3 }', '() => ({ a: 1 })', '() => ({ a: b.c })', '(o) => { o.n++ }', '(a, b) => a.x + b.y * (a.z + b.z)',
    '() => document.title', '() => [...document.querySelectorAll("a")].map((a) => a.href).join()', '({ a, b: { c } }) => a.x + c', '({ a = 1 }) => a', '([a, b], { c }) => { a.x = b.y; return c }',
    'async () => 3', 'async (o) => o.a', 'async o => { await o.p; o.q += 1 }', 'async ({ a }) => { for await (const z of a) { z.q++ } }', 'async (a, b = a.x) => { await a.f(b) }', 'async () => { const { x } = await import("x"); return x.y }',
    'async () => ({ a: 1 })', '(o) => { const { a, b: [c], ...r } = o; return [a.b, c, r] }', '(o) => { for (let i = 0; i < o.n; i++) setTimeout(() => { i++ }, o.t) }',
    'function (o) { return o.a }', 'function f(o, ...rest) { return f.call(this, o.a, rest.length) }', 'function* (x) { const r = yield x.a; return r.b }',
    '(o) => { try { return o.a } catch { return o.b } finally { o.c() } }', '(o) => { try { o.a() } catch ({ message }) { return message } }',
    '(o) => o?.a?.b(o.c)', '(o) => { o.x ||= 2; o.y ??= o.z; delete o.q; return `${o.a}b${o.c}`; }', '(o) => `a${o.b}c${(d) => d.e}`', '(o) => o.tag`a${o.b}c`', '(o) => new o.C(o.a, ...o.rest)',
    '(o) => { switch (o.k) { case "a": return o.a; default: return (() => o.b)() } }', '(o) => "k" in o && o instanceof Error', '(o) => { while (o.next) { o = o.next } }', '(a, b) => a + (b, a.c)',
    'class { #x = 1; static s = a.b; get v() { return this.#x } set v(z) { this.#x += z.a } m(o) { return o.b } constructor(o) { this.z = new o.C() } }',
    'class A extends B { constructor(o) { super(o.x) } m() { return super.m() } static { this.q = 2 } }',
    '(a) => { let n = 0; const inc = () => { n = n + 1; return n }; return [inc, () => n, a.b] }', "() => { 'use strict'; return 1 }", '(o) => { (o.a, o.b)(); [o.c] = o.d; }',
    '(o) => !(o.a && o.b) || typeof (o.c ?? o.d)', 'async () => { await (async () => { await null })() }', '(o) => (o.f = () => o.a)', '(o) => { const a = o.b = () => o.c; return a || (o.d = () => 1) }',
    'async () => { for (;;) { if (await f()) break } }',
    // Where nothing can be kept in variables a chain goes on in functions.
    'class A { #entries; #saved = this.#entries?.all.map((e) => e.x) }', 'class A { s = o.m?.((e) => e.x).b?.c; t = !o?.["a-b"](() => o.b) }', 'class A { #p; s = o?.f(() => o.b).#p; t = f(() => o.b)?.#p.x }',
    'class A { s = delete o?.f(() => o.b).c; t = (a.b || c)?.m(() => o.b).d ?? 1; u = o?.(() => o.b) }', 'class A { [o?.a(() => o.b)] = super.x?.y(() => o.b) }', '(a = o?.f(() => o.b)) => a', 'class A { s = o.p?.q?.r(() => o.b)?.s.t?.() }',
  ])('%s', (written) => {
    expect(restored(runText(written))).toBe(written)
  })

  test.each([
    ['async function (a) { await a.b }', 'async function f(a) { await a.b }'],
    ['async function* (a) { yield a.b }', 'async function* f(a) { yield a.b }'],
    ['async function named({ a }, b = 1) { await a.b }', 'async function named({ a }, b = 1) { await a.b }'],
    ['async () => { async function inner(a) { await a.b } return inner }', 'async () => {  async function inner(a) { await a.b } return inner }'],
  ])('%s is shown a little otherwise', (written, shown) => {
    expect(restored(runText(written))).toBe(shown)
  })

  test('what cannot be taken for a function is none', () => {
    expect(restored('__dpor.unknown(')).toBeUndefined()
    expect(restored('() => __dpor.run()')).toBeUndefined()
    expect(restored('() => { return __dpor.generate(1) }')).toBeUndefined()
    expect(restored('() => __dpor.unknown(1)')).toBeUndefined()
    expect(restored('() => $1 + __dpor.get(a, b, $dpor+1)')).toBeUndefined()
  })
})

const root = path.resolve(import.meta.dirname, '../..')

const scriptsIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) && !/\.d\.[cm]?ts$|\.min\.js$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))

/** What a program means, wherever it stands. */
const meaning = (source: string): string => {
  const options = { loader: 'js', charset: 'utf8', minifySyntax: true, minifyWhitespace: true, legalComments: 'none' } as const
  // Parentheses around a function that is called are printed as they were.
  return transformSync(source, options).code.replaceAll(/[()\s]|"use strict";?/g, '')
}

const asJavaScript = (source: string): string => transformSync(source, { loader: 'ts', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'ES2022' } } }).code

describe.each([['as it was emitted', (code: string) => code], ['that a compiler has printed again', asJavaScript]])('whole files, from a text %s', (_, compiled) => {
  test.each([
    'src', 'plugin', 'node_modules/picomatch', 'node_modules/chai', 'node_modules/magic-string', 'node_modules/postcss', 'node_modules/@vitest', 'node_modules/ioredis', 'node_modules/pg',
  ])('%s', { timeout: 120_000 }, (folder) => {
    const wrong: string[] = []
    const files = scriptsIn(folder)
    for (const file of files) {
      const text = readFileSync(file, 'utf8').replaceAll(/^export (?:default )?async function (?=[\w*])/gm, 'async function ')
      const source = /\.[cm]?ts$/.test(file) ? asJavaScript(text) : text
      const name = file.replace(/ts$/, 'js')
      const code = rewrite(source, name)?.code
      // The project's own functions may have the mark.
      if (code === undefined || source.includes('"__dpor";')) continue
      const made = compiled(code)
      const again = new Restoring(made).text(parsed(made))
      let same = false
      try { same = meaning(again) === meaning(source) } catch { /* empty */ }
      if (!same) wrong.push(path.relative(root, file))
    }
    expect(files).not.toHaveLength(0)
    expect(wrong).toEqual([])
  })
})
