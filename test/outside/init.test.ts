import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { environment, installedFile, project, runBy } from './project.ts'

const command = installedFile('vitest-dpor/dist/src/vitest/cli.js')

const racing = `
import { expect, test, vi } from 'vitest'
test('the last one wins', async () => {
  const answer = vi.fn(async (n) => n)
  let last = 0
  await Promise.all([1, 2].map(async (n) => { last = await answer(n) }))
  expect(last).toBe(2)
})
`

function init(folder: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, 'init', ...args], { cwd: folder, env: environment() }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stripVTControlCharacters(stdout + stderr) })
    })
  })
}

const text = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8')

async function findsTheRace(folder: string): Promise<void> {
  const { test: report } = await runBy({ command }, folder, '--dpor')
  expect(report('the last one wins')).toMatchObject({ status: 'failed', found: { found: 'race' } })
}

test('init shows the change, and makes it when told to', async () => {
  const before = `import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({ test: { globals: true } })\n`
  const folder = project('init-shown', { 'vitest.config.ts': before, 'a.spec.ts': racing, 'package.json': '{\n    "private": true,\n    "type": "module"\n}\n' })
  const shown = await init(folder)
  expect(shown.output).toContain("+ import { dpor } from 'vitest-dpor/plugin'")
  expect(shown.output).toContain('nothing was changed. To do so: npx vitest-dpor init --yes')
  expect(shown.code).toBe(1)
  expect(text(folder, 'vitest.config.ts')).toBe(before)
  expect((await init(folder, '--yes')).code).toBe(0)
  expect(text(folder, 'vitest.config.ts')).toContain('plugins: [dpor()], test: { globals: true }')
  expect(text(folder, 'package.json')).toBe('{\n    "private": true,\n    "type": "module",\n    "scripts": {\n        "test:dpor": "vitest-dpor run --dpor"\n    }\n}\n')
  await findsTheRace(folder)
  expect(await init(folder, '--yes')).toMatchObject({ code: 0, output: expect.stringContaining('are there already') })
})

test('init --help says what it does, and an option that there is not is an error', async () => {
  const folder = project('init-help', { 'package.json': '{}' }, ['vitest.config.ts'])
  expect(await init(folder, '--help')).toMatchObject({ code: 0, output: expect.stringContaining('vitest-dpor init [--yes]') })
  expect(await init(folder, '--force')).toEqual({ code: 1, output: 'vitest-dpor: init has no option --force, but --yes: to change the files without being asked\n' })
  expect(text(folder, 'package.json')).toBe('{}')
})

test.each([
  ['JavaScript of a CommonJS package', { 'package.json': '{ "private": true }', 'vitest.config.js': `const { defineConfig } = require('vitest/config')\nmodule.exports = defineConfig({})\n` }],
  ['a config of Vite', { 'vite.config.mjs': 'export default {}\n' }],
  ['no config', {}],
  ['a package.json in one line', { 'package.json': '{"private":true}' }],
])('init: %s', async (name, files: Record<string, string>) => {
  const folder = project(`init-${name.replaceAll(/\W/g, '')}`, { ...files, 'a.spec.js': racing }, ['vitest.config.ts'])
  expect((await init(folder, '--yes')).code).toBe(0)
  expect(text(folder, 'package.json').split('\n')).toHaveLength(1)
  await findsTheRace(folder)
})

test('init: the projects of a workspace', async () => {
  const folder = project('init-workspace', {
    'vitest.config.ts': `export default { test: { projects: ['packages/*', '!packages/old'] } }\n`,
    'packages/one/vitest.config.ts': 'export default { test: { name: "one" } }\n',
    'packages/one/a.spec.ts': racing,
    'packages/two/vite.config.js': 'export default { test: { name: "two" } }\n',
    'packages/two/b.spec.ts': racing.replaceAll('the last one wins', 'in the other one'),
    'packages/three/c.spec.ts': racing.replaceAll('the last one wins', 'where there is no config'),
    'packages/old/vitest.config.ts': 'export default {}\n',
    'other/vitest.config.ts': 'export default {}\n',
  })
  expect((await init(folder, '--yes')).code).toBe(0)
  for (const file of ['vitest.config.ts', 'packages/one/vitest.config.ts', 'packages/two/vite.config.js', 'packages/three/vitest.config.mjs']) expect(text(folder, file)).toContain('dpor()')
  for (const file of ['other/vitest.config.ts', 'packages/old/vitest.config.ts']) expect(text(folder, file)).toBe('export default {}\n')
  const { test: report } = await runBy({ command }, folder, '--dpor')
  for (const name of ['the last one wins', 'in the other one', 'where there is no config']) expect(report(name)).toMatchObject({ status: 'failed', found: { found: 'race' } })
})

test('init says what it cannot do, and touches nothing else', async () => {
  const folder = project('init-by-hand', { 'vitest.config.ts': 'export default load()\nfunction load() { return {} }\n', 'package.json': '{ "scripts": { "explore": "vitest run -- --dpor" } }' })
  const { code, output } = await init(folder, '--yes')
  expect(output).toMatch(/the options of .*vitest\.config\.ts were not found\. Add the plugin there yourself/)
  expect(code).toBe(1)
  expect(existsSync(path.join(folder, 'vitest.config.mjs'))).toBe(false)
})
