import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

const spec = `
import { afterEach, aroundEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
const say = (text: string) => { process.stderr.write('[' + text + ']') }
interface Fixtures { store: { n: number }; user: string; wide: { made: number } }
let made = 0
const withFixtures = dporTest.extend<Fixtures>({
  store: async ({}, use) => { say('make store'); const store = { n: 0 }; await use(store); await null; say('take down store ' + store.n) },
  user: [async ({ store }, use) => { say('make user'); await use('user of ' + store.n) }, { auto: true }],
  wide: [async ({}, use) => { say('make wide'); await use({ made: ++made }); say('take down wide') }, { scope: 'file' }],
})
const both = (store: { n: number }) => Promise.all([1, 2].map(async (i) => { await null; store.n = store.n * 2 + i }))
describe('suite', () => {
  aroundEach(async (runTest) => { say('around'); await runTest(); await null; say('around over') })
  beforeEach(async () => { await null; say('before'); return () => say('clean up') })
  afterEach(async () => { await null; say('after') })
  withFixtures('for each', async ({ store, user }) => {
    onTestFinished(async () => { await null; say('finished') })
    expect(user).toBe('user of 0')
    await both(store)
    say('body')
    expect(store.n).toBeGreaterThan(3)
  })
  withFixtures('once', { hooks: 'once' }, async ({ store }) => { store.n = 0; await both(store); expect(store.n).toBeGreaterThan(3) })
  dporTest('tasks', { setup: () => ({ n: 1 }), tasks: [both, both], invariant: ({ n }) => n > 3 })
  dporTest.fails('to fail', async () => { const store = { n: 0 }; await both(store); expect(store.n).toBe(4) })
  dporTest.each([[4], [5]])('each %i', async (most) => { const store = { n: 0 }; await both(store); expect(store.n).toBeLessThanOrEqual(most) })
  dporTest('waits for ever', async () => { await new Promise(() => {}) })
  dporTest('skips', async ({ skip }) => { await null; skip() })
  dporTest('wrong', { maxTime: -1 }, async () => {})
})
withFixtures('the file has it once', async ({ wide, store }) => { await both(store); expect(wide.made).toBe(1) })
withFixtures('and others find it', async ({ wide, store }) => { await both(store); expect(wide.made).toBe(1) })
const apart = { one: async ({}: {}, use: (one: number) => Promise<void>) => { await use(1) } }
dporTest.extend<{ one: number }>(apart)('fixtures written elsewhere', async ({ one }: { one: number }) => { expect(one).toBe(1) })
const list: number[] = []
describe('state', () => {
  beforeEach(() => { list.length = 0 })
  afterEach(() => { if (list[0] === 2) throw new Error('2 came first') })
  dporTest('that a hook looks at afterwards', async () => { await Promise.all([1, 2].map(async (i) => { await null; list.push(i) })) })
  dporTest('that the next test finds', async () => { list.push(3); await null; expect(list).toEqual([3]) })
})
let before = 0
describe('an ordinary test', () => {
  beforeEach(() => { before++ })
  dporTest('explored before it', async () => { await both({ n: 0 }) })
  test('finds what one run has left', () => { expect(before).toBe(2) })
})
describe('a hook', () => {
  beforeEach(async () => { await null; throw new Error('by itself') })
  dporTest('that fails', async () => { await null })
})
`

describe('what stands around a dporTest', () => {
  let result: Run
  const told = (of: string, output: string): string => [...output.matchAll(/\[[\w ]+\]/g)].join('').replaceAll(/store \d/g, 'store N').split(of).join('*')

  beforeAll(async () => {
    result = await run(project('hooks', { 'a.spec.ts': spec }))
  })

  test('runs for each execution', async () => {
    const { output, test: report } = await run(project('hooks-each', { 'a.spec.ts': spec }), '-t', 'for each')
    expect(report('for each')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
    // One execution is what Vitest does for a test; the verdict is checked by some more.
    expect(told('[make store][make user][around][before][body][after][clean up][finished][around over][take down store N]', output)).toMatch(/^\*{3,}$/)
    expect(output).toMatch(/store 4.*store 5/)
  })

  test("runs once with hooks: 'once'", async () => {
    const { output, test: report } = await run(project('hooks-once', { 'a.spec.ts': spec }), '-t', 'suite once')
    expect(report('suite once')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
    expect(told('', output).replaceAll('*', '')).toBe('[make store][make user][around][before][after][clean up][around over][take down store N]')
  })

  test.each([
    ['tasks', { status: 'passed', dpor: { verdict: 'holds' } }],
    ['to fail', { status: 'passed', dpor: { verdict: 'fails' } }],
    ['each 5', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['each 4', { status: 'failed', dpor: { verdict: 'fails', executions: 2 } }],
    ['skips', { status: 'skipped' }],
    ['the file has it once', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['and others find it', { status: 'passed', dpor: { verdict: 'holds', executions: 2 } }],
    ['fixtures written elsewhere', { status: 'passed', dpor: { verdict: 'holds', executions: 1 } }],
    ['finds what one run has left', { status: 'passed', dpor: undefined }],
    ['that the next test finds', { status: 'passed', dpor: { verdict: 'holds' } }],
  ])('%s', (name, ends) => {
    expect(result.test(name)).toMatchObject(ends)
  })

  test.each([
    ['waits for ever', /Deadlock: test waits for ever/],
    ['wrong', /^OptionError: option 'maxTime' is -1/],
    ['that a hook looks at afterwards', /Order violation on .*list[\s\S]*2 came first/],
    ['that fails', /The test threw; it fails in the one order that there is[\s\S]*by itself/],
  ])('%s fails', (name, message) => {
    expect(result.test(name).status).toBe('failed')
    expect(result.test(name).message).toMatch(message)
  })
})
