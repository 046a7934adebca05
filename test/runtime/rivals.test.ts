import { describe, expect, test } from 'vitest'
import type { Asked } from '../../src/runtime/drivers/asked.ts'
import type { Rivalry } from '../../src/runtime/drivers/question.ts'
import { Rivals } from '../../src/runtime/drivers/rivals.ts'

interface Waiting {
  readonly line: object
  readonly question: { readonly name: string; readonly shown: string }
  holders: readonly object[]
  answeredAt: number | undefined
  hasFailed: boolean
}

const waiting = (shown: string, holders: readonly object[]): Waiting => ({ line: {}, question: { name: 'query', shown }, holders, answeredAt: undefined, hasFailed: false })

/** Two that wait, the second one behind the first, and what comes then. */
function undecidedAfter(rivalry: Rivalry, goOn: (first: Waiting, second: Waiting) => void): string | undefined {
  const first = waiting('one', [{}])
  const second = waiting('other', [first.line])
  const rivals = new Rivals((asked) => ({ ...(asked as unknown as Waiting) }))
  rivals.add({ first: first as unknown as Asked, second: second as unknown as Asked, rivalry })
  goOn(first, second)
  rivals.check()
  return rivals.undecided
}

const answer = (one: Waiting, at: number, hasFailed = false): void => void Object.assign(one, { answeredAt: at, hasFailed, holders: [] })

describe('two that wait for the same', () => {
  test.each<[what: string, goOn: (first: Waiting, second: Waiting) => void]>([
    ['both still wait', () => {}],
    ['the first has its answer', (first) => answer(first, 1)],
    ['both have, the first before the other', (first, second) => [answer(first, 1), answer(second, 2)]],
    ['both have failed', (first, second) => [answer(first, 2, true), answer(second, 1, true)]],
    ['the second has its answer, and the first still waits for the same', (_, second) => answer(second, 1)],
  ])('%s: the first goes on first', (_, goOn) => {
    expect(undecidedAfter('equal', goOn)).toBeUndefined()
  })

  test.each<[what: string, goOn: (first: Waiting, second: Waiting) => void]>([
    ['the second has its answer before the first', (first, second) => [answer(first, 2), answer(second, 1)]],
    ['the first waits for the second', (first, second) => [(first.holders = [second.line]), (second.holders = [{}])]],
    ['the second has its answer, and the first waits for it', (first, second) => [answer(second, 1), (first.holders = [second.line])]],
  ])('%s: the second goes on first', (_, goOn) => {
    expect(undecidedAfter('always equal', goOn)).toContain("'one', or 'other'")
  })

  test.each<[what: string, isUndecided: boolean, goOn: (first: Waiting, second: Waiting) => void]>([
    ['both still wait', false, () => {}],
    ['both have failed', false, (first, second) => [answer(first, 1, true), answer(second, 2, true)]],
    ['the first has its answer, and the second waits for it', true, (first) => answer(first, 1)],
    ['both have their answers', true, (first, second) => [answer(first, 1), answer(second, 2)]],
  ])('where it makes a difference and %s, that is said: %s', (_, isUndecided, goOn) => {
    expect(undecidedAfter('unequal', goOn) !== undefined).toBe(isUndecided)
  })
})
