import { readFileSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'flatted'
import { digest } from '../src/testing/held/inputs.ts'
import { lastingVariables } from '../src/testing/held/outside.ts'
import type { ProvidedHeld } from '../src/testing/held/held-file.ts'
import { ownVersion } from './own-version.ts'

/** What of one of Vitest's projects tests rest on. */
export interface RestedOn {
  readonly name: string
  readonly config: {
    readonly root: string
    readonly isolate: boolean
    readonly pool: string
    readonly browser?: { readonly enabled?: boolean }
    readonly globalSetup?: string | readonly string[]
    readonly sequence: { readonly shuffle?: unknown }
    readonly snapshotOptions: { readonly updateSnapshot: string }
    readonly resolveSnapshotPath?: unknown
    readonly provide?: object
  }
  readonly serializedConfig: object
  readonly vite: { readonly config: ResolvedConfig }
  getProvidedContext(): object
}

/** What of a configuration of Vite's decides what files become, and what imports lead to. */
export interface ResolvedConfig {
  readonly configFile?: string | false | undefined
  readonly configFileDependencies: readonly string[]
  readonly resolve: object
  readonly plugins: readonly { readonly name: string }[]
}

interface Settings {
  readonly folder: string
  /** Of Vitest. */
  readonly version: string
  /** Of the plugin and the command line, as far as they say what is explored. */
  readonly options: string
  /** What projects are defined in. */
  readonly rootConfig: ResolvedConfig | undefined
}

/** Where it is kept which tests hold; undefined where something that is in no file may decide that. */
export function heldAt(project: RestedOn, { folder, version, options, rootConfig }: Settings): ProvidedHeld | undefined {
  const { config, vite } = project
  const { isolate, pool, browser, globalSetup = [], sequence, snapshotOptions, resolveSnapshotPath } = config
  // What other files leave behind, what is set up outside, tests in another order, snapshots somewhere else.
  if (!isolate || pool.startsWith('vm') || browser?.enabled || globalSetup.length > 0 || isShuffled(sequence.shuffle)) return undefined
  if (snapshotOptions.updateSnapshot === 'all' || resolveSnapshotPath) return undefined
  const above = foldersAbove(config.root)
  const installed = textsOf(above.flatMap((parent) => installations.map((name) => path.join(parent, name))))
  if (installed.length === 0) return undefined
  const settings = textsOf([...above.flatMap((parent) => [path.join(parent, 'package.json'), path.join(parent, 'tsconfig.json')]), ...[vite.config, ...(rootConfig ? [rootConfig] : [])].flatMap(filesOf)])
  const { resolve, plugins } = vite.config
  const lists = [installed, settings, lastingVariables(process.env)].map((texts) => digest(...texts))
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const key = digest(ownVersion(), version, process.version, process.platform, process.arch, timeZone, options, asText(lasting(project.serializedConfig)), asText(provided(project)), asText(resolve), asText(plugins.map(({ name }) => name)), ...lists)
  return { folder: path.join(folder, 'held'), key, root: config.root, project: project.name }
}

const filesOf = ({ configFile, configFileDependencies }: ResolvedConfig): string[] => [...(configFile ? [configFile] : []), ...configFileDependencies]

/** Where package managers write down what they have installed. */
const installations = ['node_modules/.package-lock.json', 'node_modules/.pnpm/lock.yaml', 'node_modules/.yarn-integrity', 'node_modules/.yarn-state.yml', '.pnp.cjs', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']

/** Settings that are others in each run, or say nothing of how a test runs. */
const passing = new Set(['api', 'bail', 'color', 'maxWorkers', 'tagsFilter', 'testNamePattern', 'watch'])

function lasting(config: object): object {
  const { sequence, ...others } = config as { readonly sequence?: object }
  return { ...Object.fromEntries(Object.entries(others).filter(([name]) => !passing.has(name))), sequence: { ...sequence, seed: undefined } }
}

/** What is not of this package. Projects of a workspace come before its root, whose config is among the files that count. */
function provided(project: RestedOn): object {
  return Object.fromEntries(Object.entries(contextOf(project)).filter(([name]) => !name.startsWith('dpor')))
}

function contextOf(project: RestedOn): object {
  try {
    return project.getProvidedContext()
  } catch {
    return project.config.provide ?? {}
  }
}

const isShuffled = (shuffle: unknown): boolean => (typeof shuffle === 'object' && shuffle !== null ? Reflect.get(shuffle, 'tests') === true : shuffle === true)

const asText = (value: object): string => stringify(value, (_, part: unknown) => (typeof part === 'function' || part instanceof RegExp || typeof part === 'bigint' ? String(part) : part))

/** Of files that are there, with their names. */
const textsOf = (files: readonly string[]): string[] => files.flatMap((file) => {
  try {
    return [file, readFileSync(file, 'utf8')]
  } catch {
    return []
  }
})

function foldersAbove(folder: string): string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}
