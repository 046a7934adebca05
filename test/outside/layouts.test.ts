import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { environment, project, run } from './project.ts'

const losing = `export class Counter {
  n = 0
  async add() { const n = this.n; await null; this.n = n + 1 }
}
`
const keeping = losing.replace('const n = this.n; await null; this.n = n + 1', 'await null; this.n += 1')

const spec = `import { expect } from 'vitest'
import { dporTest } from 'vitest-dpor'
import { Counter } from 'lib'
dporTest('counts', async () => {
  const counter = new Counter()
  await Promise.all([counter.add(), counter.add()])
  expect(counter.n).toBe(2)
})
`

/** A workspace of an application and a package that it uses by a link; returns the folder of the application. */
function workspace(name: string, library: Readonly<Record<string, string>>): { readonly app: string; readonly lib: string } {
  const folder = project(name, {
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
    'packages/app/package.json': '{ "name": "app", "private": true, "type": "module", "dependencies": { "lib": "*" } }',
    'packages/app/counts.spec.ts': spec,
    'packages/app/vitest.config.ts': `import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig({ plugins: [dpor()] })\n`,
    ...Object.fromEntries(Object.entries(library).map(([file, text]) => [`packages/lib/${file}`, text])),
  })
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true })
  symlinkSync(path.join(folder, 'packages/lib'), path.join(folder, 'node_modules/lib'), 'junction')
  return { app: path.join(folder, 'packages/app'), lib: path.join(folder, 'packages/lib') }
}

const source = { 'package.json': '{ "name": "lib", "type": "module", "exports": "./counter.ts" }' }
const built = (text: string): string => text.replace('export class', 'exports.Counter = class')

test.each([
  ['its source', source, 'counter.ts', losing, keeping],
  ['built as ESM', { 'package.json': '{ "name": "lib", "type": "module", "exports": "./dist/counter.js" }' }, 'dist/counter.js', losing, keeping],
  ['built as CommonJS', { 'package.json': '{ "name": "lib", "main": "./dist/counter.cjs" }' }, 'dist/counter.cjs', built(losing), built(keeping)],
])('a linked package of a workspace is seen: %s', async (kind, library, file, broken, mended) => {
  const { app, lib } = workspace(`workspace-${kind.replaceAll(' ', '-')}`, { ...library, [file]: broken })
  expect((await run(app)).test('counts')).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
  writeFileSync(path.join(lib, file), mended)
  const { status, dpor } = (await run(app)).test('counts')
  expect({ status, dpor }).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
})

describe('modules that are kept on disk', () => {
  const config = (options: string): string => `import { defineConfig } from 'vitest/config'\nimport { dpor } from 'vitest-dpor/plugin'\nexport default defineConfig({ plugins: [dpor()], test: ${options} })\n`

  test.each([
    ['as the project has it', '{ experimental: { fsModuleCache: true } }'],
    ['by default', '{}'],
  ])('are those of the last edit: %s', async (kind, options) => {
    const { app, lib } = workspace(`kept-${kind.replaceAll(' ', '-')}`, { ...source, 'counter.ts': losing })
    writeFileSync(path.join(app, 'vitest.config.ts'), config(options))
    for (const time of ['first', 'second']) expect({ time, ...(await run(app)).test('counts') }).toMatchObject({ time, status: 'failed', dpor: { verdict: 'fails' } })
    writeFileSync(path.join(lib, 'counter.ts'), keeping)
    for (const time of ['first', 'second']) expect({ time, ...(await run(app)).test('counts') }).toMatchObject({ time, status: 'passed', dpor: { verdict: 'holds' } })
  })

  test('are those that explored tests lead to, and a file that has moved is found', async () => {
    const ordinary = "import { test } from 'vitest'\nimport { other } from './other'\ntest('ordinary', () => other)\n"
    const folder = project('kept-moved', { 'counts.spec.ts': spec.replace("'lib'", "'./counter'"), 'counter.ts': losing, 'other.ts': 'export const other = 1\n', 'ordinary.spec.ts': ordinary })
    expect((await run(folder)).test('counts')).toMatchObject({ dpor: { verdict: 'fails' } })
    const kept = path.join(folder, 'node_modules/.vite/vitest-dpor/modules')
    const ids = readdirSync(kept).map((name) => readFileSync(path.join(kept, name), 'utf8')).map((text) => ['counts.spec', 'counter', 'other', 'ordinary.spec'].find((name) => text.includes(`/${name}.ts`)))
    expect(ids.toSorted()).toEqual(['counter', 'counts.spec'])
    rmSync(path.join(folder, 'counter.ts'))
    mkdirSync(path.join(folder, 'counter'))
    writeFileSync(path.join(folder, 'counter/index.ts'), keeping)
    expect((await run(folder)).test('counts')).toMatchObject({ dpor: { verdict: 'holds' } })
  })
})

describe('watch mode', () => {
  test('an edit inside a linked package is seen', async () => {
    const { app, lib } = workspace('watched', { ...source, 'counter.ts': losing })
    const vitest = spawn(process.execPath, [path.join(inject('installed'), 'node_modules/vitest/vitest.mjs'), '--watch', '--reporter=default'], { cwd: app, env: environment() })
    try {
      const printed = printedBy(vitest)
      expect(await printed(/(?:Waiting|Watching) for file changes/)).toMatch(/fails +counts\.spec\.ts/)
      writeFileSync(path.join(lib, 'counter.ts'), keeping)
      expect(await printed(/(?:Waiting|Watching) for file changes/)).toMatch(/holds +counts\.spec\.ts/)
      writeFileSync(path.join(lib, 'counter.ts'), losing)
      expect(await printed(/(?:Waiting|Watching) for file changes/)).toMatch(/Lost update on counter\.n/)
    } finally {
      vitest.kill()
    }
  })
})

/** What a process prints from here to what is waited for. */
function printedBy(child: ReturnType<typeof spawn>): (end: RegExp) => Promise<string> {
  let text = ''
  let changed = (): void => {}
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (data) => {
      text += stripVTControlCharacters(String(data))
      changed()
    })
  }
  return (end) =>
    new Promise((resolve) => {
      changed = () => {
        const found = end.exec(text)
        if (!found) return
        const printed = text.slice(0, found.index)
        text = text.slice(found.index + found[0].length)
        resolve(printed)
      }
      changed()
    })
}
