import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What a file says that explores. */
const explores = /\bdporTest\b|['"]vitest-dpor['"]/
/** What a file imports of the project's own files by a relative path. */
const relative = /(?:\bfrom|\bimport|\brequire\s*\()\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
const endings = ['', '.ts', '.tsx', '.js', '.mts', '.mjs', '.jsx', '/index.ts', '/index.js']

/**
 * Whether a test file explores: it says so itself, or one of the files does that it imports by a relative path. One that
 * explores by other ways is explored with its packages merged.
 */
export function mayExplore(file: string): boolean {
  const text = textOf(file)
  if (text === undefined) return false
  return explores.test(text) || [...text.matchAll(relative)].some(([, specifier]) => explores.test(imported(file, specifier!) ?? ''))
}

function imported(file: string, specifier: string): string | undefined {
  const start = path.resolve(path.dirname(file), specifier)
  const candidates = [...endings.map((ending) => start + ending), start.replace(/\.js(x?)$/, '.ts$1')]
  for (const candidate of candidates) {
    const text = textOf(candidate)
    if (text !== undefined) return text
  }
  return undefined
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
