import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { explore, exploreParallel, program, type SearchOptions } from '../../src/engine/index.ts'
import { version } from '../../src/engine/version.ts'
import { kinds, singleAccessKinds, slowKinds } from './generate.ts'
import { exploreInPieces, runResumedCampaign, type ResumedCampaign } from './resumed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dpor-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

const writers = (n: number) =>
  program(({ shared, thread }) => {
    const x = shared('x', 0)
    for (let i = 0; i < n; i++) thread(`writer ${i}`, () => x.write(i)[Symbol.iterator]() as never)
    return () => x.value !== 0
  })

describe('an exploration that is cut again and again, and goes on each time', () => {
  type Searched = Omit<ResumedCampaign, 'kind' | 'programs' | 'seed'>
  const searches: readonly Searched[] = [{ algorithm: 'source' }, { algorithm: 'optimal' }, { algorithm: 'pop' }, { algorithm: 'trust' }, { search: 'preemptions' }, { search: 'round-robin' }, { preemptionBound: 1 }]
  const ofParts: readonly Searched[] = [...searches, { algorithm: 'trust' as const, preemptionBound: 1 }].map((searched) => ({ ...searched, parts: 2 }))

  test.each([...searches, ...ofParts, { algorithm: 'naive' as const }])('has every class once, and the verdict of the whole: %o', { timeout: 60_000 }, (options) => {
    const isOfSingles = options.algorithm === 'pop' || options.algorithm === 'trust'
    for (const kind of isOfSingles ? singleAccessKinds : kinds) {
      if (kind === 'long') continue
      const { wrong, firstWrong, otherOrder, blocked, blockedInPieces } = runResumedCampaign({ kind, programs: slowKinds.has(kind) ? 1 : 3, seed: 31_000, ...options })
      expect({ kind, wrong, firstWrong }).toEqual({ kind, wrong: 0, firstWrong: undefined })
      if ((options.algorithm ?? 'optimal') !== 'optimal') expect({ otherOrder, blockedInPieces }).toEqual({ otherOrder: 0, blockedInPieces: blocked })
    }
  })

  test('ends at its first failure as the whole does', () => {
    expect(exploreInPieces(writers(5), {}, 7)).toEqual(explore(writers(5), { search: 'dfs' }))
  })

  test('goes on where it stopped, and begins nothing anew', () => {
    let runs = 0
    const counted = program((builder) => {
      runs++
      return writers(6).build(builder)
    })
    const { executions } = exploreInPieces(counted, { stopOnFirst: false, algorithm: 'source' }, 100)
    expect(executions).toBe(720)
    expect(runs).toBeLessThan(720 + 8 * 100)
  })
})

describe('the file', () => {
  const saveTo = path.join(folder, 'search.json')

  test('is small, whole at every time, and gone once everything is explored', () => {
    explore(writers(6), { stopOnFirst: false, algorithm: 'source', maxExecutions: 300, saveTo })
    expect(readdirSync(folder)).toEqual(['search.json'])
    expect(explore(writers(6), { stopOnFirst: false, algorithm: 'source', saveTo, resumeFrom: saveTo })).toMatchObject({ verdict: 'fails', executions: 720 })
    expect(readdirSync(folder)).toEqual([])
  })

  test('says what it is not for', () => {
    explore(writers(5), { stopOnFirst: false, maxExecutions: 5, saveTo })
    const resumed = (options: SearchOptions, n = 5) => () => explore(writers(n), { stopOnFirst: false, resumeFrom: saveTo, ...options })
    expect(resumed({ search: 'stride' })).toThrow(`option 'resumeFrom' is '${saveTo}': it was written with search left out, and not "stride". Remove the file to begin from the start`)
    expect(resumed({}, 4)).toThrow('the program has changed since it was written')
    expect(() => explore(program(({ shared, thread }) => void thread('other', () => shared('x', 0).read()[Symbol.iterator]() as never)), { stopOnFirst: false, resumeFrom: saveTo })).toThrow('the program has changed since it was written')
    writeFileSync(saveTo, '{}')
    expect(resumed({})).toThrow('it is no file that saveTo has written')
  })

  test.each([{ algorithm: 'mixed' }, { algorithm: 'random' }, { replay: '0' }] as const)('is refused with %o', (options) => {
    expect(() => explore(writers(3), { saveTo, ...options })).toThrow(/^option 'saveTo' is '.*': leave it out /)
  })

  test('is none for workers, who need a folder', async () => {
    writeFileSync(saveTo, '')
    await expect(exploreParallel('file:///none.js', { saveTo })).rejects.toThrow(/^option 'saveTo' is '.*search.json': give a folder: each worker has a file in it$/)
  })

  test('has the version of the package', () => {
    expect((createRequire(import.meta.url)('../../package.json') as { version: string }).version).toBe(version)
  })
})
