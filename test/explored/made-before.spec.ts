import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'
import { outcomes } from './uninstrumented/outcomes.ts'

/** What is older than the exploration was made where nothing is told. */
const counter = () => {
  let n = 0
  return { add: () => (n = n + 1), get: () => n }
}

const one = counter()
const other = counter()
const loops = [1, 2].map(() => {
  const all: (() => number)[] = []
  for (let i = 0; i < 2; ) {
    all.push(() => (i = i + 0))
    i++
  }
  return all
})
const few = Array.from({ length: 2 }, () => ({ n: 0 }))
const many = Array.from({ length: 1_000 }, () => ({ n: 0 }))

class Account {
  balance = 0
}
const accounts = [new Account(), new Account()]

const executions = async (left: () => unknown, right: () => unknown): Promise<number> =>
  (await explore({ tasks: [async () => left(), async () => right()] }, { stopOnFirst: false, equivalence: 'trace' })).executions

describe('variables of scopes that began before', () => {
  test('of one scope conflict', async () => {
    expect(await executions(one.add, one.get)).toBe(2)
    expect(await executions(one.add, one.add)).toBe(2)
  })

  test('of two do not', async () => {
    expect(await executions(one.add, other.get)).toBe(1)
  })

  test('of two iterations do not, of one they do', async () => {
    expect(await executions(loops[0]![0]!, loops[0]![1]!)).toBe(1)
    expect(await executions(loops[0]![0]!, loops[1]![0]!)).toBe(1)
    expect(await executions(loops[0]![0]!, loops[0]![0]!)).toBe(2)
  })

  test('are put back', () => {
    expect([one.get(), other.get()]).toEqual([0, 0])
  })
})

describe('objects that were made before', () => {
  test('have names of their own', async () => {
    expect(await executions(() => few[0]!.n++, () => few[1]!.n)).toBe(1)
    expect(await executions(() => few[0]!.n++, () => few[0]!.n)).toBe(2)
    expect(await executions(() => (accounts[0]!.balance = 1), () => accounts[1]!.balance)).toBe(1)
    expect(await executions(() => (accounts[0]!.balance = 1), () => accounts[0]!.balance)).toBe(2)
  })

  test('by the thousand are merged', async () => {
    expect(await executions(() => many[998]!.n++, () => many[998]!.n)).toBe(2)
    expect(await executions(() => many[998]!.n++, () => many[999]!.n)).toBe(2)
    expect(await executions(() => many[0]!.n++, () => many[1]!.n)).toBe(1)
  })

  test('are put back', () => {
    expect([few[0]!.n, accounts[0]!.balance, many[998]!.n]).toEqual([0, 0, 0])
  })
})

describe('keys of objects that were made before have their order in each execution', () => {
  const symbol = Symbol('s')
  const make = (): Record<PropertyKey, number> => ({ a: 1, b: 2, 1: 3, c: 4, [symbol]: 5, [Symbol.iterator]: 6 })
  const proxies = new WeakMap<object, object>()
  const throughProxy = (object: object): Record<PropertyKey, number> => {
    if (!proxies.has(object)) proxies.set(object, new Proxy(object, {}))
    return proxies.get(object) as Record<PropertyKey, number>
  }
  test.each<[string, (object: Record<PropertyKey, number>) => void]>([
    ['where one goes', (object) => delete object['a']],
    ['where one is assigned, and goes', (object) => {
      object['a'] = 7
      delete object['a']
    }],
    ['where one goes, and comes again', (object) => {
      delete object['b']
      object['b'] = 7
    }],
    ['where another one comes first', (object) => {
      object['d'] = 7
      delete object['c']
      delete object['a']
    }],
    ['where all go', (object) => Object.keys(object).forEach((key) => delete object[key])],
    ['where symbols go', (object) => delete object[symbol]],
    ['by Reflect.deleteProperty', (object) => Reflect.deleteProperty(object, 'a')],
    ['through a proxy', (object) => delete throughProxy(object)['a']],
  ])('%s', async (_name, change) => {
    const object = make()
    const before = Reflect.ownKeys(object)
    const result = await outcomes(async () => {
      const found = Reflect.ownKeys(object).map(String)
      let n = 0
      const bump = async (): Promise<void> => {
        const read = n
        await null
        n = read + 1
      }
      await Promise.all([bump(), bump(), (async () => change(object))()])
      return found
    }, { equivalence: 'trace' })
    expect(result.executions).toBeGreaterThan(1)
    expect(result.seen).toEqual([JSON.stringify(before.map(String))])
  })

  test('where one that stays stands where another one belongs, that is said', async () => {
    const object: Record<string, number> = { a: 1 }
    Object.defineProperty(object, 'b', { value: 2, enumerable: true, writable: true })
    const { inconclusiveReason, verdict } = await explore(async () => {
      let n = 0
      const bump = async (): Promise<void> => {
        const read = n
        await null
        n = read + 1
      }
      delete object['a']
      await Promise.all([bump(), bump()])
      return n
    }, { stopOnFirst: false, equivalence: 'trace' })
    expect([verdict, inconclusiveReason]).toEqual(['inconclusive', expect.stringContaining('the order of what is in an Object')])
  })
})
