import type { Explanation, ShownPlace } from '../report/index.ts'

/** What races, however many tests find it. */
export interface Race {
  readonly kind: string
  /** `Lost update on account.balance` */
  readonly title: string
  /** Path from the root of the project, with slashes. */
  readonly file: string
  readonly line: number
  /** The code in that line. Lines move; what stands there tells whether it is the same race. */
  readonly code: string
}

/** Without a place it is the test's own. */
export function raceOf({ kind, headline, focus, name }: Explanation, { root, testFile }: { readonly root: string; readonly testFile: string }): Race {
  const { file, line, text }: Pick<ShownPlace, 'file' | 'line' | 'text'> = focus ?? { file: testFile, line: 1, text: name }
  return { kind, title: headline.replace(/^Perhaps: /, '').split(/: |; |\.(?: |$)/, 1)[0]!, file: fromRoot(file, root), line, code: (focus && lineAt(focus)) ?? text }
}

/** Longer lines are not written by hand. */
const longestLine = 200

/** All of it, as many places of a file may have the same expression. */
function lineAt({ file, line, text }: Pick<ShownPlace, 'file' | 'line' | 'text'>): string | undefined {
  try {
    const code = globalThis.process?.getBuiltinModule?.('node:fs')?.readFileSync(file, 'utf8').split('\n')[line - 1]?.trim().replaceAll(/\s+/g, ' ')
    // What runs may not be what is on disk; and an expression may begin in a line and end in another one.
    return code !== undefined && code.length <= longestLine && code.includes(text.split('\n', 1)[0]!.trim().replaceAll(/\s+/g, ' ')) ? code : undefined
  } catch {
    return undefined
  }
}

/** The same for one race in all tests and runs. */
export const keyOf = ({ kind, file, code }: Pick<Race, 'kind' | 'file' | 'code'>): string => JSON.stringify([kind, file, code])

/** `Lost update on account.balance at account.ts:8` */
export const nameOf = ({ title, file, line }: Race): string => `${title} at ${file}:${line}`

function fromRoot(file: string, root: string): string {
  const [path, folder] = [file, root].map((text) => text.replaceAll('\\', '/')) as [string, string]
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}
