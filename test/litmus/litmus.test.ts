import { describe, expect, test } from 'vitest'
import { explore } from '../../src/engine/index.ts'
import { fromPapers, severalAccesses, smallOnes, type Litmus } from './programs.ts'

describe.each([
  ['programs of the papers', fromPapers],
  ['small programs', smallOnes],
  ['programs whose steps have several accesses', severalAccesses],
])('%s have exactly their classes', (_, group: readonly Litmus[]) => {
  test.each(group.map((litmus) => [litmus.name, litmus] as const))('%s', (_name, { program, classes, deadlocks }) => {
    const { executions, estimate, failures } = explore(program, { stopOnFirst: false })
    expect(executions).toBe(classes)
    expect(estimate).toBe(classes)
    expect(failures).toHaveLength(deadlocks)
    expect(failures.every(({ kind }) => kind === 'deadlock')).toBe(true)
  })
})
