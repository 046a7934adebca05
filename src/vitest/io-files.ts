import { expect } from 'vitest'
import type { IoAt } from '../runtime/index.ts'
import { providedPatterns } from './provided-patterns.ts'

/** What stands for I/O, by its file: of files that the option `io` of the plugin names all of it, or else of mocks, and what the test file itself awaits. */
export function ioFiles(): IoAt {
  const isNamed = providedPatterns('dporIo')
  if (isNamed) return ({ file }) => (isNamed(file) ? 'answers' : 'nothing')
  const { testPath } = expect.getState()
  return ({ file }) => (file.includes('/__mocks__/') ? 'answers' : file === testPath ? 'awaits' : 'nothing')
}
