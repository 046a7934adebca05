import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi, type Mock, type MockInstance } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { callEach } from './uninstrumented/calling.ts'
import { outcomes } from './uninstrumented/outcomes.ts'
import { Loaded } from './uninstrumented/stores.ts'

const twice = (act: (i: number) => unknown): Promise<unknown> =>
  Promise.all([1, 2].map(async (i) => {
    await null
    act(i)
  }))

describe('the order of calls is seen, whoever makes them', () => {
  const callers: Record<string, (mock: (i: number) => unknown, i: number) => unknown> = {
    'instrumented code': (mock, i) => mock(i),
    'a built-in': (mock, i) => [i].forEach(mock),
    'code that is not instrumented': (mock, i) => callEach([i], mock),
    'code that is not instrumented, by a function': (mock, i) => callEach([i], (one) => mock(one)),
  }
  for (const [name, call] of Object.entries(callers)) {
    test(name, async () => {
      const { seen } = await outcomes(async () => {
        const mock = vi.fn()
        await twice((i) => call(mock, i))
        return mock.mock.calls.map(([first]) => first as number)
      })
      expect(seen).toEqual(['[1,2]', '[2,1]'])
    })
  }

  test('a mock that is called where it is made, or asked for', async () => {
    const { seen } = await outcomes(async () => {
      const log: number[] = []
      const shared = vi.fn()
      await twice((i) => {
        vi.fn().mockImplementation(() => log.push(i))()
        vi.mocked(shared)(i)
      })
      return [log, shared.mock.calls.flat()]
    })
    expect(seen).toEqual(['[[1,2],[1,2]]', '[[2,1],[2,1]]'])
  })

  test('a method of the console', async () => {
    const { seen } = await outcomes(async () => {
      const mock = (console.debug = vi.fn())
      await twice((i) => console.debug(i))
      return mock.mock.calls.flat()
    })
    expect(seen).toEqual(['[1,2]', '[2,1]'])
  })

  test('how many there are depends on nothing', async () => {
    const { executions } = await outcomes(async () => {
      const mock = vi.fn()
      await twice(mock)
      expect(mock).toHaveBeenCalledTimes(2)
    })
    expect(executions).toBe(1)
  })
})

describe.each(['await', 'event-loop'] as const)("the numbers of calls among those of all mocks, interleave: '%s'", (interleave) => {
  const calls = async (looks: (first: Mock, second: Mock) => unknown) => {
    const first = vi.fn()
    const second = vi.fn()
    await twice((i) => (i === 1 ? first() : second()))
    return looks(first, second)
  }

  test.each<[string, (first: Mock, second: Mock) => unknown]>([
    ['by their lists', (first, second) => first.mock.invocationCallOrder[0]! < second.mock.invocationCallOrder[0]!],
    ['by an assertion', (first, second) => attempt(() => expect(first).toHaveBeenCalledBefore(second))],
  ])('are seen, %s', async (_, looks) => {
    const { seen, verdict } = await outcomes(() => calls(looks), { interleave })
    expect({ seen, verdict }).toEqual({ seen: ['false', 'true'], verdict: 'holds' })
  })

  test('are the same in every execution, and greater than those of older calls', async () => {
    const older = vi.fn()
    older()
    const { seen } = await outcomes(() => calls((first, second) => {
      const [before] = older.mock.invocationCallOrder
      return [first, second].map(({ mock }) => mock.invocationCallOrder[0]! - before!)
    }), { interleave })
    expect(seen).toHaveLength(2)
    expect(Math.min(...(JSON.parse(seen[0]!) as number[]))).toBeGreaterThan(0)
  })

  test('nobody looks: it makes no difference', async () => {
    const { executions } = await outcomes(() => calls((first, second) => [first.mock.calls.length, second.mock.calls.length]), { interleave })
    expect(executions).toBe(interleave === 'await' ? 1 : 3)
  })
})

function attempt(run: () => void): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

describe('what a mock answers', () => {
  test('races with who sets it', async () => {
    const { seen } = await outcomes(async () => {
      const mock = vi.fn(() => 1)
      const set = async (): Promise<void> => {
        await null
        mock.mockReturnValue(2)
      }
      const call = async (): Promise<number> => {
        await null
        return mock()
      }
      return (await Promise.all([set(), call()]))[1]
    })
    expect(seen).toEqual(['1', '2'])
  })

  test('once goes to whoever comes first', async () => {
    const { seen } = await outcomes(async () => {
      const mock = vi.fn().mockReturnValueOnce('first').mockReturnValue('then')
      const call = async (): Promise<string> => {
        await null
        return mock() as string
      }
      return Promise.all([call(), call()])
    })
    expect(seen).toEqual(['["first","then"]', '["then","first"]'])
  })
})

test('spying on a method races with its call', async () => {
  const { seen } = await outcomes(async () => {
    const object = { method: () => 1 }
    const spy = async (): Promise<void> => {
      await null
      vi.spyOn(object, 'method').mockReturnValue(2)
    }
    const call = async (): Promise<number> => {
      await null
      return object.method()
    }
    return (await Promise.all([spy(), call()]))[1]
  })
  expect(seen).toEqual(['1', '2'])
})

describe('each execution finds', () => {
  const mock = vi.fn()
  const service = { load: (id: number) => Promise.resolve(id) }
  /** Hooks find what the plain run has left. */
  let left: unknown[][] = []
  beforeEach(() => {
    left = [['from a hook']]
    mock.mockReset().mockReturnValueOnce('a').mockReturnValueOnce('b').mockReturnValue('c').mockName('older')
    mock('from a hook')
    vi.spyOn(service, 'load').mockResolvedValueOnce(10)
  })
  afterEach(() => {
    expect(mock.mock.calls).toEqual(left)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    expect(vi.isMockFunction(service.load)).toBe(false)
  })

  dporTest('calls and answers of older mocks', async () => {
    const answers: unknown[] = []
    await twice(() => answers.push(mock()))
    expect([answers, mock.mock.calls.length, mock.getMockName()]).toEqual([['b', 'c'], 3, 'older'])
    mock.mockImplementation(() => 'd').mockName('other')
    expect([mock(), await service.load(1), await service.load(1)]).toEqual(['d', 10, 1])
    mock.mockClear()
    left = []
    expect(mock).not.toHaveBeenCalled()
  })

  dporTest('spies that another execution has taken off', { hooks: 'once' }, async () => {
    await twice((i) => mock(i))
    left.push([1], [2])
    expect(vi.isMockFunction(service.load)).toBe(true)
    vi.restoreAllMocks()
    expect(await service.load(3)).toBe(3)
  })

  dporTest('no spies of another execution', async () => {
    const spy = vi.spyOn(console, 'log').mockImplementation(() => {})
    await twice((i) => console.log(i))
    expect(spy.mock.calls.flat().toSorted()).toEqual([1, 2])
  })

  dporTest('no stubs of another execution', async () => {
    const stub = (): unknown => Reflect.get(globalThis, 'stub')
    expect([stub(), process.env['STUB']]).toEqual([undefined, undefined])
    vi.stubGlobal('stub', 1)
    vi.stubEnv('STUB', 'yes')
    const shared = { n: 0 }
    await twice((i) => (shared.n = shared.n * 2 + i))
    expect([stub(), process.env['STUB'], shared.n > 3]).toEqual([1, 'yes', true])
  })
})

describe('a spy that does what it stands for, where a step is an event', () => {
  const tools = { pack: promisify(gzip) }
  let spy: MockInstance

  beforeEach(() => {
    spy = vi.spyOn(tools, 'pack')
  })

  test('is waited for as the original is', async () => {
    const { verdict, standIns } = await explore(async () => {
      expect((await tools.pack('text')).length).toBeGreaterThan(0)
      expect(spy).toHaveBeenCalledTimes(1)
    }, { interleave: 'event-loop' })
    expect({ verdict, standIns }).toEqual({ verdict: 'holds', standIns: [] })
  })

  test('and its answers come in every order', async () => {
    const { seen } = await outcomes(async () => {
      const came: string[] = []
      await Promise.all(['first', 'second'].map((name) => tools.pack(name).then(() => came.push(name))))
      return came
    }, { interleave: 'event-loop' })
    expect(seen).toEqual(['["first","second"]', '["second","first"]'])
  })

  test('also where one takes longer than the other', async () => {
    const { seen } = await outcomes(async () => {
      const came: number[] = []
      await Promise.all([3_000_000, 1].map((length) => tools.pack('x'.repeat(length)).then(() => came.push(length))))
      return came
    }, { interleave: 'event-loop' })
    expect(seen).toEqual(['[1,3000000]', '[3000000,1]'])
  })
})

describe('what a mock calls is told, as it is without the mock', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mocks-'))
  const file = path.join(folder, 'number')
  afterEach(() => {
    vi.restoreAllMocks()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const entry = new Map<string, number>()
  /** Reads, waits, and writes what comes of it: of two such calls both, or only one, may count. */
  const both = async (read: () => number | Promise<number>, write: (n: number) => unknown): Promise<number> => {
    await write(0)
    const add = async (n: number): Promise<void> => {
      await null
      const before = await read()
      await null
      await write(before + n)
    }
    await Promise.all([add(1), add(10)])
    return read()
  }
  const all = ['1', '10', '11']

  test.each([
    ['a method of an object, inherited from the platform', () => {
      const map = new Map<string, number>()
      vi.spyOn(map, 'get')
      vi.spyOn(map, 'set')
      return both(() => map.get('a')!, (n) => map.set('a', n))
    }],
    ['functions of files', () => {
      vi.spyOn(fs.promises, 'readFile')
      vi.spyOn(fs.promises, 'writeFile')
      return both(async () => Number(await fs.promises.readFile(file, 'utf8')), (n) => fs.promises.writeFile(file, String(n)))
    }],
    ['a function of the platform that a mock was made of', () => {
      const [get, set] = [vi.fn(Map.prototype.get), vi.fn(Map.prototype.set)]
      const map = new Map<string, number>()
      return both(() => get.call(map, 'a') as number, (n) => set.call(map, 'a', n))
    }],
    ['one that it was told to call', () => {
      const [get, set] = [vi.fn(), vi.fn().mockImplementation(entry.set.bind(entry))]
      get.mockImplementation(entry.get.bind(entry))
      return both(() => get('a') as number, (n) => set('a', n) as unknown)
    }],
    ['one that it was told to call once', () => {
      const get = vi.fn()
      const map = new Map<string, number>()
      return both(() => get.mockImplementationOnce(Map.prototype.get).call(map, 'a') as number, (n) => map.set('a', n))
    }],
    ['a mock of a mock', () => {
      const map = new Map<string, number>()
      const get = vi.fn(vi.fn(Map.prototype.get))
      return both(() => get.call(map, 'a') as number, (n) => map.set('a', n))
    }],
    ['what opaque code keeps', () => {
      const loaded = new Loaded(0)
      vi.spyOn(loaded, 'get')
      vi.spyOn(loaded, 'set')
      return both(() => loaded.get(), (n) => loaded.set(n))
    }],
  ])('%s', async (_, body) => {
    const { seen, verdict } = await outcomes(body)
    expect({ seen, verdict }).toEqual({ seen: all, verdict: 'holds' })
  })

  test('what it was told to call once is what it shows', () => {
    const once = vi.fn().mockImplementationOnce(Map.prototype.get)
    expect(once.getMockImplementation()).toBe(Map.prototype.get)
    const map = new Map([['a', 1]])
    expect([once.call(map, 'a'), once.call(map, 'a'), once.mock.calls.length]).toEqual([1, undefined, 2])
  })

  dporTest('and written down once for each call', async () => {
    const map = new Map<string, number>()
    const set = vi.spyOn(map, 'set')
    await twice((i) => map.set('a', i))
    expect([set.mock.calls, set.mock.results.map(({ value }) => value as unknown)]).toEqual([expect.arrayContaining([['a', 1], ['a', 2]]), [map, map]])
    expect(set.getMockImplementation()).toBe(undefined)
  })
})

test('what is taken from the results of a mock is what its caller waits for, where a step is an event', async () => {
  const { seen } = await outcomes(async () => {
    const find = vi.fn(async (text: string) => text)
    const shown: string[] = []
    const show = async (text: string): Promise<void> => void shown.push(await find(text))
    const both = ['a', 'b'].map(show)
    await Promise.all(find.mock.results.map(({ value }) => value as Promise<string>))
    const count = shown.length
    await Promise.all(both)
    return count
  }, { interleave: 'event-loop' })
  expect(seen).toEqual(['2'])
})

describe('a spy that an earlier test has left', () => {
  const tools = { pack: () => 1 }

  dporTest('is there', { hooks: 'once' }, async () => {
    vi.spyOn(tools, 'pack')
  })

  dporTest('and has no calls of other executions', async () => {
    const spy = vi.spyOn(tools, 'pack')
    await twice(() => tools.pack())
    expect(spy).toHaveBeenCalledTimes(2)
  })
})

describe.each(['await', 'event-loop'] as const)("a rejection of a mock is heard by the mock itself, interleave: '%s'", (interleave) => {
  const error = new Error('no')
  const mocks: Record<string, () => Mock<() => Promise<unknown>>> = {
    'told to reject': () => vi.fn<() => Promise<unknown>>().mockRejectedValue(error),
    'a function that throws': () =>
      vi.fn(async () => {
        throw error
      }),
    'a function that throws later': () =>
      vi.fn(async () => {
        await null
        throw error
      }),
    'a spy that calls through': () =>
      vi.spyOn(
        {
          load: async (): Promise<unknown> => {
            throw error
          },
        },
        'load',
      ),
  }
  const kinds = async (ask: (mock: () => Promise<unknown>) => unknown, make: () => Mock<() => Promise<unknown>>): Promise<string[]> => {
    const { failures } = await explore(
      async () => {
        ask(make())
        await twice(() => {})
        await new Promise((run) => setImmediate(run))
      },
      { interleave },
    )
    return failures.map(({ kind }) => kind)
  }

  test.each(Object.keys(mocks))('%s', async (name) => {
    expect(await kinds((mock) => mock(), mocks[name]!)).toEqual([])
  })

  test.each(Object.keys(mocks))('%s, but what waits for it is not', async (name) => {
    expect(await kinds(async (mock) => void (await mock()), mocks[name]!)).toEqual(['unhandled-rejection'])
  })

  // Without the mock, the platform would tell of it. Where each `await` is a step, what Vitest itself has rejected counts as handled.
  test.each(Object.keys(mocks).slice(interleave === 'await' ? 1 : 0))('%s, and handled too late', async (name) => {
    const { failures } = await explore(
      async () => {
        const orders = mocks[name]!()()
        await vi.fn(async () => 'ann')()
        await expect(orders).rejects.toBe(error)
      },
      { interleave },
    )
    expect(failures.map(({ kind, error: thrown }) => [kind, thrown])).toEqual([['unhandled-rejection', error]])
  })

  test.each(Object.keys(mocks))('%s, and handled in time', async (name) => {
    expect(await kinds((mock) => void mock().catch(() => {}), mocks[name]!)).toEqual([])
    expect(await kinds((mock) => void Promise.allSettled([mock(), mock()]), mocks[name]!)).toEqual([])
  })
})
