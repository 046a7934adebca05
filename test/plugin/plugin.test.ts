import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, createServer, resolveConfig, type Plugin } from 'vite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dpor, PluginOptionError, type PluginOptions } from '../../plugin/index.ts'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { fileFilter } from '../../plugin/files.ts'
import { checkOptions } from '../../plugin/options.ts'
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
    ['/app/node_modules/p-map/index.js', {}, true],
    ['/app/node_modules/p-map/index.js', { inline: [] }, false],
    ['/app/node_modules/p-map/index.js', { opaque: ['p-map'] }, false],
    ['/app/node_modules/p-map/index.js', { inline: ['auto', 'chai'] }, true],
    ['/app/node_modules/p-map/index.cjs', { include: '/app/lib/**' }, true],
    ['/app/node_modules/chai/index.js', {}, false],
    ['/app/node_modules/chai/index.js', { inline: ['auto', 'chai'] }, true],
    ['/app/node_modules/chai/index.js', { inline: ['chai'] }, true],
    ['/app/node_modules/@vitest/spy/dist/index.js', {}, false],
    ['/app/node_modules/@babel/core/lib/index.js', {}, false],
    ['/app/node_modules/@babel/runtime/helpers/asyncToGenerator.js', {}, true],
    ['/app/node_modules/@babel/runtime/helpers/asyncToGenerator.js', { opaque: ['@babel/runtime'] }, false],
    ['/app/node_modules/p-map/index.js', { inline: ['p-map'] }, true],
    ['/app/node_modules/.pnpm/p-map@1/node_modules/p-map/index.js', { inline: ['p-map'] }, true],
    ['/app/node_modules/p-map/node_modules/other/index.js', { inline: ['p-map'] }, false],
    ['/app/node_modules/@a/b/index.js', { inline: ['@a/b'] }, true],
    ['/app/node_modules/p-map/index.js', { inline: ['p-map'], opaque: ['p-map'] }, false],
    ['/app/node_modules/@a/b/index.js', { inline: ['@a/b', 'p-map'], opaque: ['p-map'] }, true],
    ['/app/src/a.ts', { include: '/app/lib/**' }, false],
    ['/app/src/a.ts', { exclude: [/src/] }, false],
    ['/app/src/a.ts', { include: '**/*.ts', exclude: '**/b.ts' }, true],
    [`${packageRoot}/src/runtime/calls/inert.ts`, {}, false],
    [`${packageRoot}/plugin/index.ts`, {}, false],
    [`${packageRoot}/test/explored/a.spec.ts`, {}, true],
    [`${packageRoot}/examples/a.ts`, {}, true],
  ]

  test.each(cases)('%s with %o: %s', (id, options, expected) => {
    expect(fileFilter(options)(id) !== undefined).toBe(expected)
  })
})

describe('wrong options are named in one error', () => {
  const wrong: [options: unknown, message: string][] = [
    [null, 'the options must be an object, not null'],
    [{ maxTime: '5s' }, "option 'maxTime' is '5s': give a positive number of milliseconds, or Infinity"],
    [{ maxExecutions: -1 }, "option 'maxExecutions' is -1: give a whole number of at least 1, or Infinity"],
    [{ part: '3/2' }, "option 'part' is '3/2': give a part such as '1/4', the first of four"],
    [{ include: [/a/, 2] }, "option 'include' is an array: give a glob, a regular expression or an array of these"],
    [{ opaque: 'p-map' }, "option 'opaque' is 'p-map': give an array of package names"],
    [{ interleave: 'access' }, "option 'interleave' is 'access': give 'await' or 'event-loop'"],
    [{ replay: '0x2' }, "option 'replay' is '0x2': it can be set only on the command line or for a test"],
    [
      { maxExecution: 5, inline: '' },
      "option 'maxExecution' is 5: no such option; there are algorithm, pctDepth, preemptionBound, search, maxExecutions, maxTime, maxSteps, stopOnFirst, part, saveTo, resumeFrom, seed, interleave, time, equivalence, " +
        "reproduce, page, trace, hooks, onInconclusive, include, exclude, inline, opaque, io; and option 'inline' is '': give 'auto' or an array of package names",
    ],
  ]

  test.each(wrong)('%o', (options, message) => {
    expect(() => dpor(options as never)).toThrow(new PluginOptionError(message))
  })

  test('and right ones are not', () => {
    expect(() => checkOptions({ inline: ['a'], opaque: [], include: [/x/, 'y'], maxExecutions: 5, maxTime: Infinity, stopOnFirst: false, seed: undefined })).not.toThrow()
  })
})

describe('versions of Vitest', () => {
  const configure = (version: unknown, distPath?: string): Promise<void> =>
    (dpor({ inline: [] }) as unknown as { configureVitest(context: unknown): Promise<void> }).configureVitest({ vitest: { version, distPath, config: { reporters: [], watch: true } }, project: { provide() {}, config: { root: '/nowhere' }, vite: { config: { cacheDir: '/nowhere/node_modules/.vite/vitest' } } } })

  test.each(['4.1.0', '4.1.12', '4.2.0-beta.1', '4.10.3', '5.0.0', '5.0.0-beta.2', '5.7.1'])('%s is supported', async (version) => {
    await expect(configure(version)).resolves.toBeUndefined()
  })

  test.each(['0.34.6', '3.2.4', '4.0.18', '6.0.0', '41.0.0'])('%s gives one error that says what to install', async (version) => {
    await expect(configure(version)).rejects.toThrow(`works with Vitest 4.1 or later 4.x and with 5.x, but this is Vitest ${version}. Install`)
  })

  test('another copy than the one that is found from here gives an error that says where to install, and the same one none', async () => {
    const own = path.dirname(createRequire(import.meta.url).resolve('vitest/package.json'))
    await expect(configure('4.1.0', path.join(own, 'dist'))).resolves.toBeUndefined()
    const another = mkdtempSync(path.join(realpathSync(tmpdir()), 'vitest-dpor-copy-'))
    mkdirSync(path.join(another, 'dist'))
    onTestFinished(() => rmSync(another, { recursive: true }))
    await expect(configure('4.1.0', path.join(another, 'dist'))).rejects.toThrow(`is installed for another copy of Vitest, ${own}, and would explore nothing of what ${another} runs. Install it for the package whose tests these are: add it to the devDependencies of /nowhere/package.json.`)
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
    configFile: false, logLevel: 'silent', plugins: [dpor({ inline: ['p-map', 'native'], opaque: ['native'], seed: 3 })],
    test: { setupFiles: './mine.ts', provide: { other: 1 } },
  } as never, 'serve')) as unknown as { test: Record<string, any> }
  expect(config.setupFiles).toEqual([path.join(packageRoot, 'plugin/packages/setup.ts'), path.join(packageRoot, 'src/vitest/setup.ts'), './mine.ts'])
  expect(config.provide).toEqual({ other: 1, dpor: { seed: 3 }, dporServers: {} })
})

test('what several projects are handed as one object stays as it is', async () => {
  const shared = {}
  await Promise.all([{ plugins: [dpor()] }, {}].map((config) => resolveConfig({ configFile: false, logLevel: 'silent', ...config, test: shared } as never, 'serve')))
  expect(shared).toEqual({})
})

test('stack traces show neither frames of this package nor variables that it has put functions into', async () => {
  const { test: config } = (await resolveConfig({ configFile: false, logLevel: 'silent', plugins: [dpor()], test: {} } as never, 'serve')) as unknown as { test: Record<string, any> }
  const shown = (method: string, file = '/app/a.ts'): unknown => {
    const frame = { method, file, line: 1, column: 1 }
    return config.onStackTrace(new Error('x'), frame) === false ? undefined : frame.method
  }
  expect(['$12', 'Object.$3 [as m]', '$$7', 'A.m', '$f', 'Store.$add'].map((method) => shown(method))).toEqual(['', 'm', '', 'A.m', '$f', 'Store.$add'])
  expect(shown('get', path.join(packageRoot, 'src/a.ts'))).toBeUndefined()
})

test('a package that is only called is noted as one that is used', () => {
  const { code } = rewrite("import { createStore } from 'a-store'\nexport const store = createStore(() => ({ n: 1 }))", '/app/a.js')!
  expect(code).toContain("[['a-store', () => [createStore]]]")
})
