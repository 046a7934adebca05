import { describe, expect, test } from 'vitest'
import { dporTest, explore, io } from 'vitest-dpor'

const strictly = (work: () => unknown): string => {
  try {
    return String(work())
  } catch (error) {
    return String(error)
  }
}

/** What can be seen of a property that was fixed for good, on whatever object. */
function lookAround(object: Record<PropertyKey, any>, key: PropertyKey): unknown[] {
  return [
    Object.getOwnPropertyDescriptor(object, key),
    Reflect.getOwnPropertyDescriptor(object, key),
    Object.getOwnPropertyDescriptors(object),
    Object.keys(object),
    object[key],
    strictly(() => delete object[key]),
    Reflect.deleteProperty(object, key),
    strictly(() => (object[key] = 7)),
    strictly(() => Object.defineProperty(object, key, { value: 8 })),
    Reflect.defineProperty(object, key, { value: 8 }),
    Reflect.defineProperty(object, key, { configurable: true }),
    strictly(() => Object.defineProperties(object, { [key]: { enumerable: true } })),
    strictly(() => Object.defineProperty(object, key, { value: object[key] }) === object),
    object[key],
  ]
}

const one = (): number => 1

const definitions: Record<string, (object: object, key: PropertyKey) => unknown> = {
  'Object.defineProperty': (object, key) => Object.defineProperty(object, key, { value: 1 }),
  'Reflect.defineProperty': (object, key) => Reflect.defineProperty(object, key, { get: one }),
  'Object.defineProperties': (object, key) => Object.defineProperties(object, { [key]: { value: 1, writable: true }, other: { value: 2, configurable: true } }),
  'what was there': (object, key) => Object.defineProperty(Object.defineProperty(object, key, { value: 1, configurable: true, enumerable: true }), key, { configurable: false }),
}

describe.each(['await', 'event-loop'] as const)('by %s', (interleave) => {
  test.each(Object.keys(definitions))('%s on an object that is older: as the language says, and once more in each execution', async (name) => {
    for (const key of ['a', Symbol('b')]) {
      const older = {}
      const body = async (): Promise<void> => {
        const expected = {}
        definitions[name]!(expected, key)
        let count = 0
        const enter = async (): Promise<void> => {
          await io(Promise.resolve())
          if (count++ > 0) return
          expect(Object.hasOwn(older, key)).toBe(false)
          definitions[name]!(older, key)
          expect(lookAround(older, key)).toEqual(lookAround(expected, key))
        }
        await Promise.all([enter(), enter()])
      }
      const found = await explore(body, { interleave })
      expect(found).toMatchObject({ verdict: 'holds' })
      expect(found.executions).toBeGreaterThan(1)
    }
  })
})

test('a probe that keeps what it finds on a module is taken for what it is: two that probe race', async () => {
  const older: Record<symbol, number> = {}
  const known = Symbol('known')
  let probes = 0
  const probe = async (): Promise<number> => {
    if (older[known] !== undefined) return older[known]
    await null
    probes++
    Object.defineProperty(older, known, { value: 1 })
    return 1
  }
  const found = await explore(async () => {
    probes = 0
    await Promise.all([probe(), probe().then(probe)])
    expect(probes).toBeLessThan(2)
  })
  expect(found).toMatchObject({ verdict: 'fails' })
  expect(String(found.failures[0]!.error)).toMatch(/less than 2/)
  const alone = await explore(async () => Promise.all([probe(), Promise.resolve().then(() => 1)]))
  expect(alone).toMatchObject({ verdict: 'holds' })
})

describe('what a test leaves', () => {
  const older: Record<string, number> = {}
  dporTest('fixes a property', async () => {
    const fix = async (key: string): Promise<void> => {
      await io(Promise.resolve())
      if (Object.hasOwn(older, 'a')) return
      Object.defineProperty(older, 'a', { value: 1 })
      expect(key).toMatch(/b|c/)
    }
    await Promise.all([fix('b'), fix('c')])
  })

  test('is fixed for good', () => {
    expect(Object.getOwnPropertyDescriptor(older, 'a')).toEqual({ value: 1, writable: false, enumerable: false, configurable: false })
  })
})

test('what is sealed afterwards is lost, which is said', async () => {
  const older = {}
  const found = await explore(async () => {
    Object.defineProperty(older, 'a', { value: 1 })
    expect(Object.isFrozen(Object.preventExtensions(older))).toBe(true)
  })
  expect(found).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('could not be undone') })
})
