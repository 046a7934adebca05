import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hooked } from './hooked.ts'
import { namingProject } from './naming-plugin.ts'
import { config, own, project, runBy, type Run, type Start } from './project.ts'
import { cache, racing } from './racing-cache.ts'
import { redPrograms } from './red-programs.ts'

const large = `
import { expect, test, vi } from 'vitest'
test('720 orders', async () => {
  const answer = vi.fn(async (n: number) => n)
  const order: number[] = []
  await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => order.push(await answer(n))))
  expect(order).toHaveLength(6)
})
`

const late = `
import { expect, test, vi } from 'vitest'
test('hangs where the answer is late', async () => {
  const ask = vi.fn(async () => 'yes')
  let stop!: () => void
  const stopped = new Promise<string>((_, fail) => { stop = () => fail(new Error('stopped')) })
  const asked = (async () => {
    try { return await Promise.race([ask(), stopped]) } catch { return new Promise(() => {}) }
  })()
  stop()
  expect(await asked).toBe('yes')
})
`

const older = `
import { expect, test, vi } from 'vitest'
const controller = new AbortController()
test('is aborted by each order', async () => {
  const ask = vi.fn(async (n: number) => n)
  expect(controller.signal.aborted).toBe(false)
  await Promise.all([1, 2].map(async (n) => controller.abort(await ask(n))))
})
`

const newer = `
export const log = []
const made = (name, kind) => ({
  begins: { name, async [Symbol.asyncDispose]() { log.push(name + ' begins'); await null; log.push(name + ' ends') } },
  sync: { name, [Symbol.dispose]() { log.push(name + ' sync') } },
  throws: { name, [Symbol.asyncDispose]() { throw new Error(name) } },
  'sync throws': { name, [Symbol.dispose]() { throw new Error(name) } },
}[kind])
export const bodies = {
  async 'one'() { { await using x = made('x', 'begins'); log.push(x.name) } log.push('out') },
  async 'two'() { { await using x = made('x', 'begins'), y = made('y', 'begins'); log.push(x.name + y.name) } log.push('out') },
  async 'sync'() { { await using x = made('x', 'sync') } log.push('out') },
  async 'none'() { { await using x = null } log.push('out') },
  async 'of all kinds'() { { await using x = made('x', 'begins'); using y = made('y', 'sync'); await using z = made('z', 'sync'); log.push('in') } log.push('out') },
  async 'throws'() { try { await using x = made('x', 'begins'), y = made('y', 'throws'); throw new Error('body') } catch (e) { log.push(e.constructor.name, e.error.message, e.suppressed.message) } },
  async 'throws, sync'() { try { await using x = made('x', 'sync throws') } catch (e) { log.push(e.message) } },
  async 'nothing to dispose of'() { for (const value of [{}, 5]) try { await using x = value } catch (e) { log.push(String(e)) } },
  async 'loop'() { for (await using x of [made('a', 'begins'), made('b', 'begins'), made('c', 'sync')]) { if (x.name === 'b') continue; log.push('body ' + x.name) } },
  async 'return'() { log.push(await (async () => { await using x = made('x', 'begins'); return 5 })()) },
  async 'generator'() { const give = async function* () { await using x = made('x', 'begins'); yield 1; yield 2 }; for await (const v of give()) { log.push(v); break } log.push('out') },
  async 'a value that is rejected'() { const give = function* () { try { yield 1; yield Promise.reject('no') } finally { log.push('closed') } }; try { for await (const v of give()) log.push(v) } catch (e) { log.push(e) } },
  async 'nothing to throw by'() { const closes = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: () => { log.push('closed'); return {} } }) }; const give = (async function* () { yield* closes })(); await give.next(); await give.throw('no').catch((e) => log.push(String(e))) },
  async 'functions in the block'() { { await using x = made('x', 'begins'); function f() { return x.name } async function g() { return f() } log.push(await g()) } log.push('out') },
}
export async function logOf(name) {
  log.length = 0
  const ticks = (async () => { for (let i = 0; i < 12; i++) { await null; log.push(i) } })()
  await bodies[name]()
  await ticks
  return log.join()
}
export const counter = { n: 0 }
const count = async () => { const seen = counter.n; return { async [Symbol.asyncDispose]() { await null; counter.n = seen + 1 } } }
export const add = async () => { await using counting = await count() }
`
const waiting = `
import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { bodies, logOf, add, counter } from './newer.js'
import plain from './plain.json'
for (const interleave of ['await', 'event-loop']) {
  for (const name in bodies) dporTest(interleave + ': ' + name, { interleave, maxExecutions: 1, onInconclusive: 'pass' }, async () => {
    expect(await logOf(name)).toBe(plain[name])
  })
}
dporTest('an update is lost', async () => {
  await Promise.all([add(), add()])
  expect(counter.n).toBe(2)
})
`

describe('Vitest 5 on Node 24', () => {
  let result: Run
  let folder: string
  const node = (): Start => ({ runtime: path.join(folder, 'node_modules/node/bin/node') })
  const coverage = ['--coverage', '--coverage.reporter=json', '--coverage.reportOnFailure']
  const covered = (): string => readFileSync(path.join(folder, 'coverage/coverage-final.json'), 'utf8')

  beforeAll(async () => {
    folder = project('vitest-5', {
      // No range: what a version has just begun to depend on may not be everywhere.
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: { ...own(), vitest: '5.1.1', '@vitest/coverage-v8': '5.1.1', node: '^24.0.0' } }),
      'cache.ts': cache,
      'cache.spec.ts': racing,
      'hooks.spec.ts': hooked,
      'large.spec.ts': large,
    })
    // The package `node` fetches its binary in a script.
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await runBy(node(), folder, ...coverage, '--', '--dpor', '--dpor.max-executions=10000')
  })

  test('both are what runs', () => {
    expect(result.output).toMatch(/RUN +v5\./)
  })

  test('coverage is what it is without the flag', async () => {
    const flagged = covered()
    await runBy(node(), folder, ...coverage)
    expect(flagged).toContain('cache.ts')
    expect(flagged).toBe(covered())
  })

  test('ordinary tests are explored, and the summary adds up', () => {
    expect(result.test('the last refresh wins')).toMatchObject({ status: 'failed', message: expect.stringMatching(/^Race: Last write wins/), found: { found: 'race' } })
    expect(result.test('two keys')).toMatchObject({ status: 'passed', found: { found: 'holds' } })
    expect(result.test('one refresh')).toMatchObject({ status: 'passed', found: { found: 'alone' } })
    expect(result.output).toContain('DPOR  5 tests: 1 race, 2 hold, 2 have no concurrency')
  })

  test('what was cut short runs once more', () => {
    expect(result.test('720 orders')).toMatchObject({ status: 'passed', found: { found: 'holds' }, dpor: { executions: 721 } })
    expect(result.output).toMatch(/Test Files +2 failed \| 1 passed \(3\)/)
  })

  test('hooks and fixtures run for each execution', () => {
    expect(result.test('for each')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds', executions: 2 } })
    expect(result.output).toMatch(/take down store 4.*take down store 5/)
    expect(result.test('each 5').status).toBe('passed')
    expect(result.test('each 4').status).toBe('failed')
    expect(result.test('to fail').status).toBe('passed')
    expect(result.test('waits for ever').message).toContain('Never-settled promise: test waits for ever')
    expect(result.test('that a hook looks at afterwards').message).toContain('2 came first')
  })

  test('projects that stand in the config have its plugin, once also if they name it themselves', async () => {
    const include = `include: ['cache.spec.ts']`
    const projects = `[{ test: { name: 'one', ${include} } }, { extends: true, test: { name: 'two', ${include} } }, { plugins: [dpor()], test: { name: 'three', ${include} } }, { extends: false, plugins: [dpor()], test: { name: 'four', ${include} } }]`
    writeFileSync(path.join(folder, 'projects.config.ts'), config().replace('plugins: [dpor()]', `plugins: [dpor()], test: { projects: ${projects} }`))
    const { output } = await runBy(node(), folder, '--config=projects.config.ts', '--', '--dpor', '--dpor.no-cache')
    expect(output).toMatch(/DPOR {2}12 tests: 4 races at 1 place, 4 hold, 4 have no concurrency/)
  })

  test('a plugin of the project that changes files finds them as they are written', async () => {
    const naming = project('vitest-5/naming', namingProject({ plugin: "enforce: 'post'," }))
    const { test: report } = await runBy({ ...node(), command: path.join(folder, 'node_modules/vitest/vitest.mjs') }, naming, '--', '--dpor')
    expect(report('is named')).toMatchObject({ status: 'passed', found: { found: 'alone' } })
    expect(report('the last refresh wins')).toMatchObject({ found: { race: { file: 'cache.ts', line: 13 } } })
  })

  test('what only exploring made red is green', async () => {
    const { 'killed.spec.ts': killed, 'hook.spec.ts': hook } = redPrograms
    for (const [name, text] of Object.entries({ 'killed.spec.ts': killed!, 'hook.spec.ts': hook! })) writeFileSync(path.join(folder, name), text)
    const { output, test: report } = await runBy(node(), folder, '--pool=forks', 'killed.spec.ts', 'hook.spec.ts', '--', '--dpor')
    expect(report('comes after it')).toMatchObject({ status: 'passed', found: { found: 'unexplored' } })
    expect(report('red after it')).toMatchObject({ status: 'failed', found: { found: 'fails', isSure: true } })
    expect(output).toMatch(/Test Files +1 failed \| 1 passed \(2\)/)
    expect(output).not.toMatch(/Unhandled Errors|Worker forks/)
  })

  test('a deadlock is one, and no timeout', async () => {
    writeFileSync(path.join(folder, 'late.spec.ts'), late)
    const { message } = (await runBy(node(), folder, 'late.spec.ts', '--', '--dpor')).test('hangs where the answer is late')
    expect(message).toContain('Deadlock: test waits for ever')
    expect(message).not.toContain('timed out')
  })

  test('a signal that is older than the test is put back', async () => {
    writeFileSync(path.join(folder, 'older.spec.ts'), older)
    expect((await runBy(node(), folder, 'older.spec.ts', '--', '--dpor')).test('is aborted by each order')).toMatchObject({ status: 'passed', found: { found: 'holds' }, dpor: { executions: 3 } })
  })

  test('`await using` and other things of newer versions wait as the platform does, and what a disposal does is seen', async () => {
    const written = { 'newer.js': newer, 'newer.spec.js': waiting, 'plain.mjs': "import { bodies, logOf } from './newer.js'; const logs = {}; for (const name in bodies) logs[name] = await logOf(name); console.log(JSON.stringify(logs))" }
    for (const [file, text] of Object.entries(written)) writeFileSync(path.join(folder, file), text)
    const plain = execFileSync(node().runtime!, ['plain.mjs'], { cwd: folder, encoding: 'utf8' })
    expect(plain).toContain('x begins')
    writeFileSync(path.join(folder, 'plain.json'), plain)
    const { names, test: found, output } = await runBy(node(), folder, 'newer.spec.js')
    expect(names).toHaveLength(29)
    expect(names.filter((name) => found(name).status === 'failed')).toEqual(['an update is lost'])
    expect(output).toContain('Lost update on counter.n')
    expect(output).not.toContain('is not instrumented')
  })
})
