import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

const { add, has } = Set.prototype
const { hasOwn, keys } = Object
const uncurried = Function.prototype.call.bind(add)

class Holder {
  #add = add
  #keys = keys
  put(set: Set<string>) {
    const bound = this.#add.bind(set)
    bound('k')
    return this.#keys(set)
  }
  static #has = hasOwn
  static owns(object: object) {
    return this.#has(object, 'k')
  }
}

/** Ways to add 'k' to a Set. Some bind, some call, some hand over. */
const additions: Record<string, (set: Set<string>) => unknown> = {
  'o.m()': (set) => set.add('k'),
  'o[m]()': (set) => set[['add'][0] as 'add']('k'),
  'o?.m?.()': (set) => set?.add?.('k'),
  call: (set) => add.call(set, 'k'),
  apply: (set) => add.apply(set, ['k']),
  'call of call': (set) => Function.prototype.call.call(add, set, 'k'),
  'apply of call': (set) => Function.prototype.call.apply(add, [set, 'k']),
  bind: (set) => add.bind(set)('k'),
  'bind of bind': (set) => add.bind(set).bind(null, 'k')(),
  'bind of call, when the file was loaded': (set) => uncurried(set, 'k'),
  'Reflect.apply': (set) => Reflect.apply(add, set, ['k']),
  'Reflect.apply of Reflect.apply': (set) => Reflect.apply(Reflect.apply, null, [add, set, ['k']]),
  'a function from a descriptor': (set) => (Object.getOwnPropertyDescriptor(Set.prototype, 'add')!.value as typeof add).call(set, 'k'),
  'a callback': (set) => ['k'].forEach(set.add, set),
  'a bound callback': (set) => ['k'].map(set.add.bind(set)),
  'a callback of a callback': (set) => [['k']].forEach((list) => list.forEach(set.add, set)),
  'an optional call': (set) => (set.add.bind(set) as typeof add | undefined)?.('k'),
  'a tagged template': (set) => (set.add.bind(set, 'k') as (parts: TemplateStringsArray) => unknown)`x`,
  'a private field': (set) => new Holder().put(set),
  'a finally': (set) => Promise.resolve().finally(set.add.bind(set, 'k')),
  'a then': (set) => Promise.resolve('k').then(set.add.bind(set)),
  'a microtask': (set) =>
    new Promise<void>((resolve) => {
      queueMicrotask(set.add.bind(set, 'k'))
      queueMicrotask(resolve)
    }),
  'a timer': (set) =>
    new Promise<void>((resolve) => {
      setTimeout(set.add.bind(set, 'k'))
      setTimeout(resolve)
    }),
  'an immediate': (set) => new Promise<unknown>((resolve) => setImmediate(() => resolve(set.add.bind(set, 'k')()))),
}

/** Both orders of two tasks. */
const together = (...tasks: (() => Promise<unknown>)[]) => Promise.all(tasks.map((task) => task()))

describe('a Set is added to, whatever the way to its method', () => {
  for (const [way, put] of Object.entries(additions)) {
    test(`${way}: seen by who looks`, async () => {
      const { verdict, seen } = await outcomes(async () => {
        const set = new Set<string>()
        let found
        const looking = async () => {
          for (let i = 0; i < 4; i++) await null
          found = set.has('k')
        }
        await together(async () => (await null, await put(set)), looking)
        return found
      })
      expect({ verdict, seen }).toEqual({ verdict: 'holds', seen: way === 'a timer' ? ['false'] : ['false', 'true'] })
    })

    test(`${way}: 1 execution for Sets of their own`, async () => {
      const { verdict, executions } = await explore({
        setup: () => [new Set<string>(), new Set<string>()] as const,
        tasks: [0, 1].map((i) => async (sets: readonly Set<string>[]) => void (await put(sets[i]!))),
      })
      expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
    })
  }
})

describe('what looks is found as well', () => {
  const looks: Record<string, (object: Record<string, number>) => unknown> = {
    'a bare name': (object) => hasOwn(object, 'k'),
    'a private static field': (object) => Holder.owns(object),
    'a callback': (object) => [object].map(keys)[0]!.length > 0,
    'a bare clone': (object) => structuredClone(object)['k'] === 1,
    'Reflect.apply': (object) => (Reflect.apply(keys, Object, [object]) as string[]).length > 0,
  }
  test.each(Object.entries(looks))('%s', async (_, look) => {
    const { executions, seen } = await outcomes(async () => {
      const object: Record<string, number> = {}
      const [, found] = await together(async () => (await null, (object['k'] = 1)), async () => (await null, look(object)))
      return found
    })
    expect({ executions, seen }).toEqual({ executions: 2, seen: ['false', 'true'] })
  })
})

describe('bound functions', () => {
  test('are what JavaScript makes of them', async () => {
    const { seen } = await outcomes(async () => {
      const set = new Set<number>()
      const bound = set.add.bind(set)
      const facts = [bound.name, bound.length, bound === set.add.bind(set), String(bound) === String(uncurried), bound(1) === set, 'prototype' in bound]
      const Bound = Map.bind(null, [[1, 2]]) as unknown as new () => Map<number, number>
      const made = new Bound()
      await null
      return [...facts, made.get(1), made instanceof Map, made instanceof Bound, (Reflect.construct(Bound, []) as Map<number, number>).size]
    })
    expect(seen).toEqual([JSON.stringify(['bound add', 1, false, true, true, false, 2, true, true, 1])])
  })

  test('throw what JavaScript throws', async () => {
    const { seen } = await outcomes(async () => {
      const o = { x: 5 } as unknown as { x: () => void; y: () => void }
      const nothing = undefined as unknown as () => void
      const messages = []
      for (const bad of [() => nothing(), () => o['x'](), () => o.y(), () => (add.bind as unknown as () => void).call(5)]) {
        try {
          bad()
        } catch (error) {
          messages.push((error as Error).message)
        }
      }
      await null
      return messages
    })
    const [messages] = seen.map((text) => JSON.parse(text) as string[])
    expect(messages).toEqual([
      'nothing is not a function',
      'o.x is not a function',
      'o.y is not a function',
      'Bind must be called on a function',
    ])
  })
})

describe('the calls of a mock are seen, whoever calls it', () => {
  test.each<[string, (mock: (value?: unknown) => unknown) => unknown]>([
    ['a then', (mock) => Promise.resolve(1).then(mock)],
    ['a forEach', (mock) => [1].forEach(mock)],
    ['a bare name', (mock) => mock(1)],
    ['Reflect.apply', (mock) => Reflect.apply(mock, null, [1])],
    ['bind', (mock) => mock.bind(null)(1)],
    ['queueMicrotask', (mock) => queueMicrotask(mock)],
    ['a timer', (mock) => setImmediate(mock)],
  ])('%s', async (_, run) => {
    const { seen } = await outcomes(async () => {
      const mock = vi.fn()
      let count
      const looking = async () => {
        for (let i = 0; i < 4; i++) await null
        count = mock.mock.calls.length
      }
      await together(async () => (await null, await run(mock)), looking)
      return count
    })
    expect(seen).toEqual(['0', '1'])
  })
})

test('an emitter that a microtask emits on', async () => {
  const { seen } = await outcomes(async () => {
    const emitter = new EventEmitter()
    let heard = 'nothing'
    const listen = async () => {
      await null
      emitter.on('x', () => {
        heard = 'x'
      })
    }
    const listening = listen()
    queueMicrotask(emitter.emit.bind(emitter, 'x'))
    await listening
    await new Promise((resolve) => setTimeout(resolve, 5))
    return heard
  })
  expect(seen).toEqual(['"nothing"', '"x"'])
})

test('what is handed over and not called keeps its identity', async () => {
  const { seen } = await outcomes(async () => {
    const given: unknown[] = []
    const kept = new Map<unknown, number>([[add, 1]])
    const take = (fn: unknown): void => void given.push(fn)
    take(add)
    given.push(has)
    await null
    return [given[0] === add, given[1] === has, kept.get(add), [add].includes(add), [add].indexOf(add)]
  })
  expect(seen).toEqual(['[true,true,1,true,0]'])
})
