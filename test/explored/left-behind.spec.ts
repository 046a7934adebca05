import { afterEach, describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

/** Two tasks that get in each other's way: several executions. */
const twice = async (change: (i: number) => unknown) => {
  await Promise.all([1, 2].map(async (i) => (await null, change(i))))
}

describe('what the plain run of a test leaves behind', () => {
  const log: number[] = []
  let counter: { next(): number } | undefined
  let expected: number[] = []

  /** With variables of its own, which later tests find as they were left. */
  function makeCounter() {
    let isUsed = false
    let count = 0
    return {
      next() {
        if (!isUsed) isUsed = true
        return ++count
      },
    }
  }

  afterEach(() => {
    expect(log).toEqual(expected)
  })

  dporTest('hooks find it', { hooks: 'once' }, async () => {
    await twice((i) => log.push(i))
    expect(log.length).toBe(2)
    counter = makeCounter()
    counter.next()
    expected = [1, 2]
  })

  dporTest('and the next test does, in each of its executions', async () => {
    const seen: number[] = []
    expect(log).toEqual([1, 2])
    await twice(() => seen.push(counter!.next()))
    expect(seen.toSorted()).toEqual([2, 3])
  })

  test('and one that does not explore', () => {
    expect(counter!.next()).toBe(4)
  })
})

test('an exploration without a test around it leaves nothing', async () => {
  const log: number[] = []
  expect(await explore(() => twice((i) => log.push(i)))).toMatchObject({ verdict: 'holds' })
  expect(log).toEqual([])
})

describe('what fails leaves nothing', () => {
  const log: number[] = []
  dporTest.fails('in some order', async () => {
    await twice((i) => log.push(i))
    expect(log).toEqual([1, 2])
  })
  test('that anybody finds', () => expect(log).toEqual([]))
})
