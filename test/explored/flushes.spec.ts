import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** As test utilities have it. */
const flush = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const options = { interleave: 'event-loop' } as const

describe('a turn of the event loop that the test itself awaits comes after all that is under way', () => {
  const ways: Record<string, () => Promise<unknown>> = { flush, 'timers/promises': () => turn(), promisify: promisify(setImmediate) }
  test.each(Object.entries(ways))('%s', async (_name, wait) => {
    const body = async () => {
      const answer = vi.fn(async (n: number) => n)
      const seen: number[] = []
      const ask = async (n: number) => void seen.push(await answer(n))
      void ask(1)
      void ask(2)
      await wait()
      return seen.join()
    }
    expect((await outcomes(body, options)).seen).toEqual(['"1,2"', '"2,1"'])
  })

  test('before any time passes', async () => {
    const body = async () => {
      const seen: string[] = []
      setTimeout(() => seen.push('timer'), 0)
      await flush()
      return seen
    }
    expect((await outcomes(body, options)).seen).toEqual(['[]'])
  })

  describe('with fake timers', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    test('which the test has moved', async () => {
      const body = async () => {
        const answer = vi.fn(async (n: number) => {
          await new Promise((resolve) => setTimeout(resolve, 100))
          return n
        })
        const seen: number[] = []
        void answer(1).then((n) => seen.push(n))
        vi.advanceTimersByTime(100)
        await flush()
        return seen
      }
      expect((await outcomes(body, options)).seen).toEqual(['[1]'])
    })
  })
})

describe('any other comes when it comes', () => {
  test('of a fake, whose answer takes its time', async () => {
    const body = async () => {
      const slow = async (n: number) => {
        await flush()
        return n
      }
      const answer = vi.fn(async (n: number) => n)
      const seen: number[] = []
      await Promise.all([slow(1).then((n) => seen.push(n)), answer(2).then((n) => seen.push(n))])
      return seen
    }
    expect((await outcomes(body, options)).seen).toEqual(['[1,2]', '[2,1]'])
  })

  test('of a callback that does something', async () => {
    const body = async () => {
      const answer = vi.fn(async () => {})
      const seen: string[] = []
      const told = new Promise<void>((resolve) => setImmediate(() => { seen.push('told'); resolve() }))
      await Promise.all([told, answer().then(() => seen.push('answer'))])
      return seen
    }
    expect((await outcomes(body, options)).seen).toEqual(['["answer","told"]', '["told","answer"]'])
  })
})

describe('one microtask that the test itself lets pass is one', () => {
  const later = (seen: string[]): void => void Promise.resolve().then(() => {}).then(() => {}).then(() => seen.push('later'))

  test('whatever time an `await` takes in a fake', async () => {
    const body = async () => {
      const seen: string[] = []
      later(seen)
      await Promise.resolve()
      return seen
    }
    expect((await outcomes(body, options)).seen).toEqual(['[]'])
  })

  test('what a fake does so takes its time', async () => {
    const body = async () => {
      const seen: string[] = []
      const fake = async () => {
        await Promise.resolve()
        return [...seen]
      }
      later(seen)
      return await fake()
    }
    expect((await outcomes(body, options)).seen).toEqual(['["later"]', '[]'])
  })

  test('an answer does not come within it', async () => {
    const body = async () => {
      const answer = vi.fn(async () => 1)
      const seen: number[] = []
      void answer().then((n) => seen.push(n))
      await Promise.resolve()
      await Promise.resolve()
      const early = [...seen]
      await flush()
      return [early, seen]
    }
    expect((await outcomes(body, options)).seen).toEqual(['[[1],[1]]', '[[],[1]]'])
  })

  test('a loop that lets microtasks pass until something has come lets that come', async () => {
    const body = async () => {
      const answer = vi.fn(async () => 1)
      const got: number[] = []
      void answer().then((n) => got.push(n))
      while (got.length === 0) await Promise.resolve()
      return got
    }
    expect((await outcomes(body, options)).seen).toEqual(['[1]'])
  })

  test('a value that is awaited stands for an answer as ever', async () => {
    const body = async () => {
      const seen: string[] = []
      later(seen)
      await Promise.resolve(1)
      return seen
    }
    expect((await outcomes(body, options)).seen).toEqual(['["later"]', '[]'])
  })
})
