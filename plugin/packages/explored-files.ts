import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** What a file says that explores. */
const explores = /\bdporTest\b|['"]vitest-dpor['"]/
/** What is imported, or asked for by a function of `vi`. */
const specifiers = /(?:\bfrom|\bimport|\b(?:require|import)\s*\(|\bvi\s*\.\s*\w+(?:<[^;\n]*>)?\s*\()\s*['"]([^'"\n]+)['"]/g
/** Any relative path, whatever it is for. */
const relativePaths = /['"](\.{1,2}\/[^'"\n]*)['"]/g
/** What it loads stands nowhere in it. */
const computed = /\bimport\.meta\.glob\b|\b(?:import|require)\s*\(\s*[^'"\s)]|\bimport(?:Actual|Mock)\b[^'"\n]*\(\s*[^'"\s]/
const endings = ['', '.ts', '.tsx', '.js', '.mts', '.mjs', '.jsx', '/index.ts', '/index.js']

/** What a test says that waits for something, or that is not to be explored; or whatever is done with it besides. */
const waits = /\b(?:async|await|yield|Promise|dpor)\b|\.\s*(?:then|resolves|rejects|fails|prop)\b|\bfails\s*:/
/** A test is defined. */
const defines = /\b(?:test|it)\s*(?:\.\s*\w+\s*)*[(<`]/

/** Files that are looked at of one test file: helpers that explore stand near it. */
const mostFiles = 40

/**
 * Whether a test file explores: it says so itself, or one of the files does that it leads to by relative paths. Of other ways, but for those that Vite
 * resolves, nobody knows: a file that explores by them is explored with its packages merged.
 */
export function mayExplore(file: string): boolean {
  return leadsTo(file, ({ saysSo }) => saysSo)
}

/**
 * Whether a test file says that one of its tests waits for something, or one of the files does where it leads by relative paths that define tests. One that
 * does so in other ways is explored with all merged that was made before that is known.
 */
export function mayWait(file: string): boolean {
  return leadsTo(file, (look, isItself) => look.saysSo || (look.waits && (isItself || look.defines)))
}

function leadsTo(file: string, is: (look: Look, isItself: boolean) => boolean): boolean {
  const found = new Set([file])
  for (const name of found) {
    const look = lookAt(name)
    const { imported } = look
    if (is(look, name === file)) return true
    for (const specifier of imported) {
      const next = found.size < mostFiles && isRelative(specifier) ? candidates(specifier, name).find(isFile) : undefined
      if (next !== undefined) found.add(next)
    }
  }
  return false
}

/** What the text of a file tells without being parsed. */
export interface Look {
  /** It explores. */
  readonly saysSo: boolean
  /** It speaks of something that is waited for. */
  readonly waits: boolean
  /** It defines tests. */
  readonly defines: boolean
  /** The specifiers in it, and all that may be some. */
  readonly imported: ReadonlySet<string>
  /** It may load more than those. */
  readonly isOpen: boolean
}

export function lookAt(file: string): Look {
  const text = textOf(file) ?? ''
  const imported = [specifiers, relativePaths].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!))
  return { saysSo: explores.test(text), waits: waits.test(text), defines: defines.test(text), imported: new Set(imported), isOpen: computed.test(text) }
}

export const isRelative = (specifier: string): boolean => /^\.{1,2}\//.test(specifier)

/** The files that a relative path may mean. */
export const relativeFiles = (specifier: string, importer: string): readonly string[] => candidates(specifier, importer).filter(isFile)

/** The same, and others that are not there. */
function candidates(specifier: string, importer: string): readonly string[] {
  const start = path.resolve(path.dirname(importer), specifier.split('?', 1)[0]!)
  return [...endings.map((ending) => start + ending), ...(/\.[cm]?jsx?$/.test(start) ? [start.replace(/js(x?)$/, 'ts$1')] : [])]
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    // Below a file.
    return false
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
