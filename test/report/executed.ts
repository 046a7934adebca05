import { stripVTControlCharacters } from 'node:util'
import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import { explain, type Explanation } from '../../src/report/index.ts'
import { exploreRecorded, install, type Explored, type RunOptions } from '../../src/runtime/index.ts'
import { Investigation } from '../../src/testing/experiment.ts'
import { ExplorationError, failureError } from '../../src/testing/failure-error.ts'

install()

let count = 0

/** A test body of JavaScript, as the plugin rewrites it. It is given `given`. @param before what stands before it in its file */
export function bodyOf(code: string, given: object = {}, file = `/executed-${++count}.cjs`, before = ''): () => Promise<unknown> {
  return madeOf(`${before}return async () => {${code}\n}`, file, given) as () => Promise<unknown>
}

/** What the code of this file returns. It is given `given`. */
export function madeOf(code: string, file: string, given: object = {}): unknown {
  const { code: emitted } = rewrite(code, file)!
  // oxlint-disable-next-line no-new-func
  return new Function(...Object.keys(given), emitted)(...Object.values(given)) as unknown
}

export function run(code: string, { given, ...options }: RunOptions & { readonly given?: object } = {}): Promise<Explored> {
  return exploreRecorded(bodyOf(code, given), { reproduce: 1, ...options })
}

/** The story of the first failure. */
export async function storyOf(code: string, given: object = {}, options: RunOptions = {}): Promise<Explanation> {
  const { result, recording } = await run(code, { given, ...options })
  const [failure] = result.failures
  if (!failure || !recording) throw new Error(`no failure: ${result.verdict} ${result.inconclusiveReason ?? ''}`)
  return explain({ recording, failure, executions: result.executions, complete: true, timersRace: result.time === 'race', root: '/', name: 'the test' })
}

/** Its headline and rows, as text. */
export async function toldOf(code: string, given: object = {}): Promise<string[]> {
  const { headline, rows, columns } = await storyOf(code, given)
  const name = (ordinal: number): string => columns.find((column) => column.ordinal === ordinal)!.name
  return [headline, ...rows.map(({ process, text, note }) => `${name(process)}: ${text}${note === undefined ? '' : ` <- ${note}`}`)]
}

/** The first failure as it is told after other orders were run. @param testFile the file of the body, if it is known as a test @param before what stands before the body in that */
export async function investigated(code: string, { given, testFile, before, ...options }: RunOptions & { readonly given?: object; readonly testFile?: string; readonly before?: string } = {}): Promise<ExplorationError> {
  const body = bodyOf(code, given, testFile, before)
  const investigation = new Investigation()
  const { result, recording } = await exploreRecorded(body, { reproduce: 1, ...options, investigate: investigation.investigate })
  const failure = result.failures[0]
  if (!failure) throw new Error(`no failure: ${result.verdict}`)
  const error = await failureError({ subject: body, options, result, failure, recording, experiment: investigation.experiment, name: 'the test', testFile })
  if (!(error instanceof ExplorationError)) throw error
  return error
}

/** What is read first of a failure, on one line. */
export async function headlineOf(code: string, options: Parameters<typeof investigated>[1] = {}): Promise<string> {
  const { message } = await investigated(code, options)
  return stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
}

/** Errors as failing lines of a body in that file throw them, where these are known. */
export const throwingIn = (testFile: string) => (line: number): Error => Object.assign(new Error('wrong'), { stack: `Error: wrong\n    at ${testFile}:${line}:1` })
