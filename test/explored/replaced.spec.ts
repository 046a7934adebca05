// oxlint-disable no-extend-native
import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { explore } from '../../src/index.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Two tasks: one replaces, one calls. */
const both = (change: () => unknown, look: () => unknown) => async () => {
  let seen: unknown
  await Promise.all([
    (async () => {
      await null
      change()
    })(),
    (async () => {
      await null
      seen = look()
    })(),
  ])
  return seen
}

describe('functions of the platform that a body replaces', () => {
  test('a spy that comes while another task calls: both orders', async () => {
    const result = await outcomes(both(() => vi.spyOn(Math, 'max').mockReturnValue(42), () => Math.max(1, 2)))
    expect(result).toEqual({ verdict: 'holds', executions: 2, seen: ['2', '42'] })
    expect(Math.max(1, 2)).toBe(2)
  })

  test('each execution finds what the first one found', async () => {
    const body = async (): Promise<void> => {
      await both(() => (JSON.parse = () => 42), () => JSON.parse('1'))()
    }
    expect(await explore(body)).toMatchObject({ verdict: 'holds', executions: 2 })
    expect(JSON.parse('1')).toBe(1)
  })

  test('errors that a step puts something else in the place of, and puts back, are what they are for all others', async () => {
    const found = globalThis.Error
    const result = await outcomes(
      both(
        () => {
          globalThis.Error = class extends found {
            override name = 'Replaced'
          } as ErrorConstructor
          const { name } = new Error()
          globalThis.Error = found
          return name
        },
        () => new Error().name,
      ),
    )
    expect(result).toEqual({ verdict: 'holds', executions: 1, seen: ['"Error"'] })
  })

  test('the type of what a body takes away can be asked for', async () => {
    const result = await outcomes(both(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'), () => typeof BroadcastChannel))
    expect(result).toEqual({ verdict: 'holds', executions: 2, seen: ['"function"', '"undefined"'] })
    expect(typeof BroadcastChannel).toBe('function')
  })

  test.for(['AbortController', 'AbortSignal', 'Event', 'EventTarget', 'URL', 'WeakRef'] as const)('a body that has no %s uses what it has of that', async (name) => {
    const { AbortController, Event, EventTarget, URL, WeakRef } = globalThis
    const result = await outcomes(async () => {
      vi.stubGlobal(name, undefined)
      const seen: unknown[] = []
      const controller = new AbortController()
      controller.signal.addEventListener('abort', () => seen.push('aborted'))
      const target = new WeakRef(new EventTarget()).deref()!
      target.addEventListener('told', () => seen.push('told'))
      await both(() => target.dispatchEvent(new Event('told')), () => controller.abort())()
      setMaxListeners(5, target)
      seen.push(existsSync(new URL(import.meta.url)))
      vi.unstubAllGlobals()
      return seen
    })
    expect(result).toEqual({ verdict: 'holds', executions: 2, seen: ['["aborted","told",true]', '["told","aborted",true]'] })
  })
})

const list = (): unknown[] => []

class Longer extends Array<number> {}

/** What the runtime works with itself: who replaces it, who looks, and what is seen in both orders. */
const tools: Record<string, readonly [change: () => unknown, look: () => unknown, before: unknown, after: unknown]> = {
  'Map.prototype.get': [() => (Map.prototype.get = () => 42), () => new Map([[1, 2]]).get(1), 2, 42],
  'Map.prototype.set, which the constructor calls': [() => (Map.prototype.set = () => new Map()), () => new Map([[1, 2]]).size, 1, 0],
  'WeakMap.prototype.has': [() => (WeakMap.prototype.has = () => true), () => new WeakMap().has({}), false, true],
  'Array.prototype.push': [() => (Array.prototype.push = () => 42), () => list().push(1), 1, 42],
  'Array.prototype.at, which a spy replaces': [() => vi.spyOn(Array.prototype, 'at').mockReturnValue(42), () => [1].at(0), 1, 42],
  'Set.prototype.size': [() => Object.defineProperty(Set.prototype, 'size', { get: () => 42, configurable: true }), () => new Set().size, 0, 42],
  'Function.prototype.call': [() => Object.assign(Function.prototype, { call: () => 42 }), () => Reflect.get(Math.max, 'call').length, 1, 0],
  'Array.prototype[Symbol.iterator], removed': [
    () => Reflect.deleteProperty(Array.prototype, Symbol.iterator),
    () => {
      try {
        const pair = [1, 2]
        return Math.max(...pair)
      } catch {
        return 'none'
      }
    },
    2,
    'none',
  ],
  'Array.prototype[Symbol.iterator], another one': [
    () => (Array.prototype[Symbol.iterator] = function* () { yield 42 } as never),
    () => {
      const [first] = [1, 2]
      return first
    },
    1,
    42,
  ],
  'next of arrays': [
    () => (Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })),
    () => {
      let sum = 0
      for (const n of [1, 2]) sum += n
      return sum
    },
    3,
    0,
  ],
  'Array[Symbol.species]': [() => Object.defineProperty(Array, Symbol.species, { get: () => Longer, configurable: true }), () => [1].slice() instanceof Longer, false, true],
  'Array.prototype[7]': [() => Object.defineProperty(Array.prototype, 7, { get: () => 42, set() {}, configurable: true }), () => list()[7] ?? 'none', 'none', 42],
  'Array.prototype[0], found by a method': [() => (Array.prototype[0] = 42), () => Array(1).map((n) => n)[0] ?? 'none', 'none', 42],
  'Object.prototype[0]': [() => Object.assign(Object.prototype, { 0: 42 }), () => Reflect.get({}, 0) ?? 'none', 'none', 42],
  'Object.prototype.get': [() => Object.assign(Object.prototype, { get: () => 42 }), () => 'get' in {}, false, true],
  'length of typed arrays': [() => Object.defineProperty(Int32Array.prototype, 'length', { get: () => 42, configurable: true }), () => new Int32Array(1).length, 1, 42],
  'length of typed arrays, defined for good': [() => Object.defineProperty(Int32Array.prototype, 'length', { get: () => 42 }), () => new Int32Array(1).length, 1, 42],
  'globalThis.TypeError': [() => vi.stubGlobal('TypeError', class {}), () => new TypeError() instanceof Error, true, false],
  'globalThis.AggregateError, taken away': [() => (globalThis.AggregateError = undefined!), () => typeof AggregateError, 'function', 'undefined'],
  'globalThis.Map': [() => vi.stubGlobal('Map', Set), () => new Map() instanceof Set, false, true],
}

describe.each(['await', 'event-loop'] as const)("functions of the platform that a hook has replaced, interleave: '%s'", (interleave) => {
  const random = Math.random
  beforeEach(() => {
    vi.spyOn(Date, 'now').mockImplementation(() => 5)
    vi.spyOn(performance, 'now').mockReturnValue(42)
    vi.spyOn(globalThis, 'setTimeout')
    Math.random = () => 0.25
  })
  afterEach(() => {
    vi.restoreAllMocks()
    Math.random = random
  })

  test('are what the body finds', async () => {
    const result = await outcomes(
      async () => {
        await null
        return [Date.now(), performance.now(), Math.random(), vi.mocked(Date.now).mock.calls.length]
      },
      { interleave },
    )
    expect(result).toMatchObject({ verdict: 'holds', seen: ['[5,42,0.25,1]'] })
  })

  test('spies that do what they stand for call what is controlled', async () => {
    const result = await outcomes(
      async () => {
        await new Promise((done) => setTimeout(done, 3_600_000))
        return vi.mocked(setTimeout).mock.calls.length
      },
      { interleave },
    )
    expect(result).toMatchObject({ verdict: 'holds', seen: ['1'] })
    expect(vi.mocked(setTimeout).getMockImplementation()).toBe(undefined)
  })
})

describe('what the runtime works with itself a body may replace as well', () => {
  test.each(Object.entries(tools))('%s: both orders, and all is put back', async (_name, [change, look, before, after]) => {
    const { verdict, seen } = await outcomes(both(change, look))
    expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: [before, after].map((value) => JSON.stringify(value)).toSorted() })
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    expect(look()).toBe(before)
  })

  test.each(Object.entries(tools))('%s: seen at once, where a step is an event too', async (_name, [change, look, , after]) => {
    const keeps = async (): Promise<void> => {
      change()
      const value = look()
      if (value !== after) throw new Error(`found ${String(value)}`)
    }
    expect(await explore(keeps, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds', executions: 1 })
    const keepsOn = async (): Promise<void> => {
      change()
      await null
      if (look() !== after) throw new Error('found another one after an await')
      await new Promise((resolve) => setTimeout(resolve, 1))
      await Promise.resolve().then(() => {
        if (look() !== after) throw new Error('found another one in a reaction')
      })
      if (look() !== after) throw new Error('found another one after a timer')
    }
    expect(await explore(keepsOn, { interleave: 'event-loop' })).toMatchObject({ verdict: 'holds' })
    expect(await explore(keepsOn)).toMatchObject({ verdict: 'holds', executions: 1 })
    expect(await explore(keeps)).toMatchObject({ verdict: 'holds', executions: 1 })
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  test('a lost update is found in spite of it, and told', async () => {
    const body = async (): Promise<void> => {
      const account = { balance: 100 }
      const pay = async (): Promise<void> => {
        const { balance } = account
        await null
        account.balance = balance - 10
      }
      Array.prototype[3] = 42 as never
      Map.prototype.get = () => undefined
      await Promise.all([pay(), pay()])
      if (account.balance !== 80) throw new Error(`${account.balance}`)
    }
    const { verdict, failures } = await explore(body)
    expect({ verdict, errors: failures.map(({ error }) => (error as Error).message) }).toEqual({ verdict: 'fails', errors: ['90'] })
  })

  test('then of promises, which those of the package itself are not asked for', async () => {
    const body = async (): Promise<void> => {
      let calls = 0
      const { then } = Promise.prototype
      // oxlint-disable-next-line no-thenable -- as the body has it
      Promise.prototype.then = function (this: Promise<unknown>, ...args: unknown[]) {
        calls++
        return Reflect.apply(then, this, args) as Promise<never>
      } as never
      const own = Promise.resolve(1)
      calls = 0
      await own.then((n) => n + 1)
      if (calls !== 1) throw new Error(`called ${calls} times`)
    }
    expect(await explore(body)).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('an async generator, a timer and an emptied list in between', async () => {
    const body = async (): Promise<unknown> => {
      Array.prototype[Symbol.iterator] = function* () { yield 7 } as never
      Array.prototype[0] = 8 as never
      async function* numbers(): AsyncGenerator<number> {
        yield [1, 2][1]!
        await new Promise<void>((resolve) => setTimeout(resolve, 5))
        for (const n of [1, 2, 3]) yield n
      }
      let text = ''
      for await (const n of numbers()) text += n
      return `${text} ${list()[0]}`
    }
    expect(await outcomes(body)).toEqual({ verdict: 'holds', executions: 1, seen: ['"27 8"'] })
  })
})

test.each(['await', 'event-loop'] as const)("a failure of a body that calls functions of its own from then on is one of the body, by '%s'", async (interleave) => {
  const body = async (): Promise<void> => {
    const { indexOf, includes } = Array.prototype
    const put = (name: 'indexOf' | 'includes', method: (...args: any[]) => any) => void (Array.prototype[name] = function (this: unknown[], ...args: unknown[]) { return method.apply(this, args) as never } as never)
    put('indexOf', indexOf)
    put('includes', includes)
    const state = { n: 0 }
    const answer = vi.fn(async (n: number) => n)
    const add = async (): Promise<void> => {
      const { n } = state
      state.n = await answer(n + 1)
    }
    await Promise.all([add(), add()])
    expect(state.n).toBe(2)
  }
  expect(await explore(body, { interleave })).toMatchObject({ verdict: 'fails', failures: [{ error: { message: expect.stringContaining('expected 1 to be 2') } }] })
})
