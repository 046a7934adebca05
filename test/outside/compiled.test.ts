import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { installedFile, project, run } from './project.ts'

/** Two updates of which one is lost, by both ways to explore; and a value that comes from the runtime itself. */
const spec = `import { expect, test } from 'vitest'
import { dporTest, explore, resource } from 'vitest-dpor'
const lose = async () => {
  const counter = { n: 0 }
  const increase = async () => { const { n } = counter; await null; counter.n = n + 1 }
  await Promise.all([increase(), increase()])
  expect(counter.n).toBe(2)
}
const rows = resource('rows')
const free = async () => { await Promise.all([1, 2].map(async (key) => { await null; rows.write(key, () => {}) })) }
dporTest('lost', lose)
test('explored', async () => {
  expect(await explore(lose)).toMatchObject({ verdict: 'fails', executions: 1 })
  expect(await explore(free)).toMatchObject({ verdict: 'holds', executions: 1 })
})
`
const config = (more: string): string => `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor()], ${more} })
`

async function expectFound(folder: string): Promise<void> {
  const result = await run(folder)
  expect(result.test('lost'), result.output).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  expect(result.test('explored'), result.output).toMatchObject({ status: 'passed' })
}

test.each(['forks', 'threads'])('what explores is compiled once, and anew where what is kept of it cannot be used: %s', async (pool) => {
  const folder = project(`compiled-${pool}`, { 'a.spec.ts': spec, 'vitest.config.ts': config(`test: { pool: '${pool}' }`) })
  const kept = path.join(folder, 'node_modules/.vite/vitest-dpor/compiled')
  await expectFound(folder)
  const [name, ...others] = readdirSync(kept)
  expect(others).toEqual([])
  const file = path.join(kept, name!)
  const { mtimeMs } = statSync(file)
  await expectFound(folder)
  expect(statSync(file).mtimeMs).toBe(mtimeMs)
  writeFileSync(file, readFileSync(file).subarray(0, 1000))
  await expectFound(folder)
  expect(statSync(file).size).toBeGreaterThan(100_000)
})

describe('the same is found', () => {
  test.each([
    ['in contexts', 'contexts', "test: { pool: 'vmThreads' }"],
    ['without isolation, behind a file that explores nothing', 'together', 'test: { isolate: false, fileParallelism: false }'],
    ['by who is not given what is for Node', 'anywhere', ''],
  ])('%s', async (_, name, more) => {
    const text = name === 'anywhere' ? spec.replace("'vitest-dpor'", JSON.stringify(installedFile('vitest-dpor/dist/src/vitest/anywhere.js'))) : spec
    const folder = project(`compiled-${name}`, { 'b.spec.ts': text, 'a.spec.ts': "import { test } from 'vitest'\ntest('nothing', () => {})\n", 'vitest.config.ts': config(more) })
    await expectFound(folder)
  })
})
