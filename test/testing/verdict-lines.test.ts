import { expect, test } from 'vitest'
import type { DporMeta } from '../../src/testing/meta.ts'
import { remarksOf } from '../../src/testing/verdict-lines.ts'

const meta: DporMeta = { verdict: 'holds', executions: 1, blocked: 0, steps: 1, interleave: 'await', equivalence: 'observation' }

test('of long lists a verdict names the first four, and says how many more there are', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(remarksOf({ ...meta, outside: names, served: names, packages: names }, {})).toEqual([
    'packages seen: a, b, c, d and 2 more',
    'not explored, as packages called it in turns of the event loop of their own: a, b, c, d and 2 more',
    'not explored, as a server that was there before the test calls it: a, b, c, d and 2 more; start the server in beforeEach or in the body',
  ])
})
