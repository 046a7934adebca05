import { describe, expect, test } from 'vitest'
import { OptionError, Search, explore, parseSchedule, program, type Program } from '../../src/engine/index.ts'
import type { Exploring } from '../../src/engine/options.ts'
import { dividedAlgorithm } from '../../src/engine/algorithms/algorithms.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import type { Share } from '../../src/engine/parts/share.ts'
import { BruteForce } from '../litmus/brute-force.ts'
import { communication } from '../litmus/communication.ts'
import { deadlocks } from '../litmus/deadlocks.ts'
import { exploreListed, withFailures } from '../litmus/listed.ts'
import { mixtures } from '../litmus/mixtures.ts'
import { fromPapers, severalAccesses, smallOnes } from '../litmus/programs.ts'
import { spawning } from '../litmus/spawning.ts'
import { waiting } from '../litmus/waiting.ts'
import { toProgram } from '../oracle/adapter.ts'
import { enumerateClasses, formOf } from '../oracle/enumerate.ts'
import { generate, kinds, slowKinds } from '../oracle/generate.ts'
import { exploreParts, type Division } from '../oracle/parts.ts'
import { Random } from '../oracle/random.ts'

type Divided = Exploring & { readonly divisions: readonly (readonly [parts: number, pieces: number | undefined])[] }

const many = [[1, undefined], [2, undefined], [5, undefined], [1, 2], [2, 4], [3, 12]] as const
const few = [[3, undefined], [2, 5]] as const
const divided: readonly Divided[] = [
  { algorithm: 'source', divisions: many },
  { algorithm: 'optimal', divisions: many },
  { algorithm: 'optimal', search: 'preemptions', divisions: few },
  { algorithm: 'source', search: 'round-robin:1', divisions: few },
  { algorithm: 'pop', divisions: many },
  { algorithm: 'trust', divisions: few },
]

/** The executions of all parts, each by what `nameOf` calls it. */
function executionsOf(subject: Program, division: Division, nameOf: (schedule: readonly number[]) => string): string[] {
  return exploreParts(subject, division).flatMap(({ failures, executions, estimate }) => {
    expect(failures).toHaveLength(executions)
    expect(estimate).toBe(executions)
    return failures.map(({ schedule }) => nameOf(parseSchedule(schedule)))
  })
}

describe('parts of litmus programs have every class once', () => {
  const programs = [...fromPapers, ...smallOnes, ...severalAccesses, ...communication, ...deadlocks, ...waiting, ...spawning, ...mixtures]
  const small = programs.filter(({ classes }) => classes <= 50)

  test.each(small.map((litmus) => [litmus.name, litmus] as const))('%s', (_, litmus) => {
    const bruteForce = new BruteForce(litmus.program)
    const subject = withFailures(litmus.program)
    const nameOf = (schedule: readonly number[]) => bruteForce.formOf(schedule)
    const whole = exploreListed(litmus.program, 'optimal').listed.map(({ schedule }) => nameOf(schedule)).toSorted()
    for (const { divisions, ...exploring } of divided) {
      if (!isTakenBy(exploring, litmus.program)) continue
      for (const [parts, pieces] of divisions) {
        expect(executionsOf(subject, { ...exploring, parts, pieces }, nameOf).toSorted(), `${JSON.stringify(exploring)}, ${parts} parts`).toEqual(whole)
      }
    }
  })
})

describe('parts of random programs have every class once', () => {
  test.each(kinds)('%s', (kind) => {
    for (let seed = 0; seed < (kind === 'long' ? 1 : slowKinds.has(kind) ? 2 : 8); seed++) {
      const ast = generate(kind, new Random(300_000 + seed))
      const classes = enumerateClasses(ast, { cap: 2000, merge: true })
      if (classes === undefined || classes.size > 100) continue
      const all = [...classes].toSorted()
      for (const { divisions, ...exploring } of divided) {
        if (!isTakenBy(exploring, toProgram(ast))) continue
        for (const [parts, pieces] of divisions) {
          const found = executionsOf(toProgram(ast), { ...exploring, parts, pieces }, (schedule) => formOf(ast, schedule))
          expect(found.toSorted(), `${kind}, seed ${seed}, ${JSON.stringify(exploring)}, ${parts} parts`).toEqual(all)
        }
      }
    }
  })
})

function isTakenBy({ algorithm }: Exploring, subject: Program): boolean {
  try {
    explore(subject, { algorithm, stopOnFirst: false })
    return true
  } catch (error) {
    if (error instanceof OptionError) return false
    throw error
  }
}

test('naive: parts have every interleaving once', () => {
  for (const { name, program: subject } of [...severalAccesses, ...deadlocks]) {
    const whole = explore(withFailures(subject), { algorithm: 'naive', stopOnFirst: false, maxExecutions: 500 })
    if (whole.verdict === 'inconclusive' || whole.executions >= 500) continue
    const schedules = whole.failures.map(({ schedule }) => schedule).toSorted()
    for (const [parts, pieces] of [[2, undefined], [5, undefined], [3, 4]] as const) {
      const found = executionsOf(withFailures(subject), { algorithm: 'naive', parts, pieces }, (schedule) => schedule.join('.'))
      expect(found.toSorted(), name).toEqual(schedules.map((schedule) => parseSchedule(schedule).join('.')).toSorted())
    }
  }
})

const counter = (threads: number): Program =>
  program(({ shared, thread }) => {
    const n = shared('n', 0)
    let last = 0
    for (let i = 0; i < threads; i++) {
      thread(`add${i}`, function* () {
        const next = (yield* n.read()) + 1
        yield* n.write(next)
        last = next
      })
    }
    return () => last === threads
  })

describe('a part', () => {
  test('says so in its result, and counts only what is its own', () => {
    const whole = explore(counter(4), { stopOnFirst: false })
    const parts = ['1/2', '2/2'].map((part) => explore(counter(4), { stopOnFirst: false, part }))
    expect(whole).not.toHaveProperty('part')
    expect(parts.map(({ part }) => part)).toEqual(['1/2', '2/2'])
    expect(parts.every(({ executions }) => executions > whole.executions / 4)).toBe(true)
    expect(whole.failures.length).toBeLessThan(whole.executions)
    expect(sum(parts.map(({ executions }) => executions))).toBe(whole.executions)
    expect(sum(parts.map(({ failures }) => failures.length))).toBe(whole.failures.length)
    for (const { executions, steps, blocked } of parts) {
      expect(steps).toBeGreaterThanOrEqual(8 * executions)
      expect(steps).toBeLessThanOrEqual(8 * (executions + blocked))
    }
  })

  test('says that it merges nothing', () => {
    const equivalence = (part: string): string => explore(counter(2), { part, equivalence: 'observation' }).equivalence
    expect([equivalence('1/2'), equivalence('1/1')]).toEqual(['trace', 'observation'])
  })

  test('is the same every time', () => {
    const explored = () => explore(counter(4), { stopOnFirst: false, part: '2/3' })
    expect(explored()).toEqual(explored())
  })

  test.each(['source', 'optimal', 'pop', 'naive'] as const)('may be empty: two executions in five parts, by %s', (algorithm) => {
    const twoWriters = program(({ shared, thread }) => {
      const x = shared('x', 0)
      for (const value of [1, 2]) {
        thread(`write${value}`, function* () {
          yield* x.write(value)
        })
      }
    })
    const parts = [1, 2, 3, 4, 5].map((k) => explore(twoWriters, { algorithm, part: `${k}/5` }))
    expect(parts.map(({ executions }) => executions)).toEqual([1, 1, 0, 0, 0])
    expect(parts.every(({ verdict }) => verdict === 'holds')).toBe(true)
  })

  test('of a program without steps is that or nothing', () => {
    expect(['1/2', '2/2'].map((part) => explore(program(() => {}), { part }).executions)).toEqual([1, 0])
  })

  test('has its own maxExecutions', () => {
    const options = { stopOnFirst: false, part: '1/2' }
    const { executions } = explore(counter(4), options)
    expect(explore(counter(4), { ...options, maxExecutions: executions - 1 })).toMatchObject({
      executions: executions - 1,
      inconclusiveReason: `maxExecutions of ${executions - 1}`,
    })
    expect(explore(counter(4), { ...options, maxExecutions: executions })).not.toHaveProperty('inconclusiveReason')
  })

  test('fails if the failure is in it, with a schedule that replays', () => {
    const parts = ['1/2', '2/2'].map((part) => explore(counter(2), { part }))
    expect(parts.map(({ verdict }) => verdict)).toContain('fails')
    for (const { failures } of parts) {
      for (const { schedule } of failures) expect(explore(counter(2), { replay: schedule }).verdict).toBe('fails')
    }
  })

  test('is cut at maxSteps like the whole', () => {
    const options = { maxSteps: 3, stopOnFirst: false }
    expect(explore(counter(2), { ...options, part: '1/2' })).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'maxSteps of 3' })
  })

  test.each(['', '1', '0/2', '3/2', '1/0', '-1/2', '1/2/3', '1.5/2', ' 1/2', '01/2'])("'%s' is refused", (part) => {
    expect(() => explore(counter(2), { part })).toThrow(`option 'part' is '${part}': give a part such as '1/4', the first of four`)
  })

  test('that is no text is refused, and so is one of a replay', () => {
    expect(() => explore(counter(2), { part: 0.25 as never })).toThrow("option 'part' is 0.25")
    expect(() => explore(counter(2), { part: '1/2', replay: '0' })).toThrow("option 'part' is '1/2': leave it out where one schedule is replayed")
  })
})

test.each<Exploring>([...divided, { algorithm: 'naive' }])('pieces that others take at the last moment are left to them: %o', (exploring) => {
  const { algorithm } = exploring
  let asked = 0
  const taken: number[] = []
  const share: Share = {
    pieces: 4,
    // Only the first is still there.
    owns: (piece) => taken.push(piece) === 1,
    left: () => (asked++ % 2 === 0 ? 1 : 0),
  }
  const search = new Search({ stopOnFirst: false }, (trace) => dividedAlgorithm(exploring, trace, share))
  const driver = new ProgramDriver(counter(3), search)
  while (search.next()) driver.execute()
  expect(new Set(taken).size).toBe(taken.length)
  expect(search.result().executions).toBeGreaterThan(0)
  expect(search.result().executions).toBeLessThan(explore(counter(3), { algorithm, stopOnFirst: false }).executions)
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
