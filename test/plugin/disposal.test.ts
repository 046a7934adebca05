import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

const written = (body: string): string => rewrite(`export const f = async (o) => { ${body} }`, '/f.js')!.code

test('what a block waits for at its end is awaited by the runtime', () => {
  expect(written('await using x = o.a, y = o.b')).toMatch(/\{ const x = .*; await using \$\d = __dporOn \? __dpor\.disposedAsync\(x, \S+\) : x; const y = .*; await using \$\d = __dporOn \? __dpor\.disposedAsync\(y, \S+\) : y \}/)
  expect(written('await using x = o\no.a()')).toMatch(/: x\n\(?__dporOn|: x\n;?\(__dporOn/)
})

test('the block of a loop over values begins with it', () => {
  for (const body of ['{ o.a++ }', 'o.a++']) expect(written(`for (await using x of o.all) ${body}`)).toMatch(/for \(const x of .*\) \{.*await using \$\d = __dporOn \? __dpor\.disposedAsync\(x, \S+\) : x;/)
  expect(written('for await (await using x of o.all) { o.a++ }')).toMatch(/for await \(const x of /)
})

test('in the head of another loop it is left, and told', () => {
  const { code, unhandled } = rewrite('export const f = async (o) => { for (await using x = o.a; o.n > 0; o.n--) o.b() }', '/f.js')!
  expect(code).not.toContain('disposedAsync')
  expect(unhandled).toMatchObject([{ line: 1, construct: '`await using` in the head of a `for`' }])
})

test('what is disposed of at once stays', () => {
  expect(written('using x = o.a')).toContain('{ using x = ')
})
