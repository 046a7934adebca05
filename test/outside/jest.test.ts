import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { environment, own, project } from './project.ts'
import { cache } from './racing-cache.ts'

const packages = {
  'jest': '30.5.2', 'jest-environment-jsdom': '30.5.2', '@swc/jest': '0.2.39', '@swc/core': '1.16.22', 'ts-jest': '29.4.15', 'typescript': '5.9.3', '@babel/preset-env': '7.29.14', '@babel/preset-typescript': '7.29.7',
}

interface JestRun {
  readonly code: number
  /** All that was printed, without colours. */
  readonly output: string
  /** The one test whose full name this is. */
  readonly test: (name: string) => { readonly status: string; readonly message: string }
}

interface JestReport {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string; readonly status: string; readonly failureMessages: readonly string[] }[] }[]
}

let root: string

beforeAll(() => {
  const { vitest: _, ...ours } = own()
  root = project('jest', { 'package.json': JSON.stringify({ private: true, dependencies: { ...packages, ...ours } }) }, ['vitest.config.ts'])
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: root, shell: process.platform === 'win32', stdio: 'pipe' })
}, 300_000)

/** The configuration that the README gives. */
const config = (given = ''): string => `const { withDpor } = require('vitest-dpor/jest/config')
module.exports = withDpor(${given || '{}'})
`

/** Runs Jest over files below the folder in which it is installed. */
const run = (name: string, files: Record<string, string>, ...args: string[]): Promise<JestRun> => runWith({}, name, files, ...args)

/** The same with variables of the environment. */
async function runWith(variables: Readonly<Record<string, string>>, name: string, files: Record<string, string>, ...args: string[]): Promise<JestRun> {
  const folder = path.join(root, name)
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries({ 'package.json': '{ "private": true }', 'jest.config.js': config(), ...files })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
  const report = path.join(folder, 'report.json')
  const jest = path.join(root, 'node_modules/jest/bin/jest.js')
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [jest, '--ci=false', '--json', `--outputFile=${report}`, ...args], { cwd: folder, env: { ...environment(), ...variables, NODE_ENV: undefined, JEST_WORKER_ID: undefined }, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stripVTControlCharacters(stdout + stderr) }),
    )
  })
  return { code, output, test: (wanted) => testOf(report, wanted, output) }
}

function testOf(report: string, wanted: string, output: string): ReturnType<JestRun['test']> {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport
  const found = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ fullName }) => fullName === wanted)
  if (found.length !== 1) throw new Error(`${found.length} tests named ${wanted} in:\n${output}`)
  return { status: found[0]!.status, message: stripVTControlCharacters(found[0]!.failureMessages.join('\n')) }
}

const examples = path.resolve(import.meta.dirname, '../../examples/jest')
const example = Object.fromEntries(readdirSync(examples).map((name) => [name, readFileSync(path.join(examples, name), 'utf8')]))
const withdrawals = 'two withdrawals never overdraw'

describe('the example', () => {
  test('account.js with its bug: the lost update is told with its values, at its line, and is replayed', async () => {
    const { 'account.fixed.test.js': _, ...files } = example
    const { code, output, test: of } = await run('buggy', files)
    const { status, message } = of(withdrawals)
    expect({ code, status }).toEqual({ code: 1, status: 'failed' })
    expect(message).toContain('Lost update on account.balance')
    const line = example['account.js']!.split('\n').findIndex((text) => text.includes('this.balance = balance - amount')) + 1
    expect(message).toMatch(new RegExp(`account\\.js:${line}\\s+write balance = 20`))
    expect(output).toMatch(new RegExp(`> ${line} \\|\\s+this\\.balance = balance - amount`))
    expect(output).toContain(`fails  ${withdrawals}  1 execution`)
    expect(message).not.toMatch(/__dpor/)
    const replay = /replay: '([^']+)'/.exec(message)![1]!
    const replayed = await run('replayed', { ...files, 'account.test.js': files['account.test.js']!.replace("overdraw', async", `overdraw', { replay: '${replay}' }, async`) })
    expect(replayed.test(withdrawals).message).toContain('Lost update on account.balance')
  })

  test('account.fixed.js: it holds, with its number of executions', async () => {
    const { 'account.test.js': _, ...files } = example
    const { code, output, test: of } = await run('fixed', files)
    expect({ code, ...of(withdrawals) }).toEqual({ code: 0, status: 'passed', message: '' })
    expect(output).toContain(`holds  ${withdrawals}  2 executions`)
  })
})

describe('ordinary tests, with `dpor: true`', () => {
  const files = {
    'cache.js': cache.replace('export class', 'exports.Cache = class').replaceAll(/(?:private )?readonly |: (?:string|Promise<\w+>)|<string, string>/g, '').replace(/constructor\(.*/, 'constructor(load) { this.load = load }'),
    'cache.test.js': `
const { Cache } = require('./cache')
const { dporTest } = require('vitest-dpor/jest')
let cache, version
const log = []
beforeEach(async function () { await null; version = 0; this.key = 'a'; cache = new Cache(jest.fn(async () => 'version ' + ++version)); log.push('before') })
afterEach(() => { log.push('after') })
test('the last refresh wins', async () => { await Promise.all([cache.refresh('a'), cache.refresh('a')]); expect(cache.values.get('a')).toBe('version 2') })
describe('suite', () => {
  beforeEach(function () { log.push('inner ' + this.key) })
  test('two keys', async () => { log.length = 1; await Promise.all([cache.refresh('a'), cache.refresh('b')]); expect(cache.values.size).toBe(2) })
})
test('hooks of one execution', () => { expect(log).toEqual(['before', 'after', 'before']) })
test('one refresh', async function () { expect.assertions(1); await cache.refresh(this.key); expect([...cache.values]).toMatchSnapshot() })
test('plain failure', async () => { await cache.refresh('a'); expect(1).toBe(2) })
test('hangs', async () => { await new Promise(() => {}) }, 300)
test.failing('to fail', async () => { await cache.refresh('a'); expect(1).toBe(2) })
// dpor: off
test('left out', async () => { await cache.refresh('a') })
test.skip('skipped', async () => {})
dporTest('explored', async () => { await Promise.all([cache.refresh('a'), cache.refresh('b')]) })
describe('hooks that fail', () => {
  beforeEach(async () => { await null; throw new Error('in a hook') })
  test('hook', async () => {})
})
describe('that call done', () => {
  beforeEach((done) => { setTimeout(done, 1) })
  test('done', async () => { await cache.refresh('a') })
})
`,
  }
  const names = ['suite two keys', 'hooks of one execution', 'one refresh', 'plain failure', 'hangs', 'to fail', 'left out', 'skipped', 'explored', 'hooks that fail hook', 'that call done done']
  let plain: JestRun
  let explored: JestRun
  beforeAll(async () => {
    plain = await run('ordinary-plain', files)
    explored = await run('ordinary', { ...files, 'jest.config.js': config('{}, { dpor: true, maxTime: 60_000 }') })
  }, 120_000)

  test('each ends as it does without it, or has a race', () => {
    const ends = ({ test: of }: JestRun): string[] => names.map((name) => `${name}: ${of(name).status}`)
    expect(ends(explored)).toEqual(ends(plain))
    expect(plain.test('the last refresh wins').status).toBe('passed')
    expect(explored.test('the last refresh wins')).toMatchObject({ status: 'failed', message: expect.stringMatching(/Race: Last write wins on values\.get\("a"\)[\s\S]*cache\.js:7/) })
    expect(explored.test('hangs').message).toContain('Exceeded timeout of 300 ms')
  })

  test('the summary of a file adds up', () => {
    expect(explored.output).toContain('DPOR  10 tests: 1 race, 1 holds, 2 have no concurrency, 3 fail in the plain order, 3 not explored')
    expect(explored.output).toMatch(/race +the last refresh wins +3 executions; Last write wins/)
    expect(explored.output).toMatch(/not explored +it is left out, by a comment +left out/)
  })

  test('a race replays', async () => {
    const schedule = /Replay: DPOR_REPLAY=(\S+)/.exec(explored.test('the last refresh wins').message)![1]!
    const replayed = await runWith({ DPOR_REPLAY: schedule }, 'ordinary-replayed', { ...files, 'jest.config.js': config('{}, { dpor: true, maxTime: 60_000 }') }, '-t', 'the last refresh wins')
    expect(replayed.test('the last refresh wins').message).toContain('Race: Perhaps: Last write wins')
    expect(replayed.output).toMatch(/race +the last refresh wins +1 execution;/)
  })
})

const typed = {
  'account.ts': `interface Amount { readonly cents: number }
export class Account {
  constructor(public balance: number) {}
  async withdraw({ cents }: Amount): Promise<void> {
    const balance: number = this.balance
    await null
    this.balance = balance - cents
  }
}
`,
  'account.test.ts': `import { expect, test } from '@jest/globals'
import { dporTest } from 'vitest-dpor/jest'
import { Account } from './account'
dporTest('typed', async () => {
  const account = new Account(100)
  await Promise.all([account.withdraw({ cents: 10 }), account.withdraw({ cents: 20 })])
  expect(account.balance).toBe(70)
})
test('a frame', () => {
  throw new Error('here')
})
`,
}

describe('TypeScript', () => {
  const babel = { 'babel.config.js': "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'] }" }
  const tsConfig = (options: object): Record<string, string> => ({ 'tsconfig.json': JSON.stringify({ compilerOptions: { target: 'es2022', module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true, types: [], ...options } }) })

  test.each([
    ['babel-jest', babel, config()],
    ['@swc/jest', {}, config("{ transform: { '\\\\.ts$': '@swc/jest' } }")],
    ['ts-jest that compiles each file alone', tsConfig({ isolatedModules: true }), config("{}, { next: 'ts-jest' }")],
  ])('%s: the story and the frames name the places of the source', async (name, files, jestConfig) => {
    const { test: of, output } = await run('typed', { ...typed, ...files, 'jest.config.js': jestConfig })
    expect(of('typed').message, name).toMatch(/Lost update on account\.balance[^]*account\.ts:7\s+write balance/)
    expect(of('a frame').message).toMatch(/account\.test\.ts:10:9/)
    expect(output).toMatch(/> 10 \|\s+throw new Error/)
  })

  test('ts-jest that checks types compiles what is on disk: an error says so', async () => {
    const { code, output } = await run('checked', { ...typed, ...tsConfig({}), 'jest.config.js': config("{}, { next: 'ts-jest' }") })
    expect(code).toBe(1)
    expect(output).toMatch(/has compiled \S+ from what is on disk[^]*isolatedModules: true/)
  })
})

const head = "const { dporTest } = require('vitest-dpor/jest')\n"

describe('what Jest keeps of a test', () => {
  let result: JestRun
  beforeAll(async () => {
    result = await run('kept', {
      'database.js': 'exports.load = async (id) => ({ id })\n',
      'visits.js': `const database = require('./database')
let visits = 0
exports.lossy = async () => { const before = visits; await database.load(1); visits = before + 1 }
exports.exact = async () => { await database.load(1); visits++ }
exports.count = () => visits
exports.reset = () => { visits = 0 }
`,
      'mocks.test.js': `${head}const database = require('./database')
const visits = require('./visits')
jest.mock('./database', () => ({ load: jest.fn(async (id) => ({ id })) }))
beforeEach(() => { visits.reset(); jest.clearAllMocks() })
dporTest('a race through a mocked module', async () => {
  await Promise.all([visits.lossy(), visits.lossy()])
  expect(visits.count()).toBe(2)
})
dporTest('no race through a mocked module', async () => {
  await Promise.all([visits.exact(), visits.exact()])
  expect(visits.count()).toBe(2)
  expect(database.load).toHaveBeenCalledTimes(2)
})
const older = jest.fn()
dporTest('calls of an older mock are those of one execution', async () => {
  const order = []
  await Promise.all([1, 2].map(async (i) => { await null; order.push(i); older(i) }))
  expect(older).toHaveBeenCalledTimes(2)
  expect(order).toHaveLength(2)
  expect(order.join()).toMatch(/1,2|2,1/)
})
dporTest('the order of calls', async () => {
  await Promise.all([1, 2].map(async (i) => { await null; older(i) }))
  expect(older.mock.calls).toEqual([[1], [2]])
})
dporTest('mocks cleared by the body', async () => {
  older(0)
  jest.clearAllMocks()
  await Promise.all([1, 2].map(async (i) => { await null; older(i) }))
  expect(older.mock.calls.map(([i]) => i).sort()).toEqual([1, 2])
})
dporTest('answers for one call', async () => {
  const answer = jest.fn().mockResolvedValueOnce('first').mockResolvedValue('other')
  expect(await Promise.all([1, 2].map(async () => { await null; return answer() }))).toEqual(['first', 'other'])
})
dporTest('a spy that is left', async () => {
  jest.spyOn(visits, 'count').mockReturnValue(7)
  await Promise.all([visits.exact(), visits.exact()])
  expect([visits.count(), visits.count.mock.calls.length]).toEqual([7, 1])
})
`,
      'assertions.test.js': `${head}dporTest('assertions are counted in each execution', async () => {
  expect.assertions(3)
  const order = []
  await Promise.all([1, 2].map(async (i) => { await null; order.push(i); expect(i).toBeGreaterThan(0) }))
  expect(order.join()).toMatch(/1,2|2,1/)
})
dporTest('one is missing in one order', async () => {
  expect.assertions(1)
  const shared = { open: true }
  await Promise.all([async () => { await null; if (shared.open) expect(1).toBe(1) }, async () => { await null; shared.open = false }].map((run) => run()))
})
dporTest('a snapshot that is the same in all', async () => {
  const shared = { count: 0, order: [] }
  await Promise.all([1, 2].map(async (i) => { await null; shared.count++; shared.order.push(i) }))
  expect(shared.order.join()).toMatch(/1,2|2,1/)
  expect(shared.count).toMatchSnapshot()
})
dporTest('a snapshot that is not', async () => {
  const order = []
  await Promise.all([1, 2].map(async (i) => { await null; order.push(i) }))
  expect(order).toMatchSnapshot()
})
dporTest('a snapshot that is there, and another one in one order', async () => {
  const order = []
  await Promise.all([1, 2].map(async (i) => { await null; order.push(i) }))
  expect(order.join()).toMatchSnapshot()
})
dporTest('a race that prints', async () => {
  const order = []
  await Promise.all([1, 2, 3].map(async (i) => { await null; order.push(i); console.log('printed', i) }))
  expect(order.join()).toBe('1,2,3')
})
`,
      '__snapshots__/assertions.test.js.snap': '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`a snapshot that is there, and another one in one order 1`] = `"1,2"`;\n',
      'time.test.js': `${head}dporTest('time is virtual', async () => {
  const order = []
  await Promise.all([60_000, 30_000].map((ms) => new Promise((resolve) => setTimeout(() => { order.push(ms); resolve() }, ms))))
  expect(order).toEqual([30_000, 60_000])
})
dporTest('fake timers that the body leaves', async () => {
  jest.useFakeTimers()
  const order = []
  setTimeout(() => order.push(0), 100)
  await Promise.all([1, 2].map(async (i) => { await null; order.push(i) }))
  jest.advanceTimersByTime(100)
  expect(order.join()).toMatch(/1,2,0|2,1,0/)
})
test('timers are fake afterwards, as without an exploration', () => {
  expect(setTimeout.clock).toBeDefined()
  jest.useRealTimers()
  expect(setTimeout.clock).toBeUndefined()
})
describe('faked around', () => {
  beforeEach(() => jest.useFakeTimers({ now: 5000 }))
  afterEach(() => jest.useRealTimers())
  dporTest('each execution has the clock as it was', async () => {
    const order = []
    await Promise.all([1, 2].map(async (i) => { await null; order.push(i) }))
    expect([order.length, Date.now(), order.join().length]).toEqual([2, 5000, 3])
    await jest.advanceTimersByTimeAsync(50)
    if (order[0] === 2) jest.useRealTimers()
  })
})
`,
      'rejections.test.js': `${head}dporTest('nobody handles it in one order', async () => {
  const shared = { open: true }
  const use = async () => { await null; if (!shared.open) Promise.reject(new Error('closed')) }
  const close = async () => { await null; shared.open = false }
  await Promise.all([use(), close()])
})
dporTest('a deadlock', async () => {
  await new Promise(() => {})
})
`,
      'forms.test.js': `${head}describe('in a group', () => {
  dporTest.each([[1, 2]])('each %i %i', async (a, b) => {
    let sum = 0
    await Promise.all([a, b].map(async (x) => { const old = sum; await null; sum = old + x }))
    expect(sum).toBe(3)
  })
})
dporTest.failing('expected to fail', async () => {
  await null
  throw new Error('as expected')
})
dporTest.failing('expected to fail, and holds', async () => { await null })
dporTest.skip('skipped', async () => { throw new Error('never') })
dporTest.todo('to do')
dporTest('tasks', { setup: () => ({ n: 0 }), tasks: [async (o) => { const n = o.n; await null; o.n = n + 1 }, async (o) => { o.n++ }], invariant: (o) => o.n === 2 })
dporTest('too many', { maxExecutions: 2, onInconclusive: 'fail' }, async () => {
  const order = []
  await Promise.all([1, 2, 3].map(async (i) => { await null; order.push(i) }))
  expect(order.join()).not.toBe('')
})
test('a name that is no option', () => {
  expect(() => dporTest('wrong', { maxExecution: 2 }, async () => {})).toThrow('maxExecutions')
})
`,
    })
  })

  test.each([
    'no race through a mocked module', 'calls of an older mock are those of one execution', 'mocks cleared by the body', 'a spy that is left', 'assertions are counted in each execution',
    'a snapshot that is the same in all', 'time is virtual', 'fake timers that the body leaves', 'timers are fake afterwards, as without an exploration', 'faked around each execution has the clock as it was', 'expected to fail', 'a name that is no option',
  ])('%s', (name) => {
    expect(result.test(name)).toEqual({ status: 'passed', message: '' })
  })

  test.each([
    ['a race through a mocked module', /Lost update on visits/],
    ['the order of calls', /Order violation/],
    ['answers for one call', /deep equality/],
    ['one is missing in one order', /Expected one assertion to be called/],
    ['a snapshot that is not', /differs from that of the first execution/],
    ['a snapshot that is there, and another one in one order', /toMatchSnapshot[^]*2,1/],
    ['a race that prints', /Order violation/],
    ['nobody handles it in one order', /Order violation on shared\.open[^]*Unhandled rejection: Error: closed/],
    ['a deadlock', /Never-settled promise/],
    ['in a group each 1 2', /Lost update on sum/],
    ['expected to fail, and holds', /Expect test to fail/],
    ['tasks', /Lost update on/],
    ['too many', /inconclusive after \d executions?\b/],
  ])('%s fails with its story', (name, story) => {
    const { status, message } = result.test(name)
    expect(status).toBe('failed')
    expect(message).toMatch(story)
  })

  test('more than one order was run where there is more than one', () => {
    for (const name of ['calls of an older mock', 'assertions are counted in each execution', 'fake timers that the body leaves', 'faked around each execution']) {
      expect(result.output).toMatch(new RegExp(`holds  ${name}.*  2 executions`))
    }
  })

  test('what is printed is shown of the first execution and of the one that failed', () => {
    expect(result.output.match(/printed \d/g)).toHaveLength(6)
  })

  test('tests that are skipped or to be done are so', () => {
    expect(result.test('skipped').status).toBe('pending')
    expect(result.test('to do').status).toBe('todo')
  })
})

test('with jsdom the document is one that each execution finds as it was', async () => {
  const { test: of, output } = await run('document', {
    'jest.config.js': config("{ testEnvironment: 'jsdom' }"),
    'a.test.js': `${head}const shown = async (name) => {
  expect(document.body.children).toHaveLength(0)
  const box = document.body.appendChild(document.createElement('div'))
  await Promise.all(['a', 'b'].map(async (text) => { await null; box.textContent = text }))
  expect(box.textContent).toMatch(name)
}
afterEach(() => document.body.replaceChildren())
dporTest('either', () => shown(/a|b/))
dporTest('always the last', () => shown(/b/))
const { keep, last } = require('react-dom')
dporTest('what is not instrumented keeps the last', async () => {
  await Promise.all(['a', 'b'].map(async (text) => { await null; keep({ text }) }))
  expect(last().text).toBe('b')
})
dporTest('an event of its own', async () => {
  let heard = 0
  const target = new EventTarget()
  target.addEventListener('done', () => heard++)
  await Promise.all(['a', 'b'].map(async () => { await null; target.dispatchEvent(new Event('done')) }))
  expect(heard).toBe(2)
})
`,
    'fake.test.js': `${head}
describe('fake timers that are known by numbers', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())
  const typed = (isRight) => async () => {
    const save = jest.fn(async (text) => text)
    const timers = new Map()
    let [saved, last, timer] = ['', '', undefined]
    const change = (text) => {
      clearTimeout(timer)
      timer = setTimeout(async () => {
        last = text
        const found = await save(text)
        if (!isRight || last === text) saved = found
      }, 100)
      timers.set(timer, text)
    }
    change('a')
    change('ab')
    jest.advanceTimersByTime(150)
    change('abc')
    jest.advanceTimersByTime(150)
    await Promise.all(save.mock.results.map(({ value }) => value))
    await null
    expect([timers.get(timer), saved]).toEqual(['abc', 'abc'])
  }
  dporTest('in any order', { interleave: 'event-loop' }, typed(true))
  dporTest('in one', { interleave: 'event-loop' }, typed(false))
})
`,
    'node_modules/react-dom/index.js': `let kept
module.exports = { keep(found) { kept = found }, last: () => kept }
`,
  })
  expect(of('fake timers that are known by numbers in any order')).toEqual({ status: 'passed', message: '' })
  expect(of('fake timers that are known by numbers in one').message).toMatch(/Last write wins on saved/)
  // Of what Node has as well, jsdom has but some on its global object.
  expect(of('an event of its own')).toEqual({ status: 'passed', message: '' })
  expect(of('what is not instrumented keeps the last').message).toMatch(/Order violation[\s\S]*Received: +"a"/)
  expect(of('either')).toEqual({ status: 'passed', message: '' })
  expect(output).toMatch(/holds  either  2 executions/)
  expect(of('always the last').message).toMatch(/on the document: .* did <div>\.textContent = "a"\s+after .* did <div>\.textContent = "b"/)
})

test('with --coverage files are explored, and their lines are counted', async () => {
  const { 'account.test.js': _, ...files } = example
  const { test: of, output } = await run('covered', files, '--coverage')
  expect(of(withdrawals).status).toBe('passed')
  expect(output).toMatch(/account\.fixed\.js\s*\|\s*100\s*\|[^|]*\|\s*100\s*\|\s*100\s*\|/)
})

describe('a setup that cannot work says so', () => {
  const spec = { 'a.test.js': `${head}dporTest('a', async () => { await null })\n` }

  test('Jest without withDpor()', async () => {
    const { code, output } = await run('bare', { ...spec, 'jest.config.js': 'module.exports = {}\n' })
    expect(code).toBe(1)
    expect(output).toMatch(/vitest-dpor is not set up in Jest[^]*withDpor/)
  })

  test('another transformer comes first', async () => {
    const { output } = await run('first', { ...spec, 'jest.config.js': "const { withDpor } = require('vitest-dpor/jest/config')\nconst { transform, ...others } = withDpor({})\nmodule.exports = { ...others, transform: { 'a.test': 'babel-jest', ...transform } }\n" })
    expect(output).toMatch(/no file is instrumented, so there is nothing to explore: .*transform/)
  })

  test('an option that there is not', async () => {
    const { output } = await run('option', { ...spec, 'jest.config.js': config('{}, { maxExecution: 3 }') })
    expect(output).toMatch(/maxExecution\b.*maxExecutions/)
  })
})

test('options for all tests, global setup, and packages that stay as they are', async () => {
  const { code, output } = await run('options', {
    'jest.config.js': config("{ globalSetup: './setup.js' }, { next: '@swc/jest', maxExecutions: 3 }"),
    'setup.js': 'const shared = { n: 0 }\nmodule.exports = async () => { shared.n++ }\n',
    'node_modules/counters/index.js': 'let count = 0\nexports.up = () => ++count\n',
    'a.test.js': `import { up } from 'counters'
import { dporTest } from 'vitest-dpor/jest'
dporTest('cut', async () => {
  await Promise.all([1, 2, 3].map(async () => { await null; up() }))
})
`,
  })
  expect(code).toBe(0)
  expect(output).toMatch(/inconclusive  cut .*maxExecutions of 3/)
  expect(output).toMatch(/not instrumented, merged: .*\(3 calls by 3 processes\).*transformIgnorePatterns: .*counters/)
})
