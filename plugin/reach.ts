import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { asPosix } from './files.ts'
import { isRelative, lookAt, relativeFiles } from './packages/explored-files.ts'

/** Where a specifier that is not relative leads to. */
export type Resolve = (specifier: string, importer: string) => Promise<string | undefined>

interface Roots {
  readonly tests: readonly string[]
  /** They run before every test file. */
  readonly setupFiles: readonly string[]
  /** Of the project. */
  readonly root: string
}

interface Found {
  readonly saysSo: boolean
  readonly isOpen: boolean
  readonly next: ReadonlySet<string>
}

/**
 * The files outside `node_modules` that tests which explore lead to, by imports, mocks and setup files: none if no test explores. `'everything'` where
 * one of them loads what its text does not say.
 */
export async function reachOfExploring({ tests, setupFiles, root }: Roots, resolve: Resolve): Promise<ReadonlySet<string> | 'everything'> {
  const found = await walk([...tests, ...setupFiles, ...filesBelow(path.join(root, '__mocks__'))], resolve)
  const exploring = leadingTo(found, [...found].flatMap(([file, { saysSo }]) => (saysSo ? [file] : [])))
  const explored = setupFiles.some((file) => exploring.has(file)) ? tests : tests.filter((file) => exploring.has(file))
  if (explored.length === 0) return new Set()
  const reached = ledToFrom(found, [...explored, ...setupFiles, ...filesBelow(path.join(root, '__mocks__'))])
  if ([...reached].some((file) => found.get(file)?.isOpen)) return 'everything'
  return new Set([...reached].flatMap((file) => [file, existsSync(file) ? realpathSync(file) : file]).map(asKey))
}

/** A file as a member of what was reached. */
export const asKey = (file: string): string => asPosix(file).replace(/^[a-z]:/, (drive) => drive.toUpperCase())

/** What has imports. */
const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/

/** All that files lead to. */
async function walk(roots: readonly string[], resolve: Resolve): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  const waiting = new Set(roots)
  for (const file of waiting) {
    const { saysSo, isOpen, imported } = lookAt(file)
    const next = new Set(mocksOf(file))
    for (const specifier of imported) for (const target of await targets(specifier, file, resolve)) if (scripts.test(target) && !asPosix(target).includes('/node_modules/')) next.add(target)
    found.set(file, { saysSo, isOpen, next })
    for (const target of next) waiting.add(target)
  }
  return found
}

/** Several where it depends on settings which of them is meant. */
async function targets(specifier: string, importer: string, resolve: Resolve): Promise<readonly string[]> {
  const near = isRelative(specifier) ? relativeFiles(specifier, importer) : []
  if (near.length > 0 || isBuiltin(specifier)) return near
  const target = await resolve(specifier, importer)
  return target !== undefined && existsSync(target) ? [target] : []
}

/** What stands in for a file once it is mocked. */
function mocksOf(file: string): readonly string[] {
  return relativeFiles(`./__mocks__/${path.basename(file, path.extname(file))}`, file)
}

function filesBelow(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)).filter((file) => scripts.test(file)) : []
}

function ledToFrom(found: ReadonlyMap<string, Found>, files: readonly string[]): ReadonlySet<string> {
  const reached = new Set(files)
  for (const file of reached) for (const next of found.get(file)?.next ?? []) reached.add(next)
  return reached
}

function leadingTo(found: ReadonlyMap<string, Found>, files: readonly string[]): ReadonlySet<string> {
  const importers = new Map<string, string[]>()
  for (const [file, { next }] of found) for (const target of next) importers.set(target, [...(importers.get(target) ?? []), file])
  const reached = new Set(files)
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  return reached
}
