import { generateKeySync } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { countCalls, delayed, limiter, mapAll } from './uninstrumented/utilities.ts'

const all = { stopOnFirst: false, equivalence: 'trace' } as const

/** A lock made of promises, first come, first served. */
class Mutex {
  #tail: Promise<void> = Promise.resolve()

  async acquire(): Promise<() => void> {
    const before = this.#tail
    let release = () => {}
    this.#tail = new Promise((resolve) => {
      release = resolve
    })
    await before
    return release
  }
}

describe('deadlock', () => {
  test('names every await that waits for ever', async () => {
    const result = await explore(async () => {
      const [a, b] = [new Mutex(), new Mutex()]
      const first = async () => {
        const releaseA = await a.acquire()
        const releaseB = await b.acquire()
        releaseB()
        releaseA()
      }
      const second = async () => {
        const releaseB = await b.acquire()
        const releaseA = await a.acquire()
        releaseA()
        releaseB()
      }
      await Promise.all([first(), second()])
    }, all)
    expect(result.verdict).toBe('fails')
    expect(result.failures.map((failure) => failure.kind)).toContain('deadlock')
    const { message } = result.failures[0]!.error as Error
    expect(message).toMatch(/first#1 at .*behaviour\.spec\.ts:\d+:\d+ \(await b\.acquire\(\)\), inside at .*\(await before\); second#1 at .*\(await a\.acquire\(\)\)/)
  })

  test('locks taken in one order hold', async () => {
    const result = await explore(async () => {
      const lock = new Mutex()
      const state = { n: 0 }
      const work = async () => {
        const release = await lock.acquire()
        const v = state.n
        await null
        state.n = v + 1
        release()
      }
      await Promise.all([work(), work(), work()])
      expect(state.n).toBe(3)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds' })
  })
})

describe('failures of other kinds', () => {
  test('a rejection that nobody handles in time', async () => {
    const result = await explore(async () => {
      const fails = async () => {
        await null
        throw new Error('too early')
      }
      const promise = fails()
      await null
      await promise.catch(() => {})
    }, all)
    expect(result.failures.map(({ kind }) => kind)).toEqual(['unhandled-rejection'])
    // Handled first, or rejected first.
    expect(result.executions).toBe(2)
  })

  test('a callback of a timer throws', async () => {
    const result = await explore(async () => {
      setTimeout(() => {
        throw new Error('in a timer')
      }, 5)
      await sleep(10)
    }, all)
    expect(result.failures[0]).toMatchObject({ kind: 'error', error: new Error('in a timer') })
  })

  test('setup that throws, and an invariant that throws', async () => {
    const broken = await explore({
      setup: () => {
        throw new Error('no database')
      },
      tasks: [async () => {}],
    })
    expect(broken.failures[0]).toMatchObject({ kind: 'error', error: new Error('no database') })
    const violated = await explore({
      tasks: [async () => {}],
      invariant: () => {
        throw new Error('broken')
      },
    })
    expect(violated.failures[0]).toMatchObject({ kind: 'invariant', error: new Error('broken') })
  })

  test('a failing schedule replays in exactly one execution', async () => {
    const subject = {
      setup: () => ({ n: 0 }),
      tasks: [0, 1].map(() => async (c: { n: number }) => {
        const v = c.n
        await null
        c.n = v + 1
      }),
      invariant: (c: { n: number }) => c.n === 2,
    }
    const found = await explore(subject)
    const again = await explore(subject, { replay: found.failures[0]!.schedule })
    expect(again).toMatchObject({ verdict: 'fails', executions: 1 })
    await expect(explore(subject, { replay: '0x9' })).rejects.toThrow(/replay/i)
    await expect(explore(subject, { replay: 'nonsense' })).rejects.toThrow(/replay|schedule/i)
  })
})

describe('what the tool does not control', () => {
  test('a random key that decides the steps: an error with the place, no verdict', async () => {
    const body = async () => {
      const c = { n: 0, m: 0 }
      const work = async () => {
        await null
        if (generateKeySync('hmac', { length: 8 }).export()[0]! < 128) c.n++
        else c.m++
      }
      await work()
      await work()
      await work()
    }
    await expect(explore(body, all)).rejects.toThrow(/diverged at .*behaviour\.spec\.ts:\d+/)
  })

  test('state of a module that is not instrumented', async () => {
    const body = async () => {
      const c = { n: 0 }
      await null
      if (countCalls() % 2 === 0) await null
      c.n++
    }
    await expect(explore(body, all)).rejects.toThrow(/diverged at .*behaviour\.spec\.ts:\d+/)
  })

  test('a run that ends where another had steps left: a place all the same', async () => {
    const before = countCalls()
    const body = async () => {
      const c = { n: 0 }
      const work = async () => {
        if (countCalls() - before > 2) return
        await null
        c.n++
      }
      await Promise.all([work(), work()])
    }
    await expect(explore(body, all)).rejects.toThrow(/diverged at .*behaviour\.spec\.ts:\d+/)
  })

  test('state of instrumented modules is put back', async () => {
    let calls = 0
    const seen = new Map<string, number>()
    const list: number[] = []
    const body = async () => {
      calls++
      seen.set(`call ${seen.size}`, calls)
      list.push(calls)
      await null
      if (calls > 1) await null
      expect([calls, seen.size, list.length]).toEqual([1, 1, 1])
    }
    expect(await explore(body, all)).toMatchObject({ verdict: 'holds', executions: 1 })
    expect([calls, seen.size, list.length]).toEqual([0, 0, 0])
  })

  test('listeners on an older EventEmitter are put back', async () => {
    const bus = new EventEmitter()
    const date = new Date(0)
    const result = await explore(async () => {
      const heard: number[] = []
      const listen = async () => {
        await null
        bus.on('tick', (n: number) => heard.push(n))
      }
      const tick = async () => {
        await null
        bus.emit('tick', bus.listenerCount('tick'))
        date.setTime(date.getTime() + 1)
      }
      await Promise.all([listen(), tick()])
      expect(heard.length).toBeLessThan(2)
      expect(date.getTime()).toBe(1)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 2 })
    expect([bus.listenerCount('tick'), date.getTime()]).toEqual([0, 0])
  })

  test('older state that cannot be put back: inconclusive, with its name', async () => {
    const stream = new Readable({ read() {} })
    const result = await explore(async () => {
      await null
      stream.push('x')
    }, all)
    expect(result).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('a Readable') })
  })

  test('real files are waited for', async () => {
    const file = fileURLToPath(import.meta.url)
    const result = await explore(async () => {
      const sizes = { total: 0 }
      const add = async () => {
        const text = await readFile(file, 'utf8')
        sizes.total += text.length
      }
      await Promise.all([add(), add()])
      expect(sizes.total).toBeGreaterThan(0)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 2 })
  })
})

describe('code that is not instrumented', () => {
  test('its promises are awaited', async () => {
    const result = await explore(async () => {
      const c = { n: 0 }
      const work = async () => {
        const v = c.n
        c.n = (await delayed(v)) + 1
      }
      await Promise.all([work(), work()])
      expect(c.n).toBe(1)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 2 })
  })

  test('a limiter of one is a lock', async () => {
    const result = await explore(async () => {
      const limit = limiter(1)
      const c = { n: 0 }
      const work = () =>
        limit(async () => {
          const v = c.n
          await null
          c.n = v + 1
        })
      await Promise.all([work(), work()])
      expect(c.n).toBe(2)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds' })
  })

  test('streams of the platform, which use microtasks of their own', async () => {
    const result = await explore(async () => {
      expect(await new Response('abc').text()).toBe('abc')
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('it may call back', async () => {
    const result = await explore(async () => {
      const out = await mapAll([1, 2, 3], async (item) => {
        await null
        return item * 2
      })
      expect(out).toEqual([2, 4, 6])
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

describe('virtual time', () => {
  test('a day passes at once, and timers fire in their order', async () => {
    const result = await explore(async () => {
      const start = Date.now()
      const begun = performance.now()
      const order: string[] = []
      const later = async (name: string, ms: number) => {
        await sleep(ms)
        order.push(name)
      }
      await Promise.all([later('b', 86_400_000), later('a', 10)])
      expect(order).toEqual(['a', 'b'])
      expect(Date.now() - start).toBe(86_400_000)
      expect(performance.now() - begun).toBeCloseTo(86_400_000, 1)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('clearing a timer that is due races with it', async () => {
    const result = await explore(async () => {
      const fired: string[] = []
      let timer: ReturnType<typeof setTimeout> | undefined
      const start = async () => {
        timer = setTimeout(() => fired.push('timer'), 10)
      }
      const stop = async () => {
        await sleep(10)
        clearTimeout(timer)
      }
      await Promise.all([start(), stop()])
    }, all)
    expect(result.verdict).toBe('holds')
  })

  test('an interval ticks until it is cleared', async () => {
    const result = await explore(async () => {
      let ticks = 0
      const interval = setInterval(() => ticks++, 10)
      await sleep(35)
      clearInterval(interval)
      expect(ticks).toBe(3)
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

describe('promise combinators', () => {
  test('Promise.race: either may win', async () => {
    const winners = new Set<string>()
    const result = await explore(async () => {
      const run = async (name: string) => {
        await null
        return name
      }
      const winner = await Promise.race([run('a'), run('b')])
      report(winner)
    }, all)
    function report(winner: string) {
      winners.add(winner)
    }
    expect(result).toMatchObject({ verdict: 'holds', executions: 2 })
  })

  test('Promise.allSettled: its parts commute', async () => {
    const result = await explore(async () => {
      const run = async (fails: boolean) => {
        await null
        if (fails) throw new Error('no')
      }
      const results = await Promise.allSettled([run(true), run(false), run(true)])
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    }, all)
    expect(result).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('Promise.all: the first rejection wins, both orders', async () => {
    const messages: string[] = []
    const result = await explore(async () => {
      const run = async (name: string) => {
        await null
        throw new Error(name)
      }
      await Promise.all([run('a'), run('b')])
    }, all)
    for (const { error } of result.failures) messages.push((error as Error).message)
    expect(messages.toSorted()).toEqual(['a', 'b'])
    expect(result.executions).toBe(2)
  })
})

describe('looking at a whole collection', () => {
  test('one writer and N that look at the size: 2^N', async () => {
    const result = await explore(
      {
        setup: () => new Map<string, number>(),
        tasks: [
          async (map: Map<string, number>) => {
            map.set('a', 1)
          },
          ...[0, 1, 2].map(() => async (map: Map<string, number>) => map.size),
        ],
      },
      all,
    )
    expect(result).toMatchObject({ verdict: 'holds', executions: 8, blocked: 0 })
  })
})
