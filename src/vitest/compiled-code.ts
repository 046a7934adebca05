import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { threadId } from 'node:worker_threads'
import { whenFileEnds } from './file-ends.ts'

/**
 * A script as compiled before: to compile it anew takes half of what loading it takes.
 *
 * @param options `kept`: the file of the code, by a name that says all that it is made from
 */
export function compiled(text: string, { filename, kept }: { readonly filename: string; readonly kept: string | undefined }): vm.Script {
  const cachedData = kept === undefined ? undefined : read(kept)
  const script = new vm.Script(text, { filename, ...(cachedData && { cachedData }) })
  if (kept !== undefined && (!cachedData || script.cachedDataRejected)) keepOnce(kept, script)
  return script
}

/** Keeps it with all functions that a first test file has called. */
function keepOnce(file: string, script: vm.Script): void {
  whenFileEnds(() => {
    whenFileEnds(() => {})
    write(file, script)
  })
}

function write(file: string, script: vm.Script): void {
  const half = `${file}.${process.pid}-${threadId}`
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(half, script.createCachedData())
    // Several workers may write it at once.
    renameSync(half, file)
  } catch {
    // On a disk that cannot be written it is compiled anew.
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
