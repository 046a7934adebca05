import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, ViteUserConfig } from 'vitest/config'
import type { FilePattern, PluginOptions } from '../src/options/index.ts'
import { globalName } from '../src/runtime/calls/emitted.ts'
import { inert } from '../src/runtime/calls/inert.ts'
import { rewrite } from './3-rewrite/rewrite.ts'
import { commandLineOptions } from './command-line.ts'
import { asExpressions, fileFilter, inlinedPackages, isOwn, packageRoot, requiredFile, vitestFile } from './files.ts'
import type { RequiredFiles } from './required.ts'
import { checkOptions, explorationDefaults, PluginOptionError } from './options.ts'
import { checkVitestVersion } from './vitest-version.ts'

export { PluginOptionError } from './options.ts'
export type { ExplorationDefaults, FilePattern, PluginOptions } from '../src/options/index.ts'
export { UnsupportedVitestError } from './vitest-version.ts'

/** Instruments what Vitest loads, so that `dporTest()` can explore it. Does nothing outside Vitest. */
export function dpor(options: PluginOptions = {}): Plugin {
  checkOptions(options)
  const fileOf = fileFilter(options)
  const inline = inlinedPackages(options)
  const requiredFiles: RequiredFiles | undefined = inline.length === 0 ? undefined : { inline, exclude: options.exclude === undefined ? [] : asData(options.exclude) }
  let logger: { warnOnce(message: string): void } | undefined
  return {
    name: 'vitest-dpor',
    enforce: 'pre',
    apply: (config, { command }) => command === 'serve' && (process.env.VITEST !== undefined || hasVitest(config)),

    config(config: ViteUserConfig) {
      const test = (config.test ??= {})
      test.setupFiles = [vitestFile('setup'), ...(inline.length > 0 ? [requiredFile()] : []), ...asArray(test.setupFiles)]
      hideOwnFrames(test)
      // Global setup files run in this process, where nothing is explored.
      globalThis[globalName] ??= inert
      return {
        test: {
          provide: { dpor: explorationDefaults(options), dporCommandLine: commandLineOptions(process.argv), dporIo: options.io && asData(options.io), dporRequired: requiredFiles },
          ...(inline.length > 0 && {
            server: { deps: { inline } },
            deps: { optimizer: { ssr: { exclude: inline }, client: { exclude: inline } } },
          }),
        },
      } as ViteUserConfig
    },

    configResolved(config) {
      logger = config.logger
      const { experimental } = (config as { test?: { experimental?: { viteModuleRunner?: boolean } } }).test ?? {}
      if (experimental?.viteModuleRunner === false)
        throw new PluginOptionError('with `experimental.viteModuleRunner: false` Vitest transforms no files, so none can be instrumented; remove it')
    },

    configureVitest(context: unknown) {
      const { vitest } = context as { vitest: { version: string; config: { reporters: unknown[] } } }
      checkVitestVersion(vitest.version)
      const { reporters } = vitest.config
      const reporter = vitestFile('reporter')
      if (!reporters.some((entry) => Array.isArray(entry) && entry[0] === reporter)) reporters.push([reporter, {}])
      // Vitest 5 keeps transformed modules on disk; other options give other modules.
      const { defineCacheKeyGenerator, experimental_defineCacheKeyGenerator } = context as Record<string, ((key: () => string) => void) | undefined>
      ;(defineCacheKeyGenerator ?? experimental_defineCacheKeyGenerator)?.(() => cacheKey(options))
    },

    transform(code, id) {
      const file = fileOf(id)
      if (!file) return null
      const rewritten = rewrite(code, file)
      if (!rewritten) return null
      for (const { line, column, construct } of rewritten.unhandled)
        logger?.warnOnce(`vitest-dpor: ${file}:${line}:${column}: ${construct} is not instrumented; what it shares between processes is not seen`)
      return { code: rewritten.code, map: rewritten.map }
    },
  } as Plugin
}

/** Expressions for another thread. */
const asData = (patterns: FilePattern): { source: string; flags: string }[] => asExpressions(patterns).map(({ source, flags }) => ({ source, flags }))

/** Every access goes through this package, but a reader wants to see only his own code. */
function hideOwnFrames(test: NonNullable<ViteUserConfig['test']>): void {
  const { onStackTrace } = test
  test.onStackTrace = (error, frame) => (isOwn(frame.file) ? false : onStackTrace?.(error, frame))
}

function hasVitest(config: ViteUserConfig): boolean {
  const plugins = (config.plugins ?? []).flat(Infinity as 1) as unknown[]
  return plugins.some((plugin) => typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === 'vitest')
}

const asArray = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

function cacheKey(options: PluginOptions): string {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string }
  return `vitest-dpor ${version} ${JSON.stringify(options, (_, value: unknown) => (value instanceof RegExp ? String(value) : value))}`
}
