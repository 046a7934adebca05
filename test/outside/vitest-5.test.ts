import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hooked } from './hooked.ts'
import { config, own, project, runBy, type Run, type Start } from './project.ts'
import { cache, racing } from './racing-cache.ts'

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
    expect(result.test('waits for ever').message).toContain('Deadlock: test waits for ever')
    expect(result.test('that a hook looks at afterwards').message).toContain('2 came first')
  })

  test('projects that stand in the config have its plugin, once also if they name it themselves', async () => {
    const include = `include: ['cache.spec.ts']`
    const projects = `[{ test: { name: 'one', ${include} } }, { extends: true, test: { name: 'two', ${include} } }, { plugins: [dpor()], test: { name: 'three', ${include} } }, { extends: false, plugins: [dpor()], test: { name: 'four', ${include} } }]`
    writeFileSync(path.join(folder, 'projects.config.ts'), config().replace('plugins: [dpor()]', `plugins: [dpor()], test: { projects: ${projects} }`))
    const { output } = await runBy(node(), folder, '--config=projects.config.ts', '--', '--dpor', '--dpor.no-cache')
    expect(output).toMatch(/DPOR {2}12 tests: 4 races at 1 place, 4 hold, 4 have no concurrency/)
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
})
