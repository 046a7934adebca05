import type { Parse } from '../sql/tree.ts'

interface Parser {
  readonly loadModule: () => Promise<void>
  readonly parseSync: Parse
}

export const parserName = 'libpg-query'

/** PostgreSQL's own parser, if the project has it. */
export async function loadParser(): Promise<Parse | undefined> {
  const { createRequire } = globalThis.process.getBuiltinModule('node:module')
  let parser: Parser
  try {
    parser = createRequire(`${process.cwd()}/_`)(parserName) as Parser
  } catch {
    return undefined
  }
  await parser.loadModule()
  const known = new Map<string, ReturnType<Parse>>()
  return (text) => {
    let tree = known.get(text)
    if (!tree) known.set(text, (tree = parser.parseSync(text)))
    return tree
  }
}
