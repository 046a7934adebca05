import { beforeAll, describe, expect, test } from 'vitest'
import { config, project, run, type Run } from './project.ts'

/**
 * Two increments that read, await and write. As tasks: 4 classes, 2 of them lose one. In a body both
 * calls run to their first await within one step, so that two reads come first: 2 classes.
 */
const counter = `export class Counter {
  n = 0
  async bump(by = 1) {
    const n = this.n
    await null
    this.n = n + by
  }
}
export const both = async (counter: Counter, by = 1) => {
  await Promise.all([counter.bump(by), counter.bump(by)])
}
`

const modifiers = `import { describe, expect } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
import { Counter, both } from './counter'

let ran = 0
dporTest('plain', async () => { await both(new Counter()) })
dporTest.skip('skipped', async () => { ran++ })
dporTest.todo('to do')
dporTest.fails('fails as expected', async () => {
  const counter = new Counter()
  await both(counter)
  expect(counter.n).toBe(2)
})
dporTest.fails('does not fail', async () => { await both(new Counter()) })
dporTest.each([[1, 2], [2, 4]])('each %i -> %i', async (by, most) => {
  const counter = new Counter()
  await both(counter, by)
  expect(counter.n).toBeLessThanOrEqual(most)
})
dporTest.each([{ by: 3 }])('each object $by', async ({ by }) => {
  const counter = new Counter()
  await both(counter, by)
  expect(counter.n % 3).toBe(0)
})
dporTest.for([[5, 10]])('for %i', async ([by, most], { task, expect }) => {
  expect(task.name).toBe('for 5')
  const counter = new Counter()
  await both(counter, by)
  expect(counter.n).toBeLessThanOrEqual(most!)
})
dporTest.skipIf(true)('skipIf true', async () => { ran++ })
dporTest.skipIf(false)('skipIf false', async () => { await both(new Counter()) })
dporTest.runIf(true)('runIf true', async () => { await both(new Counter()) })
dporTest.runIf(false)('runIf false', async () => { ran++ })
dporTest('context', async ({ task, expect: own, skip, signal }) => {
  own(task.name).toBe('context')
  own(typeof skip).toBe('function')
  own(signal).toBeInstanceOf(AbortSignal)
  await both(new Counter())
})
const log: string[] = []
const withCounter = dporTest.extend<{ start: number; made: Counter }>({
  start: 7,
  made: async ({ start }, use) => {
    log.push('made')
    const counter = new Counter()
    counter.n = start
    await use(counter)
    log.push('closed')
  },
})
withCounter('fixtures', async ({ made, start }) => {
  expect(start).toBe(7)
  await both(made)
  expect(made.n).toBeLessThanOrEqual(9)
})
dporTest('fixtures were made once', async () => { expect(log).toEqual(['made', 'closed']) })
withCounter('unused fixtures are not made', async () => { await both(new Counter()) })
dporTest('still made once', async () => { expect(log).toEqual(['made', 'closed']) })
dporTest('tasks', {
  setup: () => new Counter(),
  tasks: { left: (counter: Counter) => counter.bump(), right: (counter: Counter) => counter.bump() },
  invariant: (counter: Counter) => counter.n >= 1,
})
dporTest('tasks with a failing invariant', { onInconclusive: 'fail', tags: [] }, {
  setup: () => new Counter(),
  tasks: [(counter: Counter) => counter.bump(), (counter: Counter) => counter.bump()],
  invariant: (counter: Counter) => counter.n === 2,
})
dporTest('timeout as third argument', async () => { await both(new Counter()) }, 3000)
dporTest('timeout as option', { timeout: 3000 }, async () => { await both(new Counter()) })
describe('inside describe', () => {
  dporTest('nested', async () => { await both(new Counter()) })
})
dporTest.concurrent('concurrent 1', async () => { await both(new Counter()) })
dporTest.concurrent('concurrent 2', async () => { await both(new Counter()) })
dporTest('softly', async () => {
  const counter = new Counter()
  await both(counter)
  expect.soft(counter.n).toBe(2)
})
dporTest('counted assertions', async () => {
  expect.assertions(2)
  const counter = new Counter()
  await both(counter)
  expect(counter.n).toBeGreaterThan(0)
  expect(counter.n).toBeLessThan(3)
})
dporTest('nothing skipped has run', () => { expect(ran).toBe(0) })
`

describe('modifiers of dporTest', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('modifiers', { 'vitest.config.ts': config("{ equivalence: 'trace' }"), 'counter.ts': counter, 'a.spec.ts': modifiers }))
  })
  test.each([
    'plain', 'each 1 -> 2', 'each 2 -> 4', 'each object 3', 'for 5', 'skipIf false', 'runIf true', 'context', 'unused fixtures are not made',
    'timeout as third argument', 'timeout as option', 'inside describe nested', 'concurrent 1', 'concurrent 2', 'counted assertions',
  ])('%s: holds after 2 executions', (name) => {
    const { status, dpor, message } = result.test(name)
    expect(message).toBe('')
    expect(status).toBe('passed')
    expect(dpor).toMatchObject({ verdict: 'holds', executions: 2, blocked: 0 })
  })

  test('tasks: holds after 4 executions', () => {
    expect(result.test('tasks')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 4, blocked: 0 } })
  })

  test.each(['skipped', 'skipIf true', 'runIf false'])('%s: not run', (name) => {
    expect(result.test(name)).toMatchObject({ status: 'skipped', dpor: undefined })
  })

  test('to do: listed', () => {
    expect(result.test('to do').status).toBe('todo')
  })

  test('fails: a failing execution is what is expected', () => {
    expect(result.test('fails as expected')).toMatchObject({ status: 'passed', dpor: { verdict: 'fails' } })
    expect(result.test('does not fail')).toMatchObject({ status: 'failed', dpor: { verdict: 'holds' } })
  })

  test('fixtures are made once for the test, and only when used', () => {
    expect(result.test('fixtures')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
    expect(result.test('fixtures were made once').status).toBe('passed')
    expect(result.test('still made once').status).toBe('passed')
  })

  test('an invariant that returns false fails', () => {
    const { status, dpor, message } = result.test('tasks with a failing invariant')
    expect(status).toBe('failed')
    expect(dpor).toMatchObject({ verdict: 'fails' })
    expect(message).toContain('the invariant returned false')
  })

  test('expect.soft fails the execution', () => {
    expect(result.test('softly')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' }, message: expect.stringContaining('expected 1 to be 2') })
  })

  test('bodies without concurrency: 1 execution', () => {
    expect(result.test('nothing skipped has run')).toMatchObject({ status: 'passed', dpor: { executions: 1 } })
  })
})

test('.only runs nothing else', async () => {
  const { test: report } = await run(project('only', {
    'vitest.config.ts': config("{ equivalence: 'trace' }"),
    'counter.ts': counter,
    'a.spec.ts': `import { dporTest } from 'vitest-dpor'
import { Counter, both } from './counter'
dporTest('other', async () => { throw new Error('ran') })
dporTest.only('chosen', async () => { await both(new Counter()) })
`,
  }))
  expect(report('other').status).toBe('skipped')
  expect(report('chosen')).toMatchObject({ status: 'passed', dpor: { executions: 2 } })
})

describe('time', () => {
  let result: Run
  beforeAll(async () => {
    result = await run(project('time', {
      'counter.ts': counter,
      'a.spec.ts': `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { Counter } from './counter'
const many = async () => {
  const counter = new Counter()
  const work = async () => { for (let i = 0; i < 12; i++) await counter.bump() }
  await Promise.all([work(), work(), work()])
}
dporTest('too many classes for the timeout', { timeout: 1000 }, many)
dporTest('too many classes for maxTime', { maxTime: 300 }, many)
dporTest('too many classes, not accepted', { timeout: 1000, onInconclusive: 'fail' }, many)
dporTest('an endless loop of awaits', { timeout: 2000, maxSteps: 500 }, async () => { for (let n = 0; ; n++) await null })
dporTest('an hour of virtual time', { timeout: 1000 }, async () => {
  const before = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 3_600_000))
  expect(Date.now() - before).toBe(3_600_000)
})
dporTest('after it', { timeout: 1000 }, async () => { await Promise.all([new Counter().bump(), new Counter().bump()]) })
`,
    }))
  })

  test('an exploration ends by itself before the timeout: inconclusive, passed with a warning', () => {
    const { status, dpor } = result.test('too many classes for the timeout')
    expect(status).toBe('passed')
    expect(dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('timeout of 1000 ms') })
    expect(result.output).toMatch(/stderr \| .*too many classes for the timeout\n.*inconclusive after/)
  })

  test('maxTime', () => {
    expect(result.test('too many classes for maxTime').dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('maxTime') })
  })

  test("onInconclusive: 'fail'", () => {
    expect(result.test('too many classes, not accepted')).toMatchObject({ status: 'failed', message: expect.stringContaining('InconclusiveError') })
  })

  test('an endless execution is cut short', () => {
    const { dpor } = result.test('an endless loop of awaits')
    expect(dpor).toMatchObject({ verdict: 'inconclusive', inconclusiveReason: expect.stringContaining('maxSteps') })
  })

  test('timers take no real time', () => {
    const { status, milliseconds } = result.test('an hour of virtual time')
    expect(status).toBe('passed')
    expect(milliseconds).toBeLessThan(500)
  })

  test('nothing of an exploration that was given up reaches the next test', () => {
    expect(result.test('after it')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 1 } })
  })
})

describe.each([
  ['hooks run around all executions', ''],
  ['hooks run for each execution', "import { beforeEach } from 'vitest'\nbeforeEach(() => {})\n"],
])('a test that is tried again, where %s', (where, hooks) => {
  const retried = `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { Counter, both } from './counter'

const draw = () => Math.floor(Math.random() * 1e6)
dporTest('a number', { retry: 3 }, async () => {
  await null
  expect(draw()).toBeLessThan(0)
})
dporTest('red at first', { retry: 30 }, async () => {
  await both(new Counter())
  expect(draw() % 4).toBe(1)
})
dporTest('always red in another order', { retry: 2 }, {
  setup: () => ({ counter: new Counter(), drawn: draw() }),
  tasks: [1, 2].map(() => ({ counter }: { counter: Counter }) => counter.bump()),
  invariant: ({ counter, drawn }: { counter: Counter; drawn: number }) => { if (counter.n > 1) throw new Error('drew ' + drawn) },
})
dporTest('for other errors alone', { retry: { count: 3, condition: /no such/ } }, async () => {
  await null
  throw new Error(draw() + ' drawn')
})
dporTest('after a while', { retry: { count: 1, delay: 300 } }, async () => {
  await null
  expect(draw()).toBeLessThan(0)
})
`
  let folder: string
  let result: Run
  beforeAll(async () => {
    folder = project(`tried again, ${where}`, { 'vitest.config.ts': config(), 'counter.ts': counter, 'a.spec.ts': hooks + retried })
    result = await run(folder)
  })

  test('is tried as Vitest is told', () => {
    expect(result.test('for other errors alone').message.match(/Error: \d+ drawn/g)).toHaveLength(1)
    expect(result.test('after a while').milliseconds).toBeGreaterThan(300)
  })

  test('draws other random numbers where its plain run has failed', () => {
    expect(result.test('red at first')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
    const drawn = [...result.test('a number').message.matchAll(/expected (\d+) to be less than/g)].map(([, number]) => number)
    expect(new Set(drawn).size).toBe(4)
  })

  test('draws the same ones where another order has failed', () => {
    expect(new Set([...result.test('always red in another order').message.matchAll(/drew (\d+)/g)].map(([, number]) => number)).size).toBe(1)
    expect(result.test('always red in another order').message).not.toContain('seed')
  })

  test('tells a story once, however often it was tried', () => {
    expect(result.test('always red in another order').message.match(/Replay:/g)).toHaveLength(1)
    expect(result.test('a number').message.match(/Replay:/g)).toHaveLength(4)
  })

  test('tells for a replay which ones it drew', async () => {
    const { message } = result.test('a number')
    const [, drawn] = [...message.matchAll(/expected (\d+) to be less than/g)].at(-1)!
    const [, replay, seed] = [...message.matchAll(/--dpor\.replay=(\S+) (--dpor\.seed=3)/g)].at(-1)!
    expect(message).toMatch(/\{ replay: '[^']+', seed: 3 \}/)
    const again = (await run(folder, '-t', 'a number', '--', `--dpor.replay=${replay}`, seed!)).test('a number')
    expect(again.status).toBe('failed')
    expect(new Set([...again.message.matchAll(/expected (\d+) to be less than/g)].map(([, number]) => number))).toEqual(new Set([drawn]))
  })
})
