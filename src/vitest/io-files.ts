import { expect } from 'vitest'
import type { IoAt } from '../runtime/index.ts'
import { ioOfTest } from '../testing/io-of-test.ts'
import { stateOf } from './assertion-state.ts'
import { providedPatterns } from './provided-patterns.ts'

/** What stands for I/O, by its file: of files that the option `io` of the plugin names all of it, or else as in every test. */
export function ioFiles(): IoAt {
  const isNamed = providedPatterns('dporIo')
  if (isNamed) return ({ file }) => (isNamed(file) ? 'answers' : 'nothing')
  return ioOfTest(stateOf(expect)['testPath'] as string | undefined)
}
