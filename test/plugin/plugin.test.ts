import path from 'node:path'
import { build, createServer, resolveConfig, type Plugin } from 'vite'
import { describe, expect, test, vi } from 'vitest'
import { dpor } from '../../plugin/index.ts'
import { fileFilter } from '../../plugin/files.ts'
import { checkOptions, type PluginOptions } from '../../plugin/options.ts'
import { packageRoot } from './spawn.ts'

describe('files that are instrumented', () => {
  const cases: [id: string, options: PluginOptions, expected: boolean][] = [
    ['/app/src/a.ts', {}, true],
    ['/app/src/a.spec.tsx', {}, true],
    ['/app/src/a.cjs', {}, true],
    ['/app/src/a.mts?v=123', {}, true],
    ['/app/src/a.ts?raw', {}, false],
    ['/app/src/a.ts?url', {}, false],
    ['/app/src/a.ts?worker', {}, false],
    ['/app/src/a.d.ts', {}, false],
    ['/app/src/a.css', {}, false],
    ['/app/src/a.json', {}, false],
    ['\0virtual.ts', {}, false],
    ['virtual:x.ts', {}, false],
    ['/app/node_modules/p-map/index.js', {}, false],
    ['/app/node_modules/p-map/index.js', { inline: ['p-map'] }, true],
    ['/app/node_modules/.pnpm/p-map@1/node_modules/p-map/index.js', { inline: ['p-map'] }, true],
    ['/app/node_modules/p-map/node_modules/other/index.js', { inline: ['p-map'] }, false],
    ['/app/node_modules/@a/b/index.js', { inline: ['@a/b'] }, true],
    ['/app/src/a.ts', { include: '/app/lib/**' }, false],
    ['/app/src/a.ts', { exclude: [/src/] }, false],
    ['/app/src/a.ts', { include: '**/*.ts', exclude: '**/b.ts' }, true],
    [`${packageRoot}/src/runtime/inert.ts`, {}, false],
    [`${packageRoot}/plugin/index.ts`, {}, false],
    [`${packageRoot}/test/explored/a.spec.ts`, {}, true],
    [`${packageRoot}/examples/a.ts`, {}, true],
  ]

  test.each(cases)('%s with %o: %s', (id, options, expected) => {
    expect(fileFilter(options)(id) !== undefined).toBe(expected)
  })
})

test('wrong options are named in one error', () => {
  expect(() => checkOptions({ instrument: false } as never)).toThrow("no option 'instrument'")
  expect(() => checkOptions({ include: 1, maxTime: '5', nothing: 1 } as never)).toThrow(/'include' must be.*'maxTime' must be a number.*no option 'nothing'|no option 'nothing'/)
  expect(() => dpor({ exclude: [/a/, 2] } as never)).toThrow(/Correct dpor/)
  expect(() => checkOptions({ inline: ['a'], include: [/x/, 'y'], maxExecutions: 5, stopOnFirst: false })).not.toThrow()
})

describe('versions of Vitest', () => {
  const configure = (version: unknown): void =>
    (dpor() as unknown as { configureVitest(context: unknown): void }).configureVitest({ vitest: { version, config: { reporters: [] } } })

  test.each(['4.1.0', '4.1.12', '4.2.0-beta.1', '4.10.3', '5.0.0', '5.0.0-beta.2', '5.7.1'])('%s is supported', (version) => {
    expect(() => configure(version)).not.toThrow()
  })

  test.each(['0.34.6', '3.2.4', '4.0.18', '6.0.0', '41.0.0'])('%s gives one error that says what to install', (version) => {
    expect(() => configure(version)).toThrow(`works with Vitest 4.1 or later 4.x and with 5.x, but this is Vitest ${version}. Install`)
  })
})

describe('outside Vitest', () => {
  const source: Plugin = {
    name: 'source',
    resolveId: (id) => (id.endsWith('entry.ts') ? '/entry.ts' : undefined),
    load: (id) => (id === '/entry.ts' ? 'export const f = async (o) => { await o.p }' : undefined),
  }

  test('vite build leaves the code as it is', async () => {
    const output = await build({
      configFile: false, logLevel: 'silent', plugins: [source, dpor()],
      build: { write: false, ssr: true, rollupOptions: { input: 'entry.ts' } },
    })
    expect(JSON.stringify(output)).toContain('async')
    expect(JSON.stringify(output)).not.toContain('__dpor')
  })

  test('vite dev leaves the code as it is', async () => {
    vi.stubEnv('VITEST', undefined)
    const server = await createServer({ configFile: false, logLevel: 'silent', root: import.meta.dirname, plugins: [source, dpor()], server: { middlewareMode: true, ws: false } })
    try {
      expect((await server.environments.ssr.transformRequest('/entry.ts'))?.code).not.toContain('__dpor')
    } finally {
      await server.close()
      vi.unstubAllEnvs()
    }
  })
})

test('the config that the plugin gives', async () => {
  const { test: config } = (await resolveConfig({
    configFile: false, logLevel: 'silent', plugins: [dpor({ inline: ['p-map'], seed: 3 })],
    test: { setupFiles: './mine.ts', provide: { other: 1 } },
  } as never, 'serve')) as unknown as { test: Record<string, any> }
  expect(config.setupFiles).toEqual([path.join(packageRoot, 'src/vitest/setup.ts'), './mine.ts'])
  expect(config.provide).toEqual({ other: 1, dpor: { seed: 3 }, dporCommandLine: {} })
  expect(config.server.deps.inline).toEqual(['p-map'])
  expect(config.deps.optimizer.ssr.exclude).toEqual(['p-map'])
})
