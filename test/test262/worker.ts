import { Intrinsics } from './intrinsics.ts'
import { earlyError, runFile, type Way } from './run.ts'
import { readSuiteFile } from './suite.ts'

/** What the worker is asked for, one file after the other. */
export interface Request {
  readonly suite: string
  readonly name: string
  readonly ways: readonly Way[]
}

export interface Answer {
  readonly name: string
  /** By way, for files that pass as they are; a file that does not has no others. */
  readonly results: Partial<Record<Way, string>>
  readonly ran: readonly Way[]
  /** What the file has changed is not all put back: the next one needs another process. */
  readonly isSpoilt: boolean
}

process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
const intrinsics = new Intrinsics()

process.send!('ready')
process.on('message', (request: Request) => void reply(request))

/** Asks no promise for its `then`, which a file may have replaced before the first `await` ends. */
async function reply(request: Request): Promise<void> {
  process.send!(await answer(request))
}

async function answer({ suite, name, ways }: Request): Promise<Answer> {
  const file = readSuiteFile(suite, name)
  const results: Partial<Record<Way, string>> = {}
  const ran: Way[] = []
  let isSpoilt = false
  if (!file) return { name, results, ran, isSpoilt }
  const expected = file.negative?.phase === 'parse' ? earlyError(file, suite, 'plain') : undefined
  for (const way of ways) {
    let result = await runFile(file, suite, way)
    isSpoilt = !intrinsics.restore() || isSpoilt
    if (way !== 'plain' && result === undefined && expected !== undefined) {
      const message = earlyError(file, suite, way)
      if (message !== expected) result = `says "${message}" for "${expected}"`
    }
    ran.push(way)
    if (result === undefined) continue
    results[way] = result
    if (way === 'plain') break
  }
  return { name, results, ran, isSpoilt }
}
