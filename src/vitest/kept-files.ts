import path from 'node:path'
import type { RunnerTestCase } from 'vitest'
import type { RunOptions } from '../runtime/index.ts'
import { projectRoot } from './project-root.ts'
import { tagOf } from './replay-tag.ts'

/** What `saveTo` and `resumeFrom` name for tests are folders, in which each test has a file. */
export function keptFiles({ saveTo, resumeFrom }: Pick<RunOptions, 'saveTo' | 'resumeFrom'>, task: RunnerTestCase | undefined): Pick<RunOptions, 'saveTo' | 'resumeFrom'> {
  const inFolder = (folder: string | undefined): string | undefined => folder && path.resolve(projectRoot() ?? '', folder, `${tagOf(task) ?? 'test'}.json`)
  return { saveTo: inFolder(saveTo), resumeFrom: inFolder(resumeFrom) }
}
