import { describe, expect, test } from 'vitest'
import { explore } from '../../src/runtime/exploration/explore.ts'
import { countedAccesses } from './uninstrumented/counted-accesses.ts'
import { everAnother } from './uninstrumented/ever-another.ts'

const modes = ['await', 'event-loop'] as const

const later = (): Promise<void> => new Promise((resume) => setTimeout(resume, 1))

describe.each(modes)('what is done before anybody else is there, switches at %s', (interleave) => {
  test('is not told', async () => {
    const { makeSearch, told } = countedAccesses()
    const { verdict, executions } = await explore(
      async () => {
        const rows = Array.from({ length: 200 }, (_, id) => ({ id, tags: ['new'] }))
        await null
        for (const row of rows) row.tags.push(String(rows[row.id]!.id))
        await null
        const counts = { sum: 0 }
        for (const { id } of rows) counts.sum += id
        await Promise.all([0, 1].map(async (i) => { await later(); rows[i]!.tags.length = 0 }))
      },
      { interleave },
      makeSearch,
    )
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
    expect(told()).toBeLessThan(100)
  })

  test('and what comes after that is', async () => {
    const { makeSearch, told } = countedAccesses()
    await explore(
      async () => {
        const rows = Array.from({ length: 200 }, (_, id) => ({ id, tags: ['new'] }))
        const other = (async () => { await later() })()
        await null
        await later()
        for (const row of rows) row.tags.push(String(rows[row.id]!.id))
        await other
      },
      { interleave },
      makeSearch,
    )
    expect(told()).toBeGreaterThan(400)
  })

  test('but for what code that is not instrumented hands over', async () => {
    const body = async (): Promise<void> => {
      const found = { number: everAnother() }
      const list = [found.number > 0]
      await Promise.all([1, 2].map(async (n) => { await later(); list.push(n > 0) }))
    }
    await expect(explore(body, { interleave })).rejects.toThrow(/^the execution diverged at .*alone-at-first/)
  })
})

test('what comes after code that is not instrumented is told, whoever else is there', async () => {
  const { makeSearch, told } = countedAccesses()
  await explore(
    async () => {
      const rows = Array.from({ length: 200 }, (_, id) => ({ id, tags: ['new'] }))
      everAnother()
      for (const row of rows) row.tags.push(String(rows[row.id]!.id))
      await null
      for (const row of rows) row.tags.push(String(rows[row.id]!.id))
    },
    { interleave: 'await' },
    makeSearch,
  )
  expect(told()).toBeGreaterThan(400)
})
