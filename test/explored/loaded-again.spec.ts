import { describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'

const load = () => import('./instrumented/registry.ts')

describe('a module that each execution loads anew', () => {
  test.each(['await', 'event-loop'] as const)('keeps what is found in every execution under the same names, with switches at %s', async (interleave) => {
    const { verdict } = await explore(async () => {
      vi.resetModules()
      const { register, registered } = await load()
      await Promise.all([register('a', { inTwo: false }), register('a', { inTwo: false })])
      expect(registered()).toEqual([1, 1, 2])
    }, { interleave })
    expect(verdict).toBe('holds')
  })

  test('is loaded twice in one execution: what the two keep is told apart', async () => {
    const { verdict } = await explore(async () => {
      vi.resetModules()
      const first = await load()
      vi.resetModules()
      const second = await load()
      expect(await Promise.all([first, second].map(({ register }) => register('a', { inTwo: true })))).toEqual([true, true])
      expect([first.registered(), second.registered()]).toEqual([[1, 1, 1], [1, 1, 1]])
    })
    expect(verdict).toBe('holds')
  })

  test('and one that was loaded before: both are put back after each execution', async () => {
    vi.resetModules()
    const before = await load()
    const { verdict, executions } = await explore(async () => {
      vi.resetModules()
      const after = await load()
      for (const { register, registered } of [after, before]) {
        await Promise.all([register('a', { inTwo: false }), register('b', { inTwo: false })])
        expect(registered()).toEqual([1, 2, 2])
      }
    }, { stopOnFirst: false })
    expect(verdict).toBe('holds')
    expect(executions).toBeGreaterThan(0)
  })

  test('has a race, which is found', async () => {
    const { verdict, failures } = await explore(async () => {
      vi.resetModules()
      const { register, registered } = await load()
      await Promise.all([register('a', { inTwo: true }), register('a', { inTwo: true })])
      expect(registered()).toEqual([1, 1, 2])
    })
    expect(verdict).toBe('fails')
    expect(failures[0]!.kind).toBe('error')
  })
})
