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
    { maxTime: 1000, plainTime: 5000, maxExecutions: 200 },
    { maxTime: 3000, plainTime: 15_000, maxExecutions: 200 },
  ])
})

test.each([60, 4])('with a bound of %s s in time the plain run of a test takes as much besides, but no more than its part', (seconds) => {
  const until = Date.now() + seconds * 1000
  const budget = new Budget({ races: 'fail', maxExecutions: undefined, testTime: 1000, testExecutions: 200, runsTwice: true, known: [], until, timeName: '', counts: undefined }, new Slowness(() => ({ busy: 300, onCore: 300 })))
  budget.fileBegins(1)
  const { maxTime, plainTime } = budget.share() as Share
  expect([maxTime, Math.round(plainTime! / 1000)]).toEqual([1000, Math.min(5, seconds)])
})

describe('of a run with a bound in time', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vitest-dpor-budget-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const budgetUntil = (milliseconds: number): Budget =>
    new Budget({ races: 'fail', maxExecutions: undefined, testTime: undefined, testExecutions: undefined, runsTwice: true, known: [], until: Date.now() + milliseconds, timeName: 'the time of the run', counts: folder })

  /** As it is for a test of one of ten files, of which so many have ended, where files take so long besides explorations. */
  function shareIn({ seconds, ended, secondsOfFile = 1 }: { readonly seconds: number; readonly ended: number; readonly secondsOfFile?: number }): Share | string {
    const counts = new SharedCounts(folder)
    counts.add('files', 10)
    counts.add('begun files', ended)
    counts.add('ended files', ended)
    counts.add('first files')
    counts.add('typical files', ended - 1)
    counts.add('milliseconds of first files', secondsOfFile * 1000)
    counts.add('milliseconds of typical files', secondsOfFile * 1000 * (ended - 1))
    const budget = budgetUntil(seconds * 1000)
    budget.fileBegins(1)
    return budget.share()
  }

  const isUp = (): boolean => new SharedCounts(folder).of('time is up') > 0

  /** The explorations may go on for so long, which a slow test makes less. */
  function expectDeadline(share: Share | string, { since, seconds }: { readonly since: number; readonly seconds: number }): void {
    expect(share).toBeTypeOf('object')
    const { deadline } = share as Share
    expect(deadline).toBeGreaterThanOrEqual(since + seconds * 1000)
    expect(deadline).toBeLessThanOrEqual(Date.now() + seconds * 1000)
  }

  test('time is left for files that are still to come, the more of what the others have taken the more have ended', () => {
    const since = Date.now()
    const share = shareIn({ seconds: 600, ended: 3 })
    expectDeadline(share, { since, seconds: 595.5 })
    expect(isUp()).toBe(false)
  })

  test('it is up for all workers when only that is left', () => {
    expect(shareIn({ seconds: 4, ended: 3 })).toBe('the time of the run are spent')
    expect(isUp()).toBe(true)
  })

  test('the first file may take longer than others: some of the time is for explorations all the same', () => {
    // Those still to come: 8 times 300 s, by one of which one does not know yet whether they take as long.
    const since = Date.now()
    const share = shareIn({ seconds: 600, ended: 1, secondsOfFile: 300 })
    expectDeadline(share, { since, seconds: 75 })
    expect(isUp()).toBe(false)
  })

  test('which is over at some time', async () => {
    const counts = new SharedCounts(folder)
    counts.add('files', 10)
    counts.add('ended files')
    counts.add('first files')
    counts.add('milliseconds of first files', 300_000)
    const budget = budgetUntil(2000)
    budget.fileBegins(2)
    expect(budget.share()).toBeTypeOf('object')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(budget.share()).toBe('the time of the run are spent')
  })

  test('what a file takes is what has passed since the one before it has ended, without its explorations, but with what its tests would wait for', async () => {
    const counts = new SharedCounts(folder)
    counts.add('files', 3)
    counts.add('ended files')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const budget = budgetUntil(600_000)
    budget.fileBegins(2)
    budget.share()
    await new Promise((resolve) => setTimeout(resolve, 300))
    budget.spend({ executions: 1, needsMore: false, waits: 5000 })
    budget.fileEnds()
    const taken = counts.of('milliseconds of typical files')
    expect(taken).toBeGreaterThanOrEqual(5050 - 5)
    expect(taken).toBeLessThan(5300)
  })

  test('time is left for the tests of the same file, which wait as those before them would have', () => {
    const since = Date.now()
    const counts = new SharedCounts(folder)
    counts.add('files')
    const budget = budgetUntil(600_000)
    budget.fileBegins(11)
    budget.share()
    budget.spend({ executions: 1, needsMore: false, waits: 2000 })
    expectDeadline(budget.share(), { since, seconds: 600 - 9 * 2 })
  })
})
