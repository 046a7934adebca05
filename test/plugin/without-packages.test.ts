import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importsOf } from '../../plugin/imports.ts'
import { asPosix } from '../../plugin/files.ts'
import type { KnownPlugin } from '../../plugin/kept-modules.ts'
import { testsWithoutPackages, type LeavingToNode } from '../../plugin/without-packages.ts'

describe('test files that lead to no package', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-')))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Those of them in a project of such files; each file with `spec` in its name is a test. */
  async function among(files: Readonly<Record<string, string>>, { config = {}, setupFiles = [], plugins = [] }: { readonly config?: LeavingToNode; readonly setupFiles?: readonly string[]; readonly plugins?: readonly KnownPlugin[] } = {}): Promise<readonly string[]> {
    const all = { 'node_modules/lib/index.js': '', 'node_modules/vitest/index.js': '', ...files }
    const fileOf = (name: string): string => path.join(folder, name)
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(path.dirname(fileOf(name)), { recursive: true })
      writeFileSync(fileOf(name), text)
    }
    const resolveId = async (specifier: string): Promise<{ id: string } | null> => (['lib', 'vitest'].includes(specifier) ? { id: fileOf(`node_modules/${specifier}/index.js`) } : null)
    const imports = await importsOf({
      vite: { config: {}, pluginContainer: { resolveId } },
      config: { root: folder, setupFiles: setupFiles.map(fileOf) },
      globTestFiles: async () => ({ testFiles: Object.keys(files).filter((name) => name.includes('spec')).map(fileOf) }),
    })
    return testsWithoutPackages(imports, { config, vite: { config: { plugins: [{ name: 'vite:oxc', transform: () => {} }, ...plugins] } } }).map((file) => asPosix(path.relative(folder, file)))
  }

  test('are those that import files of the project, Node and the test runner', async () => {
    const files = { 'a.spec.ts': "import { test } from 'vitest'\nimport fs from 'node:fs'\nimport path from 'path'\nimport './a'", 'a.ts': '' }
    expect(await among(files)).toEqual(['a.spec.ts'])
  })

  test.each([
    ['imports one', "import 'lib'"],
    ['imports one that cannot be found', "import 'elsewhere'"],
    ['imports one by its path', "import './node_modules/lib/index.js'"],
    ['mocks one', "vi.mock('lib', () => ({}))"],
    ['loads what nobody knows', 'await import(name)'],
    ['imports what Node may load itself', "import './own.mjs'"],
    ['imports what is compiled to import more', "import './own.tsx'"],
  ])('are not those that lead to a file which %s', async (_, text) => {
    expect(await among({ 'a.spec.ts': "import './a'", 'a.ts': "export * from './b'", 'b.ts': text, 'own.mjs': '', 'own.tsx': '', 'other.spec.ts': '' })).toEqual(['other.spec.ts'])
  })

  test('are none where a setup file leads to one, what stands in for a package, the project leaves files to Node, or another plugin may add imports', async () => {
    const files = { 'a.spec.ts': '' }
    expect(await among(files)).toEqual(['a.spec.ts'])
    expect(await among({ ...files, 'setup.ts': "import 'lib'" }, { setupFiles: ['setup.ts'] })).toEqual([])
    expect(await among({ ...files, '__mocks__/other.ts': "import 'lib'" })).toEqual([])
    rmSync(path.join(folder, '__mocks__'), { recursive: true })
    expect(await among(files, { config: { server: { deps: { external: [/own/] } } } })).toEqual([])
    expect(await among(files, { plugins: [{ name: 'imports more', transform: () => {} }] })).toEqual([])
    expect(await among(files, { config: { deps: { moduleDirectories: ['/node_modules/', 'vendor'] } } })).toEqual([])
  })
})
