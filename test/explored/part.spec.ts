import { describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

/** Tasks that lose updates, and how the final counts of the failing executions come out. */
const increments = (n: number) => ({
  setup: () => ({ count: 0 }),
  tasks: Array.from({ length: n }, () => async (counter: { count: number }) => {
    const before = counter.count
    await null
    counter.count = before + 1
  }),
  invariant: ({ count }: { count: number }) => count === n,
})

describe('the parts of an exploration', () => {
  const searches = [{ algorithm: 'source' }, { algorithm: 'optimal' }, { search: 'preemptions' }, { search: 'stride:2' }] as const

  test.each(searches)('have all its executions and failures, none of them twice: %o', async (options) => {
    const whole = await explore(increments(3), { ...options, stopOnFirst: false })
    for (const parts of [2, 3, 5]) {
      const schedules: string[] = []
      let executions = 0
      for (let k = 1; k <= parts; k++) {
        const part = `${k}/${parts}`
        const result = await explore(increments(3), { ...options, stopOnFirst: false, part })
        expect(result.part).toBe(part)
        executions += result.executions
        schedules.push(...result.failures.map(({ schedule }) => schedule))
      }
      expect(executions).toBe(whole.executions)
      expect(new Set(schedules).size).toBe(whole.failures.length)
      expect(schedules).toHaveLength(whole.failures.length)
    }
  })

  test('say what holds where a bound has left something out', async () => {
    for (const part of ['1/2', '2/2']) {
      const { inconclusiveReason } = await explore(increments(3), { preemptionBound: 0, stopOnFirst: false, part })
      expect(inconclusiveReason).toMatch(/^preemptionBound of 0; (?:holds for|explored:) every interleaving without a preemption$/)
    }
  })
})

dporTest('a test of one part keeps its verdict', { part: '2/2' }, async () => {
  const counter = { count: 0 }
  const add = async () => {
    const before = counter.count
    await null
    counter.count = before + 1
  }
  await Promise.all([add(), add()])
  expect(counter.count).toBeGreaterThan(0)
})

test('the one before says which part it was', ({ task }) => {
  const before = task.suite?.tasks.find(({ name }) => name === 'a test of one part keeps its verdict') ?? task.file.tasks.find(({ name }) => name.startsWith('a test of one'))
  expect(before?.meta.dpor).toMatchObject({ verdict: 'holds', part: '2/2' })
})
