import { importFile } from '../../execution/import-file.ts'
import { besideSteps } from '../../execution/running.ts'
import type { Dialect } from './dialects.ts'

export const parserName = '@guanmingchiu/sqlparser-ts'

/** What that package makes of a text: nodes that name their type by their only key. */
export type Tree = Readonly<Record<string, unknown>>

/** Undefined of a text that it does not understand. */
export type Parse = (text: string) => readonly Tree[] | undefined

interface Parser {
  readonly init: () => Promise<void>
  readonly parse: (text: string, dialect: Dialect['name']) => readonly Tree[]
}

/** Texts that are remembered, at most: values may stand in them. */
const most = 1000

/** The parser, if the project has it. */
export async function loadParser(dialect: Dialect): Promise<Parse | undefined> {
  const { createRequire } = globalThis.process.getBuiltinModule('node:module')
  let parser: Parser
  try {
    const file = createRequire(`${process.cwd()}/_`).resolve(parserName)
    parser = (await importFile(file)) as Parser
    await parser.init()
  } catch {
    return undefined
  }
  const known = new Map<string, readonly Tree[] | undefined>()
  return (text) => {
    if (known.has(text)) return known.get(text)
    if (known.size >= most) known.clear()
    const trees = parsed(parser, dialect, text)
    known.set(text, trees)
    return trees
  }
}

function parsed({ parse }: Parser, { name, ambiguous, rewritten }: Dialect, text: string): readonly Tree[] | undefined {
  if (ambiguous?.test(text)) return undefined
  try {
    return besideSteps(() => parse(rewritten(text), name))
  } catch {
    return undefined
  }
}
