import { describe, expect, test } from 'vitest'
import { explore, parseSchedule } from '../../src/engine/index.ts'
import { validity } from '../../src/engine/validity.ts'
import { runEngine, toProgram } from './adapter.ts'
import { atomic, get, programOf, type Ast } from './ast.ts'
import { runCampaign } from './campaign.ts'
import { allEnds, endsOf } from './ends.ts'
import { enumerateClasses, formOf } from './enumerate.ts'
import { generate, kinds, singleAccessKinds, slowKinds } from './generate.ts'
import { Random } from './random.ts'
import { ifTaken } from './resumed.ts'
import { show } from './show.ts'

validity.decided = true

describe.each(['source', 'optimal', 'pop', 'trust'] as const)('on random programs %s explores every class, and each once', (algorithm) => {
  const possible = algorithm === 'pop' || algorithm === 'trust' ? singleAccessKinds : kinds
  test.each(possible)('%s', (kind) => {
    const { lost, repeated, blocked, skipped, wrong } = runCampaign({ kind, programs: slowKinds.has(kind) ? 25 : 250, seed: 40_000, algorithm })
    expect({ lost, repeated, wrong }).toEqual({ lost: 0, repeated: 0, wrong: undefined })
    expect(skipped).toBeLessThan(32)
    if (algorithm !== 'source') expect(blocked).toBe(0)
  })
})

test.each([
  ['optimal', 'spins'],
  ['source', 'spins'],
  ['trust', 'spin'],
  ['pop', 'spin'],
] as const)('loops that wait for a change end in all the ways in which they end if they go round and round, by %s', (algorithm, kind) => {
  let compared = 0
  for (let seed = 0; seed < 24; seed++) {
    const ast = generate(kind, new Random(seed))
    const all = allEnds(ast, { cap: 2000 })
    const found = all && ifTaken(() => explore(toProgram(ast), { algorithm, stopOnFirst: false, maxExecutions: 100 }))
    if (found === undefined || found.inconclusiveReason?.startsWith('maxExecutions')) continue
    expect(endsOf(ast, found.failures.map(({ schedule }) => parseSchedule(schedule))), show(ast)).toEqual(all)
    compared++
  }
  expect(compared).toBeGreaterThan(10)
})

test.each(['pop', 'trust'] as const)('%s refuses steps that are not one access, whose footprint it could not know in advance', (algorithm) => {
  const program = programOf([[atomic(get(0))]])
  expect(() => runEngine(program, { algorithm })).toThrow(new RegExp(`option 'algorithm' is '${algorithm}': .*atomic`))
})

describe('the enumeration', () => {
  test('finds the same classes whether or not it merges equivalent prefixes', () => {
    for (const kind of kinds) {
      for (let seed = 0; seed < (slowKinds.has(kind) ? 12 : 60); seed++) {
        const program = generate(kind, new Random(seed))
        const plain = enumerateClasses(program, { cap: 20_000, merge: false })
        if (plain !== undefined) expect(enumerateClasses(program, { cap: 20_000, merge: true })).toEqual(plain)
      }
    }
  })

  test('tells apart the orders of dependent steps and no others', () => {
    const twoWriters: Ast = {
      variables: 2,
      locks: 0,
      signals: 0,
      threads: [0, 0, 1].map((variable) => ({ spawned: false, steps: [{ action: { type: 'write', variable, value: 1 } }] })),
    }
    expect(enumerateClasses(twoWriters, { cap: 100, merge: true })?.size).toBe(2)
    expect(formOf(twoWriters, [0, 1, 2])).toBe(formOf(twoWriters, [2, 0, 1]))
    expect(formOf(twoWriters, [0, 1, 2])).not.toBe(formOf(twoWriters, [1, 0, 2]))
    expect(() => formOf(twoWriters, [0, 1])).toThrow('ends before')
    expect(runEngine(twoWriters, { algorithm: 'source' }).schedules).toEqual([[0, 1, 2], [2, 1, 0]])
  })
})
