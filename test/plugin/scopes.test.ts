import { analyze, type Reference as TheirReference } from 'eslint-scope'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser/src-js/index.js'
import { expect, test } from 'vitest'
import type { Node } from '../../plugin/1-parse/node.ts'
import { resolve } from '../../plugin/2-analyse/resolve.ts'

/** What is said of one use of a name: where it is declared, and what becomes of it there. */
const use = (declared: readonly Node[], ...kinds: readonly boolean[]): string => `${declared.map(({ start }) => start).join(' ')}: ${kinds.map(Number).join('')}`

type Uses = Map<number, string[]>

function add(uses: Uses, { start }: Node, text: string): void {
  uses.set(start, [...(uses.get(start) ?? []), text].toSorted())
}

function ours(program: Node): Uses {
  const uses: Uses = new Map()
  const { all, unresolved } = resolve(program)
  for (const scope of all)
    for (const { definitions, references } of scope.variables.values())
      for (const { identifier, reads, writes, isInit, isPart, from } of references) add(uses, identifier, use(definitions.map(({ name }) => name), reads, writes, isInit, isPart, from.variableScope === scope.variableScope))
  for (const { identifier, reads, writes, isInit, isPart } of unresolved) add(uses, identifier, use([], reads, writes, isInit, isPart, false))
  return uses
}

function theirs(program: Node): Uses {
  const uses: Uses = new Map()
  const tell = (reference: TheirReference): void => {
    const { identifier, resolved, from, init, partial } = reference as TheirReference & { readonly partial: boolean | undefined }
    const declared = (resolved?.defs ?? []).map(({ name }) => name as unknown as Node)
    const isNear = resolved !== null && from.variableScope === resolved.scope.variableScope
    add(uses, identifier as unknown as Node, use(declared, reference.isRead(), reference.isWrite(), Boolean(init), Boolean(partial), isNear))
  }
  const { scopes } = analyze(program as never, { ecmaVersion: 2024, sourceType: 'module', optimistic: true, ignoreEval: true, fallback: ({ type }) => [...(visitorKeys[type] ?? [])] })
  for (const { references } of scopes) references.forEach(tell)
  return uses
}

const root = path.resolve(import.meta.dirname, '../../node_modules')
const unusual = `
import d, { a as b, 'x y' as c } from 'm'; import * as n from 'm'; export { b as e }; export default function* () { yield d }
for (let i = 0, j = () => i; i < j(); i++) { let i = 1; i += c }
for (const [x, { y = x, ...z }] of n) { x; y; z; for (d in z); for ([e = y] of z); }
var e, f = function g(p = g, { [p]: q } = p, r = () => v) { var v = q; g = v; return arguments.length + r }
const m = (a, [b] = a) => { var b; { function a() {} } try { a(b) } catch ({ message: b, ...a }) { var b = a } }
class C extends (C, d) { static #p = C; [f] = this.#p; static { var f = C; f } m(x = C) { switch (x) { case 0: let x = 1; default: x } } }
({ a: e, [f]: d.e, ...m.f } = { e, f() { return e } }, [e, [f = e] = f, ...d] = e); e ??= f++; label: for (;;) { break label }
`

test.each(['@vitest/runner/dist', 'chai', 'eslint-scope/lib', 'postcss/lib', 'magic-string/dist'])('every name in %s means what eslint-scope says', (folder) => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => /\.[cm]?js$/.test(file))
  expect(files).not.toHaveLength(0)
  for (const file of files) expectSame(readFileSync(path.join(root, folder, file), 'utf8'))
})

test('so does every name in unusual places', () => expectSame(unusual))

test('what a parameter calls arguments is that of its function', () => {
  const { all, unresolved } = resolve(parsed('function f(a = arguments) {}'))
  expect(all.map(({ variables }) => variables.get('arguments')?.references.length)).toEqual([undefined, undefined, 1])
  expect(unresolved).toEqual([])
})

function parsed(source: string): Node {
  const { program, errors } = parseSync('file.js', source, { sourceType: 'unambiguous', range: true, preserveParens: false })
  expect(errors).toEqual([])
  return program as unknown as Node
}

function expectSame(source: string): void {
  const program = parsed(source)
  expect([...ours(program)].toSorted(byPosition)).toEqual([...theirs(program)].toSorted(byPosition))
}

const byPosition = ([a]: [number, unknown], [b]: [number, unknown]): number => a - b
