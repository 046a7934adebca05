import { pbkdf2, pbkdf2Sync } from 'node:crypto'
import { clearTimeout as clear } from 'node:timers'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

const sleep = (time: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, time))
const all = async (part: (i: number) => unknown): Promise<unknown> => Promise.all([1, 2, 3].map(async (i) => {
  await null
  part(i)
}))
/** Some real milliseconds, of which virtual time knows nothing. */
const work = (): unknown => pbkdf2Sync('a', 'b', 40_000, 64, 'sha512')

describe.each(['await', 'event-loop'] as const)("timers that are set as a file is loaded, by '%s'", (interleave) => {
  const seen: string[] = []
  const options = { interleave }
  // What tests have waited for is over for those that come later in the file.
  const soon = interleave === 'await' ? 1500 : 30_000

  let isOver = false
  setTimeout((by: string) => seen.push(by), soon, 'once')
  setTimeout(() => (isOver = true), soon)
  const cleared = setTimeout(() => seen.push('cleared'), soon)
  const byNode = setTimeout(() => seen.push('cleared'), soon)
  const refreshed = setTimeout(() => seen.push('refreshed'), soon)
  const interval = setInterval(() => seen.push('interval'), soon)
  const signal = AbortSignal.timeout(soon)
  const late = AbortSignal.timeout(10_000_000)

  dporTest('stand still while others are explored', options, async () => {
    const list: number[] = []
    const append = async (i: number): Promise<void> => {
      await sleep(1)
      work()
      list.push(i)
    }
    await Promise.all([1, 2, 3].map(append))
    expect(list.length).toBe(3)
    expect(signal.aborted).toBe(false)
    expect(isOver).toBe(false)
    expect(seen).toEqual([])
  })

  dporTest('can be cleared', options, async () => {
    await null
    clearTimeout(cleared)
    clear(byNode)
    refreshed.refresh()
  })

  test('also where nothing is explored', () => expect([cleared, byNode, refreshed].map((timer) => Reflect.get(timer, '_destroyed') as unknown)).toEqual([true, true, false]))

  test('in each execution they fire when they are due by its time', async () => {
    const body = async (): Promise<void> => {
      expect([signal.aborted, isOver, seen.length]).toEqual([false, false, 0])
      const found: number[] = []
      await all((i) => found.push(i))
      expect(found.length).toBe(3)
      await sleep(soon)
      expect(signal.aborted).toBe(true)
      expect((signal.reason as Error).name).toBe('TimeoutError')
      expect(late.aborted).toBe(false)
      expect(isOver).toBe(true)
      expect(seen.toSorted()).toEqual(['interval', 'once', ...seen.filter((by) => by === 'refreshed')])
    }
    const { verdict, executions } = await explore(body, { interleave: 'await', equivalence: 'trace' })
    expect([verdict, executions]).toEqual(['holds', 6])
    expect([signal.aborted, isOver, seen]).toEqual([false, false, []])
  })

  dporTest('of what a test has waited for the next one sees that it is over', options, async () => {
    await sleep(2 * soon + 10)
    expect(seen.toSorted().slice(0, 2)).toEqual(['interval', 'interval'])
  })

  dporTest('and it does not fire again', options, async () => {
    expect(signal.aborted).toBe(true)
    seen.length = 0
    await sleep(soon)
    expect(seen).toEqual(['interval'])
    clearInterval(interval)
    await sleep(soon)
    expect(seen).toEqual(['interval'])
  })

  dporTest('an interval that a test has cleared is cleared for good', options, async () => {
    seen.length = 0
    await sleep(soon)
    expect(seen).toEqual([])
    expect(late.aborted).toBe(false)
  })
})

describe("what waits for ever beside an interval from before is a deadlock, and what that one settles is none", () => {
  let rounds = 0
  let ready: (() => void) | undefined
  setInterval(() => {
    if (++rounds >= 4) ready?.()
  }, 10_000).unref()

  test.each(['await', 'event-loop'] as const)("by '%s'", async (interleave) => {
    expect((await explore(() => new Promise(() => {}), { interleave })).failures[0]?.kind).toBe('deadlock')
    const waiting = (): Promise<void> => {
      rounds = 0
      return new Promise<void>((resolve) => (ready = resolve))
    }
    expect((await explore(waiting, { interleave })).verdict).toBe('holds')
    const real = promisify(pbkdf2)
    const working = async (): Promise<void> => {
      rounds = 0
      await Promise.all([real('a', 'b', 200_000, 64, 'sha512'), real('a', 'b', 200_000, 64, 'sha512')])
      expect(rounds).toBe(0)
    }
    expect((await explore(working, { interleave })).verdict).toBe('holds')
  })
})

describe('timers between explorations are those of Node', () => {
  const native = setTimeout(() => {}, 0)

  test('whoever sets them', async () => {
    const { length, name } = setTimeout
    // By the version of Node.
    expect([2, 5]).toContain(length)
    expect([name, Object.getPrototypeOf(native) === Object.getPrototypeOf(setInterval(() => {}, 1).unref())]).toEqual(['setTimeout', true])
    await expect(new Promise((resolve) => setTimeout(resolve, 1, 'value'))).resolves.toBe('value')
    expect(() => setTimeout('text' as unknown as () => void, 1)).toThrow(/"callback" argument must be of type function/)
    await expect(new Promise((resolve) => AbortSignal.timeout(1).addEventListener('abort', resolve))).resolves.toMatchObject({ type: 'abort' })
  })
})
