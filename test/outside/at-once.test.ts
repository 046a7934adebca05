import { beforeAll, describe, expect, test } from 'vitest'
import { project, run, type Run } from './project.ts'

/** Says in its own tests whether what explores is loaded; the texts of test files do not. */
const probe = `
export const isLoaded = (): boolean => Reflect.has(globalThis, Symbol.for('vitest-dpor: what explores'))
export const sum = (a: number, b: number): number => a + b
`

/** Nothing in a test that calls this says that it waits. */
const racing = `
import { expect, vi } from 'vitest'
export async function puts() {
  const o = { n: 0 }
  const answer = vi.fn(async (n: number) => n)
  await Promise.all([answer(1).then(() => { o.n = 5 }), answer(2).then(() => { o.n = 7 })])
  expect(o.n).toBe(7)
}
`

const shared = `
import { test } from 'vitest'
export const sharedTests = (puts: () => Promise<void>) => test('shared', async () => { await puts() })
`

const expecting = (isLoaded: boolean) => `
import { beforeEach, describe, expect, test } from 'vitest'
import { isLoaded, sum } from './probe'
test('${isLoaded ? 'it is' : 'it is not'}', () => { expect(isLoaded()).toBe(${isLoaded}) })
`

const files = {
  'probe.ts': probe,
  'racing.ts': racing,
  'shared.ts': shared,
  'over.spec.ts': `${expecting(false)}
let count = 0
beforeEach(() => { count++ })
describe('inner', () => { test.each([1, 2])('sum %i', (n) => { expect(sum(n, count)).toBeGreaterThan(n) }) })
test('goes wrong', () => { expect(sum(1, 2)).toBe(4) })
test.skip('skipped', () => {})
test('skips', ({ skip }) => { skip() })`,
  'one-waits.spec.ts': `${expecting(true)} test('waits', async () => { expect(sum(1, 2)).toBe(3) })`,
  'left-out.spec.ts': `${expecting(true)} test('left out', { meta: { dpor: false } }, () => { expect(sum(1, 2)).toBe(3) })`,
  'shares.spec.ts': `${expecting(true)} import { sharedTests } from './shared'; import { puts } from './racing'; sharedTests(puts)`,
  'hands-on.spec.ts': `${expecting(true)} import { puts } from './racing'; test('hands on', () => puts())`,
}

describe('what explores is loaded only where a test may need it', () => {
  let report: Run
  beforeAll(async () => {
    report = await run(project('at-once', files), '--', '--dpor', '--dpor.test-time=1m')
  })

  test('not where all tests are over at once, which end as they do without the flag', () => {
    expect(['it is not', 'inner sum 1', 'inner sum 2'].map((name) => report.test(name).status)).toEqual(['passed', 'passed', 'passed'])
    expect([report.test('goes wrong').status, report.test('goes wrong').found]).toEqual(['failed', { found: 'fails', isSure: true }])
    expect(['skipped', 'skips'].map((name) => report.test(name).found)).toEqual([undefined, undefined])
    expect(report.test('inner sum 1').found).toEqual({ found: 'alone' })
  })

  test('where one waits, is not to be explored, or is defined elsewhere', () => {
    expect(report.output).not.toMatch(/FAIL.*it is/)
    expect(report.names.filter((name) => name.trim() === 'it is')).toHaveLength(4)
    expect(report.test('left out').found?.found).toBe('unexplored')
    expect(report.test('shared').found?.found).toBe('race')
  })

  test('and later where nothing has said so: the race is found all the same', () => {
    expect(report.test('hands on').found).toMatchObject({ found: 'race', race: { title: 'Last write wins on o.n' } })
  })

  test('all are counted', () => {
    expect(report.output).toMatch(/DPOR +12 tests: 2 races, 8 have no concurrency, 1 fails in the plain order, 1 not explored/)
  })
})

test('what explores is loaded as well when a file has fake timers in the place of those of the platform', async () => {
  const { output, test: report } = await run(project('at-once-fake-timers', {
    'fakes.ts': `import { vi } from 'vitest'; vi.useFakeTimers({ now: 5 })`,
    'racing.ts': racing,
    'waits.ts': `
import { vi } from 'vitest'
export async function waits(milliseconds: number) {
  const slept = new Promise((resolve) => setTimeout(resolve, milliseconds))
  vi.advanceTimersByTime(milliseconds)
  await slept
}`,
    'fakes.spec.ts': `
import { expect, test } from 'vitest'
import './fakes'
import { puts } from './racing'
import { waits } from './waits'
const later = (name, body) => test(name, body)
later('is over at once', () => { let isDue = false; setTimeout(() => { isDue = true }, 5); expect([isDue, Date.now()]).toEqual([false, 5]) })
test('waits for a fake timer', () => waits(4))
test('hands on', () => puts())
later('finds its own clock', () => { expect(Date.now()).toBe(9) })`,
  }), '--', '--dpor', '--dpor.test-time=1m')
  expect(output).not.toContain('Failed Suites')
  expect(['is over at once', 'waits for a fake timer', 'finds its own clock'].map((name) => report(name).status)).toEqual(['passed', 'passed', 'passed'])
  expect(report('hands on').found).toMatchObject({ found: 'race', race: { title: 'Last write wins on o.n' } })
})

test('fakes that answer at once are named where there is one order, with what to do', async () => {
  const { output, test: report } = await run(project('at-once-fakes', {
    'user.ts': 'export class User { name = ""; constructor(readonly load: (id: string) => Promise<string>) {} async show(id: string) { this.name = await this.load(id) } }\n',
    'user.spec.ts': `import { expect, test, vi } from 'vitest'
import { User } from './user'
async function load(id: string) { return id }
const shown = async (user: User) => {
  await Promise.all([user.show('a'), user.show('b')])
  return user.name
}
test('at once', async () => expect(await shown(new User(load))).toBe('b'))
test('as a mock', async () => expect(await shown(new User(vi.fn(load)))).toBe('b'))
test('one answer of a mock', async () => {
  const user = new User(vi.fn(load))
  await user.show('a')
  expect(user.name).toBe('a')
})
test('one after the other', async () => {
  const user = new User(load)
  await user.show('a')
  await user.show('b')
  expect(user.name).toBe('b')
})
`,
  }), '--', '--dpor')
  expect(report('at once').found, output).toEqual({ found: 'alone', fakes: ['load at user.spec.ts:3'] })
  expect(report('as a mock').found).toMatchObject({ found: 'race' })
  expect(report('one after the other').found).toEqual({ found: 'alone' })
  expect(report('one answer of a mock').found).toEqual({ found: 'alone' })
  expect(output).toMatch(/^ {2}at once {2}1 test calls load at user\.spec\.ts:3, which answers at once; what stands for I\/O takes its time as vi\.fn\(\), or where io\(\) is around what it returns {2}user\.spec\.ts > at once$/m)
})
