import { parseSync } from 'oxc-parser/src-js/index.js'
import type { Node } from './node.ts'

export interface Parsed {
  program: Node
  /** In the order of the source, not overlapping. */
  comments: readonly { start: number; end: number }[]
}

export type Language = 'js' | 'jsx' | 'ts' | 'tsx'

const languages: Record<string, Language> = {
  js: 'js', mjs: 'js', cjs: 'js', jsx: 'jsx', ts: 'ts', mts: 'ts', cts: 'ts', tsx: 'tsx',
}

/**
 * The syntax tree of a file, or undefined when it does not parse: Vite and the platform report that better.
 *
 * @param language what it is written in, if not what its name says
 */
export function parse(source: string, file: string, language?: Language): Parsed | undefined {
  const extension = /\.([a-z]+)$/.exec(file)?.[1] ?? ''
  const lang = language ?? languages[extension]
  if (!lang) return undefined
  const kinds = /^c[jt]s$/.test(extension) ? (['commonjs'] as const) : (['module', 'commonjs'] as const)
  // What a type checker says of TypeScript is its affair; an early error of JavaScript must not be rewritten away.
  const showSemanticErrors = lang.startsWith('js')
  for (const sourceType of kinds) {
    const { program, comments, errors } = parseSync(file, source, { lang, sourceType, preserveParens: true, showSemanticErrors })
    if (errors.length === 0) return { program: program as unknown as Node, comments }
  }
  return undefined
}
