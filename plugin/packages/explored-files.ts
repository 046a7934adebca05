import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** What a file says that explores. */
const explores = /\bdporTest\b|['"]vitest-dpor['"]/
/** What a file imports of the project's own files by a relative path. */
const relative = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
const endings = ['', '.ts', '.tsx', '.js', '.mts', '.mjs', '.jsx', '/index.ts', '/index.js']

/** Files that are looked at of one test file: helpers that explore stand near it. */
const mostFiles = 40

/**
 * Whether a test file explores: it says so itself, or one of the files does that it leads to by relative paths. One that
 * explores by other ways is explored with its packages merged.
 */
export function mayExplore(file: string): boolean {
  const found = new Set([file])
  for (const name of found) {
    const text = textOf(name) ?? ''
    if (explores.test(text)) return true
    for (const [, specifier] of text.matchAll(relative)) {
      const next = found.size < mostFiles ? fileAt(path.resolve(path.dirname(name), specifier!)) : undefined
      if (next !== undefined) found.add(next)
    }
  }
  return false
}

function fileAt(start: string): string | undefined {
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
