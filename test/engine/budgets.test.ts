import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { explore, program, Search, type AlgorithmName, type Program, type SearchOptions } from '../../src/engine/index.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dpor-budgets-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Threads that read and write one variable: nothing of it fails. */
const increments = (threads: number, times: number): Program =>
  program(({ shared, thread }) => {
    const x = shared('x', 0)
    for (let i = 0; i < threads; i++) {
      thread(`thread ${i}`, function* () {
        for (let time = 0; time < times; time++) yield* x.write((yield* x.read()) + 1)
      })
    }
  })

const readersAndWriters = increments(3, 1)

/** Two threads of 20 steps, of which the first ones race. */
const longer: Program = program(({ shared, thread }) => {
  const x = shared('x', 0)
  for (let i = 0; i < 2; i++) {
    thread(`thread ${i}`, function* () {
      for (let step = 0; step < 20; step++) yield* (step === 0 ? x : shared(`own ${i} ${step}`, 0)).write(i)
    })
  }
})

const algorithms: readonly AlgorithmName[] = ['optimal', 'source', 'pop', 'trust', 'naive']
const searches = ['dfs', 'preemptions', 'bit-reversal', 'stride:2', 'conflict-first', 'random-first'] as const

interface Case {
  readonly options: SearchOptions
  readonly subject?: Program
  readonly reason: RegExp
}

const cut: readonly Case[] = [
  { options: { maxExecutions: 1 }, reason: /^maxExecutions of 1$/ },
  { options: { maxExecutions: 20 }, reason: /^maxExecutions of 20$/ },
  { options: { maxTime: 0.000_001 }, reason: /^maxTime of 0.000001 ms$/ },
  { options: { maxSteps: 3 }, reason: /^maxSteps of 3$/ },
  { options: { maxSteps: 30, maxExecutions: 1000 }, subject: longer, reason: /^max(?:Steps of 30|Executions of 1000)$/ },
  { options: { maxExecutions: 2, maxTime: 1e9 }, reason: /^maxExecutions of 2$/ },
  { options: { maxExecutions: 2, maxSteps: 3 }, reason: /^max(?:Executions of 2|Steps of 3)$/ },
  { options: { maxTime: 0.000_001, maxSteps: 3 }, reason: /^max/ },
]

test('time that a test fakes does not count', () => {
  vi.useFakeTimers()
  try {
    const passing = program(({ shared, thread }) => {
      const x = shared('x', 0)
      for (const name of ['one', 'other']) {
        thread(name, function* () {
          vi.advanceTimersByTime(120_000)
          yield* x.write((yield* x.read()) + 1)
        })
      }
    })
    expect(explore(passing, { maxTime: 60_000 })).toMatchObject({ verdict: 'holds' })
  } finally {
    vi.useRealTimers()
  }
})

describe('a budget that ends an exploration leaves it inconclusive', () => {
  test.each(algorithms.flatMap((algorithm) => cut.map((one) => [algorithm, one] as const)))('%s, %o', (algorithm, { options, subject = readersAndWriters, reason }) => {
    const found = explore(subject, { algorithm, ...options })
    expect(found.verdict).toBe('inconclusive')
    expect(found.inconclusiveReason).toMatch(reason)
  })

  test.each(searches.flatMap((search) => cut.map((one) => [search, one] as const)))("search: '%s', %o", (search, { options, subject = readersAndWriters, reason }) => {
    const found = explore(subject, { search, ...options })
    expect(found.verdict).toBe('inconclusive')
    expect(found.inconclusiveReason?.replace(/; holds for every interleaving .*/, '')).toMatch(reason)
  })

  test.each([
    [{ preemptionBound: 0 }, 'preemptionBound of 0; holds for every interleaving without a preemption'],
    [{ preemptionBound: 1 }, 'preemptionBound of 1; holds for every interleaving with at most 1 preemption'],
    [{ preemptionBound: 1, maxExecutions: 2 }, 'maxExecutions of 2'],
    [{ preemptionBound: 1, maxSteps: 3 }, 'maxSteps of 3'],
    [{ algorithm: 'mixed', preemptionBound: 0 }, 'preemptionBound of 0; holds for every interleaving without a preemption'],
    [{ algorithm: 'mixed', maxExecutions: 3 }, 'maxExecutions of 3'],
    [{ algorithm: 'random', maxExecutions: 3 }, 'maxExecutions of 3; holds for'],
    [{ algorithm: 'pct', maxTime: 0.000_001 }, 'maxTime of 0.000001 ms; holds for'],
    [{ algorithm: 'pos' }, 'maxExecutions of 1000; holds for'],
    [{ part: '1/2', maxExecutions: 1 }, 'maxExecutions of 1'],
    [{ equivalence: 'observation', maxExecutions: 3 }, 'maxExecutions of 3'],
  ] as const)('%o', (options, reason) => {
    const found = explore(increments(2, 3), options)
    expect(found.verdict).toBe('inconclusive')
    expect(found.inconclusiveReason?.startsWith(reason), found.inconclusiveReason).toBe(true)
  })

  test('and whoever goes on from there ends as the whole', () => {
    const whole = explore(readersAndWriters, { stopOnFirst: false })
    for (const [i, options] of [{ maxExecutions: 4 }, { maxTime: 0.000_001 }, { maxExecutions: 1, maxTime: 1e9 }].entries()) {
      const saveTo = path.join(folder, `${i}.json`)
      expect(explore(readersAndWriters, { stopOnFirst: false, saveTo, ...options }).verdict).toBe('inconclusive')
      expect(explore(readersAndWriters, { stopOnFirst: false, resumeFrom: saveTo })).toMatchObject({ verdict: whole.verdict, executions: whole.executions, blocked: whole.blocked, failures: [] })
    }
  })

  test('what never began, as the budget was spent before, has nothing to go on from', () => {
    const first = new Search({ maxExecutions: 1 })
    first.next()
    first.finish({ status: 'complete' })
    const later = new Search({ maxExecutions: 1, saveTo: path.join(folder, 'none.json') })
    later.shareBudget(first)
    expect([later.next(), later.save()]).toEqual([false, undefined])
  })

  test('an execution that was cut short stays one', () => {
    const saveTo = path.join(folder, 'cut.json')
    expect(explore(longer, { maxSteps: 30, maxExecutions: 1, saveTo }).verdict).toBe('inconclusive')
    expect(explore(longer, { maxSteps: 30, resumeFrom: saveTo })).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxSteps of 30' })
  })
})

test('a budget that is just enough ends nothing', () => {
  const { executions } = explore(readersAndWriters)
  for (const algorithm of ['optimal', 'source', 'pop'] as const) {
    expect(explore(readersAndWriters, { algorithm, maxExecutions: executions, maxSteps: 7, maxTime: 1e9 })).toMatchObject({ verdict: 'holds', executions, estimate: executions })
  }
})
