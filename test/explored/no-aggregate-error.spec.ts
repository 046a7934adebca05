import { afterAll, beforeAll, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

/** A program may take `AggregateError` away, as the tests of what stands for it do. */
const own = Object.getOwnPropertyDescriptor(globalThis, 'AggregateError')!

beforeAll(() => {
  Object.defineProperty(globalThis, 'AggregateError', { value: undefined, configurable: true, writable: true })
})

afterAll(() => {
  Object.defineProperty(globalThis, 'AggregateError', own)
})

test.each(['await', 'event-loop'] as const)("by '%s' all else goes on without it", async (interleave) => {
  const body = async (): Promise<void> => {
    const made = new Map([[1, new Error('made')]])
    const error: unknown = await Promise.any([Promise.reject(made.get(1)!), Promise.reject(new Error('late'))]).catch((reason: unknown) => reason)
    if ((error as AggregateError).errors.length !== 2) throw error
  }
  const { verdict, failures } = await explore(body, { interleave })
  expect([verdict, failures.map(({ error }) => String(error))]).toEqual(['holds', []])
})
