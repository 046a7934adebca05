import { expect, test } from 'vitest'
import type { DporMeta } from '../../src/testing/meta.ts'
import { InconclusiveError } from '../../src/testing/failure-error.ts'
import { executionsOf, remarksOf } from '../../src/testing/verdict-lines.ts'

const meta: DporMeta = { verdict: 'holds', executions: 1, blocked: 0, steps: 1, interleave: 'await', equivalence: 'observation' }

test('of long lists a verdict names the first four, and says how many more there are', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(remarksOf({ ...meta, outside: names, served: names, packages: names }, {})).toEqual([
    'packages seen: a, b, c, d and 2 more',
    'not explored, as packages called it in turns of the event loop of their own: a, b, c, d and 2 more',
    'not explored, as a server that was there before the test calls it: a, b, c, d and 2 more; start the server in beforeEach or in the body',
  ])
})

test('of servers whose statements nobody has taken apart a verdict says what to install', () => {
  expect(remarksOf({ ...meta, missingParsers: ['libpg-query'] }, {})).toEqual(['each statement counted as a change of the whole database; to have rows told apart: npm install --save-dev libpg-query'])
})

test('where only the plain run has come to an end, which is none of those that are counted, no number is told', () => {
  expect([0, 1, 2].map(executionsOf)).toEqual(['only its plain run', '1 execution', '2 executions'])
  const said = (executions: number, plainPasses: boolean): string => new InconclusiveError({ inconclusiveReason: 'maxTime of 1000 ms', executions, plainPasses }, []).message
  expect([said(0, true), said(0, false), said(1, true)]).toEqual(['its plain run alone', 'no execution that came to an end', '1 execution'].map((what) => `inconclusive after ${what}: maxTime of 1000 ms. No failure was found so far.`))
})
