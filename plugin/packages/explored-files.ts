import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** What a file says that explores. */
const explores = /\bdporTest\b|['"]vitest-dpor['"]/
const specifiers = /(?:\bfrom|\bimport|\b(?:require|import)\s*\()\s*['"]([^'"\n]+)['"]/g
const endings = ['', '.ts', '.tsx', '.js', '.mts', '.mjs', '.jsx', '/index.ts', '/index.js']

/** What has imports. */
const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/

/** Files that are looked at of one test file: helpers that explore stand near it. */
const mostFiles = 40

/**
 * Whether a test file explores: it says so itself, or one of the files does that it leads to by relative paths. One that
 * explores by other ways is explored with its packages merged.
 */
export function mayExplore(file: string): boolean {
  const found = new Set([file])
  for (const name of found) {
    const { saysSo, imported } = lookAt(name)
    if (saysSo) return true
    for (const specifier of imported) {
      const next = found.size < mostFiles ? relativeFile(specifier, name) : undefined
      if (next !== undefined) found.add(next)
    }
  }
  return false
}

/** Where a specifier that is not relative leads to. */
export type Resolve = (specifier: string, importer: string) => Promise<string | undefined>

/** Whether any of some files explores, or leads to one outside `node_modules` that does, by whatever path. */
export async function anyExplores(files: Iterable<string>, resolve: Resolve): Promise<boolean> {
  const found = new Set(files)
  for (const name of found) {
    const { saysSo, imported } = lookAt(name)
    if (saysSo) return true
    for (const specifier of imported) {
      const next = isRelative(specifier) ? relativeFile(specifier, name) : await resolve(specifier, name)
      if (next !== undefined && scripts.test(next) && !next.includes('/node_modules/')) found.add(next)
    }
  }
  return false
}

function lookAt(file: string): { saysSo: boolean; imported: readonly string[] } {
  const text = textOf(file) ?? ''
  return { saysSo: explores.test(text), imported: [...text.matchAll(specifiers)].map((match) => match[1]!) }
}

const isRelative = (specifier: string): boolean => /^\.{1,2}\//.test(specifier)

function relativeFile(specifier: string, importer: string): string | undefined {
  if (!isRelative(specifier)) return undefined
  const start = path.resolve(path.dirname(importer), specifier)
  const candidates = [...endings.map((ending) => start + ending), start.replace(/\.js(x?)$/, '.ts$1')]
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile())
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
