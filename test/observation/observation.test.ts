import { describe, expect, test } from 'vitest'
import { validity } from '../../src/engine/validity.ts'
import { explore, program, type AlgorithmName, type Exploration, type Program, type SearchOptions } from '../../src/engine/index.ts'
import { runCampaign } from './campaign.ts'
import { kinds } from './generate.ts'

validity.decided = true

describe.each(['optimal', 'source'] as const)('on random programs %s shows every outcome, and members of a class show the same', (algorithm) => {
  test.each(kinds)('%s', (kind) => {
    const { lost, invented, differing, skipped, refused, wrong } = runCampaign({ kind, programs: 120, seed: 40_000, cap: 400, algorithm })
    expect({ lost, invented, differing, wrong }).toEqual({ lost: 0, invented: 0, differing: 0, wrong: undefined })
    expect(refused).toBe(0)
    expect(skipped).toBeLessThan(15)
  })
})

test('and so does pop on steps with one access', () => {
  const { lost, invented, differing, blocked, refused } = runCampaign({ kind: 'single', programs: 300, seed: 40_000, cap: 400, algorithm: 'pop' })
  expect({ lost, invented, differing, blocked, refused }).toEqual({ lost: 0, invented: 0, differing: 0, blocked: 0, refused: 0 })
})

const all: readonly AlgorithmName[] = ['optimal', 'source', 'pop']

/** Explores by observation with each algorithm that takes the program; they agree. */
function explored(tested: Program, options: SearchOptions = {}): Pick<Exploration, 'executions' | 'passes' | 'blocked' | 'verdict'> {
  const results = all.flatMap((algorithm) => {
    try {
      const { executions, passes, blocked, verdict } = explore(tested, { equivalence: 'observation', stopOnFirst: false, algorithm, ...options })
      return [{ executions, passes, blocked, verdict }]
    } catch (error) {
      if (algorithm === 'pop') return []
      throw error
    }
  })
  for (const result of results) expect(result).toEqual(results[0])
  return results[0]!
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('how many classes there are, and how many passes it takes', () => {
  test.each([3, 4, 5, 6])('%i tasks count with n += 1 and nobody reads: 1', (tasks) => {
    const counting = program(({ shared, thread }) => {
      const n = shared('n', 0)
      for (const i of numbers(tasks)) thread(`task ${i}`, function* () { yield* n.add(1) })
    })
    expect(explored(counting)).toMatchObject({ executions: 1, passes: 1, blocked: 0 })
    expect(explore(counting, { stopOnFirst: false }).executions).toBe([6, 24, 120, 720][tasks - 3])
  })

  test('with a reader each is before it or after: 16', () => {
    const counting = program(({ shared, thread }) => {
      const n = shared('n', 0)
      for (const i of numbers(4)) thread(`task ${i}`, function* () { yield* n.add(1) })
      thread('reader', function* () { yield* n.read() })
    })
    expect(explored(counting)).toMatchObject({ executions: 16, passes: 1 })
  })

  test('a sum that is looked at in the end is the same in any order: 1', () => {
    const counting = program(({ shared, thread }) => {
      const n = shared('n', 0)
      for (const i of numbers(5)) thread(`task ${i}`, function* () { yield* n.add(i) })
      return () => n.value === 10
    })
    expect(explored(counting)).toMatchObject({ executions: 1, passes: 1, verdict: 'holds' })
  })

  test('integers that leave the safe ones are ordered', () => {
    const counting = program(({ shared, thread }) => {
      const n = shared('n', Number.MAX_SAFE_INTEGER - 1)
      for (const amount of [1, 2, -3]) thread(`add ${amount}`, function* () { yield* n.add(amount) })
    })
    expect(explored(counting)).toMatchObject({ executions: 6, passes: 2 })
  })

  test('four times done = true, looked at: 1', () => {
    const flags = program(({ shared, thread }) => {
      const done = shared('done', false)
      for (const i of numbers(4)) thread(`task ${i}`, function* () { yield* done.write(true) })
      return () => done.value
    })
    expect(explored(flags)).toMatchObject({ executions: 1, passes: 1 })
  })

  test('five times last = me: 1 if nobody looks, 120 if somebody does', () => {
    const last = (isRead: boolean) =>
      program(({ shared, thread }) => {
        const me = shared('last', -1)
        for (const i of numbers(5)) thread(`task ${i}`, function* () { yield* me.write(i) })
        return isRead ? () => me.value >= 0 : undefined
      })
    expect(explored(last(false))).toMatchObject({ executions: 1, passes: 1 })
    expect(explored(last(true))).toMatchObject({ executions: 120, passes: 2 })
  })

  test('five pushes: 1 by their number, 120 by their content, 1 if all push the same', () => {
    const pushes = (look: 'length' | 'items', value: (i: number) => number) =>
      program(({ list, thread }) => {
        const log = list<number>('log')
        for (const i of numbers(5)) thread(`task ${i}`, function* () { yield* log.push(value(i)) })
        return () => (look === 'length' ? log.now.length() : log.now.items().length) === 5
      })
    expect(explored(pushes('length', (i) => i))).toMatchObject({ executions: 1, passes: 1 })
    expect(explored(pushes('items', (i) => i))).toMatchObject({ executions: 120, passes: 2 })
    expect(explored(pushes('items', () => 7))).toMatchObject({ executions: 1, passes: 1 })
  })

  test('a push whose result is used is a look at the number: 6', () => {
    const pushes = program(({ list, thread }) => {
      const log = list<number>('log')
      for (const i of numbers(3)) thread(`task ${i}`, function* () { yield* log.pushAndCount(i) })
    })
    expect(explored(pushes)).toMatchObject({ executions: 6, passes: 1 })
  })

  const hits = (look: 'values' | 'order') =>
    program(({ map, thread, atomic }) => {
      const cache = map('cache', numbers(4).map((key) => [key, `value ${key}`] as const))
      for (const key of numbers(4)) {
        thread(`hit ${key}`, function* () {
          yield* atomic(() => {
            const value = cache.now.get(key)!
            cache.now.delete(key)
            cache.now.set(key, value)
          })
        })
      }
      return () => (look === 'values' ? numbers(4).every((key) => cache.now.get(key) === `value ${key}`) && cache.now.size() === 4 : cache.now.keys().length === 4)
    })

  test('four hits of an LRU: 1 by values and size, 24 by order', () => {
    expect(explored(hits('values'))).toMatchObject({ executions: 1, passes: 1, verdict: 'holds' })
    expect(explored(hits('order'))).toMatchObject({ executions: 24, passes: 2, verdict: 'holds' })
  })

  test('keys that come and go are refined by trace too', () => {
    expect(explore(hits('values'), { stopOnFirst: false })).toMatchObject({ executions: 1, passes: 1, equivalence: 'trace' })
    expect(explore(hits('order'), { stopOnFirst: false })).toMatchObject({ executions: 24, passes: 2 })
  })

  test('a Map as a queue, three puts and one who takes twice: ordered in the second pass', () => {
    const queue = program(({ map, thread, atomic }) => {
      const waiting = map<number, string>('waiting')
      for (const i of numbers(3)) thread(`put ${i}`, function* () { yield* waiting.set(i, 'job') })
      thread('take', function* () {
        for (const _ of numbers(2)) {
          yield* atomic(() => {
            const [first] = waiting.now.keys()
            if (first !== undefined) waiting.now.delete(first)
          })
        }
      })
    })
    expect(explored(queue)).toMatchObject({ executions: 60, passes: 2 })
  })

  test('a key that is set again stays where it is: whoever sets other keys is independent of it', () => {
    const again = program(({ map, thread }) => {
      const entries = map<string, number>('entries')
      for (const key of ['a', 'b', 'c']) {
        thread(key, function* () {
          yield* entries.set(key, 1)
          yield* entries.set(key, 2)
        })
      }
      return () => entries.now.keys().length === 3
    })
    // The first ones in any order; the second ones change nothing of it.
    expect(explored(again)).toMatchObject({ executions: 6, passes: 2 })
  })
})

describe('passes', () => {
  const racing = program(({ shared, thread }) => {
    const last = shared('last', 0)
    for (const i of [1, 2, 3]) thread(`task ${i}`, function* () { yield* last.write(i) })
    return () => last.value === 3
  })

  test('a failure of any pass ends the exploration, and its schedule replays', () => {
    const { verdict, passes, failures } = explore(racing, { equivalence: 'observation', algorithm: 'source' })
    expect({ verdict, failures: failures.length }).toEqual({ verdict: 'fails', failures: 1 })
    expect(passes).toBe(2)
    expect(explore(racing, { equivalence: 'observation', replay: failures[0]!.schedule })).toMatchObject({ verdict: 'fails', passes: 1 })
  })

  test('failures are those of the last pass, each once', () => {
    const { executions, failures, passes, steps } = explore(racing, { equivalence: 'observation', stopOnFirst: false })
    expect({ executions, passes, steps }).toEqual({ executions: 6, passes: 2, steps: 18 })
    expect(new Set(failures.map(({ schedule }) => schedule)).size).toBe(4)
    expect(failures).toHaveLength(4)
  })

  test('budgets are for all passes together, and what was found stays found', () => {
    const failsFirst = program(({ shared, thread }) => {
      const last = shared('last', 0)
      for (const i of [1, 2, 3]) thread(`task ${i}`, function* () { yield* last.write(i) })
      return () => last.value !== 3
    })
    const first = explore(failsFirst, { equivalence: 'observation', stopOnFirst: false, maxExecutions: 1 })
    expect(first).toMatchObject({ verdict: 'fails', executions: 1, passes: 1, inconclusiveReason: 'maxExecutions of 1' })
    const cut = explore(failsFirst, { equivalence: 'observation', stopOnFirst: false, maxExecutions: 2 })
    expect(cut).toMatchObject({ verdict: 'fails', executions: 1, passes: 2, inconclusiveReason: 'maxExecutions of 2' })
    expect(cut.failures).toHaveLength(1)
  })

  test('a part merges nothing, since what one part observes the others do not know', () => {
    const parts = [1, 2].map((k) => explore(racing, { equivalence: 'observation', stopOnFirst: false, part: `${k}/2` }))
    expect(parts.map(({ passes }) => passes)).toEqual([1, 1])
    expect(parts.reduce((sum, { executions }) => sum + executions, 0)).toBe(6)
  })

  test('what is waited for is ordered, at no cost of a pass if it is known in time', () => {
    const waiting = program(({ shared, thread, until }) => {
      const x = shared('x', 0)
      thread('waiter', function* () { yield* until(x, (value) => value === 2) })
      for (const i of [1, 2]) thread(`write ${i}`, function* () { yield* x.write(i) })
    })
    expect(explored(waiting)).toMatchObject({ passes: 1, verdict: 'fails' })
  })
})
