import { describe, expect, test } from 'vitest'
import { explore, io } from 'vitest-dpor'
import { Random } from '../oracle/random.ts'
import { begin, outcome, outcomesInAllOrders, perform, program } from './instrumented/kept-objects.ts'
import { adopt, type Box, bump, bumpAdopted, closedBox, ClosedBox, forget, keep, later, same, sameLater, sum, ticking } from './uninstrumented/keeper.ts'
import { outcomes, type Outcomes } from './uninstrumented/outcomes.ts'

const both = async (first: () => unknown, second: () => unknown): Promise<void> => void (await Promise.all([first, second].map(async (task) => (await null, task()))))

describe('what code that is not instrumented keeps, and the running step has met as the first', () => {
  const bodies: Record<string, readonly [body: () => Promise<unknown>, seen: readonly unknown[]]> = {
    'is changed by call after call, and read by another process': [
      async () => {
        let found = -1
        await both(
          () => (same(), bump(), bump()),
          () => (found = same().n),
        )
        return found
      },
      [0, 2],
    ],
    'is read between two calls': [
      async () => {
        let found: number[] = []
        await both(
          () => {
            const { n } = same()
            bump()
            found = [same().n - n, sum()]
          },
          () => void same().n++,
        )
        return [...found, same().n]
      },
      [
        [1, 1, 2],
        [1, 2, 2],
      ],
    ],
    'leads to something older from one call to the next': [
      async () => {
        const older = { n: 1 }
        await both(
          () => {
            const own: { n: number; ref?: { n: number } } = { n: 0 }
            keep(own)
            bump()
            own.ref = older
            bump()
          },
          () => void older.n++,
        )
        return older.n
      },
      [3, 4],
    ],
    'is what it hands over again after a change by the step itself': [
      async () => {
        let found = -1
        await both(
          () => {
            const own = { n: 0 }
            keep(own)
            bump()
            own.n = 10
            bump()
            return own.n
          },
          () => (found = sum()),
        )
        return found
      },
      [0, 11],
    ],
  }
  for (const [name, [body, seen]] of Object.entries(bodies)) {
    test(name, async () => {
      const fresh = (): Promise<unknown> => (forget(), body())
      expect((await outcomes(fresh)).seen).toEqual(seen.map((value) => JSON.stringify(value)).toSorted())
    })
  }
})

describe('what it has returned, and changes in place later, is read by another process', () => {
  const gets: Record<string, () => Promise<{ n: number }>> = {
    'at once': async () => same(),
    'as a promise': () => sameLater(),
    'by then()': () => sameLater().then((object) => object),
    'in something else': async () => (await Promise.resolve({ object: same() })).object,
  }
  for (const [name, get] of Object.entries(gets)) {
    test.each(['await', 'event-loop'] as const)(`${name}: %s`, async (interleave) => {
      const body = async (): Promise<number> => {
        forget()
        let found = -1
        const reads = async (): Promise<void> => {
          const object = await get()
          await io(Promise.resolve())
          found = object.n
        }
        const changes = async (): Promise<void> => {
          await io(Promise.resolve())
          bump()
        }
        await Promise.all([reads(), changes()])
        return found
      }
      expect((await outcomes(body, { interleave })).seen).toEqual(['0', '1'])
    })
  }
})

describe.each(['await', 'event-loop'] as const)('what it does later, in the step of a timer of its own: %s', (interleave) => {
  test.each(Object.keys(later) as (keyof typeof later)[])('%s', async (name) => {
    const body = async (): Promise<number> => {
      forget()
      const object = same()
      const changes = async (): Promise<void> => {
        await null
        void later[name](10)
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      let found = -1
      const reads = async (): Promise<void> => {
        await null
        for (const time of name === 'twice' ? [9, 1] : [10]) await new Promise((resolve) => setTimeout(resolve, time))
        found = object.n
      }
      await Promise.all([changes(), reads()])
      return found
    }
    expect((await outcomes(body, { interleave })).seen).toEqual(['0', '1'])
  })
})

test('a promise of it is asked for in a later step than that of the call', async () => {
  const body = async (): Promise<number> => {
    forget()
    let found = -1
    const reads = async (): Promise<void> => {
      const promise = sameLater()
      await null
      const object = await promise
      await null
      found = object.n
    }
    const changes = async (): Promise<void> => {
      await null
      bump()
    }
    await Promise.all([reads(), changes()])
    return found
  }
  expect((await outcomes(body)).seen).toEqual(['0', '1'])
})

describe.each([['a class', () => new ClosedBox()], ['closures', closedBox]] as const)('two objects of %s that names no state outside', (_, make) => {
  const run = async (prepare: (one: Box, other: Box) => void, change: (one: Box) => void): Promise<Outcomes> =>
    outcomes(async () => {
      forget()
      const [one, other] = [make(), make()]
      other.put({ n: 1 })
      prepare(one, other)
      let total = 0
      await both(() => change(one), () => (total = other.total()))
      return total
    })

  test('are apart', async () => {
    expect(await run(() => {}, (one) => one.bump())).toMatchObject({ seen: ['1'], executions: 1 })
  })

  const joined: Record<string, [prepare: (one: Box, other: Box) => void, change: (one: Box) => void]> = {
    'one has got the other': [(one, other) => one.link({ box: other }), (one) => one.bumpOther()],
    'a function of the module has got it': [(_one, other) => adopt(other), () => bumpAdopted()],
    'a function of the module is put into one': [(one, other) => (adopt(other), (one.bumpOther = bumpAdopted)), (one) => one.bumpOther()],
    'a function of the other is put into one': [(one, other) => (one.bump = other.bump.bind(other)), (one) => one.bump()],
    'both have got one object': [(one, other) => one.put(other.first()!), (one) => one.bump()],
  }
  test.each(Object.entries(joined))('are not where %s', async (_name, [prepare, change]) => {
    expect((await run(prepare, change)).seen).toHaveLength(2)
  })
})

test('what a call has made and a timer of that call changes', async () => {
  const body = async (): Promise<number> => {
    const made: { n: number }[] = []
    let found = -1
    const makes = async (): Promise<void> => {
      await null
      made.push(ticking())
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    const reads = async (): Promise<void> => {
      await null
      await new Promise((resolve) => setTimeout(resolve, 10))
      found = made[0]!.n
    }
    await Promise.all([makes(), reads()])
    return found
  }
  expect((await outcomes(body)).seen).toEqual(['0', '1'])
})

test('the verdict says where more is in its hands than is compared', async () => {
  const hold = async (count: number): Promise<unknown> => {
    const { opaque } = await explore(async () => {
      forget()
      for (let i = 0; i < count; i++) keep({ n: i })
      bump()
    })
    return opaque.map(({ isPartial }) => isPartial)
  }
  expect(await hold(10)).toEqual([])
  expect(await hold(1100)).toEqual([true, true, true])
})

test('random programs have the outcomes of all orders of their steps', async () => {
  const random = new Random(20)
  for (let i = 0; i < 30; i++) {
    const processes = program(random)
    const body = async (): Promise<unknown> => {
      const state = begin()
      const run = async (process: number): Promise<void> => {
        for (const step of processes[process]!) {
          await null
          perform(state, process, step)
        }
      }
      await Promise.all(processes.map((_, process) => run(process)))
      return outcome(state)
    }
    const { seen, verdict } = await outcomes(body)
    expect({ verdict, seen }, JSON.stringify(processes)).toEqual({ verdict: 'holds', seen: outcomesInAllOrders(processes) })
  }
}, 120_000)
