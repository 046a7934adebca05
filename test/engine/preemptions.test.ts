import { describe, expect, test } from 'vitest'
import { fewestPreemptions, type OrderedStep } from '../../src/engine/algorithms/preemptions.ts'
import { explore, program } from '../../src/engine/index.ts'

/** Threads that so often read a counter and write it back. */
const increments = ({ threads, times, least = 0 }: { readonly threads: number; readonly times: number; readonly least?: number }) =>
  program(({ shared, thread }) => {
    const counter = shared('counter', 0)
    for (let i = 0; i < threads; i++) {
      thread(`increment ${i}`, function* () {
        for (let time = 0; time < times; time++) {
          const value = yield* counter.read()
          yield* counter.write(value + 1)
        }
      })
    }
    return () => counter.value >= least
  })

const two = increments({ threads: 2, times: 3 })
const four = increments({ threads: 4, times: 1 })

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

describe('preemptionBound', () => {
  test('says what holds where something was left out', () => {
    const { verdict, inconclusiveReason } = explore(two, { preemptionBound: 1 })
    expect({ verdict, inconclusiveReason }).toEqual({
      verdict: 'inconclusive',
      inconclusiveReason: 'preemptionBound of 1; holds for every interleaving with at most 1 preemption',
    })
    expect(explore(two, { preemptionBound: 0 }).inconclusiveReason).toBe('preemptionBound of 0; holds for every interleaving without a preemption')
  })

  test('holds where nothing was', () => {
    const all = explore(two)
    expect(explore(two, { preemptionBound: 6 })).toMatchObject({ verdict: 'holds', executions: all.executions, estimate: all.executions })
  })

  test.each([1, 2, 3, 4])('finds a failure that needs %i preemptions with that bound', (depth) => {
    expect(explore(pingPong(depth), { preemptionBound: depth }).verdict).toBe('fails')
  })

  test('says what was explored beside a failure', () => {
    const loses = increments({ threads: 2, times: 3, least: 6 })
    const { verdict, inconclusiveReason } = explore(loses, { preemptionBound: 1, stopOnFirst: false })
    expect({ verdict, inconclusiveReason }).toEqual({ verdict: 'fails', inconclusiveReason: 'preemptionBound of 1; explored: every interleaving with at most 1 preemption' })
  })

  test('leaves executions out', () => {
    const [bounded, all] = [explore(two, { preemptionBound: 0 }), explore(two)]
    expect(bounded.executions).toBeLessThan(all.executions / 2)
  })

  test.each([
    [{ preemptionBound: 1, algorithm: 'pop' }, /option 'preemptionBound' is 1: leave it out with algorithm 'pop'/],
    [{ algorithm: 'mixed', part: '1/2' }, /option 'algorithm' is 'mixed': leave it out where a part is explored: give search 'preemptions' instead/],
    [{ search: 'preemptions', algorithm: 'naive' }, /option 'search' is 'preemptions': leave it out with algorithm 'naive'/],
    [{ search: 'dfs', preemptionBound: 1 }, /option 'search' is 'dfs': leave it out with preemptionBound/],
  ] as const)('%o is refused', (options, message) => {
    expect(() => explore(four, options)).toThrow(message)
  })
})

describe("search: 'preemptions'", () => {
  test('explores each class once, and says how far it came', () => {
    const all = explore(two)
    expect(explore(two, { search: 'preemptions' })).toMatchObject({ verdict: 'holds', executions: all.executions })
    const { inconclusiveReason } = explore(two, { search: 'preemptions', maxExecutions: 200 })
    expect(inconclusiveReason).toMatch(/^maxExecutions of 200; holds for every interleaving with at most \d preemptions?$/)
  })

  test('says nothing of what it has not seen to the end', () => {
    expect(explore(two, { search: 'preemptions', maxExecutions: 1 }).inconclusiveReason).toBe('maxExecutions of 1')
    expect(explore(two, { search: 'preemptions', maxSteps: 4 }).inconclusiveReason).toBe('maxSteps of 4')
  })
})

describe('the fewest preemptions', () => {
  const step = (process: number, after: Readonly<Record<number, number>> = {}, mayWait = false): OrderedStep => ({ process, mayWait, after: (other) => after[other] ?? 0 })

  test('are none where one can go after the other', () => {
    expect(fewestPreemptions([step(0), step(1), step(0), step(1)], 9)).toBe(0)
  })

  test('are one where a step comes between two of another', () => {
    expect(fewestPreemptions([step(0), step(1, { 0: 1 }), step(0, { 1: 1 })], 9)).toBe(1)
  })

  test('do not count who waits', () => {
    expect(fewestPreemptions([step(0), step(1, { 0: 1 }), step(0, { 1: 1 }, true)], 9)).toBe(0)
  })

  test('do not count who could have waited, had what it waits for come later', () => {
    expect(fewestPreemptions([step(0), step(1), step(1, { 0: 1 }, true), step(2, { 1: 1 }), step(1, { 2: 1 })], 9)).toBe(0)
  })

  test('are not counted above the most that matters', () => {
    const turns = Array.from({ length: 8 }, (_, i) => step(i % 2, { [1 - (i % 2)]: Math.ceil(i / 2) }))
    expect(fewestPreemptions(turns, 9)).toBe(6)
    expect(fewestPreemptions(turns, 3)).toBe(4)
  })
})
