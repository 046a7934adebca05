import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const told = (body: string): number => rewrite(`export const f = async (c) => { ${body} }`, '/f.js')!.code.split('__dpor.again(').length - 1

test.each([
  'for (let i = 0; i < 8; i++) await c.f()',
  'for (let i = 8, n = 0; i > n; --i) { c.n++; await null }',
  'for (var i = 0; i < 8; i++) await null',
])('a loop that counts leads to another state each time: %s', (body) => expect(told(body)).toBe(0))

test.each([
  ['for (let i = 0; i < 8; i++) { await null; if (c.x) i = 0 }', 1],
  ['for (let i = 0; i < 8; i++) { const f = () => i--; await f() }', 1],
  ['for (let i = c.n; i < 8; i++) await null', 1],
  ['let i = 0; for (; i < 8; i++) await null', 1],
  ['for (let i = 0; i < 8; i++) while (c.x) await null', 2],
  ['for (let i = 0; i < 8; i++) for (let j = 0; j < 8; j++) await null', 1],
])('others may not: %s', (body, count) => expect(told(body)).toBe(count))
