import { describe, expect, test } from 'vitest'
import { explore } from '../../src/engine/index.ts'
import { siblingOrderNamed, type SiblingOrderName } from '../../src/engine/algorithms/sibling-order.ts'
import { TreeDpor } from '../../src/engine/algorithms/tree-dpor.ts'
import { toProgram } from './adapter.ts'
import { atomic, programOf, set } from './ast.ts'
import { runCampaign } from './campaign.ts'
import { kinds, slowKinds } from './generate.ts'

const orders: readonly SiblingOrderName[] = ['bit-reversal', 'bit-reversal:5', 'round-robin', 'stride:3', 'conflict-first']

test.each(orders)('%s: every class, and each once', { timeout: 60_000 }, (name) => {
  for (const kind of kinds) {
    if (kind === 'long') continue
    const makeAlgorithm = (trace: ConstructorParameters<typeof TreeDpor>[0]): TreeDpor => new TreeDpor(trace, { order: siblingOrderNamed(name) })
    const { lost, repeated, wrong } = runCampaign({ kind, programs: slowKinds.has(kind) ? 3 : 12, seed: 21_000, makeAlgorithm })
    expect({ kind, lost, repeated, wrong }).toEqual({ kind, lost: 0, repeated: 0, wrong: undefined })
  }
})

test('another order is another order', () => {
  const program = toProgram(programOf([0, 1, 2, 3, 4].map((value) => [atomic(set(0, value))])))
  const schedules = orders.map((search) => explore(program, { search, stopOnFirst: false }).failures.map(({ schedule }) => schedule).join(' '))
  expect(new Set(schedules).size).toBeGreaterThan(3)
})

describe('of eight branches', () => {
  const picks = (name: SiblingOrderName): number[] => {
    const order = siblingOrderNamed(name)
    return Array.from({ length: 8 }, () => order.pick([0, 1, 2, 3, 4, 5, 6, 7]))
  }

  test.each([
    ['bit-reversal', [0, 4, 2, 6, 1, 5, 3, 7]],
    ['bit-reversal:1', [4, 2, 6, 1, 5, 3, 7, 0]],
    ['round-robin', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['round-robin:3', [3, 4, 5, 6, 7, 0, 1, 2]],
    ['stride:2', [0, 3, 6, 1, 4, 7, 2, 5]],
    ['conflict-first', [7, 7, 7, 7, 7, 7, 7, 7]],
  ] as const)('%s takes %o', (name, expected) => {
    expect(picks(name)).toEqual(expected)
  })
})
