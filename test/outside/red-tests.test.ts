import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'
import { redPrograms } from './red-programs.ts'

const statuses = ({ names, test: report }: Run): Record<string, string> => Object.fromEntries(names.map((name) => [name, report(name).status]))

describe('what is red with the flag alone', () => {
  let plain: Run
  let flagged: Run

  beforeAll(async () => {
    const folder = project('red-tests', redPrograms)
    plain = await run(folder, '--pool=forks')
    flagged = await run(folder, '--pool=forks', '--', '--dpor')
  })

  test('is green, but for races', () => {
    expect(plain.names.filter((name) => plain.test(name).status === 'failed')).toEqual(['red as well', 'red at once', 'red after it'])
    expect(statuses(flagged)).toEqual({ ...statuses(plain), 'a race': 'failed' })
    expect(flagged.test('a race').found?.found).toBe('race')
  })

  test('is told, with the reason', () => {
    expect(flagged.test('is the second').found).toMatchObject({ found: 'unexplored', reason: expect.stringMatching(/^red beside explorations and green in a run of its file without, which counts/) })
    expect(flagged.test('is the third, at once').found?.found).toBe('unexplored')
    expect(flagged.test('comes after it').found).toEqual({ found: 'unexplored', reason: 'its worker ended while the file was explored: what it comes to is that of a run without exploration' })
    expect(flagged.output).toMatch(/unhandled\.spec\.ts: an error that nobody handles, beside explorations and not in a run without: nobody handles it/)
  })

  test('what is red without it as well is told so', () => {
    expect(flagged.test('red as well')).toMatchObject({ message: expect.stringContaining('expected 1 to be 2'), found: { found: 'fails', isSure: true } })
    expect(flagged.test('red at once')).toMatchObject({ message: expect.stringContaining('expected 1 to be 2'), found: { found: 'fails', isSure: true } })
    expect(flagged.output).toMatch(/fails +in the plain order, without exploration as well +counted\.spec\.ts > red as well, counted\.spec\.ts > red at once, killed\.spec\.ts > red after it/)
  })

  test('leaves no error of a worker, or of a hook', () => {
    expect(flagged.output).toMatch(/Test Files +2 failed \| 2 passed \(4\)/)
    expect(flagged.output).not.toMatch(/Unhandled Errors|Worker forks/)
  })
})

test('a run of which only exploring made tests red ends well', async () => {
  const { 'hook.spec.ts': hook, 'unhandled.spec.ts': unhandled, 'killed.spec.ts': killed } = redPrograms
  const folder = project('red-tests/well', { 'hook.spec.ts': hook!, 'unhandled.spec.ts': unhandled!, 'killed.spec.ts': killed!.replace(/^test\('red.*\n/m, '') })
  expect((await run(folder, '--pool=forks', '--', '--dpor')).code).toBe(0)
})

test('each part of several machines sees to its own files', async () => {
  const folder = project('red-tests/parts', { 'one.spec.ts': redPrograms['hook.spec.ts']!, 'other.spec.ts': redPrograms['hook.spec.ts']! })
  const parts = await Promise.all(['1/2', '2/2'].map((shard) => run(folder, '--pool=forks', `--shard=${shard}`, '--', '--dpor')))
  expect(parts.map(({ code, names }) => [code, names])).toEqual([[0, ['counts before the hook']], [0, ['counts before the hook']]])
})
