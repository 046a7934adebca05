import { missesParser } from '../missing-parsers.ts'
import { definitions, type Footprint, type TableAccess } from '../sql/footprint.ts'
import { sqlite } from '../sqlparser/dialects.ts'
import { loadParser, parserName, type Parse } from '../sqlparser/parser.ts'
import { effectsOf, type Effects } from '../sqlparser/statements.ts'
import { forgetSchemas, type Schema } from './schema.ts'

interface Asked {
  /** One statement, or several. */
  readonly text: string
  readonly values: (parameters: readonly string[]) => readonly unknown[]
  /** It is one that changes nothing by itself. */
  readonly isReadOnly: boolean
}

let parse: Parse | undefined
let isAsked = false

/** Before an exploration, in all of which footprints are the same. `isUsed`: whether something may ask a database. */
export async function learnToReadSqlite({ isUsed = isSqliteLoaded() }: { readonly isUsed?: boolean } = {}): Promise<void> {
  forgetSchemas()
  if (isAsked || !isUsed) return
  isAsked = true
  parse = await loadParser(sqlite)
}

/** How many files were loaded when nothing of it was among them. */
let filesWithout = -1

function isSqliteLoaded(): boolean {
  const { process } = globalThis
  if (process?.getBuiltinModule === undefined) return false
  if ((process as NodeJS.Process & { readonly moduleLoadList?: readonly string[] }).moduleLoadList?.includes('NativeModule sqlite')) return true
  const { cache } = process.getBuiltinModule('node:module').createRequire(`${process.cwd()}/_`)
  const files = globalThis.Object.keys(cache)
  if (files.length === filesWithout) return false
  filesWithout = files.length
  return files.some((file) => /[\\/](?:better-sqlite3|node-sqlite3-wasm)[\\/]/.test(file))
}

/** What statements access, as far as their text and the schema tell. */
export function footprintOf(schema: Schema | undefined, { text, values, isReadOnly }: Asked): Footprint {
  if (!schema?.isPlain) return { kind: 'everything' }
  if (!parse) missesParser(parserName)
  const effects = parse?.(text)?.map((tree) => effectsOf(tree, values, { catalogue: schema.catalogue, database: 'main', dialect: sqlite }))
  if (effects?.every((one): one is Effects => one !== undefined)) return { kind: 'tables', accesses: effects.flatMap(({ reads, writes }) => [...reads, ...writes]) }
  return isReadOnly ? { kind: 'tables', accesses: allOf(schema) } : { kind: 'everything' }
}

const allOf = ({ catalogue }: Schema): TableAccess[] => [definitions, ...globalThis.Array.from(catalogue.values(), ({ name }) => name)].map((table) => ({ table, kind: 'read' }))
