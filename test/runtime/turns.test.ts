import { expect, test } from 'vitest'
import type { Execution } from '../../src/runtime/execution/execution.ts'
import { Turn, type Earlier } from '../../src/runtime/execution/turns.ts'

/** Of an exploration in which no step happens before another one. */
function executionOf(told: number[]): Execution {
  let names = 0
  const parts = {
    search: { step: 1, isBefore: () => false, isReplay: false },
    accesses: { isExploring: true, takeTurn: () => {}, followTurn: (object: number) => told.push(object), startAnew: () => {} },
    identities: { assumptions: { loneTurns: { has: () => false, lose: () => false } }, freshTurn: () => ++names },
  }
  return parts as unknown as Execution
}

const fixed = (...turns: Turn[]): Earlier => ({ turns, count: turns.length, isFixed: true })

test('in whatever order those before it were put in, a turn tells of them in the same one', () => {
  const tells = (order: (first: Turn, second: Turn) => Earlier[]): number[] => {
    const told: number[] = []
    const execution = executionOf(told)
    const [first, second] = [new Turn(execution, []), new Turn(execution, [])]
    const last = new Turn(execution, order(first, second))
    for (const turn of [first, second, last]) turn.begin(execution)
    return told
  }
  expect(tells((first, second) => [fixed(first), fixed(second)])).toEqual([1, 2])
  expect(tells((first, second) => [fixed(second), fixed(first)])).toEqual([1, 2])
})
