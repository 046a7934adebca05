import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

const tick = async <T>(value: T): Promise<T> => {
  await null
  return value
}
const fail = async (reason: unknown): Promise<never> => {
  await null
  throw reason
}
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Bodies, and how many classes of interleavings each has. */
const bodies: Record<string, [executions: number, body: () => unknown]> = {
  // Which of the two settles first decides.
  'race of two': [2, () => Promise.race([tick(1), tick(2)])],
  'any of two': [2, () => Promise.any([tick(1), tick(2)])],
  'any of two of which one rejects': [1, () => Promise.any([tick(1), Promise.reject(new Error('no'))])],
  'all of two that reject': [2, () => Promise.all([fail(1), fail(2)]).catch(() => {})],
  // Parts that only fill their own place commute.
  'all of three': [1, () => Promise.all([tick(1), tick(2), tick(3)])],
  'allSettled of two of which one rejects': [1, () => Promise.allSettled([fail(1), tick(2)])],
  'any of two that reject': [1, () => Promise.any([fail(1), fail(2)]).catch(() => {})],
  'one promise that two calls resolve': [2, async () => {
    let resolve: (n: number) => void = () => {}
    const promise = new Promise<number>((fulfil) => (resolve = fulfil))
    const settle = async (n: number) => {
      await null
      resolve(n)
    }
    await Promise.all([settle(1), settle(2), promise])
  }],
  'reactions on disjoint state': [1, () => Promise.all([Promise.resolve(1).then((n) => n + 1), Promise.resolve(2).then((n) => n + 1)])],
  'reactions that write one variable': [2, async () => {
    let last = 0
    await Promise.all([1, 2].map((n) => Promise.resolve(n).then((value) => (last = value))))
    return last
  }],
  'callbacks of queueMicrotask that write one variable': [1, async () => {
    let last = 0
    for (const n of [1, 2]) queueMicrotask(() => (last = n))
    await sleep(1)
    return last
  }],
  // The lock makes the sections one; who comes first is open.
  'a lock made of a chain of promises': [2, async () => {
    let tail: Promise<void> = Promise.resolve()
    const state = { n: 0 }
    const bump = async () => {
      await null
      await (tail = tail.then(async () => {
        const { n } = state
        await null
        state.n = n + 1
      }))
    }
    await Promise.all([bump(), bump()])
    expect(state.n).toBe(2)
  }],
  'timers that are due at one moment': [2, async () => {
    let last = 0
    await Promise.all([1, 2].map(async (n) => {
      await sleep(5)
      last = n
    }))
    return last
  }],
  'timers that are due one after the other': [1, async () => {
    const order: number[] = []
    await Promise.all([2, 1].map(async (n) => {
      await sleep(5 * n)
      order.push(n)
    }))
    expect(order).toEqual([1, 2])
  }],
  'an interval': [1, async () => {
    let count = 0
    const interval = setInterval(() => count++, 10)
    await sleep(35)
    clearInterval(interval)
    expect(count).toBe(3)
  }],
  'for await over generators of their own': [1, () => Promise.all([1, 2].map(async () => {
    const letters = async function* () {
      yield 'a'
      yield 'b'
    }
    const seen: string[] = []
    for await (const letter of letters()) seen.push(letter)
    expect(seen).toEqual(['a', 'b'])
  }))],
}

describe('classes of a body', () => {
  test.each(Object.entries(bodies).map(([name, [executions, body]]) => [name, executions, body] as const))('%s: %i', async (_, executions, body) => {
    const result = await explore(body, { stopOnFirst: false, equivalence: 'trace' })
    expect(result).toMatchObject({ verdict: 'holds', executions, blocked: 0 })
  })
})

describe('what only inherits from a promise is awaited by its own `then`', () => {
  const inheriting = (): Promise<number> => {
    const own = Object.create(new Promise(() => {})) as Promise<number>
    // oxlint-disable-next-line unicorn/no-thenable
    Object.defineProperty(own, 'then', { value: (settled: (n: number) => void) => settled(5) })
    return own
  }
  const ways: Record<string, () => Promise<unknown>> = {
    await: async () => await inheriting(),
    'Promise.resolve': () => Promise.resolve(inheriting()),
    'Promise.all': async () => (await Promise.all([inheriting(), 1]))[0],
    return: async () => inheriting(),
  }

  test.each(Object.keys(ways))('%s', async (way) => {
    const { verdict } = await explore(async () => expect(await ways[way]!()).toBe(5))
    expect(verdict).toBe('holds')
  })

  test('and cannot be given to that of a promise', async () => {
    const { verdict } = await explore(() => {
      expect(() => Promise.prototype.then.call(Object.create(Promise.resolve()), () => {})).toThrow(TypeError)
    })
    expect(verdict).toBe('holds')
  })
})
