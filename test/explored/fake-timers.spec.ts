import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function retry<T>(action: () => Promise<T>, { times, pause }: { times: number; pause: number }): Promise<T> {
  for (let i = 1; ; i++) {
    try {
      return await action()
    } catch (error) {
      if (i === times) throw error
    }
    await sleep(pause)
  }
}

describe('fake timers that a hook has installed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  dporTest('time moves only when the test says so', async () => {
    let fired = 0
    setTimeout(() => fired++, 10)
    for (let i = 0; i < 5; i++) await null
    expect([fired, Date.now(), vi.getTimerCount()]).toEqual([0, 1000, 1])
    vi.advanceTimersByTime(10)
    expect([fired, Date.now(), vi.getTimerCount()]).toEqual([1, 1010, 0])
  })

  dporTest('each execution finds the clock as the hook has left it', async () => {
    expect([Date.now(), new Date().getTime(), performance.now(), vi.getTimerCount()]).toEqual([1000, 1000, 0, 0])
    const shared = { n: 0 }
    await Promise.all([1, 2].map(async (i) => {
      await null
      shared.n = shared.n * 2 + i
    }))
    setTimeout(() => {}, 10 ** shared.n)
    vi.setSystemTime(5_000_000)
    await vi.advanceTimersByTimeAsync(2.5)
    expect([Date.now(), performance.now()]).toEqual([5_000_002, 2.5])
  })

  dporTest('asynchronous forms let awaits run in between', async () => {
    const action = vi.fn<() => Promise<number>>().mockRejectedValueOnce(1).mockRejectedValueOnce(2).mockResolvedValue(3)
    const done = retry(action, { times: 3, pause: 100 })
    await vi.advanceTimersByTimeAsync(99)
    expect(action).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(action).toHaveBeenCalledTimes(2)
    await vi.runAllTimersAsync()
    expect([await done, Date.now()]).toEqual([3, 1200])
  })

  dporTest('synchronous forms run callbacks within the step, in the order of the clock', async () => {
    const log: string[] = []
    setTimeout(() => log.push('b'), 20)
    setTimeout(() => {
      log.push('a')
      setTimeout(() => log.push('a2'), 10)
    }, 10)
    setImmediate(() => log.push('now'))
    const interval = setInterval(() => log.push('i'), 15)
    vi.runOnlyPendingTimers()
    expect(log.join()).toBe('now,a,i,b,a2')
    clearInterval(interval)
    vi.runAllTimers()
    expect(log.join()).toBe('now,a,i,b,a2')
  })

  dporTest('every form', async () => {
    let fired = 0
    const interval = setInterval(() => fired++, 10)
    vi.advanceTimersToNextTimer()
    await vi.advanceTimersToNextTimerAsync()
    vi.runOnlyPendingTimers()
    await vi.runOnlyPendingTimersAsync()
    expect([fired, Date.now()]).toEqual([4, 1040])
    clearInterval(interval)
    setTimeout(() => fired++, 10)
    vi.clearAllTimers()
    await vi.runAllTimersAsync()
    expect([fired, vi.getTimerCount()]).toEqual([4, 0])
  })

  dporTest('an interval that never ends is reported as the clock does', async () => {
    vi.useFakeTimers({ loopLimit: 20 })
    setInterval(() => {}, 10)
    await expect(vi.runAllTimersAsync()).rejects.toThrow('Aborting after running')
    expect(() => vi.runAllTimers()).toThrow('Aborting after running')
  })

  dporTest('what a callback throws comes out of the call that moves the time', async () => {
    const fail = (): never => {
      throw new Error('from a timer')
    }
    setTimeout(fail, 10)
    expect(() => vi.advanceTimersByTime(10)).toThrow('from a timer')
    setTimeout(fail, 10)
    await expect(vi.advanceTimersByTimeAsync(10)).rejects.toThrow('from a timer')
  })

  for (const interleave of ['await', 'event-loop'] as const) {
    dporTest(`moves that nobody awaits come one after the other, with what is called between: '${interleave}'`, { interleave }, async () => {
      const rounds = (async () => {
        for (const pause of [10, 20]) await sleep(pause)
      })()
      void vi.advanceTimersToNextTimerAsync()
      void vi.advanceTimersToNextTimerAsync()
      await rounds
      expect(Date.now()).toBe(1030)
    })
  }

  dporTest('other timers beside them: Promise.race with a timeout', async () => {
    const timeout = async (): Promise<string> => {
      await sleep(50)
      return 'timeout'
    }
    const winner = Promise.race([timeout(), retry(() => Promise.reject(new Error('no')), { times: 100, pause: 20 })])
    await vi.advanceTimersByTimeAsync(60)
    expect(await winner).toBe('timeout')
  })

  dporTest('timers are refreshed and have ids', async () => {
    let fired = 0
    const timer = setTimeout(() => fired++, 10)
    vi.advanceTimersByTime(5)
    timer.refresh()
    vi.advanceTimersByTime(5)
    expect(fired).toBe(0)
    clearTimeout(Number(timer))
    vi.advanceTimersByTime(100)
    expect(fired).toBe(0)
  })

  test('timers of one moment that two processes set come in both orders, however time moves', async () => {
    const body = (move: () => unknown) => async (): Promise<string> => {
      const log: string[] = []
      const set = async (name: string): Promise<void> => {
        await null
        setTimeout(() => log.push(name), 10)
      }
      await Promise.all([set('a'), set('b')])
      await move()
      return log.join('')
    }
    const moves = [
      () => vi.advanceTimersByTime(10), () => vi.advanceTimersByTimeAsync(10), () => vi.runAllTimers(), () => vi.runAllTimersAsync(), () => vi.runOnlyPendingTimers(),
      () => vi.runOnlyPendingTimersAsync(), () => vi.advanceTimersToNextTimer(), () => vi.advanceTimersToNextTimerAsync(),
    ]
    for (const move of moves) {
      expect((await outcomes(body(move))).seen).toEqual(['"ab"', '"ba"'])
    }
  })

  test('those that one process sets keep their order', async () => {
    const { seen } = await outcomes(async () => {
      const log: string[] = []
      for (const name of ['a', 'b']) setTimeout(() => log.push(name), 10)
      setTimeout(() => log.push('c'), 5)
      await vi.advanceTimersByTimeAsync(4)
      setTimeout(() => log.push('d'), 6)
      await vi.advanceTimersByTimeAsync(6)
      return log.join('')
    })
    expect(seen).toEqual(['"cabd"'])
  })

  test('timers that share nothing are one class', async () => {
    const { executions } = await explore(async () => {
      const set = async (pause: number): Promise<void> => {
        await sleep(pause)
        await sleep(pause)
      }
      const all = Promise.all([set(10), set(10), set(20)])
      await vi.advanceTimersByTimeAsync(100)
      await all
    })
    expect(executions).toBe(1)
  })

  test('whether a timer is set before time moves, or after', async () => {
    const { seen } = await outcomes(async () => {
      const log: string[] = []
      const set = async (): Promise<void> => {
        await null
        setTimeout(() => log.push(`fired at ${Date.now()}`), 10)
      }
      const move = async (): Promise<void> => {
        await null
        vi.advanceTimersByTime(10)
      }
      await Promise.all([set(), move()])
      log.push('then')
      vi.advanceTimersByTime(10)
      return log.join(', ')
    })
    expect(seen).toEqual(['"fired at 1010, then"', '"then, fired at 1020"'])
  })

  test('whether a timer is cleared before it fires', async () => {
    const { seen } = await outcomes(async () => {
      let fired = 0
      const timer = setTimeout(() => fired++, 10)
      const clear = async (): Promise<void> => {
        await null
        clearTimeout(timer)
      }
      const move = async (): Promise<void> => {
        await null
        vi.advanceTimersByTime(10)
      }
      await Promise.all([clear(), move()])
      return fired
    })
    expect(seen).toEqual(['0', '1'])
  })

  test('what an asynchronous form fires interleaves', async () => {
    const { seen } = await outcomes(async () => {
      const counter = { n: 0 }
      const increment = async (): Promise<void> => {
        const { n } = counter
        await null
        counter.n = n + 1
      }
      setTimeout(increment, 10)
      setTimeout(increment, 10)
      await vi.advanceTimersByTimeAsync(10)
      return counter.n
    })
    expect(seen).toEqual(['1', '2'])
  })

  test('who looks at the time races with who moves or sets it', async () => {
    for (const move of [() => vi.advanceTimersByTime(10), () => vi.setSystemTime(1010)]) {
      const { seen } = await outcomes(async () => {
        const look = async (): Promise<number> => {
          await null
          return Date.now()
        }
        const act = async (): Promise<void> => {
          await null
          move()
        }
        return (await Promise.all([look(), act()]))[0]
      })
      expect(seen).toEqual(['1000', '1010'])
    }
  })

  describe('with timers of their own', () => {
    const state = { fired: 0 }
    beforeEach(() => {
      setTimeout(() => state.fired++, 30)
    })

    dporTest('these belong to each execution', async () => {
      const shared = { n: 0 }
      await Promise.all([1, 2].map(async (i) => {
        await null
        shared.n = shared.n * 2 + i
      }))
      expect([state.fired, vi.getTimerCount()]).toEqual([0, 1])
      await vi.advanceTimersByTimeAsync(30)
      expect([state.fired, vi.getTimerCount()]).toEqual([1, 0])
    })

    afterEach(() => {
      expect([state.fired, vi.getTimerCount(), Date.now()]).toEqual([1, 0, 1030])
    })
  })

  dporTest('a body may put others in their place, or none', async () => {
    const shared = { n: 0 }
    expect([vi.isFakeTimers(), Date.now()]).toEqual([true, 1000])
    vi.useFakeTimers({ now: 5 })
    expect(Date.now()).toBe(5)
    vi.useRealTimers()
    await Promise.all([1, 2].map(async (i) => {
      await sleep(i)
      shared.n = shared.n * 2 + i
    }))
    expect(shared.n).toBe(4)
  })
})

describe('only some functions', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  dporTest('the others follow virtual time', async () => {
    const before = performance.now()
    await sleep(1e6)
    expect([Date.now(), performance.now() - before]).toEqual([0, 1e6])
  })
})

describe('the time of day alone', () => {
  beforeEach(() => {
    vi.setSystemTime(7)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  dporTest('is put back', async () => {
    const shared = { n: 0 }
    expect(Date.now()).toBe(7)
    await Promise.all([1, 2].map(async (i) => {
      await null
      shared.n = shared.n * 2 + i
    }))
    vi.setSystemTime(8)
    expect(new Date().getTime()).toBe(8)
  })
})

test('who sets only the time of day races with who looks at it', async () => {
  const { seen } = await outcomes(async () => {
    vi.setSystemTime(1)
    const set = async (): Promise<void> => {
      await null
      vi.setSystemTime(2)
    }
    const look = async (make: () => number): Promise<number> => {
      await null
      return make()
    }
    return (await Promise.all([set(), look(() => Date.now())]))[1]
  })
  expect(seen).toEqual(['1', '2'])
})

describe('fake timers and tasks', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  dporTest('a timer of the setup', {
    setup: () => {
      const log: string[] = []
      setTimeout(() => log.push('timer'), 10)
      return log
    },
    tasks: { first: (log: string[]) => log.push('first'), move: () => vi.advanceTimersByTimeAsync(10) },
    invariant: (log) => vi.getTimerCount() === 0 && log.toSorted().join() === 'first,timer',
  })
})

describe.each([
  ['shouldAdvanceTime', () => vi.useFakeTimers({ shouldAdvanceTime: true })],
  ['nextTimerAsync', () => vi.useFakeTimers().setTimerTickMode('nextTimerAsync')],
])('fake timers around the body that move by themselves, by %s', (_, use) => {
  beforeAll(() => void use())
  afterAll(() => void vi.useRealTimers())

  dporTest('do so within it', async () => {
    await sleep(1e6)
  })

  test('and go on where nothing is explored', async () => {
    await sleep(40)
    await sleep(40)
  })
})

describe('fake timers within the body', () => {
  dporTest('move by themselves where they are told to', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: 0 })
    await sleep(1e6)
    expect(Date.now()).toBe(1e6)
  })

  dporTest('or to the next timer as soon as nothing else can run', async () => {
    vi.useFakeTimers({ now: 0 })
    vi.setTimerTickMode('nextTimerAsync')
    await sleep(1e6)
    await sleep(1e6)
    expect(Date.now()).toBe(2e6)
  })

  test('stay for the test after it', () => {
    expect(vi.isFakeTimers()).toBe(true)
    expect(Date.now()).toBe(2e6)
    vi.useRealTimers()
  })

  dporTest('are gone in the next execution', async () => {
    expect(vi.isFakeTimers()).toBe(false)
    const shared = { n: 0 }
    await Promise.all([1, 2].map(async (i) => {
      await sleep(1)
      shared.n = shared.n * 2 + i
    }))
    vi.useFakeTimers()
    setTimeout(() => {}, 10)
  })
})
