import { describe, expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { setTimeout as wait } from 'node:timers/promises'
import { outcomes } from './uninstrumented/outcomes.ts'

const sleep = (ms: number, value?: unknown): Promise<unknown> => new Promise((end) => setTimeout(end, ms, value))

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | string> {
  let timer: NodeJS.Timeout
  const late = new Promise<string>((end) => (timer = setTimeout(() => end('timed out'), ms)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function answer(): Promise<string> {
  await null
  return 'answer'
}

const bodies: Record<string, [body: () => Promise<unknown>, awaiting: unknown[], byEvent?: unknown[]]> = {
  'a timeout wins against an answer, and loses': [() => withTimeout(answer(), 1000), ['answer', 'timed out']],
  'also one that nobody clears': [() => Promise.race([answer(), sleep(1000, 'timed out')]), ['answer', 'timed out']],
  'a signal': [
    async () => {
      const signal = AbortSignal.timeout(50)
      await answer()
      return signal.aborted
    },
    [false, true],
  ],
  'timers/promises': [() => Promise.race([answer(), wait(10, 'late')]), ['answer', 'late']],
  'what is cleared too late has fired': [
    async () => {
      let fired = false
      const timer = setTimeout(() => (fired = true), 10)
      await answer()
      clearTimeout(timer)
      await answer()
      return fired
    },
    [false, true],
  ],
  'what is refreshed fires once': [
    async () => {
      let count = 0
      const timer = setTimeout(() => count++, 10)
      await answer()
      timer.refresh()
      await sleep(10)
      return count
    },
    [1, 2],
  ],
  'an interval fires as often as it likes, at most three times early': [
    async () => {
      let count = 0
      const timer = setInterval(() => count++, 10)
      await answer()
      clearInterval(timer)
      return count
    },
    [0, 1, 2, 3],
  ],
  'a retry with a back-off': [
    () => {
      let tries = 0
      const work = async (): Promise<string> => {
        for (;;) {
          await answer()
          if (++tries === 3) return 'answer'
          await sleep(2 ** tries)
        }
      }
      return withTimeout(work(), 100)
    },
    ['answer', 'timed out'],
  ],
  'a timer takes just its time': [() => withTimeout(sleep(10, 'slept'), 1000), ['slept']],
  'two in a row': [
    async () => {
      const work = async (): Promise<unknown> => {
        await sleep(10)
        return sleep(10, 'slept')
      }
      return withTimeout(work(), 1000)
    },
    ['slept', 'timed out'],
    ['slept'],
  ],
  'a callback that sets a timer, in time': [
    () => {
      const log: string[] = []
      setTimeout(() => setTimeout(() => log.push('15'), 10), 5)
      return sleep(1000).then(() => log.join())
    },
    ['15'],
  ],
  'the one that is set first and is no longer fires first': [
    async () => {
      const log: string[] = []
      setTimeout(() => log.push('first'), 10)
      await answer()
      setTimeout(() => log.push('second'), 10)
      await sleep(20)
      return log.join()
    },
    ['first,second'],
  ],
  'of two that are set apart the shorter may be later': [
    async () => {
      const log: string[] = []
      setTimeout(() => log.push('long'), 100)
      await answer()
      setTimeout(() => log.push('short'), 10)
      await sleep(200)
      return log.join()
    },
    ['long,short', 'short,long'],
  ],
  'the time that somebody asks for': [
    async () => {
      setTimeout(() => {}, 50)
      const start = Date.now()
      await answer()
      return Date.now() - start
    },
    [0, 50],
  ],
  'time never goes back': [
    async () => {
      setTimeout(() => {}, 50)
      const times: number[] = []
      for (let i = 0; i < 2; i++) {
        await answer()
        const before = performance.now()
        await sleep(10)
        times.push(performance.now() - before)
      }
      return times.every((time) => time >= 10)
    },
    [true],
  ],
  'microtasks and ticks come before timers': [
    async () => {
      const log: string[] = []
      setTimeout(() => log.push('timer'), 1)
      queueMicrotask(() => log.push('microtask'))
      process.nextTick(() => log.push('tick'))
      await sleep(2)
      return log.at(-1)
    },
    ['timer'],
  ],
}

describe("time: 'race'", () => {
  for (const interleave of ['await', 'event-loop'] as const) {
    test.for(Object.entries(bodies))(`${interleave}: %s`, async ([, [body, awaiting, byEvent = awaiting]]) => {
      const { seen, verdict } = await outcomes(body, { time: 'race', interleave })
      const expected = interleave === 'await' ? awaiting : byEvent
      expect([seen, verdict]).toEqual([expected.map((one) => JSON.stringify(one)), 'holds'])
    })
  }

  test("by 'idle' no timeout wins", async () => {
    const { seen, executions } = await outcomes(() => withTimeout(answer(), 1000))
    expect([seen, executions]).toEqual([['"answer"'], 1])
  })

  test('the first execution is the plain run', async () => {
    const { seen } = await outcomes(
      async () => {
        const log: unknown[] = []
        setTimeout(() => log.push(3), 3)
        setTimeout(() => log.push(1), 1)
        setImmediate(() => log.push('immediate'))
        await Promise.all([sleep(2).then(() => log.push(2)), answer().then((text) => log.push(text))])
        await sleep(5)
        return log.join()
      },
      { time: 'race', maxExecutions: 1 },
    )
    expect(seen).toEqual(['"answer,immediate,1,2,3"'])
  })

  dporTest('fake timers are moved by the test', { time: 'race' }, async () => {
    vi.useFakeTimers()
    let fired = false
    setTimeout(() => (fired = true), 10)
    await answer()
    expect(fired).toBe(false)
    await vi.advanceTimersByTimeAsync(10)
    expect(fired).toBe(true)
    vi.useRealTimers()
  })
})
