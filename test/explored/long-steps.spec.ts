import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { explore, type Exploration } from 'vitest-dpor'
import { exploreRecorded } from '../../src/runtime/index.ts'
import { keepingErrors } from './uninstrumented/kept-error.ts'
import { labelOf } from './uninstrumented/stores.ts'

const items = Array.from({ length: 100 }, (_, i) => ({ i }))

/** Goes on for `times` rounds, which may be for ever, and looks at what nobody changes. */
function sum(times: number): number {
  let all = 0
  for (let round = 0; round < times; round++) for (const item of items) all += item.i
  return all
}

let older = 0

const maxTime = 100

async function givenUp(exploring: Promise<Exploration>, given = maxTime): Promise<void> {
  const { verdict, executions, failures, inconclusiveReason } = await exploring
  expect({ verdict, executions, failures, inconclusiveReason }).toEqual({ verdict: 'inconclusive', executions: 0, failures: [], inconclusiveReason: `maxTime of ${given} ms` })
}

describe('a look at bytes', () => {
  test('does not list them when there are millions', async () => {
    const started = Date.now()
    const { verdict } = await explore(async () => {
      const bytes = new Uint8Array(8_000_000)
      await null
      expect(structuredClone({ bytes }).bytes).toHaveLength(8_000_000)
    })
    expect(verdict).toBe('holds')
    expect(Date.now() - started).toBeLessThan(5_000)
  }, 60_000)
})

describe('a step that goes on far beyond its time is given up', () => {
  test.each(['await', 'event-loop'] as const)('in the body, and what it has changed is put back, with switches at %s', async (interleave) => {
    await givenUp(
      explore(async () => {
        older++
        sum(Infinity)
        older++
      }, { maxTime, interleave }),
    )
    expect(older).toBe(0)
  })

  test('in a body that is not async', () => givenUp(explore(() => void sum(Infinity), { maxTime })))
  test('after an await', () => givenUp(explore(async () => { await null; sum(Infinity) }, { maxTime })))
  test('in a reaction', () => givenUp(explore(() => Promise.resolve().then(() => void sum(Infinity)), { maxTime })))
  test('in a timer', () => givenUp(explore(() => new Promise<void>((resolve) => setTimeout(() => { sum(Infinity); resolve() })), { maxTime })))
  test('in a call that nobody waits for', () => givenUp(explore(() => { void (async () => { await null; sum(Infinity) })() }, { maxTime })))
  test('in what runs before', () => givenUp(explore({ setup: () => sum(Infinity), tasks: [async () => {}, async () => {}] }, { maxTime })))
  test('in a task', () => givenUp(explore({ tasks: [async () => {}, async () => void sum(Infinity)] }, { maxTime })))

  test('though most of its time goes into comparing what code that is not instrumented has in its hands', async () => {
    let calls = 0
    const graph = Array.from({ length: 2_000 }, () => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`key${i}`, i])))
    await givenUp(
      explore(() => {
        for (;;) {
          calls++
          labelOf({ state: 'new', graph } as { state: string })
        }
      }, { maxTime }),
    )
    expect(calls).toBeLessThan(80)
  })

  /** What one line of control alone accesses need not be told, and takes less time. */
  const besideAnother = (look: () => unknown) => () => Promise.all([(async () => { await null; look() })(), (async () => { await null })()])
  const many = Array.from({ length: 300_000 }, (_, i) => i)
  const map = new Map(many.map((i) => [i, i]))
  const records = Array.from({ length: 2_000 }, () => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, i])))
  test.each<[string, () => unknown]>([
    ['an equality of long lists', () => expect(many).toEqual([...many])],
    ['an equality of many records', () => expect(records).toEqual(structuredClone(records))],
    ['a copy of a large Map', () => structuredClone(map)],
    ['a text of a long list', () => JSON.stringify(many)],
    ['a look through one', () => many.includes(-1)],
    ['a new list', () => [...many]],
    ['a new Map', () => new Map(map)],
    ['an object with many keys', () => Object.fromEntries(map)],
  ])('though most of its time goes into one look at all of something: %s', (_name, look) => givenUp(explore(besideAnother(look), { maxTime: 20 }), 20))

  test('though it catches whatever is thrown', () =>
    givenUp(
      explore(() => {
        for (let i = 0; i < 5; i++) {
          try {
            sum(Infinity)
          } catch {
            older = 0
          }
        }
      }, { maxTime }),
    ))
})

const crowd = new Set(Array.from({ length: 130_000 }, (_, i) => i))

test('what a large collection leads to is no call with as many arguments', async () => {
  const { verdict, failures, inconclusiveReason } = await explore(async () => {
    expect(labelOf({ state: 'new', crowd } as { state: string })).toBe('order new')
  }, { maxExecutions: 1, maxTime: 60_000 })
  expect({ verdict, failures, inconclusiveReason }).toEqual({ verdict: 'holds', failures: [], inconclusiveReason: undefined })
}, 120_000)

describe('whatever it does for ever', () => {
  const shared: { n: number; m?: number } = { n: 0 }
  let count = 0
  const counting = () => count
  class Private {
    #n = 0
    goOn = () => { for (;;) this.#n++ }
    read = () => this.#n
  }

  test.each<[string, () => unknown]>([
    ['assigns a property', () => { for (;;) shared.n = 1 }],
    ['adds to one', () => { for (;;) shared.n++ }],
    ['adds to one what it is given', () => { for (;;) shared.n += 2 }],
    ['takes one away', () => { for (;;) delete shared.m }],
    ['looks whether there is one', () => { for (;;) if ('x' in shared) break }],
    ['takes an object apart', () => { for (;;) { const { m } = shared; if (m === 1) break } }],
    ['assigns a variable', () => { for (;;) { count = 1; if (counting() === 2) break } }],
    ['adds to a private field', () => new Private().goOn()],
    ['in a setter', () => { Object.assign({ set x(_: number) { for (;;) shared.n = 2 } }, { x: 1 }) }],
    ['in a trap of a Proxy', () => Reflect.get(new Proxy({}, { get: () => { for (;;) shared.n = 2 } }), 'x')],
    ['in a callback of sort', () => [2, 1].toSorted(() => { for (;;) shared.n = 2 })],
    ['in toJSON', () => JSON.stringify({ toJSON: () => { for (;;) shared.n = 2 } })],
    ['in a generator', () => { for (const n of (function* () { for (;;) yield (shared.n = 1) })()) if (n === 2) break }],
    ['in a listener', () => {
      const target = new EventTarget()
      target.addEventListener('x', () => { for (;;) shared.n = 1 })
      target.dispatchEvent(new Event('x'))
    }],
    ['in a listener to a signal', () => {
      const controller = new AbortController()
      controller.signal.addEventListener('abort', () => { for (;;) shared.n = 1 })
      controller.abort()
    }],
  ])('%s', (_name, goOn) => givenUp(explore(async () => { await null; goOn() }, { maxTime })))
})

describe('of what the plain run may take besides, only what it waits is free', () => {
  const plainTime = 600_000
  const found = async (body: () => Promise<void>, most = maxTime): Promise<Exploration> => (await exploreRecorded(body, { maxTime: most, plainTime, interleave: 'event-loop' })).result

  test('not what it works in one step', () => givenUp(found(async () => { await null; sum(Infinity) })))

  test('nor in many', () =>
    givenUp(
      found(async () => {
        for (;;) {
          sum(100)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }),
    ))

  test('what it waits', async () => {
    const { verdict, executions } = await found(async () => void (await once(spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1200)']), 'exit')), 1_000)
    expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
  })
})

test('the error by which one was given up is no failure of a later body, where other code has kept it', async () => {
  await givenUp(explore(async () => keepingErrors(() => sum(Infinity)), { maxTime }))
  const { verdict, failures, inconclusiveReason } = await explore(async () => keepingErrors(() => {}))
  expect({ verdict, failures, inconclusiveReason }).toEqual({ verdict: 'inconclusive', failures: [], inconclusiveReason: expect.stringContaining('an earlier execution was given up') as string })
})

test('a step that is over in time counts', async () => {
  const { verdict, executions } = await explore(async () => void sum(100), { maxTime: 10_000 })
  expect({ verdict, executions }).toEqual({ verdict: 'holds', executions: 1 })
})

describe('though what is thrown comes where no code can catch it, nobody hears of it', () => {
  const several = Array.from({ length: 50 })
  const modes = ['await', 'event-loop'] as const

  test.each(modes)('in microtasks and ticks, with switches at %s', (interleave) =>
    givenUp(
      explore(async () => {
        for (const _ of several) queueMicrotask(() => void sum(Infinity))
        for (const _ of several) process.nextTick(() => void sum(Infinity))
        await null
      }, { maxTime, interleave }),
    ))

  test.each(modes)('in calls and reactions that nobody waits for, with switches at %s', (interleave) =>
    givenUp(
      explore(async () => {
        for (const _ of several) void Promise.resolve().then(() => void sum(Infinity))
        for (const _ of several) void (async () => { await null; sum(Infinity) })()
        await null
      }, { maxTime, interleave }),
    ))

  test.each(modes)('in listeners, which are gone through before, with switches at %s', (interleave) =>
    givenUp(
      explore(async () => {
        const target = new EventTarget()
        for (let i = 0; i < 8; i++) target.addEventListener('x', () => void sum(100))
        for (let i = 0; i < 1000; i++) target.dispatchEvent(new Event('x'))
        sum(Infinity)
      }, { maxTime, interleave }),
    ))
})

describe('what waits for something real for longer than it may is given up', () => {
  const children: ChildProcess[] = []
  afterEach(() => children.splice(0).forEach((child) => child.kill()))
  const sleeps = (): Promise<unknown> => {
    const child = spawn('sleep', ['60'])
    children.push(child)
    return new Promise((resolve) => child.on('exit', resolve))
  }

  test.each(['await', 'event-loop'] as const)('in the body, with switches at %s', async (interleave) => {
    const { verdict, failures, inconclusiveReason } = await explore(async () => void (await sleeps()), { maxTime, interleave })
    expect({ verdict, failures, inconclusiveReason }).toMatchObject({ verdict: 'inconclusive', failures: [], inconclusiveReason: expect.stringMatching(/^waiting for something real at .*: maxTime of 100 ms$/) })
  }, 10_000)

  test('in what runs before', () => givenUp(explore({ setup: sleeps, tasks: [async () => {}] }, { maxTime })), 10_000)
})
