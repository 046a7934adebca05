import { describe, expect, test } from 'vitest'
import { outcomes } from './uninstrumented/outcomes.ts'

/** What the second task finds while the first one asserts something. */
async function finding(assert: () => unknown, find: () => unknown, interleave: 'await' | 'event-loop'): Promise<string[]> {
  const { seen } = await outcomes(
    async () => {
      await null
      let found
      const asserting = async () => {
        await null
        assert()
      }
      const looking = async () => {
        await null
        found = find()
      }
      await Promise.all([asserting(), looking()])
      return found
    },
    { interleave },
  )
  return seen
}

test('as long as nobody looks, assertions share nothing', async () => {
  const asserting = async () => {
    await null
    expect(1).toBe(1)
    await null
    expect(2).toBe(2)
  }
  const { executions, verdict } = await outcomes(
    () => Promise.all([asserting(), asserting()]),
    { equivalence: 'trace' },
  )
  expect({ executions, verdict }).toEqual({ executions: 1, verdict: 'holds' })
})

describe.each(['await', 'event-loop'] as const)('what expect keeps of itself is read by another task: %s', (interleave) => {
  test.for<[string, () => unknown, () => unknown]>([
    ['a literal', () => expect(1).toBe(1), () => expect.getState().assertionCalls],
    ['expect.soft', () => expect.soft(1).toBe(1), () => expect.getState().assertionCalls],
    ['expect is handed over', () => [1].forEach(expect as never), () => expect.getState().assertionCalls],
    ['by a pattern', () => expect(1).toBe(1), () => {
      const { assertionCalls } = expect.getState()
      return assertionCalls
    }],
    ['all of it', () => expect(1).toBe(1), () => ({ ...expect.getState() }).assertionCalls],
    ['by another name', () => expect(1).toBe(1), () => {
      const another = expect
      return another.getState().assertionCalls
    }],
  ])('%s', async ([, assert, find]) => {
    expect(await finding(assert, find, interleave)).toEqual(['0', '1'])
  })

  test('what a test has put there itself, which each execution finds gone', async () => {
    const seen = await finding(
      () => expect.setState({ ofTest: 1 } as object),
      () => (expect.getState() as { readonly ofTest?: number }).ofTest ?? 0,
      interleave,
    )
    expect(seen).toEqual(['0', '1'])
    expect(expect.getState()).not.toHaveProperty('ofTest')
  })

  test('the state is looked at by who has asked for it before', async () => {
    const state = expect.getState()
    expect(await finding(() => expect(1).toBe(1), () => state.assertionCalls, interleave)).toHaveLength(2)
  })
})

describe.each(['await', 'event-loop'] as const)('what is added to expect by one task is found by another: %s', (interleave) => {
  interface Added {
    toBeAdded(): void
  }
  /** The serializer that was added. */
  let isAsked = false
  const passes = (assert: () => void): boolean => {
    try {
      assert()
      return true
    } catch {
      return false
    }
  }

  test.each<[string, () => unknown, () => unknown]>([
    ['a matcher', () => expect.extend({ toBeAdded: () => ({ pass: true, message: () => '' }) }), () => passes(() => (expect(1) as unknown as Added).toBeAdded())],
    ['a matcher that stands for another one', () => expect.extend({ toBeNull: () => ({ pass: true, message: () => '' }) }), () => passes(() => expect(1).toBeNull())],
    ['what writes snapshots', () => expect.addSnapshotSerializer({ test: (value) => !(isAsked ||= value === 'own'), serialize: String }), () => {
      isAsked = false
      expect('own').toMatchInlineSnapshot(`"own"`)
      return isAsked
    }],
    ['what makes things equal', () => expect.addEqualityTesters([() => true]), () => passes(() => expect(1).toEqual(2))],
  ])('%s, and is gone after each execution', async (_, add, find) => {
    expect(await finding(add, find, interleave)).toEqual(['false', 'true'])
    expect(find()).toBe(false)
  })
})
