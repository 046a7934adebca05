import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, ViteUserConfig } from 'vitest/config'
import { ioOf, type FilePattern, type PluginOptions } from '../src/options/index.ts'
import { cacheFolderBeside, readKeptFailures } from '../src/testing/kept-failures.ts'
import { globalName } from '../src/runtime/calls/emitted.ts'
import { installInert } from '../src/runtime/calls/inert.ts'
import type { Made, Rewritten } from './3-rewrite/rewrite.ts'
import { commandLine, saidByApi, saidOnCommandLine } from './command-line.ts'
import { leaveCoverage, type CoveredRun } from './coverage.ts'
import { earlyFiles, type EarlyFiles } from './early-files.ts'
import { asExpressions, asPosix, becomesCode, fileFilter, isComponent, isOwn, packageRoot, packagesFile, vitestFile } from './files.ts'
import { heldAt, type ResolvedConfig, type RestedOn } from './held.ts'
import { importsOf, type Imports } from './imports.ts'
import { isLastOfItsName, runsElsewhere } from './instances.ts'
import { KeptModules, type KeepingProject, type KnownPlugin } from './kept-modules.ts'
import { leaveUnexplored, treatmentOf, type AskedProject, type Environment, type Treatment } from './left-alone.ts'
import { MadeSource } from './made-source.ts'
import { mergedReports } from './merge-reports.ts'
import { mayExplore } from './packages/explored-files.ts'
import type { ProvidedExpression, ProvidedPackages } from './packages/instrument.ts'
import { needsThread } from './packages/modules.ts'
import { awaitProject, projectBegins, provideRun, tellThatPluginIsThere } from './ordinary-run.ts'
import { OtherPlugins } from './other-plugins.ts'
import { checkOptions, explorationDefaults, PluginOptionError } from './options.ts'
import { ownVersion } from './own-version.ts'
import { platformNames } from './platform-names.ts'
import { giveOwnServers, refuseSharedServer } from './shared-servers.ts'
import { runRedTestsAgain } from './red-tests.ts'
import { SourceCache } from './source-cache.ts'
import { takePart, type DividedRun } from './split.ts'
import { checkVitest } from './vitest-version.ts'
import { exploringTests } from './reach.ts'
import { testsWithoutPackages, type LeavingToNode } from './without-packages.ts'

export { PluginOptionError } from './options.ts'
export type { ExplorationDefaults, FilePattern, IoOptions, PluginOptions, PostgresOptions } from '../src/options/index.ts'
export { UnsupportedVitestError } from './vitest-version.ts'

/** Instruments what Vitest loads, so that `dporTest()` can explore it. Does nothing outside Vitest. */
export function dpor(options: PluginOptions = {}): Plugin {
  checkOptions(options)
  let fileOf = fileFilter(options, becomesCode)
  const { inline = 'auto' } = options
  const fileFor = (environment: Environment | undefined, id: string): string | undefined => (environment?.name === ofRunner ? undefined : fileOf(id))
  const packages = inline === 'auto' || inline.length > 0
  const modules = new KeptModules()
  const early = new Set<string>()
  /** `'early'`: it stays as it is, but what it imports may not. */
  const treat = (file: string, environment: Environment | undefined): Treatment | 'early' => (early.has(file) ? 'early' : treatmentOf(file, environment))
  let kept: SourceCache | undefined
  let logger: { warnOnce(message: string): void } | undefined
  let isNearest = true
  let pool: string | undefined
  /** By configuration. */
  const otherPlugins = new WeakMap<object, OtherPlugins>()
  const othersOf = (environment: Environment | undefined): OtherPlugins | undefined => environment && otherPlugins.get(environment.getTopLevelConfig())
  const instrumented = async (code: string, file: string, made?: MadeSource): Promise<{ code: string; map: string } | null> => {
    const make = (): Promise<Rewritten | undefined> => rewrite(code, file, made?.made)
    const rewritten = await (kept ? kept.rewritten(code, file, make, made?.key) : make())
    if (!rewritten) return null
    for (const { line, column, construct } of rewritten.unhandled)
      logger?.warnOnce(`vitest-dpor: ${file}:${line}:${column}: ${construct} is not instrumented; what it shares between processes is not seen`)
    return { code: rewritten.code, map: String(rewritten.map) }
  }
  /** Stands behind the last one of those that are to see files as they are written. */
  const later = (order: 'post' | null): Plugin => ({
    name: 'vitest-dpor:later',
    transform: {
      order,
      async handler(code, id) {
        const file = fileFor(this.environment, id)
        const others = othersOf(this.environment)
        if (!file || treat(file, this.environment) !== 'instrumented' || others?.turnOf(id) !== 'later') return null
        return instrumented(code, file, new MadeSource(this.getCombinedSourcemap(), { isJavaScript: others.isAfterCompiler || isComponent(file) }))
      },
    },
  })
  const plugin: Plugin = {
    name: 'vitest-dpor',
    enforce: 'pre',
    apply: (config, { command }) => command === 'serve' && (process.env.VITEST !== undefined || hasVitest(config)),

    config(config: ViteUserConfig) {
      if (!(isNearest = isLastOfItsName(plugin, config.plugins))) return
      pool = runsElsewhere(config.plugins)
      if (pool) {
        isNearest = false
        tellThatPluginIsThere()
        return
      }
      // Where a config has no options of the sort of its own, Vitest hands all projects one and the same object.
      const test = (config.test = { ...config.test })
      const isInBrowser = test.browser?.enabled === true
      test.setupFiles = [...(packages && !isInBrowser ? [packagesFile('setup')] : []), vitestFile('setup'), ...asArray(test.setupFiles)]
      if (isInBrowser) {
        serveToBrowser(config)
        fileOf = fileFilter({ ...options, inline: [inline].flat().filter((name) => name !== 'auto') }, becomesCode)
      }
      hideOwnFrames(test)
      if (!isInBrowser) modules.ask(config)
      giveOwnServers(test)
      // Global setup files run in this process, where nothing is explored.
      if (!globalThis[globalName]) installInert()
      tellThatPluginIsThere()
      // A mistake is told before anything runs.
      if (commandLine(saidOnCommandLine(process)).run) awaitProject()
      const { files, ...servers } = ioOf(options.io)
      return { test: { provide: { dpor: explorationDefaults(options), dporIo: files && asData(files), dporInclude: options.include && asData(options.include), dporExclude: options.exclude && asData(options.exclude), dporServers: servers } } } as ViteUserConfig
    },

    configResolved(config) {
      // Only here is it known where plugins come that somebody has promised.
      if (pool || !(isNearest = isLastOfItsName(plugin, config.plugins))) return
      logger = config.logger
      // Of a project whose packages lie above it Vite would not serve the setup files to what stands for a browser.
      config.server.fs.allow.push(asPosix(packageRoot))
      const others = new OtherPlugins(config.plugins, plugin)
      otherPlugins.set(config, others)
      if (others.later) (config.plugins as Plugin[]).splice(config.plugins.indexOf(others.later.behind as Plugin) + 1, 0, later(others.later.order))
      const { experimental } = (config as { test?: { experimental?: { viteModuleRunner?: boolean } } }).test ?? {}
      if (experimental?.viteModuleRunner === false)
        throw new PluginOptionError('with `experimental.viteModuleRunner: false` Vitest transforms no files, so none can be instrumented; remove it')
    },

    async configureVitest(context: unknown) {
      if (pool) tellOfPool(pool, context as { readonly project: Project })
      if (!isNearest) return
      const { vitest, project } = context as { vitest: { version: string; distPath?: string; vite?: { config: ResolvedConfig }; config: DividedRun & SelectedRun & CoveredRun & { reporters: unknown[]; clearCache?: boolean; watch?: boolean; dpor?: unknown; mergeReports?: string } }; project: Project }
      projectBegins()
      checkVitest(vitest, project)
      refuseSharedServer(project)
      for (const file of earlyFiles(project.config)) early.add(file)
      // Other options give other modules.
      const { defineCacheKeyGenerator, experimental_defineCacheKeyGenerator } = context as Record<string, ((key: (of: { readonly environment: Environment & { readonly config: { readonly consumer: string } }; readonly id: string }) => string | false | undefined) => void) | undefined>
      modules.begin(project, cacheFolder(project))
      ;(defineCacheKeyGenerator ?? experimental_defineCacheKeyGenerator)?.(({ environment, id }) => {
        const file = fileOf(id)
        const treatment = treat(file ?? id, environment)
        // What becomes of a component is the affair of a plugin.
        const key = modules.keyOf(treatment === 'instrumented' && !(file && isComponent(file)) ? file : undefined, environment)
        return typeof key === 'string' ? `${cacheKey(options)} ${treatment} ${othersOf(environment)?.turnOf(id)} ${key}` : key
      })
      const said = commandLine([...saidOnCommandLine(process), ...saidByApi(vitest.config.dpor)])
      if (said.isForChanged) selectChanged(vitest.config)
      const part = said.isSplit ? { part: takePart(vitest.config, vitest) } : {}
      project.provide('dporCommandLine', { ...said.options, ...part })
      project.provide('dporCompiled', path.join(cacheFolder(project), 'compiled'))
      project.provide('dporFailures', readKeptFailures(cacheFolder(project)))
      if (vitest.config.mergeReports) vitest.config.mergeReports = mergedReports(vitest.config.mergeReports)
      const run = said.run && provideRun(said.run)
      project.provide('dporRun', run)
      if (run && said.options.replay === undefined) runRedTestsAgain(vitest as never, run.until)
      if (said.run && !said.run.noCache && !said.isSplit && said.options.replay === undefined) project.provide('dporHeld', heldAt(project, { folder: cacheFolder(project), version: vitest.version, rootConfig: vitest.vite?.config, options: `${cacheKey(options)} ${JSON.stringify(said.options)}` }))
      const { reporters } = vitest.config
      const reporter = vitestFile('reporter')
      if (!reporters.some((entry) => Array.isArray(entry) && entry[0] === reporter)) reporters.push([reporter, { counts: run?.counts, explores: run !== undefined, baseline: run?.known === 'all' ? said.run?.baseline : undefined, coverageReporter: run && leaveCoverage(vitest.config, said) ? vitestFile('coverage-reporter') : undefined, replay: said.options.replay }])
      if (vitest.config.clearCache) rmSync(cacheFolder(project), { recursive: true, force: true })
      // Whoever watches may edit a test so that it explores; and what is named is instrumented.
      const imports = vitest.config.watch ? undefined : await importsOf(project)
      if (imports) {
        if (!said.run && options.include === undefined && !leaveUnexplored(project, imports)) return
        modules.know(imports)
      }
      kept = new SourceCache(cacheFolder(project), ownVersion())
      if (packages) await providePackages(project, options, imports)
    },

    async transform(code, id) {
      if (!isNearest) return null
      const file = fileFor(this.environment, id)
      if (!file) return null
      const treatment = treat(file, this.environment)
      if (treatment === 'as it is') return null
      if (treatment === 'aside') return { code: saysThatItIsAside(code, file), map: null }
      if (treatment === 'early') return { code: `import ${JSON.stringify(vitestFile('before-setup'))};${saysThatItIsAside(code, file)}`, map: null }
      const turn = othersOf(this.environment)?.turnOf(id)
      if (turn === 'later' || (turn !== 'now' && isComponent(file))) return null
      return instrumented(code, file, turn === 'now' ? new MadeSource(this.getCombinedSourcemap(), { isJavaScript: isComponent(file) }) : undefined)
    },
  } as Plugin
  return plugin
}

function tellOfPool(pool: string, { project }: { readonly project: { readonly name?: string } }): void {
  console.warn(`vitest-dpor: nothing is explored${project.name ? ` in the project ${project.name}` : ''}, as ${pool} runs its tests in no process of Node's: they run as they are. What is to be explored belongs in a project without it`)
}

/**
 * In a browser Vite loads packages, and Vitest's own ones among them. The setup file and the tests are to find one and the same runtime, which Vite
 * must not bundle for that.
 */
function serveToBrowser(config: ViteUserConfig): void {
  const optimized = (config.optimizeDeps = { ...config.optimizeDeps })
  optimized.exclude = [...(optimized.exclude ?? []), 'vitest-dpor']
  optimized.include = [...(optimized.include ?? []), 'vitest-dpor > picocolors']
}

/** What of Vitest's configuration decides which test files are run. */
interface SelectedRun {
  changed?: boolean | string
  passWithNoTests?: boolean
}

/** As Vitest's `--changed` does. */
function selectChanged(config: SelectedRun): void {
  config.changed ||= true
  config.passWithNoTests = true
}

/** What Vite calls the environment for what Vitest loads before there is a test: a test environment finds nothing there yet that instrumented code calls. */
const ofRunner = '__vitest__'
const ofNoCoverage = ';/* istanbul ignore next */ /* v8 ignore next */ '

const saysThatItIsAside = (code: string, file: string): string => `${code}\n${ofNoCoverage}globalThis.${globalName}?.aside(${JSON.stringify(file)})`

/** Files that are kept on disk need no parser, which takes time to load. */
async function rewrite(code: string, file: string, made: Made | undefined): Promise<Rewritten | undefined> {
  return (await import('./3-rewrite/rewrite.ts')).rewrite(code, file, { made })
}

/** What the plugin needs of Vitest's projects. */
interface Project extends AskedProject, RestedOn {
  readonly vite: AskedProject['vite'] & RestedOn['vite'] & { readonly config: { readonly cacheDir: string; readonly plugins: readonly KnownPlugin[] } }
  readonly config: AskedProject['config'] & RestedOn['config'] & KeepingProject['config'] & EarlyFiles & LeavingToNode & { readonly execArgv: string[] }
  provide(name: string, value: unknown): void
}

/** Tells the workers of a project which packages to instrument. */
async function providePackages(project: Project, { inline = 'auto', opaque = [], include, exclude = [] }: PluginOptions, imports: Imports | undefined): Promise<void> {
  const { isolate, pool, execArgv } = project.config
  const hasContexts = pool.startsWith('vm')
  if (hasContexts) execArgv.push('--import', pathToFileURL(packagesFile('vm')).href)
  const exploring = imports ? exploringTests(imports).filter((file) => !mayExplore(file)) : []
  const packages: ProvidedPackages = {
    inline,
    opaque,
    include: include === undefined ? undefined : asData(include),
    exclude: asData(exclude),
    folder: cacheFolder(project),
    version: ownVersion(),
    platform: platformNames,
    // What one file has loaded the next ones find.
    everywhere: !isolate && !hasContexts && (exploring.length > 0 || (await project.globTestFiles()).testFiles.some(mayExplore)),
    hasContexts,
    exploring,
    withoutPackages: needsThread && imports ? testsWithoutPackages(imports, project) : [],
  }
  project.provide('dporPackages', packages)
}

const cacheFolder = ({ vite }: Project): string => cacheFolderBeside(vite.config.cacheDir)

/** Expressions for another thread. */
const asData = (patterns: FilePattern): ProvidedExpression[] => asExpressions(patterns).map(({ source, flags }) => ({ source, flags }))

/** Every access goes through this package, but a reader wants to see only his own code. */
function hideOwnFrames(test: NonNullable<ViteUserConfig['test']>): void {
  const { onStackTrace } = test
  test.onStackTrace = (error, frame) => {
    if (isOwn(frame.file)) return false
    // V8 calls a function without a name by the variable that it was put into: `$1`, `Object.$1 [as m]`.
    frame.method = frame.method.replace(/^(?:[\w$]+\.)?\$+\d+(?: \[as (.*)\])?$/, '$1')
    return onStackTrace?.(error, frame)
  }
}

function hasVitest(config: ViteUserConfig): boolean {
  const plugins = (config.plugins ?? []).flat(Infinity as 1) as unknown[]
  return plugins.some((plugin) => typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === 'vitest')
}

const asArray = <T>(value: T | T[] | undefined): T[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

function cacheKey(options: PluginOptions): string {
  return `vitest-dpor ${ownVersion()} ${JSON.stringify(options, (_, value: unknown) => (value instanceof RegExp ? String(value) : value))}`
}
