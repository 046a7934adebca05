import { describe, expect, test } from 'vitest'
import { EngineError, ExecutionOrder, Search, type LocationId, type OrderedStep } from '../../src/engine/index.ts'
import { algorithmNamed } from '../../src/engine/algorithms/algorithms.ts'
import { ProgramDriver } from '../../src/engine/program/program-driver.ts'
import { isSameOrder } from '../../src/engine/trace/trace-order.ts'
import type { Trace } from '../../src/engine/trace/trace.ts'
import { toProgram } from '../oracle/adapter.ts'
import { generate, kinds } from '../oracle/generate.ts'
import { Random } from '../oracle/random.ts'
import { allOf, drive, nothing, read, wait, write, type DrivenStep } from './driver.ts'

const [x, y] = [0, 1]

/** The order of one execution of the processes: of the first one, or by a schedule. */
function orderOf(processes: readonly (readonly DrivenStep[])[], replay?: string): ExecutionOrder {
  const search = new Search(replay === undefined ? {} : { replay })
  search.next()
  drive(search, processes)
  return search.executionOrder()
}

describe('the order of an execution', () => {
  test('steps of a process come in their order, of two processes in any', () => {
    const order = orderOf([[nothing, nothing], [nothing]])
    expect(order.steps).toEqual([
      { process: 0, since: 0, after: [] },
      { process: 0, since: 0, after: [{ step: 0, reason: 'program order' }] },
      { process: 1, since: 0, after: [] },
    ])
    expect(order.happensBefore(0, 1)).toBe(true)
    expect(order.happensBefore(1, 0)).toBe(false)
    expect(order.happensBefore(1, 2)).toBe(false)
    expect(order.races).toEqual([])
  })

  test('a conflict orders, but does not enforce', () => {
    const order = orderOf([[write(x)], [read(x)]])
    expect(order.steps[1]!.after).toEqual([{ step: 0, reason: 'conflict' }])
    expect([order.happensBefore(0, 1), order.isEnforced(0, 1)]).toEqual([true, false])
    expect(order.races).toEqual([{ first: 0, second: 1 }])
    expect(order.couldRunAt(1, 0)).toBe(true)
  })

  test('a wait enforces, and what comes before it', () => {
    const order = orderOf([[nothing, write(x)], [allOf(wait(x), read(x))]])
    expect(order.steps[2]!.after).toEqual([{ step: 1, reason: 'wait' }])
    expect([order.isEnforced(0, 2), order.isEnforced(1, 2)]).toEqual([true, true])
    expect(order.races).toEqual([])
    expect(order.couldRunAt(2, 1)).toBe(false)
  })

  test('of conflicts one after another only neighbours race', () => {
    const order = orderOf([[write(x)], [allOf(read(x), write(y))], [allOf(read(y), read(x))]])
    expect(order.races).toEqual([{ first: 0, second: 1 }, { first: 1, second: 2 }])
    expect([order.isRace(0, 1), order.isRace(0, 2), order.happensBefore(0, 2), order.isEnforced(0, 2)]).toEqual([true, false, true, false])
  })

  test('a spawn comes before all of the process', () => {
    const search = new Search()
    search.next()
    const parent = search.spawn()
    search.choose([parent])
    const child = search.spawn(parent)
    search.endStep()
    search.choose([child])
    search.endStep()
    search.choose([child])
    search.endStep()
    search.finish({ status: 'complete' })
    const order = search.executionOrder()
    expect(order.steps.map(({ after }) => after)).toEqual([[], [{ step: 0, reason: 'spawn' }], [{ step: 1, reason: 'program order' }]])
    expect(order.isEnforced(0, 2)).toBe(true)
  })

  test('what comes before time advances comes before everything after', () => {
    const search = new Search()
    search.next()
    const [a, b] = [search.spawn(), search.spawn()]
    const step = (process: typeof a): void => {
      search.choose([process])
      search.write(x as LocationId)
      search.endStep()
    }
    step(a)
    search.barrier()
    step(b)
    step(a)
    search.finish({ status: 'complete' })
    const order = search.executionOrder()
    expect(order.steps.map(({ since }) => since)).toEqual([0, 1, 1])
    expect([order.isEnforced(0, 1), order.isEnforced(1, 2)]).toEqual([true, false])
    expect(order.races).toEqual([{ first: 1, second: 2 }])
    expect([order.couldRunAt(2, 1), order.couldRunAt(2, 0)]).toEqual([false, false])
  })

  test('survives JSON', () => {
    const order = orderOf([[write(x), nothing], [read(x), write(y)], [write(y)]], '1.1.2.0.0')
    const again = new ExecutionOrder(JSON.parse(JSON.stringify(order)))
    expect(again).toEqual(order)
    for (let first = 0; first < 5; first++) {
      for (let second = 0; second < 5; second++) {
        expect(again.happensBefore(first, second)).toBe(order.happensBefore(first, second))
        expect(again.isEnforced(first, second)).toBe(order.isEnforced(first, second))
      }
    }
  })

  test('is handed out between executions only', () => {
    const search = new Search()
    expect(() => search.executionOrder()).not.toThrow()
    search.next()
    expect(() => search.executionOrder()).toThrow(EngineError)
  })
})

/** The orders of the first executions of random programs of every kind. */
function* randomOrders(programs: number): Generator<{ order: ExecutionOrder; trace: Trace }> {
  for (const kind of kinds) {
    for (let seed = 0; seed < programs; seed++) {
      let trace!: Trace
      const search = new Search({ stopOnFirst: false, maxExecutions: 4 }, (made) => algorithmNamed('naive', (trace = made)))
      const driver = new ProgramDriver(toProgram(generate(kind, new Random(seed))), search)
      while (search.next()) {
        driver.execute()
        yield { order: search.executionOrder(), trace }
      }
    }
  }
}

describe('on random programs', () => {
  test('the order that is handed out is the one that was explored', () => {
    let count = 0
    for (const { order, trace } of randomOrders(60)) {
      expect(isSameOrder(trace, order)).toBe(true)
      count++
    }
    expect(count).toBeGreaterThan(1500)
  })

  test('and the comparison would see an edge that is missing, or one too many', () => {
    const compared = { missing: 0, more: 0 }
    for (const { order, trace } of randomOrders(10)) {
      const last = order.steps.length - 1
      if (last < 0) continue
      const withLast = (after: (step: OrderedStep) => OrderedStep['after']): ExecutionOrder =>
        new ExecutionOrder({ steps: order.steps.map((step, i) => (i === last ? { ...step, after: after(step) } : step)), races: order.races })
      const { since, after } = order.steps[last]!
      if (after.length === 1 && after[0]!.step >= since && after[0]!.reason !== 'program order') {
        expect(isSameOrder(trace, withLast(() => []))).toBe(false)
        compared.missing++
      }
      const unordered = order.steps.findIndex((_, step) => !order.happensBefore(step, last))
      if (unordered >= 0) {
        expect(isSameOrder(trace, withLast((step) => [...step.after, { step: unordered, reason: 'wait' }]))).toBe(false)
        compared.more++
      }
    }
    expect(compared.missing).toBeGreaterThan(50)
    expect(compared.more).toBeGreaterThan(100)
  })

  test('a race is a pair in happens-before, which nothing else orders', () => {
    for (const { order } of randomOrders(30)) {
      for (const { first, second } of order.races) {
        expect(order.happensBefore(first, second)).toBe(true)
        expect(order.steps[first]!.process).not.toBe(order.steps[second]!.process)
      }
    }
  })
})
