import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'

describe('what is outside and not put back', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vitest-dpor-state-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test.each(['await', 'event-loop'] as const)('leads to no verdict where the body does something else for it, switches at %s', async (interleave) => {
    const { verdict, failures, inconclusiveReason } = await explore(
      async () => {
        const names = await readdir(folder)
        if (names.length === 0) await writeFile(path.join(folder, 'a'), 'text')
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'inconclusive', failures: [] })
    expect(inconclusiveReason).toMatch(/^what the body does outside was not the same another time, at .*real-state\.spec\.ts:\d+:\d+ .*reset them at the start of the body$/)
  })

  test.each(['await', 'event-loop'] as const)('nor where there are other orders to explore, switches at %s', async (interleave) => {
    const { verdict, inconclusiveReason } = await explore(
      async () => {
        const names = await readdir(folder)
        if (names.length === 0) await writeFile(path.join(folder, 'a'), 'text')
        const log: number[] = []
        await Promise.all([1, 2].map(async (n) => log.push((await readdir(folder)).length + n)))
        expect(log).toHaveLength(2)
        return String(log)
      },
      { interleave, equivalence: 'trace' },
    )
    expect(verdict).toBe('inconclusive')
    expect(inconclusiveReason).toMatch(/^what the body does outside was not the same another time, at .*real-state\.spec\.ts:\d+:\d+ .*reset them at the start of the body$/)
  })

  test.each(['await', 'event-loop'] as const)('is no matter to a body that resets it, switches at %s', async (interleave) => {
    const { verdict } = await explore(
      async () => {
        await rm(path.join(folder, 'a'), { force: true })
        const names = await readdir(folder)
        if (names.length === 0) await writeFile(path.join(folder, 'a'), 'text')
      },
      { interleave },
    )
    expect(verdict).toBe('holds')
  })

  test('a failure that comes and goes with it is an error', async () => {
    await expect(
      explore(async () => {
        const names = await readdir(folder)
        await writeFile(path.join(folder, 'a'), 'text')
        if (names.length === 0) throw new Error('nothing there')
      }),
    ).rejects.toThrow('a schedule that failed (error) passed when it was replayed')
  })
})

describe('modules that a body loads', () => {
  test.each(['await', 'event-loop'] as const)('are waited for, however deep, switches at %s', async (interleave) => {
    const load = () => import('node:readline')
    const library = async () => (await load()).createInterface
    const other = () => import('./instrumented/counter.ts')
    const { verdict, failures } = await explore(
      async () => {
        const [made, counter] = await Promise.all([library(), other().then(Object.keys)])
        expect([typeof made, counter.length > 0]).toEqual(['function', true])
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })

  test.each(['await', 'event-loop'] as const)('also by the test runner, switches at %s', async (interleave) => {
    const { verdict, failures } = await explore(
      async () => {
        const actual = await vi.importActual<object>('./instrumented/counter.ts')
        expect(Object.keys(actual)).toContain('count')
      },
      { interleave },
    )
    expect({ verdict, failures }).toEqual({ verdict: 'holds', failures: [] })
  })
})

test.each(['await', 'event-loop'] as const)('how deep calls can go is not the same each time: where a body finds out, nothing is said of all orders, switches at %s', async (interleave) => {
  const counts = { depth: 0 }
  const deeper = (): number => {
    counts.depth++
    try {
      return deeper()
    } catch {
      return counts.depth
    }
  }
  const { verdict, inconclusiveReason } = await explore(async () => {
    counts.depth = 0
    const list = Array.from({ length: deeper() }, (_, i) => ({ i }))
    await null
    expect(list.length).toBeGreaterThan(0)
  }, { interleave })
  expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('its calls go too deep') })
})
