import { readdirSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { ViteUserConfig } from 'vitest/config'
import type { Imports } from './imports.ts'
import type { Environment } from './left-alone.ts'
import { asKey } from './reach.ts'
import { typeScriptConfigsFor } from './type-script-configs.ts'

/** What is asked of one of Vitest's projects. */
export interface KeepingProject {
  readonly vite: { readonly config: object }
  readonly config: { readonly experimental?: { fsModuleCachePath?: string | undefined } }
}

export interface KnownPlugin {
  readonly name: string
  readonly resolveId?: unknown
  readonly transform?: unknown
  readonly load?: unknown
}

/** What of Vite's configuration decides what a module becomes, and is not among what Vitest tells kept modules apart by. */
interface ViteConfig {
  readonly plugins: readonly KnownPlugin[]
  readonly define?: unknown
  readonly env?: unknown
  readonly oxc?: unknown
  readonly esbuild?: unknown
  readonly server?: { readonly fs?: { readonly strict?: boolean; readonly allow?: readonly string[] } }
}

/** What a file leads to. */
interface Leading {
  /** Files of which others may be meant another time. */
  readonly next: string
  readonly all: readonly string[]
}

/** The Vite configs of projects with this plugin. */
const ofProjects = new WeakSet<object>()

/** Whoever edits leaves a trail of modules that nobody needs any more. */
const mostKept = 10_000

/**
 * What Vite makes of instrumented files takes its time, as they are several times as long. Vitest 5 keeps that on disk by itself. Vitest 4 is asked to,
 * unless the project has decided that, of instrumented files alone and where all is known that decides what they become: their own text and all that
 * Vitest looks at, which files their imports lead to, definitions, and the configuration of TypeScript.
 */
export class KeptModules {
  #isAsked = false
  #config: ViteConfig | undefined
  #imports: ReadonlyMap<string, Leading> | undefined
  #settings: string | undefined

  /** To be called with the configuration before Vitest looks at it. */
  ask(config: ViteUserConfig): void {
    const test: { experimental?: { fsModuleCache?: boolean } } = (config.test ??= {})
    if (test.experimental?.fsModuleCache !== undefined || vitestBelow(config.root ?? process.cwd()) !== 4) return
    test.experimental = { ...test.experimental, fsModuleCache: (this.#isAsked = true) }
  }

  /** To be called with the configuration of the project, once it is made. */
  begin(project: KeepingProject, folder: string): void {
    this.#config = project.vite.config as ViteConfig
    ofProjects.add(this.#config)
    if (!this.#isAsked || !project.config.experimental) return
    const kept = (project.config.experimental.fsModuleCachePath ??= path.join(folder, 'modules'))
    if (namesIn(kept).length > mostKept) rmSync(kept, { recursive: true, force: true })
  }

  /** Only files of which it is known where their imports lead to are kept. */
  know({ found }: Imports): void {
    const leads = [...found].map(([file, { next, besides }]) => [file, { next: [...next].toSorted().join('\n'), all: [...next, ...besides] }] as const)
    this.#imports = new Map(leads.flatMap(([file, next]) => [[asKey(file), next], [asKey(real(file)), next]]))
  }

  /**
   * By what else Vitest has to tell apart what the file becomes. False: it must not keep it. Undefined: that is not for this project to say.
   *
   * @param file undefined where it is not instrumented
   */
  keyOf(file: string | undefined, environment: Environment & { readonly config: { readonly consumer: string } }): string | false | undefined {
    if (!this.#isAsked) return ''
    const config = environment.getTopLevelConfig()
    if (config !== this.#config) return ofProjects.has(config) ? undefined : false
    const imports = file === undefined ? undefined : this.#imports?.get(asKey(file))
    if (imports === undefined || !this.#config.plugins.every(isKnown)) return false
    if (environment.config.consumer === 'client' && !imports.all.every((one) => isAllowed(one, this.#config!))) return false
    this.#settings ??= settingsOf(this.#config)
    return [imports.next, this.#settings, ...typeScriptConfigsFor(path.dirname(file!))].join('\0')
  }
}

function settingsOf({ define, env, oxc, esbuild }: ViteConfig): string {
  return JSON.stringify([define, env, oxc, esbuild], (_, value: unknown) => (typeof value === 'function' || value instanceof RegExp ? String(value) : value))
}

/** Whether Vite gives the file to tests in a test environment of a browser, though it has not seen itself that another one asks for it. */
function isAllowed(file: string, { server }: ViteConfig): boolean {
  const { strict = true, allow = [] } = server?.fs ?? {}
  return !strict || allow.some((folder) => asKey(file).startsWith(`${asKey(folder).replace(/\/$/, '')}/`))
}

/** Nobody knows what others look at to make something of a file, or to say which one is meant. */
export const isKnown = ({ name, resolveId, transform, load }: KnownPlugin): boolean =>
  (resolveId === undefined && transform === undefined && load === undefined) || /^(?:vite|vitest|vitest-dpor|rolldown|builtin):|^(?:vitest|vitest-dpor|alias|commonjs|vite-tsconfig-paths)$/.test(name)

/** The major version of the Vitest that is installed for a project. */
function vitestBelow(root: string): number | undefined {
  try {
    const { version } = createRequire(path.resolve(root, '_'))('vitest/package.json') as { readonly version: string }
    return Number.parseInt(version)
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function real(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
