import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import type { ViteUserConfig } from 'vitest/config'
import { KeptModules } from '../../plugin/kept-modules.ts'

type Plugin = { readonly name: string; readonly transform?: () => void; readonly resolveId?: () => void }

describe('what Vitest keeps on disk of instrumented files', () => {
  let folder: string
  let file: string
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitest-dpor-kept-')))
    file = path.join(folder, 'a.ts')
    writeFileSync(file, '')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const environmentOf = (config: object, consumer = 'server') => ({ name: 'ssr', config: { consumer }, getTopLevelConfig: () => config })

  /** The key of a file in a project like this. */
  function keyIn({ leadsTo = [], besides = [], plugins = [], define, user = {}, consumer }: { leadsTo?: readonly string[]; besides?: readonly string[]; consumer?: string; plugins?: readonly Plugin[]; define?: object; user?: ViteUserConfig }): string | false | undefined {
    const modules = new KeptModules()
    modules.ask(user)
    const config = { plugins: [{ name: 'vite:oxc', transform: () => {} }, ...plugins], define, server: { fs: { strict: true, allow: ['/app'] } } }
    modules.begin({ vite: { config }, config: { experimental: {} } }, folder)
    modules.know({ found: new Map([[file, { saysSo: true, isOpen: false, next: new Set(leadsTo), besides: new Set(besides), loadsPackages: false }]]), tests: [], setupFiles: [], mocks: [] })
    return modules.keyOf(file, environmentOf(config, consumer))
  }

  test('is told apart by where imports lead to, by definitions and by the configuration of TypeScript', () => {
    const key = keyIn({})
    expect(key).toEqual(expect.any(String))
    expect(keyIn({})).toBe(key)
    expect(keyIn({ leadsTo: ['/b.ts'] })).not.toBe(keyIn({ leadsTo: ['/b/index.ts'] }))
    expect(keyIn({ define: { VERSION: '1' } })).not.toBe(keyIn({ define: { VERSION: '2' } }))
  })

  test('is nothing where other plugins may change it, or say what its imports mean', () => {
    expect(keyIn({ plugins: [{ name: 'macros', transform: () => {} }] })).toBe(false)
    expect(keyIn({ plugins: [{ name: 'paths', resolveId: () => {} }] })).toBe(false)
    expect(keyIn({ plugins: [{ name: 'vite-tsconfig-paths', resolveId: () => {} }] })).toBe(keyIn({}))
    expect(keyIn({ plugins: [{ name: 'told' }] })).toBe(keyIn({}))
  })

  test('is nothing where files that it leads to are given to a test environment of a browser only once they were asked for by one that is made', () => {
    expect(keyIn({ consumer: 'client', leadsTo: ['/app/b.ts'], besides: ['/app/node_modules/c/index.js'] })).toEqual(expect.any(String))
    expect(keyIn({ consumer: 'client', leadsTo: ['/apples/b.ts'] })).toBe(false)
    expect(keyIn({ consumer: 'client', besides: ['/node_modules/c/index.js'] })).toBe(false)
    expect(keyIn({ consumer: 'server', besides: ['/node_modules/c/index.js'] })).toEqual(expect.any(String))
  })

  test('is for the project to decide, if it has', () => {
    for (const fsModuleCache of [true, false]) {
      const user = { test: { experimental: { fsModuleCache } } }
      expect(keyIn({ user })).toBe('')
      expect(user.test.experimental.fsModuleCache).toBe(fsModuleCache)
    }
  })

  test('is nothing of files that are not instrumented, of which nobody knows where they lead to, and of projects without the plugin', () => {
    const modules = new KeptModules()
    modules.ask({})
    const [own, other, without] = [{ plugins: [] }, { plugins: [] }, { plugins: [] }]
    modules.begin({ vite: { config: own }, config: { experimental: {} } }, folder)
    new KeptModules().begin({ vite: { config: other }, config: {} }, folder)
    expect(modules.keyOf(undefined, environmentOf(own))).toBe(false)
    expect(modules.keyOf(file, environmentOf(own))).toBe(false)
    expect(modules.keyOf(file, environmentOf(other))).toBe(undefined)
    expect(modules.keyOf(file, environmentOf(without))).toBe(false)
  })
})
