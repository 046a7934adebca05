import { describe, expect, test } from 'vitest'
import { DivergenceError, EngineError, ReplayError, Search, type LocationId, type ProcessId } from '../../src/engine/index.ts'
import { Sequential, type Sequence } from '../../src/engine/algorithms/sequential.ts'
import { allOf, drive, driveAll, nothing, read, wait, write } from './driver.ts'

const [x, y] = [0, 1]

describe('executions', () => {
  test('two writers of one location run in both orders, of two locations in one', () => {
    expect(driveAll(new Search(), [[write(x)], [write(x)]])).toEqual([[0, 1], [1, 0]])
    expect(driveAll(new Search(), [[write(x)], [write(y)]])).toEqual([[0, 1]])
  })

  test('two readers commute, a reader and a writer do not', () => {
    expect(driveAll(new Search(), [[read(x)], [read(x)]])).toHaveLength(1)
    expect(driveAll(new Search(), [[read(x)], [write(x)]])).toHaveLength(2)
  })

  test('the process that ran last goes on unless something else is to be explored', () => {
    expect(driveAll(new Search(), [[write(x), nothing], [nothing, write(x)]])).toEqual([[0, 0, 1, 1], [1, 1, 0, 0]])
  })

  test('a step with several accesses is one event', () => {
    const both = allOf(read(x), write(y), write(x))
    expect(driveAll(new Search(), [[both], [both]])).toHaveLength(2)
  })

  test('one call after the other: with nobody to go on nobody is missing', () => {
    const search = new Search({ replay: '0' }, (trace) => new Sequential(trace))
    search.next()
    expect(search.lacks([])).toBe(false)
  })

  /** A parent of one step, which creates three children of two. */
  const family = (sequence: Sequence): number[] => {
    const search = new Search({ replay: '0' }, (trace) => new Sequential(trace, sequence))
    search.next()
    const left = new Map([[search.spawn(), 1]])
    const order: number[] = []
    while (left.size > 0) {
      const chosen = search.choose([...left.keys()])!
      if (order.length === 0) for (let child = 0; child < 3; child++) left.set(search.spawn(chosen), 2)
      order.push(search.ordinal(chosen))
      search.endStep()
      left.set(chosen, left.get(chosen)! - 1)
      if (left.get(chosen) === 0) left.delete(chosen)
    }
    search.finish({ status: 'complete' })
    return order
  }

  test('one call after the other: the first one first, or the last one', () => {
    expect(family({})).toEqual([0, 1, 1, 2, 2, 3, 3])
    expect(family({ lastFirst: true })).toEqual([0, 3, 3, 2, 2, 1, 1])
  })

  test('one call in the midst of another: that is held until nothing else can go on', () => {
    expect(family({ holdsAfter: 2 })).toEqual([0, 1, 2, 2, 3, 3, 1])
    expect(family({ holdsAfter: 4 })).toEqual([0, 1, 1, 2, 3, 3, 2])
  })

  test.each([true, false])('another pass follows an execution that needs one, unless the driver knows that there is no other: %s', (isKnown) => {
    const search = new Search()
    for (let execution = 0; search.next(); execution++) {
      search.choose([search.spawn()])
      if (execution === 0) search.startAnew()
      search.endStep()
      search.finish({ status: 'complete' })
      if (isKnown) search.endWithThis()
      expect(search).toMatchObject({ isOver: isKnown || execution > 0, startsAnew: !isKnown && execution === 0 })
    }
    expect(search.result()).toMatchObject({ verdict: 'holds', executions: 1, estimate: 1, passes: isKnown ? 1 : 2 })
  })

  test('no process at all is one execution', () => {
    const search = new Search()
    expect(driveAll(search, [])).toEqual([[]])
    expect(search.result()).toMatchObject({ verdict: 'holds', executions: 1, blocked: 0, steps: 0, estimate: 1 })
  })
})

describe('the estimate', () => {
  test.each(['optimal', 'source'] as const)('can be asked for at any time, also where a pass is given up: %s', (algorithm) => {
    const search = new Search({ algorithm })
    const estimates: number[] = []
    let execution = 0
    while (search.next()) {
      execution++
      const processes = [search.spawn(), search.spawn(), search.spawn()]
      const left = processes.map(() => 2)
      while (left.some((steps) => steps > 0)) {
        const chosen = search.choose(processes.filter((_, i) => left[i]! > 0))!
        if (execution < 3) search.startAnew()
        search.write(x as LocationId)
        left[processes.indexOf(chosen)]!--
        search.endStep()
        estimates.push(search.result().estimate)
      }
      search.finish({ status: 'complete' })
      estimates.push(search.result().estimate)
    }
    expect(search.result()).toMatchObject({ verdict: 'holds', executions: 90, estimate: 90, passes: 3 })
    expect(estimates.every((estimate) => Number.isInteger(estimate) && estimate <= 720)).toBe(true)
  })
})

describe('wait', () => {
  test('is ordered after the write that enabled it, and commutes with later ones', () => {
    const search = new Search()
    while (search.next()) {
      const [settler, waiter] = [search.spawn(), search.spawn()]
      search.choose([settler])
      search.write(x as LocationId)
      search.endStep()
      search.choose([settler, waiter])
      search.write(x as LocationId)
      search.endStep()
      search.choose([waiter])
      search.wait(x as LocationId)
      search.endStep()
      search.finish({ status: 'complete' })
    }
    expect(search.result()).toMatchObject({ executions: 1, verdict: 'holds' })
  })

  test('makes no race of a read of the same location in the same step', () => {
    expect(driveAll(new Search(), [[write(x)], [allOf(wait(x), read(x))]])).toHaveLength(1)
  })
})

describe('barrier', () => {
  test('orders everything before it before everything after it', () => {
    const search = new Search()
    while (search.next()) {
      for (let i = 0; i < 2; i++) {
        const process = search.spawn()
        search.choose([process])
        search.write(x as LocationId)
        search.endStep()
        search.barrier()
      }
      search.finish({ status: 'complete' })
    }
    expect(search.result()).toMatchObject({ executions: 1, verdict: 'holds' })
  })
})

describe('spawn', () => {
  test('orders the child after the step that made it', () => {
    const search = new Search()
    const ids: ProcessId[] = []
    while (search.next()) {
      const parent = search.spawn()
      search.choose([parent])
      search.write(x as LocationId)
      const child = search.spawn(parent)
      search.endStep()
      ids.push(parent, child)
      search.choose([child])
      search.write(x as LocationId)
      search.endStep()
      search.finish({ status: 'complete' })
    }
    expect(ids).toEqual([0, 1])
  })

  test('gives the n-th child of a parent the same id in every execution, whatever its ordinal', () => {
    const search = new Search()
    const seen = new Set<string>()
    while (search.next()) {
      const parents = [search.spawn(), search.spawn()]
      const waiting = parents.slice()
      while (waiting.length > 0) {
        const parent = search.choose(waiting)!
        search.write(x as LocationId)
        const child = search.spawn(parent)
        search.endStep()
        waiting.splice(waiting.indexOf(parent), 1)
        seen.add(`${parents.indexOf(parent)}: id ${child}`)
      }
      search.finish({ status: 'complete' })
    }
    expect([...seen].toSorted()).toEqual(['0: id 2', '1: id 3'])
  })
})

describe('a driver that does not repeat itself', () => {
  test('is caught when a recorded step makes other accesses', () => {
    const search = new Search()
    search.next()
    drive(search, [[read(y), write(x)], [write(x)]])
    search.next()
    const lying = () => drive(search, [[read(2), write(x)], [write(x)]])
    expect(lying).toThrow(DivergenceError)
    expect(search.result()).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: 'a divergence' })
    expect(search.next()).toBe(false)
  })

  test('is told the step, what was expected and what came', () => {
    const search = new Search()
    search.next()
    drive(search, [[(s) => s.read(y as LocationId, 7), write(x)], [write(x)]])
    search.next()
    try {
      drive(search, [[(s) => s.write(y as LocationId, 8), write(x)], [write(x)]])
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({
        process: 0,
        step: 0,
        expected: [{ location: y, kind: 'read', site: 7 }],
        actual: [{ location: y, kind: 'write', site: 8 }],
      })
    }
  })

  test('is caught when a recorded process is not enabled, or the execution ends too early', () => {
    for (const shorter of [[[], [write(x)]], [[], []]]) {
      const search = new Search()
      search.next()
      drive(search, [[read(y), write(x)], [write(x)]])
      search.next()
      expect(() => drive(search, shorter)).toThrow(DivergenceError)
    }
  })

  test('is caught when the process that is to run next was never created', () => {
    const search = new Search()
    const run = (isCreated: boolean): void => {
      search.next()
      const [writer, parent] = [search.spawn(), search.spawn()]
      const waiting = [writer, parent]
      while (waiting.length > 0) {
        const process = search.choose(waiting)!
        waiting.splice(waiting.indexOf(process), 1)
        if (process !== parent) search.write(x as LocationId)
        else if (isCreated) waiting.push(search.spawn(parent))
        search.endStep()
      }
      search.finish({ status: 'complete' })
    }
    run(true)
    expect(() => run(false)).toThrow(DivergenceError)
  })
})

describe('replay', () => {
  test('runs exactly the given execution', () => {
    const search = new Search({ replay: '1.0x2' })
    expect(driveAll(search, [[write(x), write(x)], [write(x)]])).toEqual([[1, 0, 0]])
    expect(search.result()).toMatchObject({ executions: 1, verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('replay') })
  })

  test('goes on with the default choice after the end of the schedule', () => {
    expect(driveAll(new Search({ replay: '1' }), [[write(x)], [write(x), write(x)]])).toEqual([[1, 1, 0]])
  })

  test.each([
    ['1x2', 'takes process 1 at step 1, but it cannot run'],
    ['0.5', 'takes process 5 at step 1, but there is none'],
    ['0.1.0x3', 'has 5 steps, but the execution ended after'],
  ])('of %s, which does not fit, says so', (replay, message) => {
    const run = () => driveAll(new Search({ replay }), [[write(x)], [write(x)]])
    expect(run).toThrow(ReplayError)
    expect(run).toThrow(message)
  })
})

describe('budgets', () => {
  const many = Array.from({ length: 4 }, () => [write(x)])

  test('maxExecutions ends the exploration, unless that was all', () => {
    const cut = new Search({ maxExecutions: 5 })
    driveAll(cut, many)
    expect(cut.result()).toMatchObject({ verdict: 'inconclusive', executions: 5, inconclusiveReason: 'maxExecutions of 5' })
    const enough = new Search({ maxExecutions: 24 })
    driveAll(enough, many)
    expect(enough.result()).toMatchObject({ verdict: 'holds', executions: 24, estimate: 24 })
  })

  test('maxTime ends the exploration', () => {
    const search = new Search({ maxTime: 1e-6 })
    driveAll(search, many)
    expect(search.result()).toMatchObject({ verdict: 'inconclusive', executions: 1, inconclusiveReason: 'maxTime of 0.000001 ms' })
  })

  test('an execution cut at maxSteps does not count, but the exploration goes on', () => {
    const search = new Search({ maxSteps: 2 })
    let truncated = 0
    while (search.next()) {
      const processes = [search.spawn(), search.spawn(), search.spawn()]
      while (!search.exhausted) {
        processes.splice(processes.indexOf(search.choose(processes)!), 1)
        search.write(x as LocationId)
        search.endStep()
      }
      truncated++
      search.finish({ status: 'truncated' })
    }
    expect(truncated).toBe(2)
    expect(search.result()).toMatchObject({ verdict: 'inconclusive', executions: 0, inconclusiveReason: 'maxSteps of 2' })
  })

  test('stop ends it with the given reason, and finish after it does nothing', () => {
    const search = new Search()
    search.next()
    search.spawn()
    search.stop('the user left')
    search.finish({ status: 'complete' })
    expect(search.next()).toBe(false)
    expect(search.result()).toMatchObject({ verdict: 'inconclusive', executions: 0, inconclusiveReason: 'the user left' })
  })

  test('the first failure ends it, with stopOnFirst false none does', () => {
    for (const [stopOnFirst, executions] of [[true, 1], [false, 2]] as const) {
      const search = new Search({ stopOnFirst })
      while (search.next()) {
        const processes = [search.spawn(), search.spawn()]
        const left = processes.slice()
        while (left.length > 0) {
          left.splice(left.indexOf(search.choose(left)!), 1)
          search.write(x as LocationId)
          search.endStep()
        }
        search.finish({ status: 'complete', failure: { kind: 'error', error: 'bad' } })
      }
      const { verdict, failures } = search.result()
      expect(verdict).toBe('fails')
      expect(failures).toHaveLength(executions)
      expect(failures[0]).toEqual({ kind: 'error', error: 'bad', schedule: '0.1', execution: 1 })
    }
  })
})

describe('a driver that breaks the rules is told so', () => {
  test('calls out of turn', () => {
    const search = new Search()
    expect(() => search.choose([])).toThrow(EngineError)
    search.next()
    expect(() => search.next()).toThrow('next was called between steps')
    expect(() => search.read(x as LocationId)).toThrow('read was called between steps')
    expect(() => search.choose([])).toThrow('without an enabled process')
    search.choose([search.spawn()])
    expect(() => search.finish({ status: 'complete' })).toThrow('finish was called in a step')
  })

  test('a step that takes a lock and does more', () => {
    const search = new Search()
    search.next()
    search.choose([search.spawn()])
    search.acquire(x as LocationId)
    search.write(y as LocationId)
    expect(() => search.endStep()).toThrow('must have no other access')
  })
})
