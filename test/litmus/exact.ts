import { beforeAll, describe, expect, test } from 'vitest'
import { OptionError, explore } from '../../src/engine/index.ts'
import { algorithms, type Expected } from './algorithms.ts'
import { BruteForce, type Enumeration } from './brute-force.ts'
import { compare, none } from './compare.ts'
import { exploreListed } from './listed.ts'
import type { Litmus } from './litmus.ts'

/** A program with more states has to go to the large ones. */
const maxStates = 12_000
/** Programs with more are left out by algorithms that explore all interleavings. */
const maxInterleavings = 1200

/** States that each algorithm takes one execution of each class that brute force finds. */
export function describeExact(group: string, programs: readonly Litmus[]): void {
  describe(group, () => {
    for (const litmus of programs) describe(litmus.name, () => testExact(litmus))
  })
}

function testExact(litmus: Litmus): void {
  const bruteForce = new BruteForce(litmus.program)
  let enumeration: Enumeration

  beforeAll(() => {
    const found = bruteForce.enumerate({ cap: maxStates })
    if (found === undefined) throw new Error(`there are more than ${maxStates} states: the program is a large one`)
    enumeration = found
  })

  test('has as many classes as stated', () => {
    const ends = [...enumeration.classes.values()]
    expect(ends).toHaveLength(litmus.classes)
    expect(ends.filter((end) => end === 'deadlock')).toHaveLength(litmus.deadlocks)
    expect(ends.filter((end) => end === 'invariant')).toHaveLength(litmus.broken)
  })

  test.each(algorithms.map((expected) => [expected.name, expected] as const))('is explored exactly by %s', (name, expected) => {
    if (isRefused(litmus, expected, bruteForce)) return expectRefusal(litmus, expected)
    if (expected.explores === 'interleavings') return expectInterleavings(litmus, expected, { bruteForce, enumeration })
    const { listed, executions, estimate, blocked } = exploreListed(litmus.program, name)
    expect(listed).toHaveLength(executions)
    expect(compare(listed, enumeration, bruteForce)).toEqual(none)
    expect(estimate).toBe(litmus.classes)
    if (!expected.blocks && !litmus.atomic) expect(blocked).toBe(0)
  })
}

function expectInterleavings(litmus: Litmus, { name }: Expected, known: { bruteForce: BruteForce; enumeration: Enumeration }): void {
  const { enumeration, bruteForce } = known
  if (enumeration.interleavings > maxInterleavings) return
  const { listed, executions, estimate, blocked } = exploreListed(litmus.program, name)
  expect(listed).toHaveLength(executions)
  expect(executions).toBe(enumeration.interleavings)
  expect(compare(listed, enumeration, bruteForce)).toMatchObject({ missing: [], wrong: [] })
  expect(estimate).toBe(executions)
  expect(blocked).toBe(0)
}

function isRefused({ atomic }: Litmus, expected: Expected, { uses }: BruteForce): boolean {
  return (atomic && expected.atomic === 'refused') || expected.refuses?.some((use) => uses.has(use)) === true
}

function expectRefusal({ program }: Litmus, { name }: Expected): void {
  expect(() => explore(program, { algorithm: name })).toThrow(OptionError)
}
