import { describe, expect, test } from 'vitest'
import { ObjectNames } from '../../src/runtime/execution/name-tags.ts'

const objects = {
  object: {},
  'frozen object': Object.freeze({}),
  function: () => 1,
  array: [1],
  proxy: new Proxy({}, { get: () => 1, has: () => true, defineProperty: () => false }),
  'namespace of a module': await import('../../src/runtime/execution/name-tags.ts'),
}

describe.each(Object.entries(objects))('%s', (_, object) => {
  test('has the name that it was given last in its execution, and nobody sees that', () => {
    const before = Reflect.ownKeys(object)
    const names = new ObjectNames(1)
    expect(names.has(object)).toBe(false)
    names.set(object, 7, true)
    names.set(object, 0, true)
    expect(names.get(object)).toBe(0)
    expect(names.has(object)).toBe(true)
    expect(Reflect.ownKeys(object)).toEqual(before)
  })

  test('has no name in the next one', () => {
    new ObjectNames(2).set(object, 7, true)
    expect(new ObjectNames(3).get(object)).toBeUndefined()
  })
})
