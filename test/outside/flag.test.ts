import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { config, installedFile, project, run, runBy, type Run, type Start } from './project.ts'
import { cache, racing } from './racing-cache.ts'

/** Four answers, and one order of them that fails. */
const manyOrders = (failing: string): string => `
import { expect, test } from 'vitest'
import { dporTest } from 'vitest-dpor'
async function body() {
  const log: number[] = []
  await Promise.all([1, 2, 3, 4].map(async (i) => { await null; log.push(i) }))
  expect(log.join('')).not.toBe('${failing}')
}
test('ordinary', body)
dporTest('explored', body)
`

const register = `data:text/javascript,try{process.getBuiltinModule('module').createRequire(process.cwd()+'/_')('vitest-dpor/register')}catch{}`

/** Whatever else the machine is doing. */
const slowly = '--dpor.test-time=1m'

/** A race within the body itself, and one in what it calls. */
const inTheBody = `
import { expect, test, vi } from 'vitest'
import { cached, refreshTwice } from './cached'
const read = vi.fn(async (i: number) => i)
test('in the body', async () => {
  const log: number[] = []
  await Promise.all([1, 2].map(async (i) => { await read(i); log.push(i) }))
  expect(log).toEqual([1, 2])
})
test('in what it calls', async () => {
  await refreshTwice(read)
  expect(cached.last).toBe(2)
})
`
const calledByTheBody = `
type Read = (i: number) => Promise<number>
export const cached = { last: 0, async refresh(read: Read, i: number) { this.last = await read(i) } }
export const refreshTwice = (read: Read) => Promise.all([cached.refresh(read, 1), cached.refresh(read, 2)])
`

test.each(["{ exclude: '**/*.spec.ts', io: 'cached.ts' }", "{ include: ['cached.ts'], io: 'cached.ts' }"])('of a test whose file is left out it is not said that nothing races: %s', async (options) => {
  const { output, test: report } = await run(project('flag-left-out', { 'a.spec.ts': inTheBody, 'cached.ts': calledByTheBody, 'vitest.config.ts': config(options) }), '--', '--dpor', slowly)
  expect(report('in the body')).toMatchObject({ status: 'passed', found: { found: 'unexplored', reason: 'its file is left out by `include` or `exclude`, so what its body shares is not seen' }, dpor: undefined })
  expect(report('in what it calls')).toMatchObject({ status: 'failed', found: { found: 'race' } })
  expect(output).toContain('DPOR  2 tests: 1 race, 1 not explored')
})

/** What comes first takes as long as whatever has to be loaded and compiled for it. */
const slowAtFirst = `
import { expect, test } from 'vitest'
import { cached, refreshTwice } from './cached'
import { load } from './loads'
test('slow at first', async () => {
  load()
  await refreshTwice(async (i) => i)
  expect(cached.last).toBe(2)
})
`

const loads = `
let calls = 0
export const load = () => { if (calls++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500) }
`

test('the time that a test has is for what comes after its plain run', async () => {
  const { output, test: report } = await run(project('flag-slow-at-first', { 'a.spec.ts': slowAtFirst, 'cached.ts': calledByTheBody, 'loads.ts': loads, 'vitest.config.ts': config(`{ io: ['cached.ts'], exclude: ['loads.ts'] }`) }), '--', '--dpor', '--dpor.test-time=700ms')
  expect(report('slow at first')).toMatchObject({ status: 'failed', found: { found: 'race' } })
  expect(output).toContain('DPOR  1 test: 1 race')
})

describe('the ways to say --dpor', () => {
  const command = (): Start => ({ command: installedFile('vitest-dpor/dist/src/vitest/cli.js') })
  const ways: [string, () => Start, string[]][] = [
    ['npx vitest-dpor run --dpor', command, ['--dpor', slowly]],
    ['vitest run -- --dpor', () => ({}), ['--', '--dpor', slowly]],
    ['DPOR=1 vitest run', () => ({ env: { DPOR: '1' } }), ['--', slowly]],
    ['vitest run --dpor, with vitest-dpor/register', () => ({ node: ['--import', register] }), ['--dpor', slowly]],
  ]
  test.each(ways)('%s', async (name, start, args) => {
    const { code, output, test: report } = await runBy(start(), project(`flag-way-${name.replaceAll(/\W/g, '')}`, { 'cache.ts': cache, 'cache.spec.ts': racing }), ...args)
    expect(report('the last refresh wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
    expect(report('two keys')).toMatchObject({ status: 'passed', found: { found: 'holds' } })
    expect(report('one refresh')).toMatchObject({ status: 'passed', found: { found: 'alone' } })
    expect(output).toContain('DPOR  3 tests: 1 race, 1 holds, 1 has no concurrency')
    expect(code).toBe(1)
  })

  test('nothing of the kind: tests run as ever', async () => {
    const { code, output, test: report } = await run(project('flag-none', { 'cache.ts': cache, 'cache.spec.ts': racing }))
    expect(report('the last refresh wins')).toMatchObject({ status: 'passed', found: undefined })
    expect(output).not.toContain('DPOR')
    expect(code).toBe(0)
  })

  test('its help stands before that of Vitest', async () => {
    const { output } = await runBy(command(), project('flag-help', {}), '--help')
    expect(output).toMatch(/--dpor.races=<fail\|warn>[\s\S]*\$ vitest run/)
  })

  test('without the plugin it says so', async () => {
    const { code, output } = await runBy(command(), project('flag-no-plugin', { 'vitest.config.ts': 'export default {}', 'cache.ts': cache, 'cache.spec.ts': racing }), '--dpor')
    expect(output).toContain('vitest-dpor: nothing was explored, as the plugin is not in the Vitest config. Add it to vitest.config.ts')
    expect(code).toBe(1)
  })

  test('where Vitest cannot even start, that is not put down to the config', async () => {
    const { code, output } = await runBy(command(), project('flag-no-start', { 'vitest.config.ts': "throw new Error('no such setting')", 'cache.ts': cache, 'cache.spec.ts': racing }), '--dpor')
    expect(output).toMatch(/no such setting[^]*vitest-dpor: nothing was explored, as Vitest has ended without the plugin\. Where nothing above says why/)
    expect(code).toBe(1)
  })

  test.each([
    [['--dpor', '--dpor.races=maybe'], "option 'races' is 'maybe': give 'fail' or 'warn'. Correct the command line"],
    [['--dpor', '--dpor.rases=warn'], "option 'rases' is 'warn': no such option; there are algorithm,"],
    [['--dpor', '--dpor.interleave=await'], "with --dpor the interleave of ordinary tests is 'event-loop'"],
    [['--dpor.races=warn'], "option 'races' is of a run with --dpor, which is not given"],
    [['--dpor=all'], "'--dpor=all' is not of the form --dpor or --dpor.name=value"],
  ])('%j: one clear error', async (args, message) => {
    const { code, output } = await runBy(command(), project('flag-wrong', { 'cache.ts': cache, 'cache.spec.ts': racing }), ...args)
    expect(output).toContain(message)
    expect(code).toBe(1)
  })
})

describe('a race', () => {
  test('has a story, and replays', async () => {
    const folder = project('flag-story', { 'cache.ts': cache, 'cache.spec.ts': racing })
    const first = await run(folder, '--', '--dpor', slowly)
    const { message } = first.test('the last refresh wins')
    expect(message).toMatch(/^Race: Last write wins on values\.get\("a"\): refresh#1 wrote "version 1" over the[\s\S]*cache\.ts:7/)
    // Found by running: the cause is told of ordinary tests as well.
    expect(message).toContain('The test passes with 2 before 1:')
    expect(message).toContain('Happens when this.load(key) at cache.ts:6 answers refresh#1 after refresh#2.')
    expect(message).toContain("expected 'version 1' to be 'version 2'")
    const replay = /--dpor\.replay=(\S+)/.exec(message)![1]!
    const again = await run(folder, '--', '--dpor', `--dpor.replay=${replay}`)
    expect(again.test('the last refresh wins')).toMatchObject({ status: 'failed', dpor: { executions: 1 } })
    expect(again.test('two keys')).toMatchObject({ status: 'passed', found: { found: 'unexplored' } })
  })

  test('that was found is looked for first the next time, and forgotten once it is mended', async () => {
    const folder = project('flag-kept', { 'a.spec.ts': manyOrders('4213') })
    const executions = async (): Promise<unknown[]> => {
      const { test: report } = await run(folder, '--', '--dpor', slowly)
      return ['ordinary', 'explored'].map((name) => report(name).dpor!['executions'])
    }
    const first = await executions()
    expect(first.every((count) => Number(count) > 10)).toBe(true)
    expect(await executions()).toEqual([2, 2])
    writeFileSync(path.join(folder, 'a.spec.ts'), manyOrders('none'))
    expect(await executions()).toEqual([25, 24])
  })

  test('is found again where the plain run has an order that the others do not have', async () => {
    const flush = `
import { expect, test, vi } from 'vitest'
import { noted } from './noted'
test('a turn is not enough', async () => {
  const load = vi.fn(async () => noted('loaded'))
  let state = noted('loading')
  const loading = (async () => { state = await load() })()
  await Promise.resolve()
  await Promise.resolve()
  expect(state).toBe('loaded')
  await loading
})
`
    const folder = project('flag-kept-flush', { 'a.spec.ts': flush, 'noted.ts': 'export const noted = (text: string) => text\n', 'vitest.config.ts': config("{ exclude: ['noted.ts'] }") })
    for (const time of ['first', 'second']) {
      const { test: report } = await run(folder, '--', '--dpor', slowly)
      expect(report('a turn is not enough'), time).toMatchObject({ status: 'failed', found: { found: 'race' } })
    }
  })

  test('is only reported with --dpor.races=warn', async () => {
    const { code, output, test: report } = await run(project('flag-warn', { 'cache.ts': cache, 'cache.spec.ts': racing }), '--', '--dpor', '--dpor.races=warn', slowly)
    expect(report('the last refresh wins')).toMatchObject({ status: 'passed', found: { found: 'race' } })
    expect(output).toMatch(/race +cache\.spec\.ts > the last refresh wins +3 executions/)
    expect(output).toMatch(/stderr \| cache\.spec\.ts > the last refresh wins[\s\S]*Replay:/)
    expect(code).toBe(0)
  })
})

describe('with --coverage', () => {
  /** It tells what the files were that it has seen. */
  const provider = `import { said } from './said'
let seen
const nothing = () => {}
export default {
  takeCoverage: () => said(globalThis.seen), startCoverage: nothing, stopCoverage: nothing,
  getProvider: () => ({
    name: 'custom', initialize: nothing, clean: nothing, generateCoverage: nothing,
    onAfterSuiteRun: ({ coverage }) => { seen = coverage },
    reportCoverage: () => { console.log('seen: ' + seen); process.exitCode = 3 },
    resolveOptions: () => ({ enabled: true, provider: 'custom', customProviderModule: import.meta.filename, exclude: [], reporter: [], reportOnFailure: true }),
  }),
}
`
  const files = {
    'vitest.config.ts': config().replace('plugins:', "test: { coverage: { provider: 'custom', customProviderModule: './provider.ts' } }, plugins:"),
    'provider.ts': provider,
    'said.ts': "export const said = (text: string) => (text.includes('__dpor') ? 'instrumented' : 'plain')\n",
    'cache.ts': cache,
    // The text that the platform has of it, and not the one that it was written with.
    'cache.spec.ts': `import vm from 'node:vm'\n${racing}\nObject.assign(globalThis, { seen: vm.runInNewContext('Function.prototype.toString').call(Cache.prototype.refresh) })\n`,
  }

  test('it is taken by a run of its own, and is what it is without the flag', async () => {
    const { output, code, test: report } = await run(project('flag-coverage', files), '--coverage', '--', '--dpor', slowly)
    expect(report('the last refresh wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
    expect(output).toMatch(/DPOR +3 tests[\s\S]*\nseen: plain\n/)
    expect(output).not.toContain('instrumentation')
    expect(code).toBe(3)
  })

  test('where it is not, that is said', async () => {
    const { output } = await run(project('flag-coverage-part', files), '--coverage', '--shard=1/1', '--', '--dpor', '--dpor.split')
    expect(output).toMatch(/coverage +of files that were explored it counts what instrumentation adds as well/)
    expect(output).toContain('seen: instrumented')
  })
})

test('--dpor=changed runs and explores what Vitest selects by --changed', async () => {
  const folder = project('flag-changed', { 'cache.ts': cache, 'cache.spec.ts': racing, 'other.spec.ts': "import { test } from 'vitest'\ntest('other', () => {})\n" })
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'all')
  expect((await run(folder, '--', '--dpor=changed')).names).toEqual([])
  writeFileSync(path.join(folder, 'cache.ts'), `${cache}\n`)
  const { names, test: report } = await run(folder, '--', '--dpor=changed')
  expect(names).toHaveLength(3)
  expect(report('the last refresh wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
})

describe('timers', () => {
  const sleeping = `
import { expect, test, vi } from 'vitest'
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
test('the last search wins', async () => {
  const answer = vi.fn(async (text: string) => { await sleep(text === 'a' ? 10 : 50); return text })
  let shown = ''
  const search = async (text: string) => { shown = await answer(text) }
  await Promise.all([search('a'), search('b')])
  expect(shown).toBe('b')
})
test('no timer', async () => { await null })
`

  test('fire in the order of their lengths, and the summary says what that rests on', async () => {
    const folder = project('flag-timers', { 'a.spec.ts': sleeping })
    const idle = await run(folder, '--', '--dpor', slowly)
    expect(idle.test('the last search wins')).toMatchObject({ status: 'passed', found: { found: 'alone', waits: true } })
    expect(idle.output).toMatch(/in time +1 test waits for timers, .* with --dpor\.time=race .* a\.spec\.ts > the last search wins/)
    const race = await run(folder, '--', '--dpor', '--dpor.time=race', slowly)
    expect(race.test('the last search wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
    expect(race.output).not.toContain('in time')
  })

  const faked = `
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })
function draft() {
  const saved: string[] = []
  const put = vi.fn(async (text: string) => text)
  let timer: ReturnType<typeof setTimeout>
  return { saved, type(text: string) { clearTimeout(timer); timer = setTimeout(async () => { saved.push(await put(text)) }, 100) } }
}
test('time that waits', async () => {
  const { saved, type } = draft()
  type('a'); await vi.advanceTimersByTimeAsync(100)
  type('ab'); await vi.advanceTimersByTimeAsync(100)
  expect(saved).toEqual(['a', 'ab'])
})
test('time that waits for nothing', async () => {
  const { saved, type } = draft()
  type('a'); vi.advanceTimersByTime(100)
  type('ab'); vi.advanceTimersByTime(100)
  await vi.waitFor(() => expect(saved).toHaveLength(2))
  expect(saved).toEqual(['a', 'ab'])
})
`

  test('of a fake clock that waits for answers the summary says so, and how to have these come later', async () => {
    const folder = project('flag-fake-clock', { 'a.spec.ts': faked })
    for (const time of ['idle', 'race']) {
      const result = await run(folder, '--', '--dpor', `--dpor.time=${time}`, slowly)
      expect(result.output, time).toContain('DPOR  2 tests: 1 race, 1 has one order in time')
      expect(result.output).toMatch(/in time +1 test moves a fake clock by what waits .* with advanceTimersByTime, .* a\.spec\.ts > time that waits\n/)
      expect(result.output).not.toContain('--dpor.time=race what')
    }
  })
})

describe('a test environment', () => {
  /** Like jsdom: Vite serves it files as it does a browser, and objects of the test runner are of the classes of Node. */
  const environment = `
export default {
  name: 'other', viteEnvironment: 'client',
  setup(global) {
    const { EventTarget } = global
    const natives = new WeakSet()
    global.EventTarget = class {
      constructor() { natives.add(this) }
      addEventListener() { if (!natives.has(this)) throw new TypeError('not a valid instance of EventTarget') }
      removeEventListener() { if (!natives.has(this)) throw new TypeError('not a valid instance of EventTarget') }
    }
    return { teardown() { global.EventTarget = EventTarget } }
  },
}
`

  /** One that sees files after this package, as those of frameworks do. */
  const besideOthers = `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor(), { name: 'another', transform() {} }] })
`

  test.each([['alone', config()], ['beside another plugin', besideOthers]])('with classes of its own changes nothing, %s', async (_name, text) => {
    const files = { 'cache.ts': cache, 'cache.spec.ts': racing, 'other.mjs': environment, 'vitest.config.ts': text }
    const { code, test: report } = await run(project('flag-environment', files), '--environment=./other.mjs', '--', '--dpor', slowly)
    expect(report('the last refresh wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
    expect(report('two keys')).toMatchObject({ status: 'passed', found: { found: 'holds' } })
    expect(code).toBe(1)
  })
})

test('tests that run in no process of Node stay as they are, and that is said', async () => {
  const text = `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [{ name: '@cloudflare/vitest-plugin' }, dpor()] })
`
  const { code, output, test: report } = await run(project('flag-elsewhere', { 'cache.ts': cache, 'cache.spec.ts': racing, 'vitest.config.ts': text }), '--', '--dpor', slowly)
  expect(output).toContain('vitest-dpor: nothing is explored, as @cloudflare/vitest-plugin runs its tests in no process of Node\'s: they run as they are.')
  expect(report('the last refresh wins')).toMatchObject({ status: 'passed' })
  expect(code).toBe(0)
})

test('hooks that wait for what a failing order never brings end neither its test nor the run', async () => {
  const text = `
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
let isOpen = false
const closed = () => new Promise((resolve) => { if (!isOpen) resolve() })
afterEach(closed)
const body = async () => {
  onTestFinished(closed)
  const ask = vi.fn(async (n) => n)
  let goOn
  const first = (async () => { await ask(1); await new Promise((resolve) => { goOn = resolve }) })()
  const second = (async () => { await ask(2); goOn?.() })()
  isOpen = true
  await Promise.all([first, second])
  isOpen = false
}
test('an ordinary one', body)
dporTest('one that explores itself', { interleave: 'event-loop' }, body)
test('the next', async () => { isOpen = false; expect(1).toBe(1) })
`
  const { code, test: report } = await run(project('flag-waiting-hooks', { 'a.spec.js': text }), '--', '--dpor', slowly)
  for (const name of ['an ordinary one', 'one that explores itself']) {
    expect(report(name).message, name).toMatch(/^(?:Race|dporTest): Deadlock: first#1 waits for ever/)
    expect(report(name).message, name).not.toContain('timed out')
  }
  expect(report('the next')).toMatchObject({ status: 'passed' })
  expect(code).toBe(1)
}, 60_000)

describe('budgets', () => {
  /** 720 orders each. */
  const large = `
import { expect, test, vi } from 'vitest'
test.each(Array.from({ length: 6 }, (_, i) => i))('large %i', async () => {
  const answer = vi.fn(async (n: number) => n)
  const order: number[] = []
  await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => order.push(await answer(n))))
  expect(order.join('')).toHaveLength(6)
})
`
  const cut = `
import { afterAll, beforeAll, expect, test as base, vi } from 'vitest'
const test = base.extend<{ wide: number }>({ wide: [async ({}, use) => { process.stderr.write('[a file fixture]'); await use(1) }, { scope: 'file' }] })
beforeAll(() => void process.stderr.write('[before all]'))
afterAll(() => void process.stderr.write('[after all]'))
const answer = vi.fn(async (n: number) => n)
const orderOf = async (count: number) => {
  const order: number[] = []
  await Promise.all(Array.from({ length: count }, async (_, n) => order.push(await answer(n))))
  return order.join('')
}
test('too large', async () => { expect(await orderOf(9)).toHaveLength(9) })
test('one order fails', async () => { expect(await orderOf(6)).not.toBe('542310') })
test('all orders pass', async () => { expect(await orderOf(6)).toHaveLength(6) })
test('the first with the fixture', async ({ wide }) => { expect(await answer(wide)).toBe(1) })
for (let i = 0; i < 30; i++) test('small ' + i, async () => { expect(await answer(i)).toBe(i) })
`
  const executionsOf = ({ names, test: report }: Run): number[] => names.map((name) => Number(report(name).dpor?.['executions'] ?? 0))
  const add = (sum: number, count: number): number => sum + count

  test('of a test: what is left then is inconclusive, and passes', async () => {
    const result = await run(project('flag-test-budget', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.test-executions=20', slowly)
    expect(result.code).toBe(0)
    expect(executionsOf(result)).toEqual(Array.from({ length: 6 }, () => 20))
    expect(result.output).toContain('DPOR  6 tests: 6 inconclusive')
    expect(result.output).toMatch(/inconclusive +a\.spec\.ts > large 0 +20 executions; maxExecutions of 20; most races on [^\n]+ \(a\.spec\.ts:\d+\)/)
  })

  test('unless that is to fail', async () => {
    const { code, output, test: report } = await run(project('flag-inconclusive', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.test-executions=20', slowly, '--dpor.on-inconclusive=fail')
    expect(code).toBe(1)
    expect(report('large 0')).toMatchObject({ status: 'failed', found: { found: 'inconclusive' }, message: expect.stringMatching(/^InconclusiveError: inconclusive after 20 executions/) })
    expect(output).toContain('DPOR  6 tests: 6 inconclusive')
  })

  test('of the run: executions are shared out among the tests', async () => {
    const result = await run(project('flag-run-executions', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.max-executions=50')
    expect(result.code).toBe(0)
    expect(Math.min(...executionsOf(result))).toBeGreaterThan(1)
    expect(executionsOf(result).reduce(add)).toBe(50)
    expect(result.output).toContain('DPOR  6 tests: 6 inconclusive')
  })

  test('of the run: what is not enough for all goes to those that come first, and every test is run', async () => {
    const result = await run(project('flag-run-few-executions', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.max-executions=5')
    expect(result.code).toBe(0)
    expect(executionsOf(result)).toEqual([2, 2, 1, 0, 0, 0])
    expect(result.output).toContain('DPOR  6 tests: 3 inconclusive, 3 not explored')
    expect(result.output).toMatch(/not explored +the 5 executions of the run are spent +a\.spec\.ts > large 3, /)
  })

  test('of the run: a test that needs more than others has what they leave', async () => {
    const result = await run(project('flag-run-plenty', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.max-time=5m')
    expect(result.code).toBe(0)
    // 720, and the plain run.
    expect(executionsOf(result)).toEqual(Array.from({ length: 6 }, () => 721))
    expect(result.output).toContain('DPOR  6 tests: 6 hold')
  })

  test('of the run: a test that was cut short goes on when the others are over, with what they leave', async () => {
    // Timeouts of executions that were left unfinished end none of the later ones.
    const { code, output, test: report } = await run(project('flag-run-again', { 'a.spec.ts': cut }), '--reporter=verbose', '--testTimeout=1500', '--', '--dpor', '--dpor.max-executions=3300')
    expect(code).toBe(1)
    expect(report('one order fails')).toMatchObject({ status: 'failed', found: { found: 'race' }, message: expect.stringMatching(/^Race: /) })
    expect(report('all orders pass')).toMatchObject({ status: 'passed', found: { found: 'holds' }, dpor: { executions: 721 } })
    expect(report('too large')).toMatchObject({ status: 'passed', found: { found: 'inconclusive' } })
    expect(output).toContain('DPOR  34 tests: 1 race, 1 holds, 30 have no concurrency, 1 inconclusive, 1 not explored')
    // It is one run of one test all the same.
    for (const text of ['✓ a.spec.ts > all orders pass', '× a.spec.ts > one order fails', '✓ a.spec.ts > too large', '[before all]', '[after all]', '[a file fixture]']) expect(output.split(text)).toHaveLength(2)
    expect(output).toMatch(/Tests +1 failed \| 33 passed \(34\)/)
  })

  test('of the run: when its time is up every test still runs, and is told of', async () => {
    const result = await run(project('flag-run-time', { 'a.spec.ts': large }), '--', '--dpor', '--dpor.max-time=1ms')
    expect(result.code).toBe(0)
    expect(result.names.map((name) => result.test(name).status)).toEqual(Array.from({ length: 6 }, () => 'passed'))
    expect(result.output).toContain('DPOR  6 tests: 6 not explored')
    expect(result.output).toMatch(/not explored +the 1 ms of the run are spent/)
  })
})

const surroundings = `
import { afterAll, afterEach, aroundEach, beforeAll, beforeEach, describe, expect, onTestFailed, onTestFinished, test as base, vi } from 'vitest'
const log: string[] = []
const say = (text: string) => { process.stderr.write('[' + text + ']') }
interface Fixtures { store: { n: number }; user: string; wide: { made: number } }
let made = 0
const test = base.extend<Fixtures>({
  store: async ({}, use) => { say('make store'); const store = { n: 0 }; await use(store); await null; say('take down store ' + store.n) },
  user: [async ({ store }, use) => { say('make user'); await use('user of ' + store.n) }, { auto: true }],
  wide: [async ({}, use) => { say('make wide'); await use({ made: ++made }); say('take down wide') }, { scope: 'file' }],
})
const answer = vi.fn(async (n: number) => n)
beforeAll(() => say('beforeAll'))
afterAll(() => say('afterAll'))
describe('suite', () => {
  aroundEach(async (runTest) => { say('around'); await runTest(); await null; say('around over') })
  beforeEach(async () => { await null; say('before'); return () => say('clean up') })
  afterEach(async () => { await null; say('after') })
  test('all of it', async ({ store, user }) => {
    onTestFinished(async () => { await null; say('finished') })
    expect(user).toBe('user of 0')
    await Promise.all([1, 2].map(async (i) => { await answer(i); store.n = store.n * 2 + i }))
    say('body')
    expect(store.n).toBeGreaterThan(3)
  })
})
test('the file has it once', async ({ wide }) => { await answer(1); expect(wide.made).toBe(1) })
test('and others find it', async ({ wide }) => { await answer(1); expect(wide.made).toBe(1) })
`

describe('what belongs to a test', () => {
  test('hooks and fixtures are made anew for every execution, those of the file once', async () => {
    const tell = ({ output }: Run): string => output.match(/\[[\w ]+\]/g)!.join('')
    const plain = await run(project('flag-surroundings-plain', { 'a.spec.ts': surroundings }), '-t', 'all of it')
    const flagged = await run(project('flag-surroundings', { 'a.spec.ts': surroundings }), '--', '--dpor', slowly)
    // One execution, as Vitest has it.
    const round = tell(plain).replaceAll(/store \d|\[(?:before|after)All\]/g, (text) => (text.startsWith('store') ? 'store N' : ''))
    expect(round).toContain('[around][before][body][after][clean up][finished][around over]')
    const told = tell(flagged)
    expect(flagged.test('all of it')).toMatchObject({ status: 'passed', found: { found: 'holds' }, dpor: { executions: 3 } })
    const [before, ...between] = told.replaceAll(/store \d/g, 'store N').split(round)
    expect([before, ...between.slice(0, -1)].join('')).toBe('[beforeAll]')
    expect(between.length).toBeGreaterThanOrEqual(3)
    expect(told).toMatch(/store 4.*store 5/)
    expect(told.match(/\[(?:before|after)All\]|\[(?:make|take down) wide\]/g)!.toSorted()).toEqual(['[afterAll]', '[beforeAll]', '[make wide]', '[take down wide]'])
    expect(flagged.test('the file has it once')).toMatchObject({ status: 'passed', found: { found: 'unexplored' } })
    expect(flagged.test('and others find it')).toMatchObject({ status: 'passed', found: { found: 'alone' } })
  })

  const kinds = `
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dporTest, explore } from 'vitest-dpor'
const answer = vi.fn(async (n: number) => n)
/** 4 in the plain order, 5 in the other. */
async function race() {
  const shared = { n: 0 }
  await Promise.all([1, 2].map(async (i) => { await answer(i); shared.n = shared.n * 2 + i }))
  return shared.n
}
test('race', async () => { expect(await race()).toBe(4) })
test('holds', async () => { expect(await race()).toBeGreaterThan(3) })
test('plain failure', async () => { expect(await race()).toBe(6) })
test('sync', () => { expect(1).toBe(1) })
test('skips at once', (context) => { context.skip() })
test('sync failure', () => { expect(1).toBe(2) })
test('waits for nothing', async () => { expect(1).toBe(1) })
test('waits for nothing, red', async () => { race(); expect(1).toBe(2) })
test('starts more', () => { expect(race()).toBeInstanceOf(Promise) })
test('never awaited', () => { expect(race()).resolves.toBe(4) })
test('gives a promise', () => race().then((n) => { expect(n).toBe(4) }))
test.skip('skip', async () => {})
test.todo('todo')
test('skips', async (context) => { await race(); context.skip() })
test.fails('fails', async () => { expect(await race()).toBe(6) })
test.concurrent('concurrent 1', async ({ expect }) => { expect(await race()).toBeGreaterThan(3) })
test.concurrent('concurrent 2', async ({ expect }) => { expect.assertions(1); expect(await race()).toBeGreaterThan(3) })
describe.each([1, 2])('each %i', (n) => { test.each(['a', 'b'])('of %s', async (name) => { expect(await answer(n)).toBe(n); expect(name).toHaveLength(1) }) })
let tries = 0
test('retry', { retry: 2 }, async () => { tries++; await answer(1); expect(tries).toBe(1) })
let flaky = 0
test('flaky', { retry: 3 }, async () => { await answer(1); expect(++flaky).toBeGreaterThan(2) })
let repeated = 0
test('repeats', { repeats: 2 }, async () => { expect(await race()).toBeGreaterThan(3); repeated++ })
test('repeated', () => { expect(repeated).toBe(3) })
test('repeats, red at last', { repeats: 2 }, async () => { expect(await race()).toBeGreaterThan(3); expect(++repeated).toBeLessThan(6) })
test('annotates, not explored', async ({ annotate }) => { expect((await explore(async () => { await null })).verdict).toBe('holds'); await annotate('note') })
test('left out', { meta: { dpor: false } }, async () => { expect(await race()).toBe(4) })
// dpor: off
test('left out by a comment', async () => { expect(await race()).toBe(4) })
test('assertions', async () => { expect.assertions(1); const n = await race(); if (n === 4) expect(n).toBe(4) })
test('soft', async () => { expect.soft(await race()).toBe(4) })
test('snapshot', async () => { expect(await race() > 3).toMatchSnapshot(); expect(await race() > 3).toMatchInlineSnapshot('true') })
test('timeout', { timeout: 100 }, async () => { await new Promise((resolve) => setTimeout(resolve, 300)) })
test('real time', async () => { const before = Date.now(); await new Promise((resolve) => setTimeout(resolve, 20)); expect(Date.now() - before).toBeGreaterThanOrEqual(19) })
test('never ends', { timeout: 200 }, async () => { await new Promise(() => {}) })
test('busy', async () => { const before = performance.now(); while (performance.now() - before < 5); await null })
test('explores itself', async () => { expect((await explore(async () => { await null })).verdict).toBe('holds') })
dporTest('dporTest', async () => { await race() })
describe('hooks that fail', () => {
  beforeEach(async () => { await null; throw new Error('in a hook') })
  test('hook', async () => { await race() })
})
`
  /** What is red in a run with the flag and green without. */
  const races = ['race', 'gives a promise', 'assertions', 'soft']
  let plain: Run
  let flagged: Run
  beforeAll(async () => {
    plain = await run(project('flag-kinds-plain', { 'a.spec.ts': kinds }))
    flagged = await run(project('flag-kinds', { 'a.spec.ts': kinds }), '--', '--dpor', slowly)
  })

  test('each test ends as it does without the flag, or has a race', () => {
    const ends = ({ names, test: report }: Run) => names.map((name) => `${name}: ${races.some((race) => name.endsWith(race)) ? 'race' : report(name).status}`)
    expect(ends(flagged)).toEqual(ends(plain))
    for (const name of races) expect(flagged.test(name), name).toMatchObject({ status: 'failed', found: { found: 'race' } })
  })

  test('what was found is said of each', () => {
    const found = Object.fromEntries(flagged.names.map((name) => [name.trim(), flagged.test(name).found?.found]))
    expect(found).toMatchObject({
      holds: 'holds', repeats: 'holds', 'concurrent 1': 'holds', 'concurrent 2': 'holds', snapshot: 'holds', sync: 'alone', 'waits for nothing': 'alone', 'starts more': 'alone', 'each 1 of a': 'alone', retry: 'alone', 'real time': 'alone', busy: 'alone',
      'plain failure': 'fails', 'sync failure': 'fails', 'waits for nothing, red': 'fails', timeout: 'fails', 'never ends': 'fails', 'hooks that fail hook': 'fails', 'repeats, red at last': 'fails', 'annotates, not explored': 'unexplored',
      'never awaited': 'unexplored', fails: 'unexplored', flaky: 'unexplored', 'left out': 'unexplored', 'left out by a comment': 'unexplored', 'explores itself': 'unexplored', skip: undefined, skips: undefined, 'skips at once': undefined, dporTest: undefined,
    })
  })

  test('what is over as soon as its function has returned runs as it is', () => {
    for (const name of ['sync', 'waits for nothing', 'starts more', 'never awaited']) expect(flagged.test(name).dpor, name).toBeUndefined()
    expect(flagged.output).toMatch(/DPOR .* 7 fail in the plain order/)
    expect(flagged.output).toMatch(/ fails +in the plain order, without exploration as well +a\.spec\.ts > .* and 4 more/)
    expect(flagged.output).toMatch(/not explored +it does not await what it expects of a promise +a\.spec\.ts > never awaited/)
  })

  test('the summary adds up', () => {
    const [, tests, parts] = /DPOR +(\d+) tests: (.*)/.exec(flagged.output)!
    const counts = parts!.split(', ').map((part) => Number.parseInt(part, 10))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(tests))
    const wasRun = (name: string): boolean => ['passed', 'failed'].includes(flagged.test(name).status) && !name.endsWith('dporTest')
    expect(Number(tests)).toBe(flagged.names.filter(wasRun).length)
    expect(flagged.output).toMatch(/not explored +under control its plain run fails: explore\(\) was called within an exploration, .* +a\.spec\.ts > explores itself/)
    expect(flagged.output).toMatch(/not explored +it is expected to fail +a\.spec\.ts > fails/)
  })

  test('what a test is annotated with is told once, with its place, and is no part of what is explored', async () => {
    const annotating = `import { expect, test, vi } from 'vitest'
const answer = vi.fn(async (n: number) => n)
test('annotates', async ({ annotate, onTestFinished }) => {
  await Promise.all([answer(1), answer(2)])
  onTestFinished(() => {})
  const { message } = await annotate('note', 'kind', { body: 'text', bodyEncoding: 'utf-8', contentType: 'text/plain' })
  expect(message).toBe('note')
})
`
    const { output } = await runBy({ env: { GITHUB_ACTIONS: 'true' } }, project('flag-annotates', { 'a.spec.ts': annotating }), '--reporter=github-actions', '--', '--dpor', slowly)
    expect(output).toContain('DPOR  1 test: 1 holds')
    expect(output.match(/::notice file=.*/g)).toEqual([expect.stringMatching(/a\.spec\.ts,line=6,column=\d+,title=kind::note$/)])
  })
})
