import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { project, run } from './project.ts'

const counter = 'export let total = 0\nexport const add = async () => { const n = total; await null; total = n + 1 }\n'
const asItIs = `import { expect, test } from 'vitest'
import { add } from './counter'
test('as it is', () => {
  expect(String(add)).not.toContain('__dpor')
  expect(globalThis).not.toHaveProperty('__dpor')
  expect(globalThis).toHaveProperty('isSetUp')
})
`
const exploring = `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import * as counter from './counter'
dporTest('explored', async () => {
  await Promise.all([counter.add(), counter.add()])
  expect(counter.total).toBe(2)
})
`
const setup = { 'user-setup.ts': 'Object.assign(globalThis, { isSetUp: true })\n' }
const config = (options: string): string => `import { defineConfig } from 'vitest/config'
import { dpor } from 'vitest-dpor/plugin'
export default defineConfig({ plugins: [dpor()], test: ${options} })
`

test.each(['forks', 'vmThreads'])('where no test explores, files stay as they are: %s', async (pool) => {
  const folder = project(`left-alone-${pool}`, { ...setup, 'counter.ts': counter, 'ordinary.spec.ts': asItIs, 'vitest.config.ts': config(`{ pool: '${pool}', setupFiles: './user-setup.ts' }`) })
  expect((await run(folder)).test('as it is')).toMatchObject({ status: 'passed' })
})

test('once a test explores, nothing that was kept as it is stands in its way', async () => {
  const folder = project('left-alone-until', { ...setup, 'counter.ts': counter, 'ordinary.spec.ts': asItIs, 'vitest.config.ts': config("{ setupFiles: './user-setup.ts', experimental: { fsModuleCache: true } }") })
  for (let i = 0; i < 2; i++) expect((await run(folder)).test('as it is')).toMatchObject({ status: 'passed' })
  writeFileSync(path.join(folder, 'exploring.spec.ts'), exploring)
  const result = await run(folder)
  expect(result.test('explored')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  expect(result.test('as it is')).toMatchObject({ status: 'failed' })
})

test('of two projects the one stays as it is, and the other is explored', async () => {
  const folder = project('left-alone-projects', {
    ...setup,
    'one/counter.ts': counter,
    'one/ordinary.spec.ts': asItIs,
    'other/counter.ts': counter,
    'other/exploring.spec.ts': exploring,
    'vitest.config.ts': config("{ projects: ['one', 'other'].map((name) => ({ extends: true, test: { name, include: [`${name}/*.spec.ts`], setupFiles: './user-setup.ts' } })) }"),
  })
  const result = await run(folder)
  expect(result.test('as it is')).toMatchObject({ status: 'passed' })
  expect(result.test('explored')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
})

test('a test that explores by a way that cannot be foreseen is told that nothing is instrumented', async () => {
  const folder = project('left-alone-hidden', {
    'counter.ts': counter,
    'hidden.ts': "export { dporTest as explored } from 'vitest-dpor'\n",
    'ordinary.spec.ts': exploring.replace("import { dporTest } from 'vitest-dpor'", "const hidden = './hidden'\nconst { explored } = await import(/* @vite-ignore */ hidden)").replace('dporTest(', 'explored('),
  })
  const { status, message } = (await run(folder)).test('explored')
  expect(status).toBe('failed')
  expect(message).toContain('no test file of this project names dporTest')
})
