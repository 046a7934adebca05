import { describe, expect, test } from 'vitest'
import { explore } from 'vitest-dpor'

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
