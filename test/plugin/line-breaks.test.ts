import { parseSync } from 'oxc-parser/src-js/index.js'
import { describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

/** What only a line break ends, and what stands below it. */
interface Place {
  readonly above: readonly string[]
  readonly below: readonly string[]
  readonly around: readonly ((text: string) => string)[]
}

const wait = 'async () => { await a }'

const statements: Place = {
  above: [
    `x = ${wait}`, 'x = () => { a.b }', 'x = async () => a', 'x = () => a', 'let y = async (p) => { p.q++ }', 'let [z] = o', 'x = function () { a.b++ }', 'x = class { m() { a.b } }', 'o.a++', '--o.a', 'x--', 'a.b', 'a[b]', 'a?.b', 'a.b = 1',
    'await a', 'await a.b', 'x = [1, 2]', 'x = { ...a }', 'x = tag`a${b}`', 'x = new A', 'x = new a.B()', 'x = a?.()', `x = a ? b : ${wait}`, 'x = a || (() => { b })', `throw ${wait}`, `if (a) x = ${wait}`, `if (a) { b } else x = ${wait}`,
    `for (const q of w) x = ${wait}`, `while (a.b) x = ${wait}`, `do x = ${wait}\nwhile (a.b)`, `l: x = ${wait}`, 'var v', 'x = async function* () { yield a.b }', `x &&= ${wait}`, `x = y = ${wait}`, `o[k] = ${wait}`, `[x] = [${wait}]`, 'x = a in b', 'x = -o.a',
    `export default ${wait}`, `export const e1 = ${wait}`, 'debugger', 'async function g() { await a }', 'class C { a = 1 }', '{ a.b }', 'import q from "q"', `test("a", ${wait})`,
  ],
  below: ['(a.b)', '(a)', `(${wait})()`, '[a.b] = c', '[1].map(f)', '`a${b}`.c', '/r/.test(a)', '+a.b', '-a.b', '++a.b', 'a.b', `test("b", ${wait})`, wait, '({ a } = b)', '(a.b)++', 'let k2 = 1', 'if (a) b', 'class D { b = a.c }', 'await x'],
  around: [(text) => text, (text) => `async function W() {\n${text}\n}`],
}

const members: Place = {
  above: [`f = ${wait}`, 'f = () => { a.b }', 'f = async () => a.b', `static f = ${wait}`, `#f = ${wait}`, `[k] = ${wait}`, 'f = a.b', 'f', 'get', 'static', 'async', `accessor f = ${wait}`, 'f = function () { a.b }', 'f = new A', 'static { a.b }', 'async m() { await a }', `f = a ? b : ${wait}`],
  below: [
    'g = 1', '[a.b] = 1', '[k]() { a.b }', '*m2() { yield a }', 'async m3() { await a }', 'async *m4() { yield a }', 'async [k2]() { await a }', 'async *[k3]() { yield a }', 'static async *m6() { yield a.b }', 'static [k4] = 2', 'get p2() { return a.b }', 'in = 1',
    'instanceof() { a.b }', 'async in() { await a }', 'async #y() { await a.b }', 'constructor() { this.x = a.b }', 'async "t"() { await a }', 'async = 1',
  ],
  around: [(text) => `class W {\n${text}\n}`, (text) => `class W extends B {\n${text}\nz9 = 1 }`],
}

/** What the text means; undefined where it does not parse. */
function meaning(text: string): string | undefined {
  const { program, errors } = parseSync('a.mjs', text, { sourceType: 'module' })
  return errors.length === 0 ? JSON.stringify(program.body, withoutPlaces) : undefined
}

/** Sites and where things stand differ by a semicolon. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (['start', 'end', 'raw'].includes(key)) return undefined
  if (key === 'value' && (typeof value === 'number' || typeof value === 'string')) return typeof value
  return Array.isArray(value) ? value.filter((node: { readonly type?: string } | null) => node?.type !== 'EmptyStatement') : value
}

describe('what a line break ends means the same as what a semicolon ends', () => {
  test.each([['statements', statements], ['members', members]])('%s', { timeout: 120_000 }, (_, { above, below, around }) => {
    const differing: string[] = []
    let pairs = 0
    for (const first of above) {
      for (const second of below) {
        for (const inPlace of around) {
          const [open, closed] = [inPlace(`${first}\n${second}`), inPlace(`${first};\n${second}`)]
          const meant = meaning(open)
          // The second line goes on with the first one.
          if (!meant || meant !== meaning(closed)) continue
          pairs++
          const written = meaning(rewrite(open, '/a.mjs')?.code ?? open)
          if (!written || written !== meaning(rewrite(closed, '/a.mjs')?.code ?? closed)) differing.push(open)
        }
      }
    }
    expect(differing).toEqual([])
    expect(pairs).toBeGreaterThan(400)
  })
})
