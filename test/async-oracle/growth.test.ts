import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { Search } from '../../src/engine/index.ts'
import { explore, install, type Tasks } from '../../src/runtime/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

install()

function load<T extends Tasks>(source: string): T {
  const { code } = rewrite(`export default function make() {${source}}`, '/growth.js')!
  return (new Function(code.replace('export default', 'return '))() as () => T)()
}

/** How many accesses the engine is told of in the first execution. */
async function accessesOf(source: string): Promise<number> {
  let count = 0
  class Counting extends Search {
    override read(...args: Parameters<Search['read']>): void {
      count++
      super.read(...args)
    }
    override write(...args: Parameters<Search['write']>): void {
      count++
      super.write(...args)
    }
    override assign(...args: Parameters<Search['assign']>): void {
      count++
      super.assign(...args)
    }
  }
  const { verdict, failures } = await explore(load(source), { maxExecutions: 1, reproduce: 0 }, (given) => new Counting(given))
  expect(failures).toEqual([])
  expect(verdict).not.toBe('fails')
  return count
}

describe('the accesses of an operation do not grow with what there is', () => {
  const drained = (operation: string, size: number): string => `
    const fill = (length) => Array.from({ length }, (_, i) => i)
    const task = async (state) => { while (state.list.length > 0) { ${operation}; await null } }
    return { setup: () => ({ list: fill(${size}) }), tasks: [task] }`
  const trimmed = (size: number): string => `
    const task = async (state) => { while (state.map.size > 0) { state.map.delete(state.map.keys().next().value); await null } }
    return { setup: () => ({ map: new Map(Array.from({ length: ${size} }, (_, i) => [i, i])) }), tasks: [task] }`
  const grown = (size: number): string => `
    const task = async (state) => { for (let i = 0; i < ${size}; i++) state.list.unshift(i) }
    return { setup: () => ({ list: [] }), tasks: [task] }`

  test.each([
    ['shift', (size: number) => drained('state.list.shift()', size)],
    ['splice', (size: number) => drained('state.list.splice(0, 1)', size)],
    ['pop', (size: number) => drained('state.list.pop()', size)],
    ['unshift', grown],
    ['the first of the keys of a Map', trimmed],
  ])('%s', async (_, source) => {
    const [few, many] = [await accessesOf(source(300)), await accessesOf(source(1200))]
    // A fixed part for the first move, and for the last few.
    expect(many).toBeLessThan(few * 6)
  })
})

describe('what is older than the executions is saved by parts', () => {
  test('a Map', async () => {
    const entries = vi.spyOn(Map.prototype, 'entries')
    try {
      const subject = load<Tasks & { old: Map<number, number> }>(`
        const old = new Map(Array.from({ length: 1000 }, (_, i) => [i, i]))
        return { old, setup: () => ({}), tasks: [async () => { old.set(1, -1); old.set(2000, 0) }, async () => { old.set(1, -2) }] }`)
      const before = [...subject.old]
      const calls = entries.mock.calls.length
      const { executions } = await explore(subject, { stopOnFirst: false, equivalence: 'trace' })
      expect(executions).toBe(2)
      expect(entries.mock.calls.length).toBe(calls)
      expect([...subject.old]).toEqual(before)
    } finally {
      entries.mockRestore()
    }
  })

  test.each([
    ['keys that come and go', 'old.set(1, 5); old.delete(0); old.set(0, 7); old.set(9, 9)'],
    ['a key that goes and comes again', 'old.delete(1); old.set(1, 1)'],
    ['a key that comes and goes', 'old.set(9, 9); old.delete(9)'],
    ['all of them', 'old.set(0, 3); old.clear(); old.set(2, 1)'],
  ])('a Map is put back with its order: %s', async (_, change) => {
    const subject = load<Tasks & { old: Map<number, number> }>(`
      const old = new Map([[0, 0], [1, 1], [2, 2]])
      return { old, setup: () => ({}), tasks: [async () => { ${change} }, async () => { old.set(2, 8) }] }`)
    await explore(subject, { stopOnFirst: false })
    expect([...subject.old]).toEqual([[0, 0], [1, 1], [2, 2]])
  })

  test.each([
    ['an element', 'old[1] = 5; old[1] = 6'],
    ['more of them', 'old.push(5); old.push(6); old[5] = 8; old[9] = 1'],
    ['fewer', 'old.pop(); old.pop(); old[2] = 4'],
    ['none', 'old.length = 0; old.push(1)'],
    ['others in their places', 'old[0] = 4; old.shift(); old.push(3); old.pop(); old.reverse()'],
    ['a hole', 'delete old[1]; old.pop(); old[7] = 0'],
    ['a property of another name', 'old.name = 1; old[0] = 3'],
  ])('an array: %s', async (_, change) => {
    const subject = load<Tasks & { old: unknown[] }>(`
      const old = [0, 1, 2]
      return { old, setup: () => ({}), tasks: [async () => { ${change} }, async () => { old[0] = 9 }] }`)
    await explore(subject, { stopOnFirst: false })
    expect(subject.old).toEqual([0, 1, 2])
    expect(Object.keys(subject.old)).toEqual(['0', '1', '2'])
  })

  test('an array that is not copied', async () => {
    const subject = load<Tasks & { old: unknown[] }>(`
      const old = Array.from({ length: 5000 }, (_, i) => i)
      return { old, setup: () => ({}), tasks: [async () => { old[1] = 0; old.push(1) }, async () => { old[1] = 2; old.pop() }] }`)
    const hasOwn = vi.spyOn(Object, 'hasOwn')
    try {
      await explore(subject, { stopOnFirst: false })
      expect(hasOwn.mock.calls.length).toBeLessThan(5000)
    } finally {
      hasOwn.mockRestore()
    }
    expect(subject.old).toEqual(Array.from({ length: 5000 }, (_, i) => i))
  })
})

test('what executions before have left is collected while the exploration goes on', async () => {
  const { setup, tasks } = load<Tasks & { setup: () => object }>(`
    const task = async (state) => {
      await new Promise((resolve) => setTimeout(() => { state.n++; resolve() }, 1))
      setTimeout(() => { state.n++ }, 5)
      clearTimeout(Number(setTimeout(() => { state.n++ }, 5)))
      state.n = state.n * 2
    }
    return { setup: () => ({ n: 0 }), tasks: [task, task, task] }`)
  const states: WeakRef<object>[] = []
  let most = 0
  const remembered = (): object => {
    const state = setup()
    states.push(new WeakRef(state))
    if (states.length % 20 === 0) {
      collectGarbage()
      most = Math.max(most, states.filter((known) => known.deref() !== undefined).length)
    }
    return state
  }
  const { executions } = await explore({ setup: remembered, tasks }, { stopOnFirst: false, equivalence: 'trace' })
  expect(executions).toBeGreaterThan(50)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(10)
})
