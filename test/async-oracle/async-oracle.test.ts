import { describe, expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { checkProgram, type Checked, type CheckOptions } from './check.ts'

validity.decided = true

async function checkAll(count: number, options: Omit<CheckOptions, 'seed'>): Promise<Checked[]> {
  const results: Checked[] = []
  for (let seed = 1; seed <= count; seed++) results.push(await checkProgram({ seed, ...options }))
  return results
}

describe('random async programs, rewritten and explored', { timeout: 120_000 }, () => {
  test.each(['source', 'optimal'] as const)('%s: every class once, every outcome seen, one outcome for each class', async (algorithm) => {
    const results = await checkAll(80, { limit: 150, algorithm })
    expect(results.flatMap(({ report }) => report ?? [])).toEqual([])
    expect(results.filter(({ status }) => status === 'agrees').length).toBeGreaterThan(40)
    if (algorithm === 'optimal') expect(results.every(({ blocked }) => blocked === 0)).toBe(true)
  })

  test('the fewest preemptions first: every class once, every outcome seen', async () => {
    const results = await checkAll(30, { limit: 150, search: 'preemptions' })
    expect(results.flatMap(({ report }) => report ?? [])).toEqual([])
    expect(results.filter(({ status }) => status === 'agrees').length).toBeGreaterThan(10)
  })

  test("time: 'race': every class once, every outcome seen", async () => {
    const results = await checkAll(60, { limit: 150, time: 'race', algorithm: 'optimal' })
    expect(results.flatMap(({ report }) => report ?? [])).toEqual([])
    expect(results.filter(({ status }) => status === 'agrees').length).toBeGreaterThan(30)
  })

  test('the comparison finds a search that does not order firings and those who ask for the time', async () => {
    const results = await checkAll(40, { limit: 100, time: 'race', weaken: (search) => (search.combine = () => {}) })
    expect(results.some(({ status }) => status === 'disagrees')).toBe(true)
  })

  test('the comparison finds a search that misses reads', async () => {
    const results = await checkAll(40, { limit: 100, weaken: (search) => (search.read = () => {}) })
    expect(results.some(({ report }) => report?.includes('outcomes never explored'))).toBe(true)
  })

  test('the comparison finds a search that does not know what enables a step', async () => {
    const results = await checkAll(60, { limit: 100, weaken: (search) => (search.wait = () => {}) })
    expect(results.some(({ status }) => status === 'disagrees')).toBe(true)
  })
})
