import { describe, expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { checkCase, readKnownGaps } from './check-case.ts'
import { corpus } from './corpus/index.ts'
import { enumerate } from './enumerate.ts'

validity.decided = true

const knownGaps = readKnownGaps()
const names = new Set(Object.entries(corpus).flatMap(([group, cases]) => cases.map(({ name }) => `${group}: ${name}`)))

describe.each(Object.entries(corpus))('%s', (group, cases) => {
  for (const body of cases) {
    const isKnownGap = knownGaps.has(`${group}: ${body.name}`)
    test(`${body.name}${isKnownGap ? ' (a known gap)' : ''}`, async () => {
      const { ofTheCase, ofTheProject } = await checkCase(body)
      expect(ofTheCase).toEqual([])
      if (isKnownGap) expect(ofTheProject, 'it passes now: take it off known-gaps.json (npm run oracle:corpus -- --prune)').not.toEqual([])
      else expect(ofTheProject).toEqual([])
    })
  }
})

test('what the language orders is ordered if that is kept', async () => {
  for (const { source, fixedOutcomes } of corpus['fixed orders']!) expect((await enumerate(source, { fixedOrders: true })).outcomes, source).toEqual(fixedOutcomes)
})

test('no two cases have one name', () => {
  expect(names.size).toBe(Object.values(corpus).flat().length)
})

test('a case with a wrong count of outcomes, or of executions, does not pass', async () => {
  const source = 'let n = 0; const task = async () => { await null; n++ }; await Promise.all([task(), task()]); return n'
  expect((await checkCase({ name: 'wrong', source, outcomes: 2 })).ofTheCase).not.toEqual([])
  expect((await checkCase({ name: 'wrong', source, outcomes: ['2'], executions: 7 })).ofTheProject).not.toEqual([])
})

test('a case that Node runs otherwise than the reference does not pass', async () => {
  const source = 'globalThis.referenceRuns = (globalThis.referenceRuns ?? 0) + 1; return globalThis.referenceRuns'
  expect((await checkCase({ name: 'wrong', source, outcomes: 1 })).ofTheCase).not.toEqual([])
})
