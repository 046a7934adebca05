import { describe, expect, test, vi } from 'vitest'
import { io } from '../../src/index.ts'
import { outcomes } from './uninstrumented/outcomes.ts'
import { answer } from './uninstrumented/answering.ts'

/** What code that is not instrumented gives may be settled by then: whoever waits for it stands in the queue before what is queued after. */
describe('a promise that is settled when somebody waits for it', () => {
  const makers: Record<string, () => () => Promise<unknown>> = {
    'io()': () => () => io('answer'),
    'io() of a promise': () => () => io(Promise.resolve('answer')),
    'a mock with a value': () => vi.fn().mockResolvedValue('answer'),
    'a mock that fails': () => vi.fn().mockRejectedValue('answer'),
    'code that is not instrumented': () => answer,
  }

  describe.each(Object.entries(makers))('of %s', (_, make) => {
    test.each(['await', 'event-loop'] as const)("comes before a microtask in the plain order, by '%s'", async (interleave) => {
      const body = async () => {
        const ask = make()
        const log: string[] = []
        const waiting = (async () => { await ask().catch(() => {}); log.push('answer') })()
        queueMicrotask(() => log.push('microtask'))
        await waiting
        await new Promise((end) => setTimeout(end, 1))
        return log.join()
      }
      const plain = await body()
      const first = await outcomes(body, { interleave, maxExecutions: 1 })
      expect(first.seen).toEqual([`"${plain}"`])
      expect((await outcomes(body, { interleave })).seen).toContain(`"${plain}"`)
    })
  })

  test('with a switch at every await, either comes first', async () => {
    const result = await outcomes(async () => {
      const log: number[] = []
      const waiting = (async () => { await answer(); log.push(1) })()
      queueMicrotask(() => log.push(2))
      await waiting
      await new Promise((end) => setTimeout(end, 1))
      return log
    })
    expect(result).toEqual({ seen: ['[1,2]', '[2,1]'], executions: 2, verdict: 'holds' })
  })
})

/** Both promises are settled: by 'await' either of their reactions may come first. */
describe('what is chained to a call of the test framework', () => {
  const ways: Record<string, (log: string[]) => Promise<unknown>> = {
    'io()': (log) => io('answer').then(() => log.push('answer')),
    'io() in a chain that may end': (log) => io('answer')?.then(() => log.push('answer')),
    'vi.waitFor()': (log) => vi.waitFor(() => true).then(() => log.push('answer')),
  }
  test.each(Object.entries(ways))('is a step: %s', async (_, chained) => {
    const { seen } = await outcomes(async () => {
      const log: string[] = []
      const others = async () => {
        await null
        log.push('other')
        await null
      }
      await Promise.all([chained(log), others()])
      return log.join()
    })
    expect(seen).toEqual(['"answer,other"', '"other,answer"'])
  })
})

/** Jobs of the language pass an outcome on, which takes some microtasks. Within these another promise is there first. */
describe('a promise whose outcome is on its way when a race begins', () => {
  const racing = (waits: number) => async () => {
    const late = (async () => Promise.resolve('late'))()
    let first: string | undefined
    const racer = async () => {
      for (let i = 0; i < waits; i++) await null
      first = await Promise.race([late, Promise.resolve('there')])
    }
    await racer()
    return first
  }

  test('in the same step another one is first', async () => {
    expect(await outcomes(racing(0))).toMatchObject({ seen: ['"there"'], verdict: 'holds' })
    expect(await racing(0)()).toBe('there')
  })

  // What `queueMicrotask` is given comes after one job, whatever takes its time; the outcome comes after two.
  test.each([
    ['a microtask', 1, 'there'],
    ['the second of two', 2, 'late'],
  ])('in %s there is one order', async (_, depth, first) => {
    const body = () =>
      new Promise((resolve) => {
        const late = (async () => Promise.resolve('late'))()
        const race = () => resolve(Promise.race([late, Promise.resolve('there')]))
        queueMicrotask(depth === 1 ? race : () => queueMicrotask(race))
      })
    expect(await outcomes(body)).toEqual({ seen: [`"${first}"`], executions: 1, verdict: 'holds' })
    expect(await body()).toBe(first)
  })

  test('after an await either may be first, and the other one is in the plain order', async () => {
    expect(await outcomes(racing(1))).toMatchObject({ seen: ['"late"', '"there"'], verdict: 'holds' })
    expect((await outcomes(racing(1), { maxExecutions: 1 })).seen).toEqual(['"there"'])
    expect(await racing(1)()).toBe('there')
  })

  test('after as many as it takes it is first', async () => {
    expect(await outcomes(racing(3))).toMatchObject({ seen: ['"late"'], verdict: 'holds' })
    expect(await racing(3)()).toBe('late')
  })
})
