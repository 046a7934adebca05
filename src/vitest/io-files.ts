import { expect, inject } from 'vitest'

/** What the plugin makes of a glob of the option `io`, or of a regular expression. */
export interface ProvidedPattern {
  readonly source: string
  readonly flags: string
}

/** Whether what a file awaits stands for I/O: files that the option `io` of the plugin names, or else the test file itself and mocks. */
export function ioFiles(): (file: string) => boolean {
  const patterns = (inject('dporIo' as never) as readonly ProvidedPattern[] | undefined)?.map(({ source, flags }) => new RegExp(source, flags))
  if (patterns) return (file) => patterns.some((pattern) => file.search(pattern) !== -1)
  const { testPath } = expect.getState()
  return (file) => file === testPath || file.includes('/__mocks__/')
}
