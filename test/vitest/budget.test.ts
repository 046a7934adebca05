import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SharedCounts } from '../../src/testing/shared-counts.ts'
import { Slowness } from '../../src/testing/slowness.ts'
import { Budget, type Share } from '../../src/vitest/ordinary/budget.ts'

test('of a run without one a test has as much longer as the machine is busy', () => {
  const run = { races: 'fail', maxExecutions: undefined, testTime: 1000, testExecutions: 200, runsTwice: false, known: [], until: undefined, timeName: '', counts: undefined } as const
  const shareOf = (busy: number): Share | string => new Budget(run, new Slowness(() => ({ busy, onCore: 300 }))).share()
  expect([shareOf(310), shareOf(900)]).toEqual([
    { maxTime: 1000, maxExecutions: 200 },
    { maxTime: 3000, maxExecutions: 200 },
  ])
})

describe('of a run with a bound in time', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-budget-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** As it is for a test of one of ten files, of which so many have ended, where files take so long besides explorations. */
  function shareIn({ seconds, ended, secondsOfFile = 1 }: { readonly seconds: number; readonly ended: number; readonly secondsOfFile?: number }): Share | string {
    const counts = new SharedCounts(folder)
    counts.add('files', 10)
    counts.add('begun files', ended + 1)
    counts.add('ended files', ended)
    counts.add('typical files', ended - 1)
    counts.add('milliseconds of typical files', secondsOfFile * 1000 * (ended - 1))
    const budget = new Budget({ races: 'fail', maxExecutions: undefined, testTime: undefined, testExecutions: undefined, runsTwice: true, known: [], until: Date.now() + seconds * 1000, timeName: 'the time of the run', counts: folder })
    return budget.share()
  }

  const isUp = (): boolean => new SharedCounts(folder).of('time is up') > 0

  test('time is left for files that are still to come, half of what the others have taken', () => {
    const before = Date.now()
    const share = shareIn({ seconds: 600, ended: 3 }) as Share
    expect(share.deadline).toBeGreaterThanOrEqual(before + 597_000)
    expect(share.deadline).toBeLessThanOrEqual(Date.now() + 597_000)
    expect(isUp()).toBe(false)
  })

  test('it is up for all workers when only that is left', () => {
    expect(shareIn({ seconds: 3, ended: 3 })).toBe('the time of the run are spent')
    expect(isUp()).toBe(true)
  })

  test('one file may take longer than others: half of the time is for explorations at first', () => {
    // 7 others: 1,050 seconds, by one of them.
    const before = Date.now()
    const share = shareIn({ seconds: 600, ended: 2, secondsOfFile: 300 }) as Share
    expect(share.deadline).toBeGreaterThanOrEqual(before + 300_000)
    expect(share.deadline).toBeLessThanOrEqual(Date.now() + 300_000)
    expect(isUp()).toBe(false)
  })
})
