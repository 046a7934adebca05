import { expect, test } from 'vitest'
import { isStill, snapshotOf } from '../../src/runtime/accesses/snapshot.ts'

interface Change<T extends object> {
  readonly of: T
  readonly by: (object: T) => void
}

const changed = <T extends object>(of: T, by: (object: T) => void): Change<object> => ({ of, by: by as (object: object) => void })
const key = Symbol('key')

test.each<[string, Change<object>]>([
  ['a value', changed({ a: 1, b: 2 }, (o) => (o.a = 2))],
  ['0 and -0', changed({ a: 0 }, (o) => (o.a = -0))],
  ['one more', changed({ a: 1 } as Record<string, number>, (o) => (o.b = 1))],
  ['one more, which is a symbol', changed({ a: 1 }, (o) => void Reflect.set(o, key, 1))],
  ['one more, which is not enumerated', changed({ a: 1 }, (o) => Object.defineProperty(o, 'b', { value: 1 }))],
  ['one less', changed({ a: 1, b: 1 } as Record<string, number>, (o) => delete o.b)],
  ['another one', changed({ a: 1, b: 1 } as Record<string, number>, (o) => (delete o.b, (o.c = 1)))],
  ['the order', changed({ a: 1, b: 1 } as Record<string, number>, (o) => (delete o.a, (o.a = 1)))],
  ['an accessor', changed({ a: undefined }, (o) => Object.defineProperty(o, 'a', { get: () => undefined }))],
  ['what may be written', changed({ a: 1 }, (o) => Object.defineProperty(o, 'a', { writable: false }))],
  ['what it inherits from', changed({}, (o) => Object.setPrototypeOf(o, null))],
  ['whether there may be more', changed({}, (o) => Object.preventExtensions(o))],
  ['an element', changed([1, 2], (list) => (list[0] = 2))],
  ['the length', changed([1], (list) => (list.length = 2))],
  ['an entry', changed(new Map([[1, 1]]), (map) => map.set(1, 2))],
  ['one more entry', changed(new Map([[1, 1]]), (map) => map.set(2, 1))],
  ['the order of entries', changed(new Map([[1, 1], [2, 1]]), (map) => (map.delete(1), map.set(1, 1)))],
  ['the key of an entry', changed(new Map<unknown, number>([[1, 1]]), (map) => (map.clear(), map.set('1', 1)))],
  ['a member', changed(new Set([1]), (set) => (set.clear(), set.add(2)))],
  ['a property of a collection', changed(new Set([1]), (set) => Object.assign(set, { a: 1 }))],
  ['bytes', changed(new Uint8Array(9), (bytes) => (bytes[8] = 1))],
  ['bytes of a buffer', changed(new ArrayBuffer(9), (buffer) => (new Uint8Array(buffer)[8] = 1))],
])('an object is no longer as it was: %s', (_name, { of, by }) => {
  const then = snapshotOf(of)
  expect(isStill(of, then)).toBe(true)
  by(of)
  expect(isStill(of, then)).toBe(false)
})

test('the stack of an error, which is a text that is made when it is asked for, is no part of it', () => {
  const error = Object.assign(new Error('a'), { a: 1 })
  const then = snapshotOf(error)
  error.stack = 'another'
  expect(isStill(error, then)).toBe(true)
  error.a = 2
  expect(isStill(error, then)).toBe(false)
})

test('nothing of the user runs as it is compared', () => {
  const object = Object.defineProperty({}, 'a', { get: () => expect.unreachable(), enumerable: true })
  expect(isStill(object, snapshotOf(object))).toBe(true)
})
