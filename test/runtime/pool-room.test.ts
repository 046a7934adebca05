import { expect, test } from 'vitest'
import { Room } from '../../src/runtime/drivers/pool-room.ts'
import type { Execution } from '../../src/runtime/execution/execution.ts'

/** An execution of which these steps come one after the other in every order. */
function executionOf(ordered: readonly (readonly [first: number, second: number])[]): { readonly execution: Execution; readonly search: { step: number } } {
  const search = { step: 0, isBefore: (first: number, second: number) => ordered.some(([a, b]) => a === first && b === second) }
  return { execution: { accesses: { isExploring: true }, search } as unknown as Execution, search }
}

/** Each stay from one step to another: how many there are at most, once the last one has begun. */
function most(stays: readonly (readonly [from: number, until: number])[], ordered: readonly (readonly [number, number])[]): number {
  const { execution, search } = executionOf(ordered)
  const room = new Room(execution)
  for (const [from, until] of stays) {
    search.step = from
    const stay = room.begins()
    search.step = until
    room.ends(stay)
  }
  search.step++
  room.begins()
  return room.most - 1
}

test('stays that come one after the other in every order take the room of one', () => {
  expect(most([[0, 1], [2, 3], [3, 5]], [[1, 2]])).toBe(1)
})

test('those that come so in one order only take the room of each', () => {
  expect(most([[0, 1], [2, 3]], [])).toBe(2)
  expect(most([[0, 1], [2, 3], [4, 5]], [[1, 4]])).toBe(2)
})
