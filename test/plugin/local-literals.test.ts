import { describe, expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const isNamed = (source: string): boolean => rewrite(source, '/file.js')!.code.includes('__dporNames')

describe('a literal that only the function has which makes it needs no name outside explorations', () => {
  test.each([
    'function f(a) { const o = { a }; return o.a }',
    'function f(a) { const o = { a }; o.a++; o.b = 2; delete o.a; return o?.b / 2 }',
    'function f(a) { const p = [a, a]; return p[0] + p.length }',
    'function f(a) { const { b } = { b: a }; return b }',
    'function f(a) { const { b = 1 } = { b: a, c: 2 }; return b }',
    'function f(a, b) { [a, b] = [b, a]; return a.x }',
    'function f(a, b) { const [x, y] = [a, b]; return x.y }',
    'function f(a) { const o = [a]; return g(...o, 1) }',
    'function f(a, ...rest) { return rest.length > 1 ? g(...rest) : rest[0] }',
    'function f(a) { const { b, ...rest } = a; return rest.c }',
    'const f = (a) => ({ a, c: { d: a } }); export function g() { const { a, c: { d } } = f(1); return a.b + d }',
    'function f(a) { return { a, c: { d: a } } } export function g() { const { a, c } = f(1); return c.d + a }',
    'function f(a) { const o = { a: { b: a }, c: 1 }; return o.c }',
    'function f(a) { for (const o = { i: 0 }; o.i < a.n; o.i++) a.x() }',
  ])('%s', (source) => expect(isNamed(source)).toBe(false))
})

describe('all others have one', () => {
  test.each([
    ['it is returned', 'function f(a) { const o = { a }; return o }'],
    ['it is passed on', 'function f(a) { const o = { a }; g(o) }'],
    ['a method gets it', 'function f(a) { const o = { a() {} }; return o.a }'],
    ['it is what a call has before its dot', 'function f(a) { const o = { a }; return o.a(1) }'],
    ['in the next line', 'function f(a) { const o = { a }; return o.a\n  (1) }'],
    ['by an optional call', 'function f(a) { const o = { a }; return o.a?.(1) }'],
    ['by a template', 'function f(a) { const o = { a }; return o.a`x` }'],
    ['by a call with a comment', 'function f(a) { const o = { a }; return o.a/* now */(1) }'],
    ['by a call of an element', 'function f(a) { const o = [a]; return o[0](1) }'],
    ['an accessor gets it', 'function f(a) { const o = { get a() { return this } }; return o.a }'],
    ['a function inside has it', 'function f(a) { const o = { a }; return () => o.a }'],
    ['a property gets it', 'function f(a, b) { const o = { a }; b.o = o }'],
    ['what is spread has it', 'function f(a) { const o = { a }; return g(...o.a, ...h(o)) }'],
    ['what a pattern leaves over is passed on', 'function f(a, ...rest) { g(rest) }'],
    ['it is the value of an assignment', 'function f(a, b) { return ([a, b] = [b, a]) }'],
    ['a part of it is used', 'function f(a) { const o = { a: { b: a } }; return o.a }'],
    ['a part of it is taken apart', 'function f(a) { const { b } = { b: { c: a } }; return b }'],
    ['all functions of the file have it', 'const o = { a: 1 }; function f() { return o.a.b }'],
    ['the file exports it', 'export const o = { a: 1 }; o.a++'],
    ['the function that makes it is exported', 'export const f = (a) => ({ a }); function g() { const { a } = f(1); return a.b }'],
    ['the function is used otherwise', 'const f = (a) => ({ a }); function g() { const { a } = f(1); return a.b(f) }'],
    ['a call keeps what it returns', 'const f = (a) => ({ a }); function g() { const { a } = f(1); const o = f(2); return o }'],
    ['the function is async', 'const f = async (a) => ({ a }); function g() { const { then } = f(1); return then.a }'],
    ['a text may use it', 'function f(a) { const o = { a }; eval("g(o)"); return o.a }'],
  ])('where %s', (_, source) => expect(isNamed(source)).toBe(true))
})
