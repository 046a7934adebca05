import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, run } from './project.ts'

const counter = 'export let total = 0\nexport const add = async () => { const n = total; await null; total = n + 1 }\n'
const asItIs = `import { expect, test } from 'vitest'
import { add } from './counter'
test('as it is', () => {
  expect((globalThis[Symbol.for('vitest-dpor: text of functions')] ?? Function.prototype.toString).call(add)).not.toContain('__dpor')
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

describe('beside a test that explores', () => {
  const isInstrumented = (file: string, expected: boolean): string => `import { expect, test } from 'vitest'
import * as module from './${file}'
test('${file}', () => expect(Object.values(module).some((value) => (globalThis[Symbol.for('vitest-dpor: text of functions')] ?? Function.prototype.toString).call(value).includes('__dpor'))).toBe(${expected}))
`
  const functions = 'export const touch = (o) => { o.n++ }\n'
  const files = (expected: Readonly<Record<string, boolean>>): Record<string, string> =>
    Object.fromEntries(Object.entries(expected).flatMap(([file, isSeen]) => [[`${file}.ts`, functions], [`${file}.spec.ts`, isInstrumented(file, isSeen)]]))
  const statuses = async (folder: string, names: readonly string[]): Promise<unknown> => {
    const result = await run(folder)
    return Object.fromEntries(names.map((name) => [name, result.test(name).status]))
  }

  test('only files are instrumented that it leads to: by imports, aliases, mocks and setup files', async () => {
    const expected = { imported: true, further: true, aliased: true, actual: true, late: true, fromSetup: true, fromMock: true, ordinary: false }
    const names = Object.keys(expected)
    const folder = project('reach', {
      ...files(expected),
      'counter.ts': `export * from './imported'\nexport const later = async () => import('./late')\n${counter}`,
      'imported.ts': `export { touch as further } from './further.js'\n${functions}`,
      '__mocks__/other.ts': "export { touch as other } from '../fromMock'\n",
      'other.ts': 'export const other = 1\n',
      'user-setup.ts': "import './fromSetup'\n",
      'exploring.spec.ts': `import { vi } from 'vitest'\nimport { touch as aliased } from '@/aliased'\nimport { other } from './other'\nvi.mock('./other')\nconst actual = await vi.importActual('./actual')\n${exploring}dporTest('uses', async () => { expect([aliased, other, actual]).toHaveLength(3) })\n`,
      'vitest.config.ts': config("{ setupFiles: './user-setup.ts', alias: { '@/': `${import.meta.dirname}/` } }"),
    })
    expect(await statuses(folder, [...names, 'uses', 'explored'])).toEqual({ ...Object.fromEntries(names.map((name) => [name, 'passed'])), uses: 'passed', explored: 'failed' })
  })

  test.each([
    ['files share what they load', '{ isolate: false }', 'explored'],
    ['it loads what cannot be foreseen', '{}', "await import(`./${'counter'}`)"],
  ])('all are instrumented where %s', async (name, options, more) => {
    const folder = project(`reach-all-${name.replaceAll(' ', '-')}`, { ...files({ ordinary: true }), 'counter.ts': counter, 'exploring.spec.ts': `${exploring}if (false) ${more}\n`, 'vitest.config.ts': config(options) })
    expect(await statuses(folder, ['ordinary', 'explored'])).toEqual({ ordinary: 'passed', explored: 'failed' })
  })

  test('what a plugin makes it load from elsewhere is told, and seen once it is named', async () => {
    const hidden = { name: 'hidden', code: "{ name: 'hidden', resolveId: (id) => (id === 'virtual:hidden' ? '\\0hidden' : undefined), load: (id) => (id === '\\0hidden' ? \"export * from '/counter.ts'\" : undefined) }" }
    const settings = (options: string): string => `import { dpor } from 'vitest-dpor/plugin'\nexport default { plugins: [${hidden.code}, dpor(${options})] }\n`
    const folder = project('reach-hidden', { 'counter.ts': counter, 'exploring.spec.ts': exploring.replace("'./counter'", "'virtual:hidden'"), 'vitest.config.ts': settings('') })
    const { status, message } = (await run(folder)).test('explored')
    expect(status).toBe('failed')
    expect(message).toMatch(/counter\.ts is loaded by this test and not instrumented/)
    writeFileSync(path.join(folder, 'vitest.config.ts'), settings("{ include: '**/*' }"))
    expect((await run(folder)).test('explored')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  })
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
    'ordinary.spec.ts': exploring.replace("import { dporTest } from 'vitest-dpor'", "const hidden = ['.', 'hidden'].join('/')\nconst { explored } = await import(/* @vite-ignore */ hidden)").replace('dporTest(', 'explored('),
  })
  const { status, message } = (await run(folder)).test('explored')
  expect(status).toBe('failed')
  expect(message).toContain('no test file of this project names dporTest')
})
