import { expect, test } from 'vitest'
import { exploreBody } from '../../src/testing/explored-body.ts'

/** Of one process, timers of one length fire in the order in which they were set. */
async function inOrder(): Promise<void> {
  const log: string[] = []
  setTimeout(() => log.push('first'), 10)
  await new Promise<void>((done) => setTimeout(done, 10))
  expect(log).toEqual(['first'])
}

/** These may come either way. */
async function inAnyOrder(): Promise<void> {
  const log: string[] = []
  await Promise.all(['first', 'second'].map(async (name) => (await null, log.push(name))))
  expect(log).toEqual(['first', 'second'])
}

test.each(['await', 'event-loop'] as const)("by '%s' an order that has failed before fails again only where it is possible", async (interleave) => {
  for (const knownFailure of ['0.2.1', '0.2.1.0', '0.2.0.1', '0.2.0']) {
    const { result } = await exploreBody(inOrder, { interleave, knownFailure })
    expect([knownFailure, result.verdict]).toEqual([knownFailure, 'holds'])
  }
})

test.each(['0.2.0.1', '0.2.1.0', '0.1.2.0'])('nor does %s fail, where what is awaited comes of the promise that has the reaction', async (knownFailure) => {
  const { result } = await exploreBody(async () => {
    let hasReacted = false
    const promise = (async () => void (await null))()
    void promise.then(() => {
      hasReacted = true
    })
    // oxlint-disable-next-line unicorn/no-single-promise-in-promise-methods
    await Promise.all([promise])
    expect(hasReacted).toBe(true)
  }, { interleave: 'await', knownFailure })
  expect(result.verdict).toBe('holds')
})

test('one that still fails is found right after the plain run', async () => {
  const { result } = await exploreBody(inAnyOrder, {})
  expect(result.verdict).toBe('fails')
  const again = await exploreBody(inAnyOrder, { knownFailure: result.failures[0]!.schedule })
  expect(again.result).toMatchObject({ verdict: 'fails', executions: 2 })
})
