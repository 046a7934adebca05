import { describe, expect, test } from 'vitest'
import { explore } from '../../src/engine/index.ts'
import type { Expected } from './algorithms.ts'
import { BruteForce } from './brute-force.ts'
import { exploreListed } from './listed.ts'
import type { Litmus } from './litmus.ts'

/** Programs with more classes are counted only. */
const maxForms = 1500

/** States that the algorithms take as many executions as there are classes, no two of one class and all the same ones. */
export function describeCounted(group: string, programs: readonly Litmus[], algorithms: readonly Expected[]): void {
  const ofClasses = algorithms.filter(({ explores }) => explores === 'classes')
  describe.each(programs.map((litmus) => [litmus.name, litmus] as const))(`${group}: %s`, (_, litmus) => {
    const check = litmus.classes <= maxForms ? formsCheck(litmus) : countCheck(litmus)
    test.each(ofClasses.map((expected) => [expected.name, expected] as const))('by %s', (_name, expected) => check(expected))
  })
}

function countCheck({ program, classes, deadlocks, broken }: Litmus) {
  return ({ name, blocks }: Expected): void => {
    const { executions, estimate, blocked, failures } = explore(program, { algorithm: name, stopOnFirst: false })
    expect({ executions, estimate }).toEqual({ executions: classes, estimate: classes })
    expect(failures.filter(({ kind }) => kind === 'deadlock')).toHaveLength(deadlocks)
    expect(failures).toHaveLength(deadlocks + broken)
    if (!blocks) expect(blocked).toBe(0)
  }
}

function formsCheck({ program, classes, deadlocks, broken }: Litmus) {
  const bruteForce = new BruteForce(program)
  let before: Set<string> | undefined
  return ({ name, blocks }: Expected): void => {
    const { executions, estimate, blocked, listed } = exploreListed(program, name)
    expect({ executions, estimate }).toEqual({ executions: classes, estimate: classes })
    expect(listed.filter(({ end }) => end === 'deadlock')).toHaveLength(deadlocks)
    expect(listed.filter(({ end }) => end !== undefined)).toHaveLength(deadlocks + broken)
    if (!blocks) expect(blocked).toBe(0)
    const forms = new Set(listed.map(({ schedule }) => bruteForce.formOf(schedule)))
    expect(forms.size).toBe(classes)
    before ??= forms
    expect([...forms].every((form) => before?.has(form))).toBe(true)
  }
}
