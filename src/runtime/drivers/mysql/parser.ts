import { importFile } from '../../execution/import-file.ts'
import { besideSteps } from '../../execution/running.ts'

export const parserName = '@guanmingchiu/sqlparser-ts'

/** What that package makes of a text: nodes that name their type by their only key. */
export type Tree = Readonly<Record<string, unknown>>

/** Undefined of a text that it does not understand. */
export type Parse = (text: string) => readonly Tree[] | undefined

interface Parser {
  readonly init: () => Promise<void>
  readonly parse: (text: string, dialect: 'mysql') => readonly Tree[]
}

/** Texts that are remembered, at most: values may stand in them. */
const most = 1000

/** The parser, if the project has it. */
export async function loadParser(): Promise<Parse | undefined> {
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
    const trees = parsed(parser, text)
    known.set(text, trees)
    return trees
  }
}

/** The older way to say `for share`, which the parser does not know. */
const share = /\block\s+in\s+share\s+mode\s*;?\s*$/i
/** Comments that the server runs, and what settings of a session give another meaning. */
const ambiguous = /\/\*M?!|\\/

function parsed({ parse }: Parser, text: string): readonly Tree[] | undefined {
  if (ambiguous.test(text)) return undefined
  try {
    return besideSteps(() => parse(text.replace(share, 'for share'), 'mysql'))
  } catch {
    return undefined
  }
}
