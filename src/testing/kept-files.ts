import type { RunOptions } from '../runtime/index.ts'
import { tagOfTest } from './test-tag.ts'

// A browser has none, and keeps nothing.
const path = () => process.getBuiltinModule('node:path')

type KeptFiles = Pick<RunOptions, 'saveTo' | 'resumeFrom'>

/** What `saveTo` and `resumeFrom` name for tests are folders, in which each test has a file, by its short name. */
export function keptFilesIn({ saveTo, resumeFrom }: KeptFiles, { root, tag }: { readonly root: string; readonly tag: string }): KeptFiles {
  const inFolder = (folder: string | undefined): string | undefined => folder && path().resolve(root, folder, `${tag}.json`)
  return { saveTo: inFolder(saveTo), resumeFrom: inFolder(resumeFrom) }
}

/** The same where there is no other root than the working directory, for the test of this name in this file. */
export function keptFilesOfTest(files: KeptFiles, test: { readonly name: string; readonly testFile?: string | undefined }): KeptFiles {
  return keptFilesIn(files, { root: process.cwd(), tag: tagOfTest(test) })
}
