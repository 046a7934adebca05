import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRules } from '../../src/engine/source.ts'
import { validity } from '../../src/engine/validity.ts'
import { runEngine } from './adapter.ts'
import type { Ast, Part } from './ast.ts'
import { runCampaign } from './campaign.ts'
import { compare } from './compare.ts'
import { enumerateClasses, formOf } from './enumerate.ts'
import { generate, kinds, singleAccessKinds } from './generate.ts'
import { Random } from './random.ts'

/** T0 nothing, T1 {r=v1; if r==0 v0=1}, T2 {} {v1=2}, T3 {r=v0}. */
const wokenProgram: Ast = {
  variables: 2,
  locks: 0,
  signals: 0,
  threads: [
    [],
    [[{ type: 'get', variable: 1 }, { type: 'if', equals: 0, body: [{ type: 'set', variable: 0, value: 1 }] }]],
    [[], [{ type: 'set', variable: 1, value: 2 }]],
    [[{ type: 'get', variable: 0 }]],
  ].map((bodies) => ({
    spawned: false,
    steps: bodies.map((body) => ({ action: { type: 'atomic', body: body as readonly Part[] } })),
  })),
}

beforeAll(() => {
  validity.checked = true
})
afterAll(() => {
  validity.checked = false
})

describe.each(['source', 'optimal', 'pop'] as const)('on random programs %s explores every class, and each once', (algorithm) => {
  const possible = algorithm === 'pop' ? singleAccessKinds : kinds
  test.each(possible)('%s', (kind) => {
    const { lost, repeated, blocked, skipped, wrong } = runCampaign({ kind, programs: 400, seed: 40_000, algorithm })
    expect({ lost, repeated, wrong }).toEqual({ lost: 0, repeated: 0, wrong: undefined })
    expect(skipped).toBeLessThan(50)
    if (algorithm !== 'source') expect(blocked).toBe(0)
  })
})

test('pop refuses steps that are not one access, whose footprint it could not know in advance', () => {
  expect(() => runEngine(wokenProgram, { algorithm: 'pop' })).toThrow(/option 'algorithm' is 'pop': .*atomic/)
})

describe('the oracle sees classes get lost', () => {
  test('when a process that does not occur in v may cover it', () => {
    const rules = { ...allRules, strictInitials: false }
    expect(runCampaign({ kind: 'atomic', programs: 200, seed: 70_000, rules }).lost).toBeGreaterThan(0)
  })

  test('when blocked executions are not looked at', () => {
    const rules = { ...allRules, blockedRaces: false }
    expect(runCampaign({ kind: 'swap', programs: 1500, seed: 70_000, rules }).lost).toBeGreaterThan(0)
  })

  test('when what woken steps would have done is not looked at', () => {
    const rules = { ...allRules, wokenRaces: false }
    expect(compare(wokenProgram, { cap: 1000 })).toMatchObject({ classes: 3, lost: 0, repeated: 0 })
    expect(compare(wokenProgram, { cap: 1000, rules })?.lost).toBeGreaterThan(0)
  })
})

describe('the enumeration', () => {
  test('finds the same classes whether or not it merges equivalent prefixes', () => {
    for (const kind of kinds) {
      for (let seed = 0; seed < 60; seed++) {
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
    expect(runEngine(twoWriters).schedules).toEqual([[0, 1, 2], [2, 1, 0]])
  })
})
