import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { DeadlockError, OptionError, ProgramError, exploreParallel, explore, type Exploration } from '../../src/engine/index.ts'
import { exploreWithWorkers, type ParallelOptions } from '../../src/engine/parts/parallel.ts'
import * as programs from './parallel/programs.ts'

const module = new URL('parallel/programs.ts', import.meta.url)
/** The source of the worker, not what is built of it. */
const entry = new URL('parallel/worker.js', import.meta.url)

const parallel = (options: ParallelOptions, url: URL | string = module): Promise<Exploration> => exploreWithWorkers(url, options, entry)

describe('any number of workers has the same result', () => {
  test.each(['source', 'optimal', 'pop'] as const)('by %s', async (algorithm) => {
    const { verdict, executions, estimate, interleave } = explore(programs.lastzero(), { algorithm })
    const [one, three] = await Promise.all([1, 3].map((workers) => parallel({ export: 'lastzero', algorithm, workers })))
    expect(one).toMatchObject({ verdict, executions, estimate, interleave })
    expect(three).toEqual(one)
    if (algorithm === 'pop') expect(one!.blocked).toBe(0)
  })
})

describe('orders, bounds and execution graphs', () => {
  test.each<ParallelOptions>([{ search: 'preemptions' }, { algorithm: 'trust' }])('have the same executions together: %o', async (options) => {
    const { verdict, executions } = explore(programs.lastzero(), options)
    expect(await parallel({ export: 'lastzero', workers: 2, ...options })).toMatchObject({ verdict, executions })
  })

  test.each<ParallelOptions>([{ preemptionBound: 1 }, { algorithm: 'trust', preemptionBound: 1 }])('say what holds where something was left out: %o', async (options) => {
    const { executions, inconclusiveReason } = await parallel({ export: 'counters', workers: 3, ...options })
    expect(inconclusiveReason).toBe('preemptionBound of 1; holds for every interleaving with at most 1 preemption')
    expect(executions).toBeLessThan(explore(programs.counters).executions)
  })

  test('what one of them has explored is not said of all', async () => {
    const { inconclusiveReason } = await parallel({ export: 'counters', workers: 2, search: 'preemptions', maxExecutions: 300 })
    expect(inconclusiveReason).toMatch(/^maxExecutions of 300(; holds for every interleaving without a preemption)?$/)
  })

  test.each<ParallelOptions>([{ algorithm: 'random' }, { algorithm: 'mixed' }])('%o is refused with what to do instead', async (options) => {
    await expect(parallel({ export: 'lastzero', ...options })).rejects.toThrow(/: leave it out where workers share the work: (what is drawn at random has no parts|give search)/)
  })
})

describe('what a budget has ended goes on another day', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dpor-workers-'))
  const kept = (name: string) => ({ saveTo: path.join(folder, name), resumeFrom: path.join(folder, name) })
  const files = (name: string): string[] => readdirSync(path.join(folder, name))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each<ParallelOptions>([{}, { algorithm: 'trust' }, { preemptionBound: 1 }])('with the same executions as in one go: %o', async (options) => {
    const given = { export: 'lastzero', workers: 2, ...options }
    const whole = await parallel(given)
    const name = JSON.stringify(options)
    let found = await parallel({ ...given, ...kept(name), maxExecutions: 90 })
    expect(found).toMatchObject({ verdict: 'inconclusive', executions: 90 })
    expect(files(name)).not.toEqual([])
    let days = 1
    for (; found.inconclusiveReason?.startsWith('maxExecutions'); days++) found = await parallel({ ...given, ...kept(name), maxExecutions: 90 })
    expect(found).toMatchObject({ verdict: whole.verdict, executions: whole.executions })
    expect(found.inconclusiveReason).toBe(whole.inconclusiveReason)
    expect(days).toBe(Math.floor(whole.executions / 90) + 1)
    expect(files(name)).toEqual([])
  })

  test('each failure once, also of a worker that has nothing left', async () => {
    const given = { export: 'odd', workers: 3, stopOnFirst: false }
    const whole = await parallel(given)
    const found: Exploration[] = []
    do found.push(await parallel({ ...given, ...kept('odd'), maxExecutions: 2 }))
    while (files('odd').length > 0)
    const schedules = ({ failures }: Exploration) => failures.map(({ schedule }) => schedule)
    expect(schedules(found.at(-1)!)).toEqual(schedules(whole))
    expect(found.map(({ executions }) => executions)).toEqual([2, 4, 6])
  })

  test('one failure is the end for all, unless more are wanted', async () => {
    expect((await parallel({ export: 'odd', workers: 2, ...kept('first') })).failures).toHaveLength(1)
    expect(files('first')).toEqual([])
  })

  test('by as many workers, of the same program, by the same options; else it is refused', async () => {
    const given = { export: 'lastzero', maxExecutions: 70, ...kept('others') }
    await parallel({ ...given, workers: 2 })
    await expect(parallel({ ...given, workers: 3 })).rejects.toThrow(/option 'resumeFrom' is '.*others': it was written by 2 workers, .*: give workers 2, or remove the folder/)
    await expect(parallel({ ...given, export: 'readers' })).rejects.toThrow(/option 'resumeFrom' is '.*-of-2.json': the program has changed/)
    await expect(parallel({ ...given, algorithm: 'source' })).rejects.toThrow('it was written with algorithm "optimal", and not "source"')
    expect(await parallel(given)).toMatchObject({ executions: 140 })
    await expect(parallel({ ...given, resumeFrom: path.join(given.saveTo, '1-of-2.json') })).rejects.toThrow('give a folder: each worker has a file in it')
  })
})

describe('without an algorithm', () => {
  test('pop takes single accesses, and gives nothing up', async () => {
    const result = await parallel({ export: 'lastzero', workers: 2 })
    expect(result).toMatchObject({ verdict: 'holds', executions: explore(programs.lastzero()).executions, blocked: 0 })
  })

  test('optimal takes the rest', async () => {
    expect(await parallel({ export: 'atomic', workers: 2 })).toMatchObject({ verdict: 'holds', executions: 1 })
  })
})

describe('failures', () => {
  test('cross the threads: errors with name, message and stack, values as copies or as text', async () => {
    const { failures, verdict } = await parallel({ export: 'odd', workers: 2, stopOnFirst: false })
    expect(verdict).toBe('fails')
    const errors = failures.map(({ error }) => error)
    expect(errors.filter((error) => error instanceof Error && error.name === 'RangeError' && error.message === 'three')).toHaveLength(2)
    expect((errors.find((error) => error instanceof Error) as Error).stack).toContain('programs.ts')
    expect(errors).toContainEqual({ code: 1 })
    expect(errors).toContain('Symbol(two)')
    expect(failures.map(({ schedule }) => schedule)).toEqual(failures.map(({ schedule }) => schedule).toSorted())
  })

  test('a deadlock is a DeadlockError, and its schedule replays', async () => {
    const { failures } = await parallel({ workers: 2 })
    expect(failures[0]!.error).toBeInstanceOf(DeadlockError)
    expect(explore(programs.philosophers, { replay: failures[0]!.schedule }).failures[0]).toMatchObject({ kind: 'deadlock' })
  })

  test('one ends the work of all, unless more are wanted', async () => {
    expect((await parallel({ export: 'odd', workers: 2 })).failures).toHaveLength(1)
    expect((await parallel({ export: 'odd', workers: 2, stopOnFirst: false })).failures).toHaveLength(6)
  })
})

describe('bounds are for all workers together', () => {
  test('what is cut off is estimated by the first of them', async () => {
    const { executions, estimate, estimateRange } = await parallel({ export: 'adders', workers: 1, maxExecutions: 1000 })
    expect(executions).toBe(1000)
    expect(estimate).toBeGreaterThan(40_320 / 2)
    expect(estimate).toBeLessThan(40_320 * 2)
    expect(estimateRange![1]).toBeGreaterThan(estimate)
  })

  test('maxExecutions is met exactly', async () => {
    expect(await parallel({ export: 'readers', workers: 3, maxExecutions: 50 })).toMatchObject({ verdict: 'inconclusive', executions: 50, inconclusiveReason: 'maxExecutions of 50' })
    expect(await parallel({ export: 'readers', workers: 3, maxExecutions: 64 })).toMatchObject({ verdict: 'holds', executions: 64, estimate: 64 })
  })

  test('maxTime', async () => {
    expect(await parallel({ export: 'lastzero', workers: 2, maxTime: 1 })).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxTime of 1 ms' })
  })

  test('a part of several is divided among them', async () => {
    const parts = await Promise.all(['1/2', '2/2'].map((part) => parallel({ export: 'readers', workers: 2, part })))
    expect(parts.map(({ part }) => part)).toEqual(['1/2', '2/2'])
    for (const { part, executions } of parts) expect(explore(programs.readers, { part })).toMatchObject({ executions })
    expect(parts[0]!.executions + parts[1]!.executions).toBe(64)
  })
})

describe('what cannot be explored is refused in one line that names the module', () => {
  test.each([
    ['missing', /it has no export 'missing'; there are .*'philosophers'/],
    ['number', /its export 'number' is neither what program\(\.\.\.\) returns nor a function that returns that$/],
    ['failing', /its export 'failing' threw TypeError: no program today$/],
    ['throwing', /its program threw Error: no variables today$/],
  ])('export %s', async (name, message) => {
    const refused = parallel({ export: name, workers: 1 })
    await expect(refused).rejects.toThrow(ProgramError)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(/^file:.*programs\.ts: /)
  })

  test.each([
    ['unloadable.ts', /unloadable\.ts: it cannot be loaded: Error: not now$/],
    ['absent.ts', /absent\.ts: it cannot be loaded: .*absent/],
  ])('module %s', async (name, message) => {
    await expect(parallel({ workers: 1 }, new URL(`parallel/${name}`, import.meta.url))).rejects.toThrow(message)
  })

  test('an algorithm that does not take the program', async () => {
    await expect(parallel({ export: 'atomic', workers: 2, algorithm: 'pop' })).rejects.toThrow(/programs\.ts: its program threw OptionError: option 'algorithm' is 'pop'/)
  })

  test.each([
    [{ workers: 0 }, "option 'workers' is 0: give a whole number of at least 1"],
    [{ workers: 1.5 }, "option 'workers' is 1.5"],
    [{ export: 1 as never }, "option 'export' is 1"],
    [{ replay: '0' }, "option 'replay' is '0': one schedule needs no workers"],
    [{ worker: 2 } as never, "option 'worker' is 2: no such option; there are algorithm"],
    [{ algorithm: 'magic' as never }, "option 'algorithm' is 'magic': give 'source'"],
    [{ part: '3/2' }, "such as '1/4'"],
  ])('%j', async (options, message) => {
    const refused = exploreParallel(module, options)
    await expect(refused).rejects.toThrow(OptionError)
    await expect(refused).rejects.toThrow(message)
  })

  test('a path that is no URL', async () => {
    await expect(exploreParallel('./programs.ts')).rejects.toThrow("option 'moduleUrl' is './programs.ts': give the URL of a module")
  })
})
