import { describe, expect, test } from 'vitest'
import { OptionError, explore, program, type AlgorithmName } from '../../src/engine/index.ts'

/** x is 0 at first; one thread adds to it, one swaps 1 for 2, two read it. The swap wins only after the addition. */
const swapAfterCombine = program(({ shared, thread }) => {
  const x = shared('x', 0)
  let won = false
  const read = [-1, -1]
  thread('add', function* () {
    yield* x.combine((value) => value + 1)
  })
  thread('swap', function* () {
    won = yield* x.compareAndSwap(1, 2)
  })
  for (const i of [0, 1]) {
    thread(`read ${i}`, function* () {
      read[i] = yield* x.read()
    })
  }
  return () => !(won && read.every((value) => value === 0))
})

/** Classes: the swap first or after a read or two, and it fails; or after the addition, and each read before, between or after. */
const classes = 13

describe('combine and compareAndSwap on one variable', () => {
  test.each(['source', 'optimal'] as const)('%s has every class once, and the one that fails', (algorithm) => {
    const { executions, verdict, failures } = explore(swapAfterCombine, { algorithm, stopOnFirst: false })
    expect({ executions, verdict, failures: failures.length }).toEqual({ executions: classes, verdict: 'fails', failures: 1 })
  })

  test('pop refuses where it cannot know whether the swap conflicts with a read before it', () => {
    const unknown = program(({ shared, thread }) => {
      const x = shared('x', 0)
      thread('add', function* () {
        yield* x.combine((value) => value + 1)
      })
      thread('read', function* () {
        yield* x.read()
      })
      thread('swap', function* () {
        yield* x.compareAndSwap(1, 2)
      })
    })
    const run = (algorithm: AlgorithmName) => explore(unknown, { algorithm })
    expect(run('naive').executions).toBe(6)
    expect(run('optimal').executions).toBe(run('source').executions)
    expect(() => explore(swapAfterCombine, { algorithm: 'pop', stopOnFirst: false })).toThrow(OptionError)
    expect(() => run('pop')).toThrow(OptionError)
    expect(() => run('pop')).toThrow("it does not take a compare-and-swap of a variable that is combined; give 'source' or 'optimal'")
  })
})
