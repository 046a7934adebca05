import { describe, expect, test } from 'vitest'
import { bump, forget, keep, same, sum } from './uninstrumented/keeper.ts'
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
