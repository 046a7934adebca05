import { expect, test } from 'vitest'
import { ExecutionOrder, Search } from '../../src/engine/index.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { toProgram } from '../oracle/adapter.ts'
import { generate, kinds } from '../oracle/generate.ts'
import { Random } from '../oracle/random.ts'
import { fewestByTrying } from './fewest-by-trying.ts'
import { drive, read, write, type DrivenStep } from './driver.ts'

const [x, y] = [0, 1]

function executed(processes: readonly (readonly DrivenStep[])[], replay: string): ExecutionOrder {
  const search = new Search({ replay })
  search.next()
  drive(search, processes)
  return search.executionOrder()
}

const processesIn = (order: ExecutionOrder): string => order.inFewestSwitches().map((step) => order.steps[step]!.process).join('')

test('what is independent of others comes in one piece', () => {
  const order = executed([[read(x), read(x), read(x)], [read(y), read(y)]], '0.1.0.1.0')
  expect(order.switches).toBe(3)
  expect(processesIn(order)).toBe('00011')
})

test('a lost update takes one switch', () => {
  const increment = [read(x), write(x)]
  const order = executed([increment, increment], '0.1.0.1')
  expect(order.switches).toBe(2)
  expect(order.inFewestSwitches()).toEqual([1, 0, 2, 3])
  expect(processesIn(order)).toBe('1001')
})

test('no order of the class of a random execution has fewer', () => {
  let compared = 0
  for (const [seed, kind] of Array.from({ length: 400 }, (_, i) => [i, kinds[i % kinds.length]!] as const)) {
    const search = new Search({ stopOnFirst: false, maxExecutions: 5 })
    const driver = new ProgramDriver(toProgram(generate(kind, new Random(seed))), search)
    while (search.next()) {
      driver.execute()
      const order = search.executionOrder()
      const fewest = order.steps.length > 9 ? undefined : fewestByTrying(order)
      if (fewest === undefined) continue
      compared++
      const best = order.inFewestSwitches()
      expect(best.toSorted((a, b) => a - b)).toEqual([...order.steps.keys()])
      expect(inOrder(order, best).switches, `${kind}, seed ${seed}`).toBe(fewest)
    }
  }
  expect(compared).toBeGreaterThan(300)
})

/** The same execution with its steps in another order of its class. */
function inOrder({ steps }: ExecutionOrder, order: readonly number[]): ExecutionOrder {
  const numbers = new Map(order.map((step, number) => [step, number]))
  return new ExecutionOrder({
    steps: order.map((step) => ({ ...steps[step]!, after: steps[step]!.after.map((before) => ({ ...before, step: numbers.get(before.step)! })) })),
    races: [],
  })
}
