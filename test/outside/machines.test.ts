import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installedFile, project, run, runBy, type Run } from './project.ts'

const tests = `
import { expect, test, vi } from 'vitest'
import { dporTest } from 'vitest-dpor'
const answer = vi.fn(async (n: number) => n)
/** 120 orders. */
async function answered() {
  const order: number[] = []
  await Promise.all([1, 2, 3, 4, 5].map(async (n) => order.push(await answer(n))))
  return order.join('')
}
test('large', async () => { expect(await answered()).toHaveLength(5) })
test('race', async () => { expect(await answered()).not.toBe('43521') })
test('one order', async () => { expect(await answer(1)).toBe(1) })
test('plain failure', () => { expect(1).toBe(2) })
test('fails on one machine', () => { expect(process.env.MACHINE).not.toBe('2') })
/** 24 orders. */
async function written() {
  const order: number[] = []
  await Promise.all([1, 2, 3, 4].map(async (n) => { await null; order.push(n) }))
  return order.join('')
}
dporTest('dporTest holds', async () => { expect(await written()).toHaveLength(4) })
dporTest('dporTest fails', async () => { expect(await written()).not.toBe('4321') })
`

/** With parts all changes are ordered. */
const whole = ['--', '--dpor', '--dpor.equivalence=trace', '--dpor.test-time=1m']

describe('an exploration that several machines have divided among them', () => {
  let folder: string
  let one: Run
  const reports = '.vitest-reports'
  beforeAll(async () => {
    folder = project('machines', { 'a.spec.ts': tests })
    one = await run(folder, ...whole)
    // The last one that was written is not the last part.
    for (const machine of ['3', '1', '2']) await runBy({ env: { MACHINE: machine } }, folder, '--reporter=blob', `--shard=${machine}/3`, ...whole, '--dpor.split')
  })

  /** Of one machine, and of several: in parts nobody asks whether the plain run is all there is, and what stands for I/O is run as well. */
  const executionsOf = (name: string): unknown => (name === 'one order' ? 2 : one.test(name).dpor!['executions'])

  /** What Vitest makes of the reports of these machines. */
  function merged(...machines: number[]): Promise<Run> {
    const some = path.join(folder, `reports-${machines.join('-')}`)
    rmSync(some, { recursive: true, force: true })
    mkdirSync(some)
    for (const machine of machines) cpSync(path.join(folder, reports, `blob-${machine}-3.json`), path.join(some, `blob-${machine}-3.json`))
    return run(folder, `--merge-reports=${path.basename(some)}`)
  }

  test('is that of one machine, once all parts are there', async () => {
    const all = await merged(1, 2, 3)
    for (const name of ['large', 'one order', 'dporTest holds'])
      expect(all.test(name), name).toMatchObject({ status: 'passed', found: one.test(name).found, dpor: { verdict: 'holds', executions: executionsOf(name) } })
    expect(all.test('large').dpor).not.toHaveProperty('part')
    for (const name of ['race', 'dporTest fails']) expect(all.test(name), name).toMatchObject({ status: 'failed', found: one.test(name).found, dpor: { verdict: 'fails' } })
    expect(all.test('plain failure')).toMatchObject({ status: 'failed', found: { found: 'fails' } })
    expect(all.output).toContain('DPOR  5 tests: 1 race, 1 holds, 1 has no concurrency, 2 fail in the plain order')
    expect(all.code).toBe(1)
  })

  test('has its failures, whichever machine has found them', async () => {
    const all = await merged(1, 2, 3)
    expect(all.test('fails on one machine')).toMatchObject({ status: 'failed', message: expect.stringContaining("expected '2' not to be '2'") })
    for (const machine of [1, 3]) expect((await merged(machine, 2)).test('fails on one machine')).toMatchObject({ status: 'failed' })
    expect((await merged(1, 3)).test('fails on one machine')).toMatchObject({ status: 'passed' })
  })

  test('is inconclusive as long as a part is missing', async () => {
    const some = await merged(1, 3)
    expect(some.test('large')).toMatchObject({ status: 'passed', found: { found: 'inconclusive', reason: 'part 2/3 missing' }, dpor: { verdict: 'inconclusive' } })
    expect(some.test('dporTest holds')).toMatchObject({ status: 'passed', dpor: { verdict: 'inconclusive', inconclusiveReason: 'part 2/3 missing' } })
    expect((await merged(1)).test('large')).toMatchObject({ status: 'passed', found: { found: 'inconclusive', reason: 'parts 2/3, 3/3 missing' } })
  })

  test('and so is one that processes of one machine have divided', async () => {
    const all = await runBy({ command: installedFile('vitest-dpor/dist/src/vitest/cli.js') }, folder, ...whole.slice(1), '--dpor.split=2')
    for (const name of all.names) {
      const { status, found, dpor } = one.test(name)
      expect(all.test(name), name).toMatchObject({ status, found: found && { found: found.found } })
      if (dpor?.['verdict'] === 'holds') expect(all.test(name).dpor, name).toMatchObject({ verdict: 'holds', executions: executionsOf(name) })
    }
    expect(all.output).toContain('DPOR  5 tests: 1 race, 1 holds, 2 have no concurrency, 1 fails in the plain order')
    expect(all.code).toBe(1)
  })

  test('of a process that reports nothing the output is shown', async () => {
    const { code, output } = await runBy({ command: installedFile('vitest-dpor/dist/src/vitest/cli.js') }, project('machines-none', { 'a.spec.ts': tests }), '--dpor', '--dpor.split=2', '--unknown')
    expect(output).toMatch(/vitest-dpor: process [12] of 2 has reported nothing\. It has printed:\n[\s\S]*Unknown option/)
    expect(code).toBe(1)
  })

  test('of one machine are started by the command vitest-dpor', async () => {
    const { code, output } = await run(folder, '--', '--dpor', '--dpor.split=2')
    expect(output).toContain("'--dpor.split=2' starts several processes, which the command vitest-dpor does: npx vitest-dpor run --dpor --dpor.split=2")
    expect(code).toBe(1)
  })

  test('asks for --shard', async () => {
    const { code, output } = await run(folder, '--', '--dpor.split')
    expect(output).toContain('vitest-dpor: --dpor.split divides explorations among machines, and --shard says which part this one has: add --shard=1/4 for the first of four. Correct the command line.')
    expect(code).toBe(1)
  })
})

test('tests of a project without the plugin are counted where reports are merged as well', async () => {
  const folder = project('machines-projects', {
    'vitest.config.ts': `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: ['with', 'without'] } })`,
    'with/vitest.config.ts': `import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig({ plugins: [dpor()] })`,
    'with/a.spec.ts': `import { expect, test } from 'vitest'\ntest('with', async () => { expect(await Promise.resolve(1)).toBe(1) })`,
    'without/vitest.config.ts': `import { defineConfig } from 'vitest/config'\nexport default defineConfig({})`,
    'without/a.spec.ts': `import { expect, test } from 'vitest'\ntest('without', async () => { expect(await Promise.resolve(1)).toBe(1) })`,
  })
  const once = await run(folder, '--', '--dpor')
  const said = 'DPOR  2 tests: 1 has no concurrency, 1 not explored'
  expect(once.output).toContain(said)
  for (const machine of [1, 2]) await run(folder, '--reporter=blob', `--shard=${machine}/2`, '--', '--dpor', '--dpor.split')
  const all = await run(folder, '--merge-reports=.vitest-reports')
  expect(all.output).toContain(said)
  expect(all.output).toContain('the project without does not have the plugin')
})
