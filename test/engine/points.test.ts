import { describe, expect, test } from 'vitest'
import { explore, OptionError, program, type AlgorithmName, type Program, type ProgramBuilder, type SearchOptions } from '../../src/engine/index.ts'
import { PointOrder } from '../../src/engine/points.ts'
import { Random } from '../oracle/random.ts'

const counter = program(({ shared, thread, at }) => {
  const x = shared('x', 0)
  for (const name of ['one', 'two']) {
    thread(name, function* () {
      const value = yield* x.read()
      yield* at('read')
      yield* x.write(value + 1)
      yield* at(`written by ${name}`)
    })
  }
  return () => x.value === 2
})

describe('points of model programs', () => {
  test('are no steps where no order is asked for', () => {
    expect(explore(counter, { stopOnFirst: false })).toMatchObject({ executions: 4, blocked: 0, steps: 16 })
  })

  test('an order forces a failure, which is a schedule as any other', () => {
    const order = ['read', 'read', 'written by one']
    const { failures } = explore(counter, { order })
    expect(failures[0]).toMatchObject({ kind: 'invariant' })
    expect(explore(counter, { order, replay: failures[0]!.schedule }).verdict).toBe('fails')
  })

  test('what holds in one order holds in no other for that', () => {
    const order = ['read', 'written by one', 'begun']
    const late = program(({ shared, thread, at }) => {
      const x = shared('x', 0)
      for (const name of ['one', 'two']) {
        thread(name, function* () {
          if (name === 'two') yield* at('begun')
          const value = yield* x.read()
          yield* at('read')
          yield* x.write(value + 1)
          yield* at(`written by ${name}`)
        })
      }
      return () => x.value === 2
    })
    expect(explore(late).verdict).toBe('fails')
    expect(explore(late, { order })).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: "order; holds for every interleaving that passes 'read', 'written by one', 'begun' in this order" })
  })

  test('an order that cannot be is no deadlock', () => {
    expect(explore(counter, { order: ['written by one', 'read', 'read'] })).toMatchObject({ verdict: 'inconclusive', executions: 0, inconclusiveReason: "order: no execution passes 'written by one', 'read', 'read' in this order" })
  })

  test.each([[[]], [['']], ['read'], [[1]]])('%j is refused', (order) => {
    expect(() => explore(counter, { order: order as never })).toThrow(OptionError)
    expect(() => explore(counter, { order: order as never })).toThrow("give names of points, such as ['after-read', 'after-write']")
  })
})

type Action = 'read' | 'write' | 'p' | 'q'

/** What threads have read and left, over all executions. */
function outcomesOf(threads: readonly (readonly Action[])[], options: SearchOptions, at: (builder: ProgramBuilder, name: string) => ReturnType<ProgramBuilder['at']>, takes: () => boolean): Set<string> {
  const seen = new Set<string>()
  const made: Program = program((builder) => {
    const x = builder.shared('x', 0)
    const found: number[][] = threads.map(() => [])
    threads.forEach((actions, i) => {
      builder.thread(`T${i}`, function* () {
        for (const action of actions) {
          if (action === 'read') found[i]!.push(yield* x.read())
          else if (action === 'write') yield* x.write(10 * i + found[i]!.length)
          else yield* at(builder, action)
        }
      })
    })
    return () => {
      if (takes()) seen.add(JSON.stringify([found, x.value]))
    }
  })
  explore(made, { ...options, stopOnFirst: false })
  return seen
}

test.each<AlgorithmName>(['source', 'optimal', 'pop', 'trust'])('with an order exactly what interleavings in that order lead to, by %s', (algorithm) => {
  const actions: readonly Action[] = ['read', 'write', 'p', 'q']
  for (let seed = 0; seed < 40; seed++) {
    const random = new Random(seed)
    const threads = Array.from({ length: 2 }, () => Array.from({ length: 4 }, () => actions[random.below(4)]!))
    const order = Array.from({ length: 1 + random.below(3) }, () => (random.below(2) === 0 ? 'p' : 'q'))
    let log: string[] = []
    const inOrder = (): boolean => {
      const points = new PointOrder(order)
      const areInTurn = log.every((name) => {
        const place = points.take(name)
        return place === undefined || place === points.passed++
      })
      log = []
      return areInTurn && points.isOver
    }
    const logged = function* ({ shared }: ProgramBuilder, name: string) {
      yield* shared('step', 0).read() 
      log.push(name)
    }
    const expected = outcomesOf(threads, { algorithm: 'naive' }, logged, inOrder)
    const found = outcomesOf(threads, { algorithm, order }, (builder, name) => builder.at(name), () => true)
    expect({ threads, order, found: [...found].toSorted() }).toEqual({ threads, order, found: [...expected].toSorted() })
  }
})
