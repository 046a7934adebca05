import { existsSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { asPosix, becomesCode, isComponent, packageOf, packagesFile, vitestFile } from './files.ts'
import { isRelative, lookAt, relativeFiles, type Look } from './packages/explored-files.ts'
import { isTool } from './packages/opaque.ts'

/** What is asked of one of Vitest's projects. */
export interface ImportingProject {
  readonly vite: {
    readonly config: object
    readonly pluginContainer: { resolveId(specifier: string, importer: string, options: { readonly ssr: boolean }): Promise<{ readonly id: string } | null> }
  }
  readonly config: { readonly root: string; readonly setupFiles: readonly string[] }
  globTestFiles(): Promise<{ readonly testFiles: readonly string[] }>
}

/** The files outside `node_modules` that tests of a project lead to, as far as their texts tell. */
export interface Imports {
  readonly found: ReadonlyMap<string, ImportingFile>
  readonly tests: readonly string[]
  /** They run before every test file; without those of this package. */
  readonly setupFiles: readonly string[]
  /** What stands in for packages that are mocked. */
  readonly mocks: readonly string[]
}

interface ImportingFile extends Pick<Look, 'saysSo' | 'isOpen'> {
  /** What it leads to. */
  readonly next: ReadonlySet<string>
  /** The same of packages, and of what has no imports. */
  readonly besides: ReadonlySet<string>
  /** It loads a package, or Node loads it; or nobody knows what it loads. */
  readonly loadsPackages: boolean
}

export async function importsOf(project: ImportingProject): Promise<Imports> {
  const ours = new Set([packagesFile('setup'), vitestFile('setup')].map(asPosix))
  const setupFiles = project.config.setupFiles.filter((file) => !ours.has(asPosix(file)))
  const tests = (await project.globTestFiles()).testFiles
  const mocks = filesBelow(path.join(project.config.root, '__mocks__'))
  return { found: await walk([...tests, ...setupFiles, ...mocks], resolver(project)), tests, setupFiles, mocks }
}

/** Where a specifier that is not relative leads to. */
type Resolve = (specifier: string, importer: string) => Promise<string | undefined>

/** As Vite resolves, with aliases, links of a workspace and what plugins add. */
function resolver({ vite }: ImportingProject): Resolve {
  const known = new Map<string, Promise<string | undefined>>()
  const resolve: Resolve = async (specifier, importer) => {
    try {
      return (await vite.pluginContainer.resolveId(specifier, importer, { ssr: true }))?.id.split('?', 1)[0]
    } catch {
      return undefined
    }
  }
  return (specifier, importer) => {
    const key = /^[.#]/.test(specifier) ? `${path.dirname(importer)} ${specifier}` : specifier
    let found = known.get(key)
    if (!found) known.set(key, (found = resolve(specifier, importer)))
    return found
  }
}

/** What imports packages once it is compiled, or what Vitest does not load itself wherever it is. */
const loadsMore = /\.(?:[cm]?[jt]sx|mjs|cjs\.js)$/

/** All that files lead to. */
async function walk(roots: readonly string[], resolve: Resolve): Promise<ReadonlyMap<string, ImportingFile>> {
  const found = new Map<string, ImportingFile>()
  const waiting = new Set(roots)
  for (const file of waiting) {
    const { saysSo, isOpen, imported } = lookAt(file)
    const next = new Set(mocksOf(file))
    const besides = new Set<string>()
    let loadsPackages = isOpen || loadsMore.test(file) || isComponent(file)
    for (const specifier of imported) {
      const all = await targets(specifier, file, resolve)
      if (all.length === 0 && !isRelative(specifier) && !isBuiltin(specifier)) loadsPackages = true
      for (const target of all) {
        const name = packageOf(asPosix(target))
        ;(name === undefined && becomesCode(target) ? next : besides).add(target)
        if (name !== undefined && !isTool(name)) loadsPackages = true
      }
    }
    found.set(file, { saysSo, isOpen, next, besides, loadsPackages })
    for (const target of next) waiting.add(target)
  }
  return found
}

/** Several where it depends on settings which of them is meant. */
async function targets(specifier: string, importer: string, resolve: Resolve): Promise<readonly string[]> {
  const near = isRelative(specifier) ? relativeFiles(specifier, importer) : []
  if (near.length > 0) return near
  const target = await resolve(specifier, importer)
  return target !== undefined && existsSync(target) ? [target] : []
}

/** What stands in for a file once it is mocked. */
function mocksOf(file: string): readonly string[] {
  return relativeFiles(`./__mocks__/${path.basename(file, path.extname(file))}`, file)
}

function filesBelow(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)).filter(becomesCode) : []
}
