import { createRequire } from 'node:module'
import path from 'node:path'
import { namesOf, problemsOf, type ExplorationDefaults } from '../options/index.ts'
import { defaultsName } from './defaults.ts'

/** A transformer as Jest's config names it, with its own options. */
type Transformer = string | readonly [name: string, options: object]

/** What is used here of Jest's config. */
export interface JestConfig {
  readonly transform?: Readonly<Record<string, Transformer>>
  readonly setupFiles?: readonly string[]
  readonly setupFilesAfterEnv?: readonly string[]
  readonly globals?: object
  readonly testEnvironmentOptions?: object
}

/** Options for all explored tests. */
export interface JestDporOptions extends ExplorationDefaults {
  /** Ordinary tests are explored as well, as with Vitest's `--dpor`: `dpor: Boolean(process.env.DPOR)`. Default: no. */
  readonly dpor?: boolean
  /** The transformer that compiles what has been instrumented, where `transform` of the config names none. Default `'babel-jest'`. */
  readonly next?: Transformer
}

const scripts = String.raw`\.[cm]?[jt]sx?$`
const own = createRequire(import.meta.url)
const ofProject = createRequire(path.resolve('package.json'))

/**
 * Adds to a Jest config what explores tests: before every transformer of `transform`, or else before `next`, files are
 * instrumented; and a setup file.
 * @throws OptionError for an option that is not accepted
 */
export function withDpor<Config extends JestConfig>(config: Config, { next = 'babel-jest', dpor = false, ...options }: JestDporOptions = {}): Config {
  const known = namesOf('test')
  const [problem] = problemsOf('plugin', options)
  if (problem) throw problem
  const other = Object.keys(options).find((name) => !known.includes(name))
  if (other !== undefined) throw new TypeError(`vitest-dpor: \`${other}\` means nothing in Jest: \`transform\` and \`transformIgnorePatterns\` of the Jest config say which files are instrumented`)
  const transform = Object.entries({ ...(config.transform ?? { [scripts]: next }) })
  return {
    ...config,
    transform: Object.fromEntries(transform.map(([pattern, transformer]) => [pattern, [own.resolve('vitest-dpor/jest/transform'), { next: resolved(transformer) }]])),
    setupFiles: [own.resolve('vitest-dpor/jest/setup'), ...(config.setupFiles ?? [])],
    ...(dpor && { setupFilesAfterEnv: [own.resolve('vitest-dpor/jest/ordinary'), ...(config.setupFilesAfterEnv ?? [])] }),
    globals: { ...config.globals, [defaultsName]: options },
    // Jest takes what has stood on the global object apart once a file is done: functions of the platform that are put back there as well.
    testEnvironmentOptions: { ...config.testEnvironmentOptions, globalsCleanup: 'off' },
  }
}

/** Jest finds its transformers from the project, and has babel-jest beside itself. */
function resolved(transformer: Transformer): Transformer {
  const [name, options] = typeof transformer === 'string' ? [transformer] : transformer
  const file = name.startsWith('<rootDir>') ? path.resolve(name.replace('<rootDir>', '.')) : name === 'babel-jest' ? babelJest() : ofProject.resolve(name)
  return options ? [file, options] : file
}

/** It is a dependency of Jest's own, which need not be found from the project. */
function babelJest(): string {
  let from = ofProject
  for (const name of ['jest', '@jest/core', 'jest-config']) {
    const found = resolvedFrom(from, 'babel-jest')
    if (found !== undefined) return found
    from = createRequire(from.resolve(name))
  }
  return from.resolve('babel-jest')
}

function resolvedFrom(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}
