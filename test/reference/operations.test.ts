import { expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { problemsOf } from './check-case.ts'
import { compare } from './compare.ts'
import { pairsOfOperations, pairsOfSlowOperations } from './operations.ts'
import { scope } from './scope.ts'

validity.decided = true

/** Of so many pairs one is compared here; `npm run oracle:operations` compares all. */
const share = 67

test('two operations on one thing have the outcomes of their two orders, in two executions at most', async () => {
  let position = 0
  for (const { name, source } of pairsOfOperations()) {
    if (position++ % share !== 0) continue
    const comparison = await compare(source, { scope })
    expect(problemsOf(comparison), name).toEqual([])
    expect(comparison.executions, name).toBeLessThanOrEqual(2)
    expect(comparison.executions, name).toBeGreaterThanOrEqual(comparison.outcomes.length)
  }
  expect(position).toBeGreaterThan(7000)
}, 120_000)

test('two operations over several steps have the outcomes of all their orders', async () => {
  let position = 0
  for (const { name, source } of pairsOfSlowOperations()) {
    if (position++ % 3 !== 0) continue
    const comparison = await compare(source, { scope, limit: 3000 })
    expect(problemsOf(comparison), name).toEqual([])
    if (comparison.status === 'agrees') expect(comparison.executions, name).toBeLessThanOrEqual(comparison.interleavings)
  }
  expect(position).toBeGreaterThan(300)
}, 120_000)
