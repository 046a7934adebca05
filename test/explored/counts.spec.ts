import { describe, expect, test } from 'vitest'
import { explore, type Tasks } from 'vitest-dpor'

// Counts are those of classes in which every change has its place.
/** `tasks(n)` makes n equal tasks; the invariant says how many increments must have arrived. */
async function counts<S>(subject: Tasks<S>) {
  const { verdict, executions, blocked, failures } = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
  return { verdict, executions, blocked, failing: failures.length }
}

function times<T>(n: number, make: (index: number) => T): T[] {
  return Array.from({ length: n }, (_, index) => make(index))
}

interface Place {
  name: string
  /** n tasks: read, await, write. */
  split: (n: number) => Tasks
  /** n tasks: one increment. */
  atomic: (n: number) => Tasks
  /** n tasks that touch a place each. */
  disjoint: (n: number) => Tasks
}

class Private {
  #n = 0
  static total = 0
  async split() {
    const v = this.#n
    await null
    this.#n = v + 1
  }
  atomic() {
    this.#n++
  }
  get n() {
    return this.#n
  }
  set n(value) {
    this.#n = value
  }
}

const places: Place[] = [
  {
    name: 'a property',
    split: (n) => ({
      setup: () => ({ n: 0 }),
      tasks: times(n, () => async (c: { n: number }) => {
        const v = c.n
        await null
        c.n = v + 1
      }),
      invariant: (c) => c.n === n,
    }),
    atomic: (n) => ({
      setup: () => ({ n: 0 }),
      tasks: times(n, () => async (c: { n: number }) => {
        c.n += 1
      }),
      invariant: (c) => c.n === n,
    }),
    disjoint: (n) => ({
      setup: () => ({}) as Record<string, number>,
      tasks: times(n, (i) => async (c: Record<string, number>) => {
        const v = c[`k${i}`] ?? 0
        await null
        c[`k${i}`] = v + 1
      }),
    }),
  },
  {
    name: 'a closure variable',
    split: (n) => {
      let count = 0
      return {
        setup: () => {
          count = 0
        },
        tasks: times(n, () => async () => {
          const v = count
          await null
          count = v + 1
        }),
        invariant: () => count === n,
      }
    },
    atomic: (n) => {
      let count = 0
      return {
        tasks: times(n, () => async () => {
          count++
        }),
        invariant: () => count === n,
      }
    },
    disjoint: (n) => ({
      tasks: times(n, () => {
        let own = 0
        return async () => {
          const v = own
          await null
          own = v + 1
        }
      }),
    }),
  },
  {
    name: 'a Map entry',
    split: (n) => ({
      setup: () => new Map([['n', 0]]),
      tasks: times(n, () => async (map: Map<string, number>) => {
        const v = map.get('n')!
        await null
        map.set('n', v + 1)
      }),
      invariant: (map) => map.get('n') === n,
    }),
    atomic: (n) => ({
      setup: () => new Map([['n', 0]]),
      tasks: times(n, () => async (map: Map<string, number>) => {
        map.set('n', map.get('n')! + 1)
      }),
      invariant: (map) => map.get('n') === n,
    }),
    disjoint: (n) => ({
      setup: () => new Map<number, number>(),
      tasks: times(n, (i) => async (map: Map<number, number>) => {
        const v = map.get(i) ?? 0
        await null
        map.set(i, v + 1)
      }),
      invariant: (map) => map.size === n,
    }),
  },
  {
    name: 'an array element',
    split: (n) => ({
      setup: () => [0],
      tasks: times(n, () => async (list: number[]) => {
        const v = list[0]!
        await null
        list[0] = v + 1
      }),
      invariant: (list) => list[0] === n,
    }),
    atomic: (n) => ({
      setup: () => [0],
      tasks: times(n, () => async (list: number[]) => {
        list[0]!++
      }),
      invariant: (list) => list[0] === n,
    }),
    disjoint: (n) => ({
      setup: () => times(n, () => 0),
      tasks: times(n, (i) => async (list: number[]) => {
        const v = list[i]!
        await null
        list[i] = v + 1
      }),
    }),
  },
  {
    name: 'a private field',
    split: (n) => ({
      setup: () => new Private(),
      tasks: times(n, () => (c: Private) => c.split()),
      invariant: (c) => c.n === n,
    }),
    atomic: (n) => ({
      setup: () => new Private(),
      tasks: times(n, () => (c: Private) => c.atomic()),
      invariant: (c) => c.n === n,
    }),
    disjoint: (n) => ({
      setup: () => times(n, () => new Private()),
      tasks: times(n, (i) => (list: Private[]) => list[i]!.split()),
    }),
  },
  {
    name: 'a getter and a setter',
    split: (n) => ({
      setup: () => new Private(),
      tasks: times(n, () => async (c: Private) => {
        const v = c.n
        await null
        c.n = v + 1
      }),
      invariant: (c) => c.n === n,
    }),
    atomic: (n) => ({
      setup: () => new Private(),
      tasks: times(n, () => async (c: Private) => {
        c.n += 1
      }),
      invariant: (c) => c.n === n,
    }),
    disjoint: (n) => ({
      setup: () => times(n, () => new Private()),
      tasks: times(n, (i) => async (list: Private[]) => {
        list[i]!.n++
      }),
    }),
  },
  {
    name: 'a static',
    split: (n) => ({
      setup: () => {
        Private.total = 0
      },
      tasks: times(n, () => async () => {
        const v = Private.total
        await null
        Private.total = v + 1
      }),
      invariant: () => Private.total === n,
    }),
    atomic: (n) => ({
      tasks: times(n, () => async () => {
        Private.total += 1
      }),
      invariant: () => Private.total === n,
    }),
    disjoint: (n) => ({
      tasks: times(n, (i) => {
        class Own {
          static total = i
        }
        return async () => {
          const v = Own.total
          await null
          Own.total = v + 1
        }
      }),
    }),
  },
]

describe.each(places)('$name', ({ name, split, atomic, disjoint }) => {
  // (N!)^2 orders of N reads and N writes; only the N! serial ones keep every increment.
  test.each([
    [2, 4, 2],
    [3, 36, 30],
    [4, 576, 552],
  ])('%i tasks that read, await and write: %i executions, %i fail', async (n, executions, failing) => {
    expect(await counts(split(n))).toEqual({ verdict: 'fails', executions, blocked: expect.any(Number), failing })
  })

  test.each([
    [2, 2],
    [3, 6],
    [4, 24],
  ])('%i tasks that increment at once: %i executions, none fails', async (n, executions) => {
    expect(await counts(atomic(n))).toEqual({ verdict: 'holds', executions, blocked: 0, failing: 0 })
  })

  // Closures of one class text are one identity: statics of equal classes are merged.
  test.skipIf(name === 'a static')('tasks on places of their own: 1 execution', async () => {
    expect(await counts(disjoint(5))).toEqual({ verdict: 'holds', executions: 1, blocked: 0, failing: 0 })
  })

  test('one writer and N readers: 2^N executions', async () => {
    const n = 4
    const subject: Tasks<{ n: number }> = {
      setup: () => ({ n: 0 }),
      tasks: [
        async (c) => {
          c.n = 1
        },
        ...times(n, () => async (c: { n: number }) => c.n),
      ],
    }
    expect(await counts(subject)).toEqual({ verdict: 'holds', executions: 2 ** n, blocked: 0, failing: 0 })
  })
})

describe('bookkeeping makes no dependence', () => {
  test('N calls on disjoint state, joined by Promise.all: 1 execution', async () => {
    const result = await explore(async () => {
      const accounts = times(5, () => ({ n: 0 }))
      const work = async (account: { n: number }) => {
        const v = account.n
        await null
        account.n = v + 1
        return account.n
      }
      const all = await Promise.all(accounts.map((account) => work(account)))
      expect(all).toEqual([1, 1, 1, 1, 1])
    })
    expect(result).toMatchObject({ verdict: 'holds', executions: 1, blocked: 0 })
  })

  test('N calls that write disjoint keys of one Map: 1 execution', async () => {
    const result = await explore(async () => {
      const map = new Map<number, number>()
      await Promise.all(
        times(4, async (i) => {
          await null
          map.set(i, i)
        }),
      )
      expect(map.size).toBe(4)
    })
    expect(result).toMatchObject({ verdict: 'holds', executions: 1, blocked: 0 })
  })

  test('N calls that sleep on disjoint state: 1 execution', async () => {
    const result = await explore(async () => {
      const done = times(3, () => ({ at: 0 }))
      await Promise.all(
        done.map(async (own) => {
          await new Promise((resolve) => setTimeout(resolve, 10))
          own.at = Date.now()
        }),
      )
      expect(done[0]!.at).toBe(done[2]!.at)
    })
    expect(result).toMatchObject({ verdict: 'holds', executions: 1, blocked: 0 })
  })
})
