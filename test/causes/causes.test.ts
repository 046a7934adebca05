import { expect, test } from 'vitest'
import { checkCause, problemOf, switchesProblem, type Checked } from './check.ts'

test('what is said of failing random bodies agrees with the enumeration of all their orders', async () => {
  const said = new Map<Checked['said'], number>()
  let compared = 0
  for (let seed = 1; seed <= 40; seed++) {
    const found = await checkCause(seed)
    expect(found.problem, `seed ${seed}\n${found.source}`).toBeUndefined()
    said.set(found.said, (said.get(found.said) ?? 0) + 1)
    if (found.fewest !== undefined) compared++
  }
  // By trying all orders of all failing classes.
  expect(compared).toBeGreaterThan(5)
  // Nearly always one race is enough.
  expect(said.get('one race')).toBeGreaterThan(10)
  expect(said.get('no race')).toBeGreaterThan(10)
  expect((said.get('by its looks') ?? 0) + (said.get('nothing') ?? 0)).toBeLessThan(5)
}, 180_000)

test('an order with fewer switches is found also where processes were woken that would have done something else', async () => {
  const { problem, fewest } = await checkCause(771_513)
  expect({ problem, fewest }).toEqual({ problem: undefined, fewest: 0 })
})

test('what does not agree is noticed', () => {
  expect(problemOf('no race', 0, 2)).toBe('no race, but the body has 2 outcomes')
  expect(problemOf('overlap', 4, 2)).toBe('overlap, but the body has 2 outcomes')
  expect(problemOf('one race', 2, 1)).toBe('one race, but the body has one outcome')
  expect(problemOf('no race', 2, 1)).toBe('a race is told that is none')
  expect(problemOf('a guess', 2, 2)).toBe('a guess, but the body has 2 outcomes')
  expect(problemOf('a guess', 2, 1)).toBeUndefined()
  expect(problemOf('one race', 2, 2)).toBeUndefined()
  expect(switchesProblem(2, 1)).toBe('told with 2 switches, and 1 are enough')
})
