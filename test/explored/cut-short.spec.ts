import { dporTest, explore } from '../../src/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SlowServer } from './uninstrumented/slow-server.ts'

describe.each(['await', 'event-loop'] as const)("what is cut short, interleave: '%s'", (interleave) => {
  const server = new SlowServer()
  let url: string

  beforeAll(async () => {
    url = await server.listen()
  })
  afterEach(async () => {
    await fetch(url, { method: 'DELETE' })
  })
  afterAll(() => server.close())

  dporTest('has its hooks as well', { interleave, maxTime: 1000, onInconclusive: 'pass' }, async () => {
    await fetch(`${url}first`, { method: 'PUT' })
    await fetch(`${url}second`, { method: 'PUT' })
    await fetch(`${url}third`, { method: 'PUT' })
  })

  test('so that nothing is left of it', () => {
    expect(server.stored).toEqual([])
  })
})

test('what a server that was closed just before still does is in no step', async () => {
  const { verdict, executions } = await explore(async () => {
    let order = ''
    await Promise.all([1, 2].map(async (i) => (await null, (order += i))))
    expect(order).toHaveLength(2)
  })
  expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 2 })
})

describe('explorations of a test end before its timeout does', () => {
  const tooLarge = async (): Promise<void> => {
    let n = 0
    const count = async (): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        n += i
        await null
        expect(n).toBeGreaterThan(-1)
      }
    }
    await Promise.all([count(), count(), count(), count(), count()])
  }

  test('one after the other', async () => {
    for (const maxTime of [500, Infinity, 1000]) {
      const started = performance.now()
      const { verdict, inconclusiveReason } = await explore(tooLarge, { maxTime, maxExecutions: 10_000_000 })
      expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: maxTime === 500 ? 'maxTime of 500 ms' : "the test's timeout of 4000 ms" })
      if (maxTime === 1000) expect(performance.now() - started).toBeLessThan(500)
    }
  }, 4000)

  test('so that the next one can explore', async () => {
    expect(await explore(async () => {})).toMatchObject({ verdict: 'holds' })
  })
})
