import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One file of the suite, as its front matter describes it. */
export interface SuiteFile {
  /** Inside the folder `test` of the suite. */
  readonly name: string
  readonly source: string
  readonly includes: readonly string[]
  readonly isAsync: boolean
  /** How the program must fail: before it runs, or while it does. */
  readonly negative: { readonly phase: string; readonly type: string } | undefined
}

/** What the transform and the runtime have to do with. */
const folders = [
  ...['async-arrow-function', 'async-function', 'async-generator', 'await', 'generators', 'yield'].map((name) => `language/expressions/${name}`),
  ...['async-function', 'async-generator', 'for-await-of', 'generators'].map((name) => `language/statements/${name}`),
  ...['array', 'arrow-function', 'assignment', 'call', 'class', 'compound-assignment', 'delete', 'function', 'in', 'instanceof', 'logical-assignment']
    .map((name) => `language/expressions/${name}`),
  ...['new', 'object', 'optional-chaining', 'super', 'tagged-template', 'template-literal'].map((name) => `language/expressions/${name}`),
  ...['await-using', 'using', 'class', 'const', 'for-in', 'for-of', 'function', 'let', 'try', 'variable'].map((name) => `language/statements/${name}`),
  'language/destructuring', 'language/rest-parameters', 'language/arguments-object', 'language/computed-property-names',
  ...['Array', 'AsyncFunction', 'AsyncGeneratorFunction', 'AsyncGeneratorPrototype', 'AsyncFromSyncIteratorPrototype', 'AsyncIteratorPrototype']
    .map((name) => `built-ins/${name}`),
  ...['DisposableStack', 'AsyncDisposableStack', 'GeneratorFunction', 'GeneratorPrototype', 'ArrayIteratorPrototype', 'MapIteratorPrototype', 'SetIteratorPrototype'].map((name) => `built-ins/${name}`),
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'Proxy', 'Reflect', 'TypedArray', 'TypedArrayConstructors', 'ArrayBuffer', 'DataView']
    .map((name) => `built-ins/${name}`),
]

/** The names of the files to run: of the folders above, those whose name contains the filter. */
export function suiteFiles(suite: string, filter = ''): string[] {
  return folders
    .flatMap((folder) => filesIn(suite, folder))
    .filter((name) => name.includes(filter))
}

function filesIn(suite: string, folder: string): string[] {
  return readdirSync(path.join(suite, 'test', folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js') && !entry.name.includes('_FIXTURE'))
    .map((entry) => path.posix.join(path.relative(path.join(suite, 'test'), entry.parentPath ?? entry.path), entry.name))
    .toSorted()
}

/** Reads a file; undefined for one that is no program for strict mode. */
export function readSuiteFile(suite: string, name: string): SuiteFile | undefined {
  const source = readFileSync(path.join(suite, 'test', name), 'utf8')
  const matter = /\/\*---([\s\S]*?)---\*\//.exec(source)?.[1] ?? ''
  const flags = listOf(matter, 'flags')
  if (['module', 'noStrict', 'raw', 'CanBlockIsFalse'].some((flag) => flags.includes(flag))) return undefined
  const negative = /^negative:\s*\n((?:\s+.*\n?)+)/m.exec(matter)?.[1]
  return {
    name,
    source,
    includes: listOf(matter, 'includes'),
    isAsync: flags.includes('async'),
    negative: negative === undefined ? undefined : { phase: wordOf(negative, 'phase'), type: wordOf(negative, 'type') },
  }
}

function wordOf(matter: string, key: string): string {
  return new RegExp(`${key}:\\s*(\\w+)`).exec(matter)?.[1] ?? ''
}

/** `key: [a, b]`, or the same as lines that begin with a dash. */
function listOf(matter: string, key: string): string[] {
  const inline = new RegExp(`^${key}:\\s*\\[([^\\]]*)\\]`, 'm').exec(matter)?.[1]
  if (inline !== undefined) return inline.split(',').map((item) => item.trim()).filter(Boolean)
  const lines = new RegExp(`^${key}:\\s*\\n((?:\\s*-.*\\n?)+)`, 'm').exec(matter)?.[1] ?? ''
  return lines.split('\n').map((line) => line.replace(/^\s*-\s*/, '').trim()).filter(Boolean)
}
