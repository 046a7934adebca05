import { describe, expect, test } from 'vitest'
import { allPreemptionRules, type PreemptionRules } from '../../src/engine/algorithms/tree-dpor.ts'
import { allTrustRules } from '../../src/engine/algorithms/trust/rules.ts'
import { atomic, get, ifZero, programOf, set, type Ast } from './ast.ts'
import { compareBounds, runBoundedCampaign } from './bounded.ts'
import { enumerateClasses } from './enumerate.ts'
import { generate, kinds, singleAccessKinds, slowKinds } from './generate.ts'
import { fewestByClass } from './preemptions.ts'
import { Random } from './random.ts'

describe('with few preemptions first, every class is explored once, and before it is said to be', () => {
  test.each(kinds.filter((kind) => kind !== 'long'))('%s', (kind) => {
    const { lost, repeated, skipped, wrong } = runBoundedCampaign({ kind, programs: slowKinds.has(kind) ? 5 : 25, seed: 90_000 })
    expect({ lost, repeated, wrong }).toEqual({ lost: 0, repeated: 0, wrong: undefined })
    expect(skipped).toBeLessThan(8)
  })
})

describe('with execution graphs, every class with few enough preemptions is explored once', () => {
  test.each(singleAccessKinds.filter((kind) => kind !== 'long'))('%s', (kind) => {
    const { lost, repeated, blocked, wrong } = runBoundedCampaign({ kind, programs: slowKinds.has(kind) ? 10 : 60, seed: 90_000, bounded: { by: 'trust' } })
    expect({ lost, repeated, blocked, wrong }).toEqual({ lost: 0, repeated: 0, blocked: 0, wrong: undefined })
  })

  test('also where who waits has to leave it to others', () => {
    const { refused, wanted, lost } = runBoundedCampaign({ kind: 'blocking', programs: 1, seed: 77_344, bounded: { by: 'trust' } })
    expect({ refused, lost }).toEqual({ refused: 0, lost: 0 })
    expect(wanted).toBeGreaterThan(0)
  })

  test('some only by way of graphs that need more', () => {
    const rules = { ...allTrustRules, slack: false }
    expect(runBoundedCampaign({ kind: 'single', programs: 200, seed: 1, bounded: { by: 'trust', rules } }).lost).toBeGreaterThan(0)
  })
})

describe('parts have all that together, and nothing twice', () => {
  test.each(kinds.filter((kind) => kind !== 'long'))('%s', (kind) => {
    const { lost, repeated, wrong } = runBoundedCampaign({ kind, programs: slowKinds.has(kind) ? 4 : 8, seed: 91_000, bounded: { by: 'tree', parts: 2 } })
    expect({ lost, repeated, wrong }).toEqual({ lost: 0, repeated: 0, wrong: undefined })
  })

  test.each(singleAccessKinds.filter((kind) => kind !== 'long'))('by execution graphs: %s', (kind) => {
    const { lost, repeated, wrong } = runBoundedCampaign({ kind, programs: slowKinds.has(kind) ? 3 : 20, seed: 91_000, bounded: { by: 'trust', parts: 3 } })
    expect({ lost, repeated, wrong }).toEqual({ lost: 0, repeated: 0, wrong: undefined })
  })
})

describe('each rule is there for a reason', () => {
  const without = (rule: keyof PreemptionRules) => ({ by: 'tree', rules: { ...allPreemptionRules, [rule]: false } }) as const

  test('what only happens to come before is left out', () => {
    expect(runBoundedCampaign({ kind: 'sums', programs: 200, seed: 1000, bounded: without('leavesOut') }).lost).toBeGreaterThan(0)
  })

  test('what woken steps would have done has races', () => {
    const program = programOf([[atomic(get(1), ifZero(set(0, 2)))], [atomic(set(1, 1))], [atomic(set(0, 1))], [atomic(get(1))]])
    expect(compareBounds(program, { cap: 1000 })).toMatchObject({ lost: 0, repeated: 0 })
    expect(compareBounds(program, { cap: 1000, bounded: without('wokenRaces') })!.lost).toBeGreaterThan(0)
  })
})

describe('the brute force', () => {
  test('knows the same classes as the enumeration', () => {
    for (const kind of kinds) {
      for (let seed = 0; seed < (slowKinds.has(kind) ? 5 : 20); seed++) {
        const program = generate(kind, new Random(seed))
        const fewest = fewestByClass(program, { cap: 5000 })
        if (fewest !== undefined) expect(new Set(fewest.keys())).toEqual(enumerateClasses(program, { cap: 20_000, merge: true }))
      }
    }
  })

  test('counts switches away from who could go on and does', () => {
    const steps = (...actions: readonly ('read' | 'write')[]) => ({
      spawned: false,
      steps: actions.map((type) => ({ action: type === 'read' ? { type, variable: 0 } : { type, variable: 0, value: 1 } })),
    })
    const lostUpdate: Ast = { variables: 1, locks: 0, signals: 0, threads: [steps('read', 'write'), steps('read', 'write')] }
    expect([...fewestByClass(lostUpdate, { cap: 1000 })!.values()].toSorted()).toEqual([0, 0, 1, 1])
  })
})
