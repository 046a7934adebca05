import { Number } from '../intrinsics.ts'
import { OptionError } from '../errors.ts'
import type { KeptFiles } from '../resume/kept-search.ts'

const fileName = /^\d+-of-(\d+)\.json$/

/** What `saveTo` and `resumeFrom` name for workers are folders, in which each has a file. */
export function filesOf({ saveTo, resumeFrom }: KeptFiles, { worker, workers }: { readonly worker: number; readonly workers: number }): KeptFiles {
  const inFolder = (folder: string | undefined) => folder && path().join(folder, `${worker + 1}-of-${workers}.json`)
  return { saveTo: inFolder(saveTo), resumeFrom: inFolder(resumeFrom) }
}

/**
 * How many workers are to go on: as many as there were, or as are wanted where there were none.
 * @throws OptionError if others are wanted than there were
 */
export function workersFor(wanted: number | undefined, folder: string | undefined): number | undefined {
  const before = namesIn('resumeFrom', folder).map((name) => Number.parseInt(fileName.exec(name)![1]!, 10))
  const workers = wanted ?? before[0]
  const other = before.find((each) => each !== workers)
  if (other === undefined) return workers
  throw new OptionError('resumeFrom', folder, `it was written by ${other} workers, which divide the work differently: give workers ${other}, or remove the folder to begin from the start`)
}

export function removeFiles(folder: string): void {
  for (const name of namesIn('saveTo', folder)) fs().rmSync(path().join(folder, name), { force: true })
}

function namesIn(option: keyof KeptFiles, folder: string | undefined): string[] {
  if (folder === undefined || !fs().existsSync(folder)) return []
  if (fs().statSync(folder).isDirectory()) return fs().readdirSync(folder).filter((name) => fileName.test(name))
  throw new OptionError(option, folder, 'give a folder: each worker has a file in it')
}

function fs() {
  return globalThis.process.getBuiltinModule('node:fs')
}

function path() {
  return globalThis.process.getBuiltinModule('node:path')
}
