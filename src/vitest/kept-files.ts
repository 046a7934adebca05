import type { RunnerTestCase } from 'vitest'
import type { RunOptions } from '../runtime/index.ts'
import { keptFilesIn } from '../testing/kept-files.ts'
import { projectRoot } from './project-root.ts'
import { tagOf } from './replay-tag.ts'

/** The files of a test in the folders that `saveTo` and `resumeFrom` name. */
export function keptFiles(files: Pick<RunOptions, 'saveTo' | 'resumeFrom'>, task: RunnerTestCase | undefined): Pick<RunOptions, 'saveTo' | 'resumeFrom'> {
  return keptFilesIn(files, { root: projectRoot(), tag: tagOf(task) ?? 'test' })
}
