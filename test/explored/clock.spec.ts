import { createRequire } from 'node:module'
import { performance as performanceOfModule } from 'node:perf_hooks'
import { hrtime } from 'node:process'
import timers, { clearTimeout as clearTimeoutOfModule, setImmediate as setImmediateOfModule, setInterval as setIntervalOfModule, setTimeout as setTimeoutOfModule } from 'node:timers'
import { scheduler, setInterval as ticks, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { dporTest, io } from 'vitest-dpor'
import { stamp, later } from './uninstrumented/clock.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

// Taken when the module is loaded.
const now = performance.now.bind(performance)
const dateNow = Date.now
const { bigint } = process.hrtime

/** What `performance.now()` says first, in all executions. */
const starts = new Set<number>()

describe('one clock', () => {
  dporTest('process.hrtime', async () => {
    const started = [process.hrtime(), hrtime()] as const
    const nanoseconds = [process.hrtime.bigint(), bigint()] as const
    await sleep(1500)
    for (const [seconds, parts] of started.map((time) => process.hrtime(time))) expect([seconds, Math.round(parts / 1e4)]).toEqual([1, 50_000])
    expect(nanoseconds.map((time) => (bigint() - time) / 100_000n)).toEqual([15_000n, 15_000n])
  })

  dporTest('performance and Date', async () => {
    const all = (): number[] => [performance.now(), now(), performanceOfModule.now(), Date.now(), dateNow(), new Date().getTime(), performance.timeOrigin + performance.now()]
    const started = all()
    performance.mark('begin')
    await sleep(5000)
    const passed = all().map((time, i) => time - started[i]!)
    for (const time of passed) expect(time).toBeCloseTo(5000, 1)
    expect(passed.slice(3, 6)).toEqual([5000, 5000, 5000])
    performance.mark('end')
    expect(performance.measure('both', 'begin', 'end').duration).toBeCloseTo(5000, 1)
    expect(performance.measure('to now', { start: 'begin' }).duration).toBeCloseTo(5000, 1)
    expect(Date()).toBe(new Date().toString())
    expect([new Date().constructor, new Date(5).getTime()]).toEqual([Date, 5])
  })

  dporTest('node:timers, however it is imported', async () => {
    const started = Date.now()
    const required = createRequire(import.meta.url)('node:timers') as typeof timers
    for (const set of [setTimeoutOfModule, timers.setTimeout, required.setTimeout]) await new Promise((resolve) => set(resolve, 1000))
    expect(Date.now() - started).toBe(3000)
    clearTimeoutOfModule(setTimeoutOfModule(() => expect.unreachable(), 5))
    await new Promise((resolve) => setImmediateOfModule(resolve))
    let count = 0
    await new Promise<void>((resolve) => {
      const interval = setIntervalOfModule(() => {
        if (++count < 3) return
        clearInterval(interval)
        resolve()
      }, 1000)
    })
    await promisify(setTimeout)(1000)
    expect(Date.now() - started).toBe(7000)
  })

  dporTest('node:timers/promises', async () => {
    const started = Date.now()
    let count = 0
    for await (const value of ticks(1000, 'tick')) {
      expect(value).toBe('tick')
      if (++count === 3) break
    }
    await scheduler.wait(2000)
    await scheduler.yield()
    expect([await sleep(10, 'value'), Date.now() - started]).toEqual(['value', 5010])
    const controller = new AbortController()
    const asleep = sleep(1e6, undefined, { signal: controller.signal })
    controller.abort('why')
    const aborted = { name: 'AbortError', code: 'ABORT_ERR', cause: 'why' }
    await expect(asleep).rejects.toMatchObject(aborted)
    await expect(sleep(10, undefined, { signal: controller.signal })).rejects.toMatchObject(aborted)
    await expect(ticks(10, undefined, { signal: controller.signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject(aborted)
    expect(Date.now() - started).toBe(5010)
  })

  dporTest('ticks that nobody has asked for wait', async () => {
    const iterator = ticks(10)[Symbol.asyncIterator]()
    await iterator.next()
    await sleep(35)
    const started = Date.now()
    await iterator.next()
    await iterator.next()
    expect(Date.now() - started).toBe(0)
    await iterator.return!()
    expect(await iterator.next()).toEqual({ value: undefined, done: true })
  })

  dporTest('code that is not instrumented', async () => {
    const started = stamp()
    expect(started).toEqual([Date.now(), Date.now(), expect.closeTo(performance.now(), 1)])
    await new Promise<void>((resolve) => later(resolve, 1e6))
    expect(stamp().map((time, i) => time - started[i]!)).toEqual([1e6, 1e6, expect.closeTo(1e6, 1)])
  })

  dporTest('has run for some time when an execution begins, as long in each', async () => {
    const begun = [performance.now(), Number(process.hrtime.bigint()) / 1e6, process.uptime() * 1000]
    starts.add(begun[0]!)
    for (const time of begun) expect(time).toBeGreaterThan(10)
    expect(performance.timeOrigin + performance.now()).toBeCloseTo(Date.now(), 0)
    let shared = 0
    const add = async (): Promise<void> => {
      await null
      const before = shared
      await null
      shared = before + 1
    }
    await Promise.all([add(), add()])
    expect([1, 2]).toContain(shared)
    expect(starts.size).toBe(1)
  })

  dporTest('what is done takes some time, and nobody sees it go back', async () => {
    const measured = async (): Promise<number[]> => {
      const started = [performance.now(), Number(process.hrtime.bigint())]
      await null
      return [performance.now() - started[0]!, Number(process.hrtime.bigint()) - started[1]!]
    }
    const before = performance.now()
    const durations = (await Promise.all([measured(), measured()])).flat()
    expect(Math.min(...durations)).toBeGreaterThan(0)
    performance.mark('work')
    await measured()
    performance.mark('done')
    expect(performance.measure('work to done', 'work', 'done').duration).toBeGreaterThan(0)
    const times = [before]
    for (let i = 0; i < 3; i++) times.push(await Promise.resolve().then(() => performance.now()))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(performance.now() - before).toBeGreaterThan(0)
    expect(performance.now() - before).toBeLessThan(0.1)
  })

  dporTest('a timer is never early by any of them', async () => {
    const lasts: number[] = []
    const sleeps = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        const started = performance.now()
        await sleep(10)
        lasts.push(performance.now() - started)
      }
    }
    await Promise.all([sleeps(), sleeps()])
    expect(Math.min(...lasts)).toBe(10)
  })

  test('outside an exploration it is the real one', () => {
    expect(new Date().getTime()).toBeGreaterThan(1.6e12)
    expect([Date.now.toString(), String(Date)].every((text) => text.includes('[native code]'))).toBe(true)
  })
})

test('marks are shared', async () => {
  const { executions } = await outcomes(async () => {
    const mark = async (): Promise<void> => {
      await null
      performance.mark('a')
    }
    await Promise.all([mark(), mark()])
  })
  expect(executions).toBe(2)
})

describe.each(['await', 'event-loop'] as const)("a loop that waits for time to pass, interleave: '%s'", (interleave) => {
  const waitFor = (milliseconds: number): void => {
    const end = Date.now() + milliseconds
    while (Date.now() < end);
  }

  test('takes as long as that, and timers that were due meanwhile fire after it', async () => {
    const result = await outcomes(
      async () => {
        const started = Date.now()
        let fired = -1
        setTimeout(() => (fired = Date.now() - started), 10)
        waitFor(30)
        const before = fired
        await new Promise((done) => setTimeout(done, 1))
        return [before, fired, Date.now() - started]
      },
      { interleave },
    )
    expect(result).toMatchObject({ verdict: 'holds', seen: ['[-1,30,31]'] })
  })

  test('races with who asks for the time', async () => {
    const result = await outcomes(
      async () => {
        const started = Date.now()
        const waiting = async (): Promise<void> => {
          await io(null)
          waitFor(20)
        }
        const asking = async (): Promise<boolean> => {
          await io(null)
          return Date.now() - started >= 20
        }
        return (await Promise.all([waiting(), asking()]))[1]
      },
      { interleave },
    )
    expect(result).toMatchObject({ verdict: 'holds', seen: ['false', 'true'] })
  })
  test('and with who sets a timer', async () => {
    const result = await outcomes(
      async () => {
        const started = Date.now()
        let fired = -1
        const waiting = async (): Promise<void> => {
          await io(null)
          waitFor(20)
        }
        const setting = async (): Promise<void> => {
          await io(null)
          await new Promise((done) => setTimeout(done, 5))
          fired = Date.now() - started
        }
        await Promise.all([waiting(), setting()])
        return fired >= 25
      },
      { interleave },
    )
    expect(result).toMatchObject({ verdict: 'holds', seen: ['false', 'true'] })
  })
})
