/** Explored tests with all that can stand around a test, which tells what it does. */
export const hooked = `
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
const apart = { one: async ({}: {}, give: (one: number) => Promise<void>) => { await give(1) } }
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
