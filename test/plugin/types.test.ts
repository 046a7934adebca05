import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'

/** Types that line breaks separate the members of, in expressions that stand twice. */
const programs: Record<string, string> = {
  'of a call': `const made = create<{
    count: number
    name: string
  }>()(given.a, 1)`,
  'of an argument': `f(g<{
    a: number
    b: number
  }>(x.y))`,
  'of a class': `const map = new Map<string, {
    a: number
    b: number
  }>(given.entries)`,
  'that are asserted': `const x = f(given.a as {
    a: number
    b: number
  }, 1)`,
  'that are satisfied': `const x = given.a satisfies {
    a: number
    b: number
  }`,
  'of what is destructured': `const { a, b }: {
    a: number
    b: number
  } = given.a`,
  'of a parameter': `const fn = (given: {
    a: number
    b: number
  }) => given.a + given.b; fn(other.x)`,
  'of a tag': 'const x = css<{\n a: number\n b: number\n}>`a${given.a}`',
}

test.each(Object.entries(programs))('types %s', (_name, source) => {
  const { code } = rewrite(source, '/types.ts')!
  expect(() => transformSync(code, { loader: 'ts' })).not.toThrow()
})
