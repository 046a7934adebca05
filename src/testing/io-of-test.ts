import type { IoAt } from '../runtime/index.ts'

/** What stands for I/O, by its file, unless the config says something else: mocks, and what the test file itself awaits. */
export function ioOfTest(testFile: string | undefined): IoAt {
  return ({ file }) => (file.includes('/__mocks__/') ? 'answers' : file === testFile ? 'awaits' : 'nothing')
}
