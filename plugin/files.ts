import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type picomatch from 'picomatch'
import type { FilePattern, PluginOptions } from '../src/options/index.ts'
import { packageFilter } from './packages/opaque.ts'

const here = path.dirname(fileURLToPath(import.meta.url))

/** The root of this package: here lies a file of its source, or one of what it was built into. */
export const packageRoot = rootOf(here)

function rootOf(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : rootOf(path.dirname(folder))
}

export const isBuilt = here.startsWith(path.join(packageRoot, 'dist'))

/** All that decides what files become lies in it. */
export const codeFolder = path.join(packageRoot, isBuilt ? 'dist' : 'plugin')

/** A file that is loaded by its name. */
export const moduleFile = (name: string): string => path.join(packageRoot, isBuilt ? `dist/${name}.js` : `${name}.ts`)

/** A file that Vitest loads by itself: `setup` gives test workers their runtime, `before-setup` what is loaded before, `reporter` prints the verdicts. */
export const vitestFile = (name: 'setup' | 'before-setup' | 'reporter' | 'coverage-reporter'): string => moduleFile(`src/vitest/${name}`)

/** A file of the shell for what Node itself loads. The loader is run by Node as it is. */
export const packagesFile = (name: 'setup' | 'vm' | 'loader'): string => (name === 'loader' ? path.join(packageRoot, 'dist/plugin/packages/loader.js') : moduleFile(`plugin/packages/${name}`))

const scripts = /\.[cm]?[jt]sx?$/
/** What plugins of frameworks make JavaScript of. */
const components = /\.(?:vue|svelte|astro|mdx|marko|riot|imba|civet|coffee|g[jt]s)$/
const declarations = /\.d\.[cm]?ts$/
/** Queries that only name a version of the same module. */
const harmlessQuery = /^(?:v=|t=|import\b|_vitest_original\b)/
/** Those that name a part of a component, in its file or in one of its own, that becomes JavaScript as well. */
const partQuery = /^(?:vue|svelte)&(?:.*&)?type=(?:script|template|module)\b/

const isScript = (file: string): boolean => scripts.test(file) && !declarations.test(file)

/** A file that is no JavaScript before a plugin has seen it. */
export const isComponent = (file: string): boolean => components.test(file)

/** What is JavaScript once Vite has compiled it. */
export const becomesCode = (file: string): boolean => isScript(file) || isComponent(file)

export const asPosix = (file: string): string => file.replaceAll('\\', '/')
const ownFolders = ['src', 'plugin', 'dist'].map((folder) => `${asPosix(packageRoot)}/${folder}/`)

/** A file of this package. */
export const isOwn = (file: string): boolean => ownFolders.some((folder) => file.startsWith(folder))

/** The name of the package in `node_modules` that a file belongs to. */
export function packageOf(file: string): string | undefined {
  const start = file.lastIndexOf('/node_modules/')
  if (start === -1) return undefined
  const [scope, name] = file.slice(start + '/node_modules/'.length).split('/')
  return scope?.startsWith('@') ? `${scope}/${name}` : scope
}

/** Globs are relative to the working folder, unless they are absolute or begin with `**`. */
function matcher(patterns: FilePattern): (file: string) => boolean {
  const tests = asExpressions(patterns)
  return (file) => tests.some((test) => file.search(test) !== -1)
}

/** Loaded when there is a glob: test workers are told expressions alone. */
const globs = () => createRequire(import.meta.url)('picomatch') as typeof picomatch

/** Globs as regular expressions. */
export function asExpressions(patterns: FilePattern): RegExp[] {
  return (Array.isArray(patterns) ? (patterns as readonly (string | RegExp)[]) : [patterns as string | RegExp]).map((pattern) => {
    if (pattern instanceof RegExp) return pattern
    const glob = pattern.startsWith('**') || path.win32.isAbsolute(pattern) ? pattern : `${asPosix(process.cwd())}/${pattern.replace(/^\.\//, '')}`
    return globs().makeRe(asPosix(glob), { dot: true })
  })
}

/**
 * The file of a module to instrument, undefined for all other modules.
 *
 * @param isCode which files are, or become, JavaScript
 */
export function fileFilter({ include, exclude, ...packages }: PluginOptions, isCode = isScript): (id: string) => string | undefined {
  const isIncluded = include === undefined ? () => true : matcher(include)
  const isExcluded = exclude === undefined ? () => false : matcher(exclude)
  const isInstrumented = packageFilter(packages)
  return (id) => {
    if (id.includes('\0') || id.startsWith('virtual:')) return undefined
    const [file, query] = id.split('?', 2) as [string, string?]
    if (query && !harmlessQuery.test(query) && !partQuery.test(query)) return undefined
    if (!isCode(file) || isOwn(file)) return undefined
    const dependency = packageOf(file)
    if (dependency === undefined ? !isIncluded(file) : !isInstrumented(dependency)) return undefined
    return isExcluded(file) ? undefined : file
  }
}
