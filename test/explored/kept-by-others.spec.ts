import { describe, expect, test } from 'vitest'
import { io } from 'vitest-dpor'
import { Random } from '../oracle/random.ts'
import { begin, outcome, outcomesInAllOrders, perform, program } from './instrumented/kept-objects.ts'
import { bump, forget, keep, same, sameLater, sum } from './uninstrumented/keeper.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

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
      fresh.toString = () => body.toString()
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

test('random programs have the outcomes of all orders of their steps', async () => {
  const random = new Random(20)
  for (let i = 0; i < 60; i++) {
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
