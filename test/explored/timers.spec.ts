import { describe, expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

describe("Vitest's fake timers", () => {
  dporTest('inside the body they are the body\'s own', async () => {
    vi.useFakeTimers()
    let fired = 0
    setTimeout(() => fired++, 100)
    vi.advanceTimersByTime(100)
    await null
    expect(fired).toBe(1)
  })

  dporTest('and advance asynchronously as well', async () => {
    vi.useFakeTimers()
    let fired = 0
    setTimeout(() => fired++, 100)
    await vi.advanceTimersByTimeAsync(100)
    expect(fired).toBe(1)
  })

  dporTest('are gone in the next test', async () => {
    let fired = 0
    setTimeout(() => fired++, 100)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(fired).toBe(1)
  })
})

const [taken, takenImmediate] = [setTimeout, setImmediate]

test('functions that a module took before the exploration are controlled too', async () => {
  const { seen } = await outcomes(async () => {
    const log: string[] = []
    taken(() => void log.push('timer'), 1e6)
    takenImmediate(() => void log.push('immediate'))
    await new Promise((resolve) => taken(resolve, 2e6))
    return log.join()
  })
  expect(seen).toEqual(['"immediate,timer"'])
})

test('timers of one length come in both orders where nobody sees in which they were set', async () => {
  const { seen, verdict } = await outcomes(async () => {
    const [log, unseen]: string[][] = [[], []]
    const set = async (name: string): Promise<void> => {
      await null
      unseen!.push(name)
      setTimeout(() => void log!.push(name), 10)
    }
    await Promise.all([set('a'), set('b')])
    await new Promise((resolve) => setTimeout(resolve, 20))
    return log!.join('')
  })
  expect([seen, verdict]).toEqual([['"ab"', '"ba"'], 'holds'])
})
