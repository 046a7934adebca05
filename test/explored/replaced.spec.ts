// oxlint-disable no-extend-native
import { describe, expect, test, vi } from 'vitest'
import { explore } from '../../src/index.ts'
import { outcomes } from './uninstrumented/outcomes.ts'

/** Two tasks: one replaces, one calls. */
const both = (change: () => unknown, look: () => unknown) => async () => {
  const seen: unknown[] = []
  await Promise.all([
    (async () => {
      await null
      change()
    })(),
    (async () => {
      await null
      seen.push(look())
    })(),
  ])
  return seen[0]
}

describe('functions of the platform that a body replaces', () => {
  test('a spy that comes while another task calls: both orders', async () => {
    const result = await outcomes(both(() => vi.spyOn(Math, 'max').mockReturnValue(42), () => Math.max(1, 2)))
    expect(result).toEqual({ verdict: 'holds', executions: 2, seen: ['2', '42'] })
    expect(Math.max(1, 2)).toBe(2)
  })

  test('each execution finds what the first one found', async () => {
    const body = async (): Promise<void> => {
      await both(() => (JSON.parse = () => 42), () => JSON.parse('1'))()
    }
    expect(await explore(body)).toMatchObject({ verdict: 'holds', executions: 2 })
    expect(JSON.parse('1')).toBe(1)
  })

  const refused: Record<string, () => unknown> = {
    'Map.prototype.get': () => (Map.prototype.get = () => 42),
    'Array.prototype.push': () => (Array.prototype.push = () => 42),
    'Array.prototype.map': () => vi.spyOn(Array.prototype, 'map'),
    'Set.prototype.size': () => Object.defineProperty(Set.prototype, 'size', { get: () => 42 }),
    'Function.prototype.call': () => Object.assign(Function.prototype, { call: () => 42 }),
    'String.prototype.startsWith': () => Reflect.deleteProperty(String.prototype, 'startsWith'),
    'Array.prototype[Symbol.iterator]': () => Reflect.deleteProperty(Array.prototype, Symbol.iterator),
    'Array[Symbol.species]': () => Object.defineProperty(Array, Symbol.species, { get: () => Set, configurable: true }),
    'Array.prototype.constructor': () => (Array.prototype.constructor = Set),
    'Array.prototype[7]': () => Object.defineProperty(Array.prototype, 7, { set() {}, configurable: true }),
    'Object.prototype[0]': () => Object.assign(Object.prototype, { 0: 42 }),
    'globalThis.Map': () => vi.stubGlobal('Map', class {}),
    'globalThis.Error': () => vi.stubGlobal('Error', class {}),
    'globalThis.TypeError': () => {
      const before = globalThis.TypeError
      globalThis.TypeError = globalThis.RangeError
      globalThis.TypeError = before
      Reflect.deleteProperty(globalThis, 'TypeError')
    },
  }
  test.each(Object.entries(refused))('%s: there is no verdict, but an error', async (name, replace) => {
    const body = async (): Promise<void> => {
      try {
        await both(replace, () => [1].map((n) => n).length)()
      } catch {
        // Not even a body that catches it goes on to a verdict.
      }
    }
    await expect(explore(body)).rejects.toThrow(`replaced.spec.ts`)
    await expect(explore(body)).rejects.toThrow(name)
    expect([1].map((n) => n + 1)).toEqual([2])
  })

  test('errors that a step puts something else in the place of, and puts back, are what they are for all others', async () => {
    const found = globalThis.Error
    const result = await outcomes(
      both(
        () => {
          globalThis.Error = class extends found {
            override name = 'Replaced'
          } as ErrorConstructor
          const { name } = new Error()
          globalThis.Error = found
          return name
        },
        () => new Error().name,
      ),
    )
    expect(result).toEqual({ verdict: 'holds', executions: 1, seen: ['"Error"'] })
  })
})
