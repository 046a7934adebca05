import { describe, expect, test } from 'vitest'
import { exploreParallel, explore, parseSchedule, program, type SearchOptions } from '../../src/engine/index.ts'
import { BruteForce } from '../litmus/brute-force.ts'
import { withFailures } from '../litmus/listed.ts'
import { fromPapers, smallOnes } from '../litmus/programs.ts'
import { Chance } from '../../src/engine/algorithms/sampling/chance.ts'

const unevenOnes = [...fromPapers, ...smallOnes].filter(({ name }) => ['lastzero(5)', 'try-lock(3)', 'three threads, same order(2)'].includes(name))

const samples = ['random', 'pct', 'pos', 'walk'] as const

/** Threads that read a counter and write it back; the invariant fails where all have read the same. */
const increments = (threads: number) =>
  program(({ shared, thread }) => {
    const counter = shared('counter', 0)
    for (let i = 0; i < threads; i++) {
      thread(`increment ${i}`, function* () {
        const value = yield* counter.read()
        yield* counter.write(value + 1)
      })
    }
    return () => counter.value > 1
  })

/** How often each order of four single steps of two threads is met. */
function frequencies(options: SearchOptions, { executions }: { readonly executions: number }): Map<string, number> {
  const met = new Map<string, number>()
  let order = ''
  const twoAndTwo = program(({ shared, thread }) => {
    const log = shared('log', '')
    order = ''
    for (const name of ['a', 'b']) {
      thread(name, function* () {
        for (let i = 0; i < 2; i++) yield* log.update((text) => (order = text + name))
      })
    }
    return () => {
      met.set(order, (met.get(order) ?? 0) + 1)
      return true
    }
  })
  explore(twoAndTwo, { ...options, maxExecutions: executions })
  return met
}

function chiSquare(met: ReadonlyMap<string, number>, expected: Readonly<Record<string, number>>): number {
  const total = [...met.values()].reduce((sum, count) => sum + count, 0)
  return Object.entries(expected).reduce((sum, [order, share]) => sum + ((met.get(order) ?? 0) - share * total) ** 2 / (share * total), 0)
}

describe.each(samples)('%s', (algorithm) => {
  test('never says that all holds, and says what it met', () => {
    const { verdict, executions, inconclusiveReason } = explore(
      program(({ shared, thread }) => {
        const x = shared('x', 0)
        for (const name of ['a', 'b']) thread(name, () => x.write(1)[Symbol.iterator]() as never)
      }),
      { algorithm, maxExecutions: 50 },
    )
    expect({ verdict, executions }).toEqual({ verdict: 'inconclusive', executions: 50 })
    expect(inconclusiveReason).toMatch(/^maxExecutions of 50; holds for 2 classes met at random/)
  })

  test('holds where there is nothing to choose', () => {
    const alone = program(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('alone', function* () {
        yield* x.write(1)
        yield* x.write(2)
      })
    })
    expect(explore(alone, { algorithm })).toMatchObject({ verdict: 'holds', executions: 1 })
  })

  test('the first execution is the usual one, the others are those of the seed', () => {
    const schedules = (seed: number) => explore(increments(4), { algorithm, seed, stopOnFirst: false, maxExecutions: 200 }).failures.map(({ schedule }) => schedule)
    expect(schedules(1)).toEqual(schedules(1))
    expect(schedules(1)).not.toEqual(schedules(2))
    expect(explore(increments(4), { algorithm, maxExecutions: 1 }).failures).toEqual([])
  })

  test('what it finds replays', () => {
    const { failures } = explore(increments(4), { algorithm, maxExecutions: 10_000 })
    expect(explore(increments(4), { replay: failures[0]!.schedule }).failures).toMatchObject([{ kind: 'invariant' }])
  })

  test('ends by itself', () => {
    const forever = explore(increments(3), { algorithm, stopOnFirst: false })
    expect(forever).toMatchObject({ verdict: 'fails', executions: 1000 })
  })

  test('cannot be divided', async () => {
    expect(() => explore(increments(3), { algorithm, part: '1/2' })).toThrow(`option 'algorithm' is '${algorithm}': leave it out where a part is explored`)
    await expect(exploreParallel('file:///none.js', { algorithm })).rejects.toThrow('leave it out where workers share the work')
  })

  test('guesses how many classes there are', () => {
    const { estimate } = explore(increments(4), { algorithm, stopOnFirst: false, maxExecutions: 3000 })
    expect(estimate).toBeGreaterThan(200)
    expect(estimate).toBeLessThan(1200)
  })
})

describe('frequencies', () => {
  // With 5 degrees of freedom, 30 is exceeded once in 60,000 times; the seed is fixed.
  test('random: at each step every thread that can go on is as likely', () => {
    const expected = { aabb: 1 / 4, abab: 1 / 8, abba: 1 / 8, baab: 1 / 8, baba: 1 / 8, bbaa: 1 / 4 }
    const met = frequencies({ algorithm: 'random', seed: 7 }, { executions: 8000 })
    expect(chiSquare(met, expected)).toBeLessThan(30)
    expect(chiSquare(met, { ...expected, aabb: 1 / 5, bbaa: 3 / 10 })).toBeGreaterThan(30)
  })

  test('pct: one thread is lowered before one step of four', () => {
    // The thread with the higher priority is lowered before its first step, its second, or the other's, where nothing changes.
    const expected = { aabb: 3 / 8, bbaa: 3 / 8, abba: 1 / 8, baab: 1 / 8 }
    const met = frequencies({ algorithm: 'pct', pctDepth: 2, seed: 7 }, { executions: 8000 })
    expect(chiSquare(met, expected)).toBeLessThan(30)
    expect([met.get('abab'), met.get('baba')]).toEqual([undefined, undefined])
  })

  test('pos: all of these steps race, so each time every thread is as likely', () => {
    const expected = { aabb: 1 / 4, abab: 1 / 8, abba: 1 / 8, baab: 1 / 8, baba: 1 / 8, bbaa: 1 / 4 }
    expect(chiSquare(frequencies({ algorithm: 'pos', seed: 7 }, { executions: 8000 }), expected)).toBeLessThan(30)
  })

  test('walk: each class is as likely, whatever the chance of its orders', () => {
    const even = { aabb: 1 / 6, abab: 1 / 6, abba: 1 / 6, baab: 1 / 6, baba: 1 / 6, bbaa: 1 / 6 }
    expect(chiSquare(frequencies({ algorithm: 'walk', seed: 7 }, { executions: 8000 }), even)).toBeLessThan(30)
  })

  // One in 10,000 is above 2 for 30 degrees of freedom; the seed is fixed.
  test.each(unevenOnes.map((litmus) => [litmus.name, litmus] as const))('walk: %s, of which each class comes equally often once they are known', (_, { program: litmus, classes }) => {
    const bruteForce = new BruteForce(litmus)
    const executions = classes * 80
    const excess = (algorithm: 'walk' | 'random'): number => {
      const { failures } = explore(withFailures(litmus), { algorithm, stopOnFirst: false, maxExecutions: executions })
      const met = new Map<string, number>()
      for (const { schedule } of failures.slice(executions / 2)) {
        const form = bruteForce.formOf(parseSchedule(schedule))
        met.set(form, (met.get(form) ?? 0) + 1)
      }
      const others = Array.from({ length: classes - met.size }, (_other, i) => [`other ${i}`, 0] as const)
      const all = new Map([...met, ...others])
      return chiSquare(all, Object.fromEntries([...all.keys()].map((form) => [form, 1 / classes]))) / (classes - 1)
    }
    expect(excess('walk')).toBeLessThan(2)
    expect(excess('random')).toBeGreaterThan(10)
    expect(explore(litmus, { algorithm: 'walk', stopOnFirst: false, maxExecutions: executions }).estimate).toBe(classes)
  })

  test('numbers of a seed are spread evenly', () => {
    const chance = new Chance(3)
    const counts = new Map(Array.from({ length: 10 }, (_, i) => [`${i}`, 0]))
    for (let i = 0; i < 10_000; i++) {
      const number = `${chance.below(10)}`
      counts.set(number, counts.get(number)! + 1)
    }
    expect(chiSquare(counts, Object.fromEntries([...counts.keys()].map((number) => [number, 1 / 10])))).toBeLessThan(40)
  })
})

describe('pct', () => {
  test('meets a failure of its depth at least as often as its bound says', () => {
    // Fails if one thread is left between its two steps for the other's: two steps in a certain order behind a third.
    const loses = program(({ shared, thread }) => {
      const counter = shared('counter', 0)
      for (const name of ['a', 'b']) {
        thread(name, function* () {
          const value = yield* counter.read()
          yield* counter.write(value + 1)
        })
      }
      return () => counter.value === 2
    })
    const { failures, inconclusiveReason } = explore(loses, { algorithm: 'pct', pctDepth: 2, stopOnFirst: false, maxExecutions: 4000 })
    expect(failures.length / 4000).toBeGreaterThan(1 / (2 * 4))
    expect(inconclusiveReason).toMatch(/a failure of depth 2 had a chance of at least 100 % to be met$/)
  })
})

describe('mixed', () => {
  test('explores everything, and what it meets at random besides', () => {
    const all = explore(increments(3), { stopOnFirst: false })
    const mixed = explore(increments(3), { algorithm: 'mixed', stopOnFirst: false })
    expect(mixed.inconclusiveReason).toBeUndefined()
    expect(mixed.executions).toBe(2 * all.executions - 1)
    const distinct = new Set(mixed.failures.map(({ schedule }) => explore(increments(3), { replay: schedule }).failures.length))
    expect([...distinct]).toEqual([1])
  })

  test('says how far it came', () => {
    expect(explore(increments(5), { algorithm: 'mixed', stopOnFirst: false, preemptionBound: 0, maxExecutions: 20_000 }).inconclusiveReason).toBe(
      'preemptionBound of 0; explored: every interleaving without a preemption',
    )
  })
})
