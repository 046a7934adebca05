import { beforeAll, describe, expect, test } from 'vitest'
import { Random } from '../async-oracle/random.ts'
import { library as called, outcome, programs, specOf } from './one-line-programs.ts'
import { config, project, run, type Run } from './project.ts'

/** What tests call; none of it stands for I/O by itself. */
const library = `
export async function later(): Promise<void> { await Promise.resolve(); await Promise.resolve(); await Promise.resolve() }
export async function sets(o: { done: boolean }): Promise<void> { await later(); o.done = true }
export async function setsLate(o: { done: boolean }): Promise<void> { for (let i = 0; i < 20; i++) await null; o.done = true }
export async function loads<T>(fetcher: () => Promise<T>): Promise<T> { return fetcher() }
export class Store {
  rows = new Map<number, string>()
  constructor(private readonly fetcher: (id: number) => Promise<string>) {}
  async get(id: number): Promise<string> { return this.rows.get(id) ?? this.#load(id) }
  async #load(id: number): Promise<string> { const row = await this.fetcher(id); this.rows.set(id, row); return row }
}
export async function* numbers(o: { done: boolean }) { await later(); o.done = true; yield 1 }
`

const head = `
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, describe, expect, test as base, vi } from 'vitest'
import { later, loads, numbers, sets, setsLate, Store } from './library'
import { ran, tell } from './runs'
afterAll(tell)
const mock = vi.fn(async (n: number) => n)
`

/** By name: something else is under way while the test waits for an answer, which in its plain order comes first. */
const others: Record<string, string> = {
  'a call that nobody awaits': `const o = { done: false }; void sets(o); await mock(1); expect(o.done).toBe(false)`,
  'a reaction to what is passed on': `const o = { done: false }; const p = loads(() => Promise.resolve(1)); p.then(() => { o.done = true }); await null; expect(o.done).toBe(false)`,
  'a microtask': `const o = { done: false }; void null; const p = mock(1); queueMicrotask(() => { queueMicrotask(() => { queueMicrotask(() => { o.done = true }) }) }); await p; expect(o.done).toBe(false)`,
  'a tick': `const o = { done: false }; process.nextTick(() => { o.done = true }); await mock(1); expect(o.done).toBe(false)`,
  'an immediate': `const o = { done: false }; setImmediate(() => { o.done = true }); await mock(1); expect(o.done).toBe(false)`,
  'an immediate that is cleared': `const o = { done: false }; const i = setImmediate(() => { o.done = true }); await mock(1); clearImmediate(i); expect(o.done).toBe(false)`,
  'a thenable': `const o = { done: false }; const p = Promise.resolve({ then(r: () => void) { Promise.resolve().then(() => Promise.resolve()).then(() => { o.done = true; r() }) } }); await null; expect(o.done).toBe(false); await p`,
  'a tick of a stream': `const o = { done: false }; const s = Readable.from(['a']); s.on('close', () => { o.done = true }); s.destroy(); await mock(1); expect(o.done).toBe(false)`,
  'a step of an async generator': `const o = { done: false }; void numbers(o).next(); await null; expect(o.done).toBe(false)`,
  'a reaction to a promise that the test settles': `const o = { done: false }; let open!: () => void; const gate = new Promise<void>((r) => (open = r)); void gate.then(later).then(() => { o.done = true }); open(); await mock(1); expect(o.done).toBe(false)`,
  'a promise that is resolved by another one': `const o = { done: false }; new Promise<void>((r) => r(Promise.resolve())).then(() => { o.done = true }); await null; expect(o.done).toBe(false)`,
  'the other part of a whole': `const log: number[] = []; await Promise.all([loads(() => mock(1)).then(() => log.push(1)), mock(2).then(() => log.push(2))]); expect(log).toEqual([2, 1])`,
  'what comes of a mock': `const o = { done: false }; mock(1).then(later).then(() => { o.done = true }); await null; expect(o.done).toBe(false)`,
  'a call that nobody awaits, once something stands in the place of what the platform has': `const log = vi.spyOn(console, 'log').mockImplementation(() => {}); const o = { done: false }; void sets(o); await mock(1); log.mockRestore(); expect(o.done).toBe(false)`,
  'a rejection that is handled later, which an answer may let wait': `const p = Promise.reject(new Error('no')); await mock(1); await p.catch(() => {})`,
  'a call beside an assertion that waits': `const o = { done: false }; void setsLate(o); await expect(mock(1)).resolves.toBe(1); expect(o.done).toBe(false)`,
  'a call beside an assertion that waits for an error': `const o = { done: false }; void setsLate(o); const fails = vi.fn().mockRejectedValue(new Error('no')); await expect(fails()).rejects.toThrow('no'); expect(o.done).toBe(false)`,
  'what else comes of the subject of an assertion': `const o = { done: false }; const p = mock(1); p.then(() => setsLate(o)); await expect(p).resolves.toBe(1); await mock(2); expect(o.done).toBe(false)`,
  'a call that an assertion waits for, which nobody awaits': `const o = { done: false }; const asserted = expect(setsLate(o)).resolves.toBeUndefined(); await mock(1); expect(o.done).toBe(false); await asserted`,
  'what comes of an assertion': `const o = { done: false }; const asserted = Promise.resolve(expect(mock(1)).resolves.toBe(1)).then(() => setsLate(o)); await mock(2); expect(o.done).toBe(false); await asserted`,
  'what an asymmetric matcher begins': `const o = { done: false }; const begins = { asymmetricMatch: () => { void setsLate(o); return true } }; await expect(mock(1)).resolves.toEqual(begins); await mock(2); expect(o.done).toBe(false)`,
  'a call that nobody awaits, after others that were beside one another': `const o = { done: false }; await Promise.all([later(), later()]); void setsLate(o); await mock(1); expect(o.done).toBe(false)`,
  'an answer in one of two lines': `const log: string[] = []; const asks = async () => { await later(); await mock(1); log.push('a') }; const runs = async () => { for (let i = 0; i < 9; i++) await later(); log.push('b') }; await Promise.all([asks(), runs()]); expect(log).toEqual(['a', 'b'])`,
  'an answer that is heard of late, beside a line that was there before': `const o = { done: false }; const runs = later().then(later).then(later).then(() => { o.done = true }); const p = mock(1); await p; expect(o.done).toBe(false); await runs`,
  'what is awaited in the test beside another line': `const o = { done: false }; void setsLate(o); await 1; expect(o.done).toBe(false)`,
  'a second answer, while the first was not heard': `const o = { done: false }; const first = mock(1); void mock(2).then(later).then(() => { o.done = true }); await null; expect(o.done).toBe(false); await first`,
  'a rejection that is handled only after an answer, of a line that was beside others': `const p = later().then(() => Promise.reject(new Error('no'))); for (let i = 0; i < 9; i++) await later(); await mock(1); await p.catch(() => {})`,
  'a promise that another line settles': `const o = { done: false }; let open!: () => void; const gate = new Promise<void>((r) => (open = r)); void later().then(() => { o.done = true; open() }); await mock(1); expect(o.done).toBe(false); await gate`,
  'what a promise is settled with': `const o = { done: false }; let open!: (p: Promise<void>) => void; const gate = new Promise<void>((r) => (open = r)); open(setsLate(o)); await mock(1); expect(o.done).toBe(false); await gate`,
  'finally': `const o = { done: false }; void Promise.resolve().finally(() => later()).finally(() => { o.done = true }); await mock(1); expect(o.done).toBe(false)`,
}

/** By name: whatever takes time, nothing else can happen. */
const alone: Record<string, string> = {
  'one await': `const n = await Promise.resolve(1); expect(n).toBe(1)`,
  'awaits in other functions': `const o = { done: false }; await sets(o); await later(); expect(o.done).toBe(true)`,
  'an async mock': `expect(await mock(1)).toBe(1); expect(mock).toHaveBeenCalledWith(1)`,
  'a mock with one answer': `const fetcher = vi.fn().mockResolvedValue('a'); expect(await loads(fetcher)).toBe('a')`,
  'promises that are passed on': `const store = new Store(vi.fn(async () => 'a')); expect(await store.get(1)).toBe('a'); expect(await store.get(1)).toBe('a'); expect(await loads(() => store.get(2))).toBe('a')`,
  'an answer that is an error': `const fetcher = vi.fn().mockRejectedValue(new Error('no')); try { await loads(fetcher); expect.unreachable() } catch (error) { expect((error as Error).message).toBe('no') }`,
  'a loop': `let sum = 0; for (const n of [1, 2, 3]) sum += await mock(n); expect(sum).toBe(6)`,
  'a call that is awaited later': `const p = mock(1); const two = 1 + 1; expect((await p) + two).toBe(3)`,
  'all of one': `expect(await Promise.all([mock(1)])).toEqual([1])`,
  'something in the place of what the platform has': `const log = vi.spyOn(console, 'log').mockImplementation(() => {}); await mock(1); console.log('unseen'); expect(log).toHaveBeenCalledTimes(1); log.mockRestore()`,
  'another prototype': `const fetcher = Object.setPrototypeOf(() => mock(1), { name: 'other' }) as () => Promise<number>; await null; Object.setPrototypeOf(fetcher, Function.prototype); expect(await loads(fetcher)).toBe(1)`,
  'an accessor in the place of a value': `await mock(1); Object.defineProperty(settings, 'level', { get: () => 2, configurable: true }); expect(await loads(async () => settings.level)).toBe(2)`,
  'an assertion that waits for an answer': `await expect(mock(1)).resolves.toBe(1); await expect(loads(() => mock(2))).resolves.toEqual(2); await mock(3)`,
  'an assertion about an error': `const fetcher = vi.fn().mockRejectedValue(new Error('no')); await expect(fetcher()).rejects.toThrow('no'); await expect(() => loads(fetcher)).rejects.toThrow('no'); await mock(3)`,
  'an assertion that waits for what is there': `await mock(1); await expect(Promise.resolve(1)).resolves.not.toBe(2); await mock(2)`,
  'calls beside one another, none of which asks for an answer': `const o = { done: false }; expect(await mock(1)).toBe(1); await Promise.all([later(), sets(o), later()]); expect(o.done).toBe(true); expect(await mock(2)).toBe(2)`,
  'a call that nobody awaits, and that is over when an answer is asked for': `const o = { done: false }; void sets(o); for (let i = 0; i < 9; i++) await later(); expect(o.done).toBe(true); expect(await mock(1)).toBe(1)`,
  'reactions beside one another to what an answer has led to': `const heard: number[] = []; const tells = async (n: number) => { await later(); for (const f of await Promise.all([1, 2].map(async (k) => { await later(); return k * n }))) heard.push(f) }; await tells(await mock(1)); await tells(await mock(2)); expect(heard).toEqual([1, 2, 2, 4])`,
  'a deferred that the test settles': `let open!: () => void; const gate = new Promise<void>((r) => (open = r)); await mock(1); open(); await gate; expect(await mock(2)).toBe(2)`,
  'a deferred that the test settles with another one': `let open!: (p: Promise<number>) => void; const gate = new Promise<number>((r) => (open = r)); await mock(1); open(mock(2)); expect(await gate).toBe(2); expect(await mock(3)).toBe(3)`,
  'a timer that is cleared': `const timer = setTimeout(() => expect.unreachable(), 1000); expect(await mock(1)).toBe(1); clearTimeout(timer); expect(await mock(2)).toBe(2)`,
  'a timer that has not fired by then': `setTimeout(() => {}, 1000); expect(await mock(1)).toBe(1)`,
  'state of the file': `shared.push(await mock(1)); expect(shared).toEqual([1])`,
}

const tests = (bodies: Record<string, string>): string => Object.entries(bodies).map(([name, body]) => `base('${name}', async () => { ran('${name}'); ${body} })`).join('\n')

/** Not instrumented: it knows of all executions. */
const runs = `
const runs: Record<string, number> = {}
export const ran = (name: string): void => { runs[name] = (runs[name] ?? 0) + 1 }
export const tell = (): void => console.log('runs: ' + JSON.stringify(runs))
`

const around = `
const shared: number[] = []
const settings = { level: 1, size: 1 }
${tests(others)}
${tests(alone)}
base('what the test before has left', async () => { shared.push(await mock(2)); expect(shared).toEqual([1, 2]) })
base('a timer that fires before a value becomes an accessor', async () => { ran('a timer that fires'); await new Promise((done) => setTimeout(done, 5)); Object.defineProperty(settings, 'size', { get: () => 2, configurable: true }); expect(settings.size).toBe(2) })
base('immediates that a function sets which is not async', () => { ran('immediates'); return new Promise<void>((done) => setImmediate(() => setImmediate(() => { shared.push(3); done() }))) })
base('an assertion that the test returns', () => expect(mock(1)).resolves.toBe(1))
base('a function that is not async', () => { const o = { done: false }; void sets(o); return mock(1).then(() => expect(o.done).toBe(false)) })

const started = base.extend<{ o: { done: boolean } }>({ o: async ({}, use) => { const o = { done: false }; const p = later().then(later).then(later).then(later).then(() => sets(o)); await use(o); await p } })
started('a call that a fixture has left', async ({ o }) => { await mock(1); expect(o.done).toBe(false); await later() })
const made = base.extend<{ store: Store }>({ store: async ({}, use) => { const store = new Store(async (id) => 'row ' + id); await use(store); store.rows.clear() } })
made('what a fixture has made', async ({ store }) => { expect(await store.get(1)).toBe('row 1') })

describe('with a hook that cleans up', () => {
  let spy: { mockRestore: () => void }
  beforeEach(() => { spy = vi.spyOn(console, 'warn').mockImplementation(() => {}) })
  afterEach(() => { spy.mockRestore(); vi.unstubAllGlobals() })
  base('what is put back after the test', async () => { ran('what is put back after the test'); expect(await mock(1)).toBe(1) })
})

describe('with a hook', () => {
  const o = { done: false }
  let open!: () => void
  beforeEach(() => { void new Promise<void>((r) => (open = r)).then(later).then(() => { o.done = true }) })
  base('a reaction that a hook has asked for', async () => { open(); await mock(1); expect(o.done).toBe(false) })
})
`

const racing = [...Object.keys(others), 'a function that is not async', 'a call that a fixture has left', 'a reaction that a hook has asked for']

const countsIn = ({ output }: Run): Record<string, number> => JSON.parse(/runs: (.*)/.exec(output)![1]!) as Record<string, number>

describe('whether the plain run is all there is', () => {
  let report: Run
  beforeAll(async () => {
    report = await run(project('one-line', { 'vitest.config.ts': config(`{ exclude: ['**/runs.ts'] }`), 'library.ts': library, 'runs.ts': runs, 'a.spec.ts': head + around }), '--', '--dpor', '--dpor.test-time=1m')
  })

  test.each(racing)('it is not: %s', (name) => {
    const { found, dpor, message } = report.test(name)
    expect([found?.found, dpor?.['executions'] as number], message).toEqual(['race', expect.toSatisfy((count: number) => count > 1)])
  })

  test.each([...Object.keys(alone), 'what the test before has left', 'what a fixture has made', 'what is put back after the test'])('it is: %s', (name) => {
    const { status, found, dpor } = report.test(name)
    expect([status, found, dpor?.['executions']]).toEqual(['passed', { found: 'alone' }, 1])
  })

  test('it is where nothing else could come at any step, whatever was taken for granted of accesses', () => {
    const { status, found, dpor } = report.test('a timer that fires before a value becomes an accessor')
    expect([status, found?.found, dpor?.['executions'], countsIn(report)['a timer that fires']]).toEqual(['passed', 'alone', 1, 1])
  })

  test('it is where one continuation is put behind another, and nothing else could come at any step', () => {
    const { status, found, dpor } = report.test('immediates that a function sets which is not async')
    expect([status, found?.found, dpor?.['executions'], countsIn(report)['immediates']]).toEqual(['passed', 'alone', 1, 1])
  })

  test('then it runs once, and otherwise more often', () => {
    const counts = countsIn(report)
    for (const name of Object.keys(alone)) expect(counts, name).toHaveProperty([name], 1)
    for (const name of Object.keys(others)) expect(counts[name], name).toBeGreaterThan(1)
  })
})

test('of random tests that are said to have no concurrency, Node has one outcome however long answers take', async () => {
  const all = await programs(1, 120)
  const { test: testOf } = await run(project('one-line-random', { 'library.js': called, 'a.spec.js': specOf(all) }), '--', '--dpor', '--dpor.test-time=1m')
  const found = { alone: 0, race: 0 }
  const wrong: unknown[] = []
  for (const [i, { body, log }] of all.entries()) {
    const { found: { found: kind } = { found: '' }, dpor } = testOf(`program ${i}`)
    if (kind === 'race') found.race++
    if (kind !== 'alone' || dpor?.['executions'] !== 1) continue
    found.alone++
    for (let seed = 0; seed < 30; seed++) {
      const random = new Random(seed)
      const here = await outcome(body, () => random.int(4))
      if (here !== log) wrong.push({ body, log, here })
    }
  }
  expect(wrong).toEqual([])
  expect([found.alone > 20, found.race > 10], JSON.stringify(found)).toEqual([true, true])
})
