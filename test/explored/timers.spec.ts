import { describe, expect, test, vi } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { settledWith } from './uninstrumented/calling.ts'
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

  dporTest('are there in the next test, as without an exploration', async () => {
    let fired = 0
    setTimeout(() => fired++, 100)
    await vi.advanceTimersByTimeAsync(100)
    expect(fired).toBe(1)
    vi.useRealTimers()
  })

  dporTest('are gone after that', async () => {
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

describe('what the platform calls', () => {
  test.each(['await', 'event-loop'] as const)("gets the timer as `this`, and the arguments: '%s'", async (interleave) => {
    const { seen } = await outcomes(
      async () => {
        const got: unknown[] = []
        await new Promise<void>((resolve) => {
          const timer: unknown = setTimeout(function (this: unknown, ...args: unknown[]) {
            got.push('timer', this === timer, ...args)
          }, 1, 'a', 'b')
          const immediate: unknown = setImmediate(function (this: unknown, ...args: unknown[]) {
            got.push('immediate', this === immediate, ...args)
          }, 'c')
          let times = 0
          const interval: unknown = setInterval(function (this: unknown, n: number) {
            got.push('interval', this === interval, n)
            if (++times < 2) return
            clearInterval(interval as NodeJS.Timeout)
            resolve()
          }, 2, 3)
        })
        return got
      },
      { interleave },
    )
    expect(seen).toEqual(['["immediate",true,"c","timer",true,"a","b","interval",true,3,"interval",true,3]'])
  })
})

test('what is settled when code that is not instrumented returns it takes no microtask more', async () => {
  const log = async (isOpaque: boolean): Promise<string[]> => {
    const got: string[] = []
    const hops = async () => {
      for (let i = 0; i < 3; i++) await got.push(`hop ${i}`)
    }
    const asking = async () => {
      await (isOpaque ? settledWith(1) : Promise.resolve(1))
      got.push('settled')
    }
    await Promise.all([asking(), hops()])
    return got
  }
  const [opaque, plain] = await Promise.all([true, false].map((isOpaque) => outcomes(() => log(isOpaque), { interleave: 'event-loop', maxExecutions: 1 })))
  expect(opaque!.seen).toEqual(plain!.seen)
})

describe.each(['await', 'event-loop'] as const)("what Node's timers/promises does not take is refused in the same way, interleave: '%s'", (interleave) => {
  const promised = process.getBuiltinModule('node:timers/promises') as unknown as Record<'setTimeout' | 'setImmediate' | 'setInterval', (...args: unknown[]) => unknown> & { readonly scheduler: Record<'wait' | 'yield', (...args: unknown[]) => unknown> }
  const refused: Record<string, () => unknown> = {
    'a text as delay': () => promised.setTimeout('1'),
    'null as delay': () => promised.scheduler.wait(null),
    'a text as options': () => promised.setImmediate(1, 'x'),
    'null as options': () => promised.setTimeout(1, 1, null),
    'what is no signal': () => promised.setTimeout(1, 1, { signal: {} }),
    'a text as ref': () => promised.scheduler.wait(1, { ref: 'x' }),
    'another receiver': () => promised.scheduler.wait.call({}, 1),
    'an interval of a text': async () => {
      for await (const tick of promised.setInterval('1') as AsyncIterable<unknown>) return tick
    },
  }

  test.each(Object.keys(refused))('%s', async (name) => {
    const said = async (): Promise<string> => {
      try {
        await refused[name]!()
        return 'taken'
      } catch (error) {
        const { code, message } = error as { readonly code?: string; readonly message: string }
        return `${code}: ${message}`
      }
    }
    const plain = await said()
    expect(plain).not.toBe('taken')
    const { verdict, failures } = await explore(async () => expect(await said()).toBe(plain), { interleave })
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })
})

test.each(['await', 'event-loop'] as const)('a timer tells how long it takes, and whether it was cleared, switches at %s', async (interleave) => {
  const idle = (timer: object): unknown => Reflect.get(timer, '_idleTimeout')
  const { seen } = await outcomes(async () => {
    const timer = setTimeout(() => {}, 30_000)
    const others = [idle(setTimeout(() => {}, 0)), idle(setInterval(() => {}, 5).unref()), idle(setImmediate(() => {}))]
    let found: unknown
    await Promise.all([(async () => { await null; found = idle(timer) })(), (async () => { await null; clearTimeout(timer) })()])
    return [...others, found, idle(timer)]
  }, { interleave })
  expect(seen).toEqual(['[1,5,null,-1,-1]', '[1,5,null,30000,-1]'])
})
