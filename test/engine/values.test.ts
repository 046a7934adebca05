import { describe, expect, test } from 'vitest'
import { DivergenceError, Search, explore, hashValue, program, type LocationId } from '../../src/engine/index.ts'

const x = 0 as LocationId

describe('the hash of a value', () => {
  test('tells primitives apart, of one type and of different ones', () => {
    const values = [0, 1, -1, 0.5, 1.5, 2 ** 31, 2 ** 53, Infinity, -Infinity, Number.NaN, '', '0', '1', 'a', 'ab', 'ba', true, false, 0n, 1n, null, undefined, {}, Symbol('a'), () => {}]
    expect(new Set(values.map(hashValue)).size).toBe(values.length)
  })

  test('is the same for equal primitives, however they came about', () => {
    expect(hashValue(`${'a'}b`)).toBe(hashValue('ab'))
    expect(hashValue(0 / 0)).toBe(hashValue(Number.NaN))
    expect(hashValue(0.1 + 0.2)).toBe(hashValue(0.30000000000000004))
  })

  test('tells nothing of an object but that it is one', () => {
    expect(hashValue({ a: 1 })).toBe(hashValue([2]))
  })

  test('looks at the ends and the length of a long string', () => {
    const long = 'm'.repeat(1000)
    const others = [`a${long.slice(1)}`, `${long.slice(1)}a`, `${long}m`]
    expect(new Set([long, ...others].map(hashValue)).size).toBe(4)
  })

  test('looks at no character of one that may be growing', () => {
    const huge = 'm'.repeat(100_000)
    expect(hashValue(`${huge}a`)).toBe(hashValue(`${huge}b`))
    expect(hashValue(huge)).not.toBe(hashValue(`${huge}m`))
  })
})

describe('a recorded step that sees another value', () => {
  function run(search: Search, value: number): void {
    const [a, b] = [search.spawn(), search.spawn()]
    const left = [a, a, b]
    while (left.length > 0) {
      const process = search.choose([...new Set(left)])!
      left.splice(left.indexOf(process), 1)
      if (process === b || left.includes(a)) search.read(x)
      else search.write(x)
      search.saw(hashValue(value))
      search.endStep()
    }
    search.finish({ status: 'complete' })
  }

  test('is a divergence, although its accesses are the same', () => {
    const search = new Search()
    search.next()
    run(search, 1)
    search.next()
    expect(() => run(search, 2)).toThrow(DivergenceError)
    expect(search.result()).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'a divergence' })
  })

  test('is none where it sees the same', () => {
    const search = new Search()
    while (search.next()) run(search, 1)
    expect(search.result()).toMatchObject({ verdict: 'holds', executions: 2 })
  })
})

describe('a model program whose values change from run to run', () => {
  const withReads = (first: () => unknown) =>
    program(({ shared, thread }) => {
      const y = shared<unknown>('y', first())
      const z = shared('z', 0)
      thread('a', function* () {
        yield* y.read()
        yield* z.write(1)
      })
      thread('b', function* () {
        yield* z.write(2)
      })
    })

  test.each(['source', 'optimal', 'pop', 'naive'] as const)('is noticed by %s when a step is taken again', (algorithm) => {
    let runs = 0
    expect(() => explore(withReads(() => runs++), { algorithm })).toThrow(/step 0 \(process 0\) read another value than before/)
  })

  test('is let be where the values are objects, which every execution makes anew', () => {
    expect(explore(withReads(() => ({}))).executions).toBe(2)
  })
})
