import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

/** Tasks that add to what they found earlier. */
const additions = (tasks: number, times: number) => ({
  setup: () => ({ sum: 0 }),
  tasks: Array.from({ length: tasks }, () => async (state: { sum: number }) => {
    for (let time = 0; time < times; time++) {
      const { sum } = state
      await null
      state.sum = sum + 1
      await null
    }
  }),
})

describe('preemptions of calls', () => {
  test('a bound leaves classes out, and the verdict says so', async () => {
    const all = await explore(additions(2, 3), { stopOnFirst: false })
    const bounded = await explore(additions(2, 3), { stopOnFirst: false, preemptionBound: 1 })
    expect(all.verdict).toBe('holds')
    expect(bounded).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'preemptionBound of 1; holds for every interleaving with at most 1 preemption' })
    expect(bounded.executions).toBeLessThan(all.executions)
  })

  test('a call that waits for another is not preempted', async () => {
    const inTurns = async (): Promise<void> => {
      const order: string[] = []
      let letB!: () => void
      let letA!: () => void
      const [a, b] = [new Promise<void>((resolve) => (letA = resolve)), new Promise<void>((resolve) => (letB = resolve))]
      await Promise.all([
        (async () => { order.push('a1'); letB(); await a; order.push('a2') })(),
        (async () => { await b; order.push('b'); letA() })(),
      ])
      expect(order).toEqual(['a1', 'b', 'a2'])
    }
    expect(await explore(inTurns, { preemptionBound: 0 })).toMatchObject({ verdict: 'holds' })
  })

  test('the fewest first: the same classes', async () => {
    const all = await explore(additions(3, 1), { stopOnFirst: false })
    expect(await explore(additions(3, 1), { stopOnFirst: false, search: 'preemptions' })).toMatchObject({ verdict: 'holds', executions: all.executions })
  })
  test.each(['random', 'pct', 'pos', 'walk', 'mixed'] as const)('what is drawn at random fails, and replays: %s', async (algorithm) => {
    const loses = { ...additions(5, 1), invariant: (state: { sum: number }) => state.sum > 1 }
    const { verdict, failures } = await explore(loses, { algorithm })
    expect(verdict).toBe('fails')
    expect(await explore(loses, { replay: failures[0]!.schedule })).toMatchObject({ verdict: 'fails', executions: 1 })
    if (algorithm === 'mixed') return
    expect(await explore(additions(3, 1), { algorithm, maxExecutions: 100 })).toMatchObject({
      verdict: 'inconclusive',
      inconclusiveReason: expect.stringMatching(/^maxExecutions of 100; holds for \d+ classes met at random, of about \d+/) as string,
    })
  })
})

describe('a large exploration', () => {
  test('counts nothing of what it draws at random before it goes on', async () => {
    const holds = await explore(additions(3, 1))
    expect(holds).toMatchObject({ verdict: 'holds', executions: (await explore(additions(3, 1), { search: 'dfs' })).executions })
    expect(holds.executions).toBeGreaterThan(16)
  })

  test('meets soon what fails in many orders and late depth first', async () => {
    const overwritten = {
      setup: () => ({ last: -1 }),
      tasks: Array.from({ length: 6 }, (_, task) => async (state: { last: number }) => {
        await null
        const seen = state.last
        await null
        state.last = seen === -2 ? -1 : task
      }),
      invariant: (state: { last: number }) => state.last !== 0,
    }
    const { failures } = await explore(overwritten)
    expect(failures[0]!.execution).toBeLessThanOrEqual(16 + 48)
    const late = await explore(overwritten, { search: 'dfs' })
    expect(late.failures[0]!.execution).toBeGreaterThan(2 * (16 + 48))
  })
})

test('a body that fails while it turns out that a part of a race may be overtaken fails again by the schedule that is printed', async () => {
  const body = async (): Promise<void> => {
    let settle!: (value: unknown) => void
    const part = new Promise((resolve) => (settle = resolve))
    const late = async (): Promise<void> => {
      await null
      settle(new Promise((resolve) => resolve(1)))
    }
    const racing = async (): Promise<unknown> => {
      await null
      await null
      return Promise.race([part, new Promise((resolve) => setTimeout(resolve, 1))])
    }
    throw new Error(JSON.stringify(await Promise.all([late(), racing()])))
  }
  const { executions, failures } = await explore(body)
  expect(failures).toMatchObject([{ error: { message: '[null,1]' } }])
  expect(executions).toBe(1)
  expect((await explore(body, { replay: failures[0]!.schedule })).failures).toMatchObject([{ error: { message: '[null,1]' } }])
})
