import { describe, expect, test } from 'vitest'
import { allTrustRules } from '../../src/engine/algorithms/trust/rules.ts'
import { Trust } from '../../src/engine/algorithms/trust/trust.ts'
import { Search, explore, parseSchedule, program, type Program, type SearchOptions } from '../../src/engine/index.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { exploreListed } from '../litmus/listed.ts'

/** The first example of Buster: one process reads x and y, the other writes y twice. */
const readsAndWrites = program(({ shared, thread }) => {
  const [x, y] = [shared('x', 0), shared('y', 0)]
  thread('reads', function* () {
    yield* x.read()
    yield* y.read()
  })
  thread('writes', function* () {
    yield* y.write(1)
    yield* y.write(2)
  })
})

/** Three processes write, and one of them reads: whether that comes about. */
const threeWriters = (order: string, read: string) =>
  program(({ shared, thread }) => {
    const writes = shared('writes', '')
    let seen = ''
    const write = (name: string) => writes.update((before) => before + name)
    thread('left', function* () {
      yield* write('l')
    })
    thread('middle', function* () {
      yield* write('m')
      seen = yield* writes.read()
    })
    thread('right', function* () {
      yield* write('r')
    })
    return () => writes.value !== order || seen !== read
  })

/** A bug that needs a turn to be left and taken up again `depth` times. */
const pingPong = (depth: number) =>
  program(({ shared, thread }) => {
    const ball = shared('ball', 0)
    for (const player of [0, 1]) {
      thread(`player ${player}`, function* () {
        for (let turn = player; turn <= depth; turn += 2) {
          if ((yield* ball.read()) !== turn) return
          yield* ball.write(turn + 1)
        }
      })
    }
    return () => ball.value <= depth
  })

/** Benchmarks of the paper, in which it finds the failure with a bound of 1. */
const reorder = (setters: number) =>
  program(({ shared, thread }) => {
    const [a, b] = [shared('a', 0), shared('b', 0)]
    let isBetween = false
    for (let i = 0; i < setters; i++) {
      thread(`sets ${i}`, function* () {
        yield* a.write(1)
        yield* b.write(-1)
      })
    }
    thread('checks', function* () {
      isBetween = (yield* a.read()) === 1 && (yield* b.read()) === 0
    })
    return () => !isBetween
  })

const twoStage = (writers: number) =>
  program(({ mutex, shared, thread }) => {
    const [one, other] = [mutex('one'), mutex('other')]
    const [first, second] = [shared('first', 0), shared('second', 0)]
    let isLate = false
    for (let i = 0; i < writers; i++) {
      thread(`writes ${i}`, function* () {
        yield* one.lock()
        yield* first.write(1)
        yield* one.unlock()
        yield* other.lock()
        yield* second.write(2)
        yield* other.unlock()
      })
    }
    thread('reads', function* () {
      yield* one.lock()
      const found = yield* first.read()
      yield* one.unlock()
      if (found === 0) return
      yield* other.lock()
      isLate = (yield* second.read()) !== 2
      yield* other.unlock()
    })
    return () => !isLate
  })

const counter = program(({ shared, thread }) => {
  const count = shared('count', 0)
  for (const name of ['one', 'other']) {
    thread(name, function* () {
      for (let i = 0; i < 3; i++) yield* count.write((yield* count.read()) + 1)
    })
  }
  return () => count.value >= 1
})

test('a graph for each write that is read from, in one execution each', () => {
  const { listed, executions, blocked } = exploreListed(readsAndWrites, 'trust')
  expect({ executions, blocked }).toEqual({ executions: 3, blocked: 0 })
  expect(listed.map(({ schedule }) => schedule.join(''))).toEqual(['0011', '0101', '0110'])
})

test('an event that has another place leaves the others as they were', () => {
  const schedules: (readonly number[])[] = []
  for (const { schedule } of exploreListed(counter, 'trust').listed) schedules.push(schedule)
  expect(new Set(schedules.map((schedule) => schedule.join('.'))).size).toBe(schedules.length)
  for (const schedule of schedules) expect(schedule.filter((process) => process === 0)).toHaveLength(6)
})

test('a failure can be replayed', () => {
  const lost = program((builder) => {
    counter.build(builder)
    return () => false
  })
  const { failures } = explore(lost, { algorithm: 'trust' })
  const replayed = explore(lost, { replay: failures[0]!.schedule })
  expect(replayed.failures[0]!.schedule).toBe(failures[0]!.schedule)
  expect(parseSchedule(failures[0]!.schedule)).toHaveLength(12)
})

test.each([
  ['steps with several accesses', ({ shared, thread, atomic }) => {
    const x = shared('x', 0)
    thread('one', function* () {
      yield* atomic(() => x.set(x.get() + 1))
    })
  }, 'it is for steps with one access'],
  ['virtual time', ({ delay, thread }) => {
    thread('one', function* () {
      yield* delay(1)
    })
  }, 'it knows no virtual time'],
  ['changes that commute', ({ shared, thread }) => {
    const x = shared('x', 0)
    thread('one', function* () {
      yield* x.combine((value) => value + 1)
    })
  }, 'no changes that commute (combine)'],
  ['loops that wait for several variables', ({ shared, thread }) => {
    const x = shared('x', 0)
    const y = shared('y', 0)
    thread('asks', function* () {
      while ((yield* y.read()) === 0 && (yield* x.read()) === 0);
    })
    thread('writes', function* () {
      yield* x.write(1)
    })
  }, 'it knows no loops that wait for several variables'],
] satisfies [string, Program['build'], string][])('refuses %s', (_, build, why) => {
  expect(() => explore(program(build), { algorithm: 'trust' })).toThrow(why)
})

test.each([
  [{ search: 'preemptions' }, "option 'search' is 'preemptions': leave it out with algorithm 'trust'"],
  [{ search: 'stride' }, "option 'search' is 'stride': leave it out with algorithm 'trust'"],
] as const)('%o is refused', (options, message) => {
  expect(() => explore(counter, { algorithm: 'trust', ...options })).toThrow(message)
})

describe('with preemptionBound', () => {
  const bounded = (of: Program, preemptionBound: number, options: SearchOptions = {}) => explore(of, { algorithm: 'trust', preemptionBound, ...options })

  test('it says what holds where something was left out, and holds where nothing was', () => {
    const all = explore(counter, { algorithm: 'trust' }).executions
    const { verdict, executions, inconclusiveReason } = bounded(counter, 1)
    expect({ verdict, inconclusiveReason }).toEqual({
      verdict: 'inconclusive',
      inconclusiveReason: 'preemptionBound of 1; holds for every interleaving with at most 1 preemption',
    })
    expect(executions).toBeLessThan(all / 2)
    expect(bounded(counter, 10)).toMatchObject({ verdict: 'holds', executions: all, blocked: 0 })
  })

  test('it says nothing of what it has not seen to the end', () => {
    expect(bounded(counter, 1, { maxExecutions: 2 }).inconclusiveReason).toBe('maxExecutions of 2')
    expect(bounded(counter, 1, { maxSteps: 5 }).inconclusiveReason).toBe('maxSteps of 5')
  })

  test.each([1, 2, 3, 4])('a failure that needs %i preemptions is found with that bound', (depth) => {
    expect(bounded(pingPong(depth), depth).verdict).toBe('fails')
  })

  test.each([
    ['reorder(3)', reorder(3)],
    ['reorder(10)', reorder(10)],
    ['twostage(1)', twoStage(1)],
    ['twostage(3)', twoStage(3)],
  ])('what the paper finds with one preemption is found, after few executions: %s', (_, of) => {
    const { verdict, failures } = bounded(of, 1)
    expect(verdict).toBe('fails')
    expect(failures[0]!.execution).toBeLessThan(200)
  })

  test('a class is reached by way of graphs that need more preemptions than it does', () => {
    const fromTheMiddle = threeWriters('mrl', 'm')
    expect(bounded(fromTheMiddle, 0).verdict).toBe('fails')
    expect(verdictWithoutSlack(fromTheMiddle)).not.toBe('fails')
  })
})

function verdictWithoutSlack(of: Program): string {
  const search = new Search({}, (trace) => new Trust(trace, { bound: 0, rules: { ...allTrustRules, slack: false } }))
  const driver = new ProgramDriver(of, search)
  while (search.next()) driver.execute()
  return search.result().verdict
}
