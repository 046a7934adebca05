import { expect, inject } from 'vitest'
import type { IoAt } from '../runtime/index.ts'

/** What the plugin makes of a glob of the option `io`, or of a regular expression. */
export interface ProvidedPattern {
  readonly source: string
  readonly flags: string
}

/** What stands for I/O, by its file: of files that the option `io` of the plugin names all of it, or else of mocks, and what the test file itself awaits. */
export function ioFiles(): IoAt {
  const patterns = (inject('dporIo' as never) as readonly ProvidedPattern[] | undefined)?.map(({ source, flags }) => new RegExp(source, flags))
  if (patterns) return ({ file }) => (patterns.some((pattern) => file.search(pattern) !== -1) ? 'answers' : 'nothing')
  const { testPath } = expect.getState()
  return ({ file }) => (file.includes('/__mocks__/') ? 'answers' : file === testPath ? 'awaits' : 'nothing')
}
