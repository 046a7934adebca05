import { describe, expect, test } from 'vitest'
import { explore, program } from '../../src/engine/index.ts'
import * as papers from '../litmus/from-papers.ts'
import { largeOnes } from '../litmus/large.ts'
import { estimateError, isClose } from './estimate.ts'

describe('how many executions there are', () => {
  test('is told within a factor of 3 for nine programs of ten after 1,000 executions', () => {
    const left = largeOnes.filter(({ classes }) => classes > 1000)
    const close = left.filter((litmus) => isClose(estimateError(litmus, { executions: 1000, seed: 0 })))
    expect(left.length).toBeGreaterThan(10)
    expect(close.length / left.length).toBeGreaterThanOrEqual(0.9)
  })

  const indexer = papers.indexer(14)

  test('is known once everything is explored, and is a guess with a range before', () => {
    const { estimate, estimateRange } = explore(indexer, { maxExecutions: 512 })
    expect({ estimate, estimateRange }).toEqual({ estimate: 512, estimateRange: undefined })
    const cut = explore(indexer, { maxExecutions: 300 })
    const [least, most] = cut.estimateRange!
    expect(cut.estimate).toBeGreaterThan(300)
    expect([least <= cut.estimate, cut.estimate <= most]).toEqual([true, true])
  })

  test('is not guessed from a few executions, nor where a bound leaves some out', () => {
    expect(explore(indexer, { maxExecutions: 20 })).toMatchObject({ estimate: 21 })
    expect(explore(indexer, { maxExecutions: 20 }).estimateRange).toBeUndefined()
    expect(explore(indexer, { maxExecutions: 300, preemptionBound: 3 }).estimateRange).toBeUndefined()
  })

  test('of a part is its share', () => {
    const part = explore(papers.expMem(7), { part: '1/4', maxExecutions: 1000 })
    expect(part.estimate).toBeGreaterThan(10_080 / 4 / 3)
    expect(part.estimate).toBeLessThan((10_080 / 4) * 3)
  })
})

describe('what is drawn for it', () => {
  const writers = program(({ shared, thread }) => {
    const x = shared('x', 0)
    for (let i = 0; i < 6; i++) thread(`writer ${i}`, () => x.write(i)[Symbol.iterator]() as never)
    return () => x.value !== 0
  })

  test.each(['optimal', 'source', 'pop', 'naive'] as const)('is none of the executions, and loses none: %s', (algorithm) => {
    const { executions, failures, blocked } = explore(writers, { algorithm, stopOnFirst: false, maxExecutions: 100_000 })
    expect({ executions, failures: failures.length, blocked }).toEqual({ executions: 720, failures: 120, blocked: 0 })
    expect(new Set(failures.map(({ schedule }) => schedule)).size).toBe(120)
  })

  test('fails for no one who has asked for an order', () => {
    const { schedule, execution } = explore(writers).failures[0]!
    expect(explore(writers, { maxExecutions: 1000 }).failures[0]).toMatchObject({ schedule, execution })
  })
})
