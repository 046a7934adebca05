import { describe, expect, test } from 'vitest'
import { allOptimalRules, OptimalDpor } from '../../src/engine/algorithms/optimal.ts'
import { allObservationRules, type ObservationRules } from '../../src/engine/observation/rules.ts'
import { validity } from '../../src/engine/validity.ts'
import type { Choice } from './adapter.ts'
import { atomic, programOf, single, type Ast, type Part, type Single } from './ast.ts'
import { compare } from './campaign.ts'

/** Each rule of observation is there for a reason: without it an outcome is lost, or members of one class differ. */

// Without one of its rules the engine breaks its own invariants.
validity.checked = false

const algorithms = ['optimal', 'source'] as const

const without = (rule: keyof ObservationRules): Partial<Choice> => ({ rules: { ...allObservationRules, [rule]: false } })

/** With the engine's invariants checked. */
function checked(body: () => void): void {
  validity.checked = true
  try {
    body()
  } finally {
    validity.checked = false
  }
}

const x = 0
const y = 1
const list = 0
const map = 0
const get = (variable: number): Single => ({ type: 'get', variable })
const set = (variable: number, value: number): Single => ({ type: 'set', variable, value })
const plus = (variable: number, amount: number | string): Single => ({ type: 'plus', variable, amount })
const push = (value: number): Single => ({ type: 'push', list, value })
const put: Single = { type: 'mapSet', map, key: 'c', value: 1 }
const remove: Single = { type: 'mapDelete', map, key: 'c' }
const keys: Single = { type: 'mapKeys', map }

const counterexamples: readonly { readonly name: string; readonly program: Ast; readonly fault: Partial<Choice>; readonly lost: number }[] = [
  {
    name: 'only the last two changes are compared',
    program: programOf([[single(push(2))], [single(push(0)), single(push(0))]], [{ type: 'items', list }]),
    fault: without('allChanges'),
    lost: 2,
  },
  {
    name: 'what is looked at in the end does not count',
    program: programOf([[single(set(x, 1))], [single(set(x, 2))]], [get(x)]),
    fault: without('finalLooks'),
    lost: 1,
  },
  {
    name: 'who wrote last is taken to see its own',
    program: programOf([[single(set(y, 0))], [single(set(y, 1)), single(get(y))]]),
    fault: without('ownChanges'),
    lost: 1,
  },
  {
    name: 'the result of a push is no look',
    program: programOf([[single(push(1))], [single({ type: 'pushAndCount', list, value: 1 })]]),
    fault: { resultsAreLooks: false },
    lost: 1,
  },
  {
    name: 'conditions do not count while they are false',
    program: programOf([[single(set(x, 2))], [single(set(x, 0)), { type: 'until', variable: x, equals: 2, negated: false }]]),
    fault: without('conditions'),
    lost: 1,
  },
  {
    name: 'whether a key is kept is decided by looking whether it is there',
    program: programOf([[atomic(keys, put)], [atomic(put)]]),
    fault: without('pastKeys'),
    lost: 1,
  },
  {
    name: 'an insertion and a removal of one key are not compared for the size',
    program: programOf([[atomic(remove)], [atomic(put)]], [{ type: 'mapSize', map }]),
    fault: without('sizes'),
    lost: 1,
  },
  {
    name: 'whatever is added commutes',
    program: programOf([[atomic(plus(x, 2))], [atomic(plus(x, 's'))]], [get(x)]),
    fault: without('integers'),
    lost: 1,
  },
  {
    name: 'what is observed is ordered from then on, without a new start',
    program: programOf([[single(set(x, 0))], [single(set(x, 1))]], [get(x)]),
    fault: without('restart'),
    lost: 1,
  },
]

describe.each(algorithms)('%s loses outcomes where', (algorithm) => {
  test.each(counterexamples.map((example) => [example.name, example] as const))('%s', (_, { program, fault, lost }) => {
    const options = { algorithm, cap: 1000, members: 20 }
    expect(compare(program, options)).toMatchObject({ lost: 0, invented: 0, differing: 0 })
    expect(compare(program, { ...options, ...fault })?.lost).toBe(lost)
  })
})

describe('a change comes after all that it conflicts with: if it came after the last of it only', () => {
  test('members of one class would differ', () => {
    // Two reads before a write: the write follows one of them.
    const program = programOf([[single(get(x))], [single(get(x))], [single(set(x, 5))]])
    expect(compare(program, { algorithm: 'optimal', cap: 1000, members: 50 })).toMatchObject({ lost: 0, differing: 0 })
    expect(compare(program, { algorithm: 'optimal', cap: 1000, members: 50, ...without('allConflicts') })?.differing).toBeGreaterThan(0)
  })

  test('and happens-before would leave dependent steps unordered', () => {
    const program = programOf([[single(get(x))], [single(get(x))], [single(set(x, 5))]])
    checked(() => expect(() => compare(program, { algorithm: 'source', cap: 1000, ...without('allConflicts') })).toThrow('dependent steps are ordered'))
  })
})

test('what a step finds are all last changes that commute: if it were the very last, it would be expected to do what it did after another sum', () => {
  const makeAlgorithm: Choice['makeAlgorithm'] = (trace) => new OptimalDpor(trace, { ...allOptimalRules, allLastChanges: false })
  const odd: Part[] = [get(y), { type: 'if', condition: 'even', body: [plus(y, 1)] }]
  const program = programOf([[atomic(plus(y, 3))], [atomic(...odd)], [atomic(plus(y, 1))]])
  expect(compare(program, { algorithm: 'optimal', cap: 1000, members: 20 })).toMatchObject({ lost: 0, differing: 0, blocked: 0 })
  checked(() => expect(() => compare(program, { algorithm: 'optimal', cap: 1000, makeAlgorithm })).toThrow('finds the same'))
})
