import { describe, expect, test } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'

const calls: string[] = []

/** A Map whose methods are all its own. */
class Counted<K, V> extends Map<K, V> {
  override get size(): number {
    calls.push('size')
    return super.size
  }

  override get(key: K): V | undefined {
    calls.push('get')
    return super.get(key)
  }

  override has(key: K): boolean {
    calls.push('has')
    return super.has(key)
  }

  override *keys(): MapIterator<K> {
    calls.push('keys')
    for (const [key] of this) yield key
  }

  override *values(): MapIterator<V> {
    calls.push('values')
    for (const [, value] of this) yield value
  }

  override *[Symbol.iterator](): MapIterator<[K, V]> {
    calls.push('iterator')
    for (const entry of super.entries()) yield entry
  }
}

class Members extends Set<string> {
  override has(member: string): boolean {
    calls.push('has')
    return super.has(member)
  }

  override *values(): SetIterator<string> {
    calls.push('values')
    yield* super.values()
  }
}

class Weak extends WeakMap<object, number> {
  override has(key: object): boolean {
    calls.push('has')
    return super.has(key)
  }
}

const takenCalls = (): string => calls.splice(0).join(' ')

describe('the methods of subclasses of Map and Set', () => {
  dporTest('are called by nobody but the program', async () => {
    takenCalls()
    const map = new Counted<string, number>([['a', 1]])
    map.set('b', 2)
    map.delete('a')
    expect(takenCalls()).toBe('')
    expect([...map.keys()]).toEqual(['b'])
    expect(takenCalls()).toBe('keys iterator')
    expect([...map.values(), map.size, map.has('b'), map.get('b')]).toEqual([2, 1, true, 2])
    expect(takenCalls()).toBe('values iterator size has get')
    for (const [key, value] of map) expect([key, value]).toEqual(['b', 2])
    map.clear()
    expect(takenCalls()).toBe('iterator')

    const set = new Members(['x'])
    set.add('y')
    set.delete('x')
    expect([...set]).toEqual(['y'])
    expect(takenCalls()).toBe('')
    const weak = new Weak()
    weak.set(set, 1)
    weak.delete(set)
    expect(takenCalls()).toBe('')
  })

  test('what they look at is seen', async () => {
    const { verdict, failures } = await explore(
      async () => {
        const map = new Counted<string, number>()
        const put = async () => {
          await null
          map.set('k', 1)
        }
        const looked = async () => {
          await null
          return [...map.keys()].length
        }
        const [, n] = await Promise.all([put(), looked()])
        if (n === 0) throw new Error('nothing yet')
      },
      { stopOnFirst: false },
    )
    expect({ verdict, failing: failures.length }).toEqual({ verdict: 'fails', failing: 1 })
  })
})
