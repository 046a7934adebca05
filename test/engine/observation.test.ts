import { describe, expect, test } from 'vitest'
import { ABSENT, Search, type LocationId, type Look, type SearchOptions } from '../../src/engine/index.ts'

const x = 0 as LocationId
const order = 1 as LocationId

type Step = (search: Search) => void

interface Driven {
  readonly executions: number
  readonly passes: number
}

/** Explores processes of such steps; `end` is what is looked at after the last of them. */
function drive(processes: readonly (readonly Step[])[], end: Step = () => {}, options: SearchOptions = {}): Driven {
  const search = new Search({ equivalence: 'observation', stopOnFirst: false, ...options })
  while (search.next()) {
    const ids = processes.map(() => search.spawn())
    const taken = processes.map(() => 0)
    for (;;) {
      const enabled = ids.filter((_, i) => taken[i]! < processes[i]!.length)
      if (enabled.length === 0) {
        end(search)
        search.finish({ status: 'complete' })
        break
      }
      const chosen = search.choose(enabled)
      if (chosen === undefined) {
        search.finish({ status: 'blocked' })
        break
      }
      const i = ids.indexOf(chosen)
      processes[i]![taken[i]!++]!(search)
      search.endStep()
    }
  }
  const { executions, passes, verdict } = search.result()
  expect(verdict).toBe('holds')
  return { executions, passes }
}

const assign = (value: unknown): Step => (search) => search.assign(x, 0, value)
const add = (amount: unknown, found?: unknown): Step => (search) => search.add(x, 0, amount, found)
const append = (value: unknown): Step => (search) => search.append(x, 0, value)
const insert = (key: unknown): Step => (search) => search.insert(order, 0, key)
const remove = (key: unknown): Step => (search) => search.remove(order, 0, key)
const look = (location: LocationId, what?: Look): Step => (search) => search.look(location, what)
const all = (...steps: Step[]): Step => (search) => steps.forEach((step) => step(search))

describe('blind writes', () => {
  test('of one value are told apart by nobody, of two by who looks at the value', () => {
    expect(drive([[assign(1)], [assign(1)]], look(x))).toEqual({ executions: 1, passes: 1 })
    expect(drive([[assign(1)], [assign(2)]], look(x))).toEqual({ executions: 2, passes: 2 })
    expect(drive([[assign(1)], [assign(2)]])).toEqual({ executions: 1, passes: 1 })
  })

  test('are compared by Object.is', () => {
    expect(drive([[assign(NaN)], [assign(NaN)]], look(x)).executions).toBe(1)
    expect(drive([[assign(0)], [assign(-0)]], look(x)).executions).toBe(2)
  })

  test('of values are all alike to who looks whether there is one; a removal is not', () => {
    expect(drive([[assign(1)], [assign(undefined)]], look(x, 'presence')).executions).toBe(1)
    expect(drive([[assign(1)], [assign(ABSENT)]], look(x, 'presence')).executions).toBe(2)
  })

  test('of integers are all alike to who looks whether there is one', () => {
    expect(drive([[assign(1)], [assign(2)]], look(x, 'integer')).executions).toBe(1)
    expect(drive([[assign(1)], [assign('2')]], look(x, 'integer')).executions).toBe(2)
  })

  test('hide what was before them', () => {
    expect(drive([[assign(1)], [assign(2), assign(3)]], look(x))).toEqual({ executions: 3, passes: 2 })
    expect(drive([[assign(3)], [assign(2), assign(3)]], look(x))).toEqual({ executions: 1, passes: 1 })
  })

  test('after a look in the same step are no blind writes', () => {
    expect(drive([[all((search) => search.read(x), assign(1))], [assign(1)]]).executions).toBe(2)
  })

  test('hide what comes from others from a look in the same step', () => {
    const ownValue = all(assign(1), (search) => search.read(x))
    expect(drive([[ownValue], [ownValue]])).toEqual({ executions: 1, passes: 1 })
  })
})

describe('additions', () => {
  test('of integers commute, with whatever looks at the sum in the end', () => {
    expect(drive([[add(1, 0)], [add(2, 0)], [add(3)]], look(x))).toEqual({ executions: 1, passes: 1 })
  })

  test('of anything else are writes', () => {
    expect(drive([[add('s', 's')], [add('t', 's')]])).toEqual({ executions: 2, passes: 1 })
    expect(drive([[add(0.5, 0)], [add(1, 0)]]).executions).toBe(2)
  })

  test('look whether there is a number: blind writes that differ in that are told apart', () => {
    expect(drive([[assign(1)], [assign(2)], [add(1)]]).executions).toBe(4)
    expect(drive([[assign(1)], [assign('s')], [add(1)]])).toEqual({ executions: 6, passes: 2 })
  })

  test('after a blind write of the same step are part of it', () => {
    expect(drive([[all(assign(1), add(2))], [assign(3)]], look(x))).toEqual({ executions: 1, passes: 1 })
  })
})

describe('appends', () => {
  test('commute until somebody looks at more than how many there are', () => {
    expect(drive([[append('a')], [append('b')], [append('c')]], look(x, 'size'))).toEqual({ executions: 1, passes: 1 })
    expect(drive([[append('a')], [append('b')], [append('c')]], look(x, 'order'))).toEqual({ executions: 6, passes: 2 })
  })

  test('of one process are in order: nothing is observed', () => {
    expect(drive([[append('a'), append('b')], [assign(1)]].slice(0, 1), look(x, 'order'))).toEqual({ executions: 1, passes: 1 })
  })

  test('a look at the size does not hide their order from who comes later', () => {
    const sized = all((search) => search.read(x, 0, 'size'), append('a'))
    expect(drive([[append('a')], [append('b')], [sized]], look(x, 'order')).executions).toBe(6)
  })
})

describe('keys', () => {
  test.each([['strings', 'a', 'b'], ['numbers', 1, 2], ['objects', {}, {}]])('that are %s come in any order until somebody looks at it', (_, a, b) => {
    expect(drive([[insert(a)], [insert(b)]], look(order, 'size'))).toEqual({ executions: 1, passes: 1 })
    expect(drive([[insert(a)], [insert(b)]], look(order, 'order'))).toEqual({ executions: 2, passes: 2 })
    expect(drive([[insert(a)], [insert(a)]], look(order, 'order'))).toEqual({ executions: 1, passes: 1 })
  })

  test('that are inserted and removed decide the size', () => {
    expect(drive([[insert('a')], [remove('a')]], look(order, 'size'))).toEqual({ executions: 2, passes: 2 })
    expect(drive([[insert('a')], [remove('b')]], look(order, 'size'))).toEqual({ executions: 1, passes: 1 })
  })

  test('that are known to be there are kept, in order with who removes them and nobody else', () => {
    const twice = [insert('a'), insert('a')]
    // The removal comes before the second insertion or after it.
    expect(drive([twice, [remove('a')]]).executions).toBe(2)
    expect(drive([twice, [remove('b')]]).executions).toBe(1)
    expect(drive([twice, [insert('b')]], look(order, 'order')).executions).toBe(2)
    expect(drive([twice, [(search) => search.read(order, 0, 'order')]]).executions).toBe(2)
  })

  test('that are objects are kept in order with who removes any object', () => {
    const [a, b] = [{}, {}]
    expect(drive([[insert(a), insert(a)], [remove(b)]]).executions).toBe(2)
  })

  test('that the step removed itself are new', () => {
    const moved = (key: string): Step => all(remove(key), insert(key))
    expect(drive([[insert('a'), moved('a')], [insert('b'), moved('b')]], look(order, 'size'))).toEqual({ executions: 1, passes: 1 })
    expect(drive([[insert('a'), moved('a')], [insert('b'), moved('b')]], look(order, 'order'))).toEqual({ executions: 6, passes: 2 })
  })

  test('are all removed in order with everything', () => {
    const clear: Step = (search) => search.clear(order)
    expect(drive([[insert('a')], [insert('b')], [clear]], look(order, 'order'))).toEqual({ executions: 6, passes: 2 })
    expect(drive([[insert('a'), insert('a')], [clear]]).executions).toBe(3)
  })
})

describe('order', () => {
  test('makes every change of a location conflict, at once where that changes nothing of the pass', () => {
    const ordering = (step: Step): Step => all((search) => search.order(x), step)
    expect(drive([[ordering(assign(1))], [assign(2)]])).toEqual({ executions: 2, passes: 1 })
    expect(drive([[assign(1)], [ordering(assign(2))]])).toEqual({ executions: 2, passes: 2 })
  })

  test('commuting changes commute all the same', () => {
    const combine: Step = (search) => search.combine(x)
    expect(drive([[combine], [combine]], look(x))).toEqual({ executions: 1, passes: 1 })
  })
})

test('by trace every change conflicts, but for keys', () => {
  const options = { equivalence: 'trace' } as const
  expect(drive([[assign(1)], [assign(1)]], undefined, options)).toEqual({ executions: 2, passes: 1 })
  expect(drive([[add(1)], [add(1)]], undefined, options)).toEqual({ executions: 2, passes: 1 })
  expect(drive([[append(1)], [append(1)]], undefined, options)).toEqual({ executions: 2, passes: 1 })
  expect(drive([[insert('a')], [insert('b')]], look(order, 'size'), options)).toEqual({ executions: 1, passes: 1 })
  expect(drive([[insert('a')], [insert('b')]], look(order, 'order'), options)).toEqual({ executions: 2, passes: 2 })
})

test('names that never settle cost passes, not soundness: after so many everything is ordered', () => {
  let next = 100
  const search = new Search({ equivalence: 'observation', stopOnFirst: false })
  let executions = 0
  while (search.next()) {
    executions++
    const location = (next += 1) as LocationId
    const ids = [search.spawn(), search.spawn()]
    for (const left = [...ids]; left.length > 0; ) {
      const chosen = search.choose(left)
      if (chosen === undefined) break
      search.assign(location, 0, chosen)
      search.endStep()
      left.splice(left.indexOf(chosen), 1)
    }
    search.look(location)
    search.finish({ status: 'complete' })
  }
  expect(search.result().passes).toBe(65)
  expect(executions).toBeLessThan(70)
})

test('one location cannot hold both a value and the order of keys', () => {
  expect(() => drive([[assign(1)], [(search) => search.insert(x, 0, 'a')]])).toThrow('both for a value and for the order of keys')
})
