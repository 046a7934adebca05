import { describe, expect, test } from 'vitest'
import type { MakeAlgorithm } from '../../src/engine/algorithms/algorithm.ts'
import { allOptimalRules, OptimalDpor, type OptimalRules } from '../../src/engine/algorithms/optimal.ts'
import { allPopRules, Pop, type PopRules } from '../../src/engine/algorithms/pop.ts'
import { allRules, SourceDpor, type SourceRules } from '../../src/engine/algorithms/source.ts'
import { allTrustRules, type TrustRules } from '../../src/engine/algorithms/trust/rules.ts'
import { Trust } from '../../src/engine/algorithms/trust/trust.ts'
import { validity } from '../../src/engine/validity.ts'
import { atomic, get, ifZero, programOf, set, type Ast } from './ast.ts'
import { runCampaign } from './campaign.ts'
import { compare } from './compare.ts'
import type { Kind } from './generate.ts'

/** Each rule of an algorithm is there for a reason: without it the oracle objects. */

// An algorithm without one of its rules breaks its own invariants.
validity.checked = false

const without = {
  source: (rule: keyof SourceRules): MakeAlgorithm => (trace) => new SourceDpor(trace, { ...allRules, [rule]: false }),
  optimal: (rule: keyof OptimalRules): MakeAlgorithm => (trace) => new OptimalDpor(trace, { ...allOptimalRules, [rule]: false }),
  pop: (rule: keyof PopRules): MakeAlgorithm => (trace) => new Pop(trace, { ...allPopRules, [rule]: false }),
  trust: (rule: keyof TrustRules): MakeAlgorithm => (trace) => new Trust(trace, { rules: { ...allTrustRules, [rule]: false } }),
}

function campaign(kind: Kind, programs: number, makeAlgorithm: MakeAlgorithm) {
  return runCampaign({ kind, programs, seed: 70_000, makeAlgorithm })
}

function judge(program: Ast, makeAlgorithm: MakeAlgorithm) {
  return compare(program, { cap: 1000, makeAlgorithm })!
}

describe('source', () => {
  test('a process that does not occur in v must not cover it', () => {
    expect(campaign('atomic', 200, without.source('strictInitials')).lost).toBeGreaterThan(0)
  })

  test('blocked executions have races', () => {
    expect(campaign('swap', 1500, without.source('blockedRaces')).lost).toBeGreaterThan(0)
  })

  test('what woken steps would have done has races', () => {
    const program = programOf([
      [],
      [atomic(get(1), ifZero(set(0, 1)))],
      [atomic(), atomic(set(1, 2))],
      [atomic(get(0))],
    ])
    expect(compare(program, { cap: 1000 })).toMatchObject({ classes: 3, lost: 0, repeated: 0 })
    expect(judge(program, without.source('wokenRaces')).lost).toBe(1)
  })

  test('so has what those would have done that were explored at the very node where they are woken', () => {
    const cell = (variable: number) => atomic(get(variable), set('r', 0))
    const program = { ...programOf([[cell(4)], [{ action: { type: 'read', variable: 2 } }], [cell(3)], [cell(1)]]), variables: 5, initial: [3, 4, 3, 1, 2] }
    expect(compare(program, { cap: 1000, algorithm: 'source' })).toMatchObject({ classes: 5, lost: 0, repeated: 0 })
    expect(judge(program, without.source('wokenRaces')).lost).toBe(1)
  })
})

describe('optimal, with steps whose footprints depend on the state', () => {
  const write = (variable: number) => atomic(set(variable, 1))

  test('what was known from earlier executions saves blocked ones', () => {
    const program = programOf([[write(1)], [atomic(get(1), ifZero(set(0, 1)))], [atomic(get(1)), write(0)]])
    expect(compare(program, { cap: 1000, algorithm: 'optimal' })).toMatchObject({ lost: 0, repeated: 0, blocked: 0 })
    expect(judge(program, without.optimal('knownFootprints'))).toMatchObject({ lost: 0, repeated: 0, blocked: 1 })
  })

  test('a race with an unknown footprint waits', () => {
    const tally = campaign('atomic', 400, without.optimal('deferral'))
    expect(tally.lost).toBeGreaterThan(0)
    expect(tally.repeated).toBeGreaterThan(0)
  })

  test('it waits below a step that its reversal can begin with', () => {
    const program = programOf([[write(0)], [write(2)], [atomic(get(0)), atomic(get(0), get(2))]])
    expect(compare(program, { cap: 1000, algorithm: 'optimal' })).toMatchObject({ classes: 6, lost: 0, repeated: 0, blocked: 0 })
    expect(judge(program, without.optimal('passingOn')).lost).toBe(1)
  })

  test('races of earlier executions are looked at with every suffix', () => {
    const program = programOf([
      [write(1)],
      [atomic(get(1), ifZero(get(0))), atomic(get(0))],
      [write(0)],
    ])
    expect(compare(program, { cap: 1000, algorithm: 'optimal' })).toMatchObject({ classes: 5, lost: 0, repeated: 0, blocked: 0 })
    expect(judge(program, without.optimal('oldRaces')).lost).toBe(1)
  })

  test('what a compare-and-swap does before a change that commutes with others is not what it does after it', () => {
    expect(campaign('operations', 800, without.optimal('kindBefore')).lost).toBeGreaterThan(0)
  })
})

describe('trust', () => {
  test('who waits for a value and was passed over leaves what could have been read', () => {
    const { lost, repeated } = campaign('blocking', 400, without.trust('passesOver'))
    expect(lost).toBe(0)
    expect(repeated).toBeGreaterThan(0)
  })
})

describe('pop', () => {
  test('schedules whose heads commute come in one order', () => {
    const { lost, repeated } = campaign('single', 200, without.pop('inOrder'))
    expect(lost).toBe(0)
    expect(repeated).toBeGreaterThan(0)
  })

  test('what a compare-and-swap does first is found out from the value there', () => {
    const { lost, repeated } = campaign('swap', 200, without.pop('kindBefore'))
    expect(lost).toBeGreaterThan(0)
    expect(repeated).toBeGreaterThan(0)
  })

  test('a blocking read races with the nearest write', () => {
    expect(campaign('blocking', 800, without.pop('nearest')).repeated).toBeGreaterThan(0)
  })

  test('a compare-and-swap of a variable that is combined is refused where it matters', () => {
    expect(campaign('operations', 400, without.pop('refusal')).repeated).toBeGreaterThan(0)
    const { refused, lost, repeated } = campaign('operations', 400, (trace) => new Pop(trace))
    expect(refused).toBeGreaterThan(0)
    expect({ lost, repeated }).toEqual({ lost: 0, repeated: 0 })
  })
})
