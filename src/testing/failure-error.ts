import pc from 'picocolors'
import type { Failure } from '../engine/index.ts'
import { contendedText, explain, namesForReaders, Places, racingPlace, renderText, replayByCommand, replayInTest, wholeExecution, type Experiment, type Contended, type ExplainInput, type Explanation, type InputRecording, type Place, type Replay, type ShownPlace } from '../report/index.ts'
import { tellByAwaits, tellsMore } from './by-awaits.ts'
import { searchByEvents } from './by-events.ts'
import { attachPage, type Attach } from './failure-page.ts'
import { originalPlace, toOpen } from './original-places.ts'
import { estimateText, type Guess } from './estimate-text.ts'
import { withoutBulk } from './told-error.ts'
import { plural } from './verdict-lines.ts'
import { DeadlockError, isOutOfStack, plainRun, record, type BodyExploration, type RecordedExecution, type RunOptions, type Subject } from '../runtime/index.ts'

/** An exploration that a bound ended proves nothing. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError'

  constructor({ inconclusiveReason, executions, plainPasses, ...guess }: Pick<BodyExploration, 'inconclusiveReason' | 'executions' | 'plainPasses'> & Guess, contended: readonly Contended[]) {
    const all = estimateText(guess)
    const what = executions === 0 ? (plainPasses ? 'its plain run alone' : 'no execution that came to an end') : plural(executions, 'execution')
    super(`inconclusive after ${what}${all === undefined ? '' : `, of ${all}`}: ${inconclusiveReason ?? 'ended early'}. No failure was found so far. ${contendedText(contended)}`.trimEnd())
  }
}

/** Where Vitest points its code frame. */
interface StackPlace {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly method: string
}

/** A failing exploration, as Vitest shows it. */
export class ExplorationError extends Error {
  override readonly name: string
  readonly explanation: Explanation
  /** Vitest shows these places instead of the stack. */
  readonly stacks: readonly StackPlace[]

  constructor(explanation: Explanation, { text, cause }: { text: string; cause: Error | undefined }) {
    super(text)
    this.name = nameOf(explanation)
    this.explanation = explanation
    const focus = toOpen(racingPlace(explanation))
    this.stacks = focus ? [focus, ...callersOf(explanation)].map(({ file, line, column }) => ({ file, line, column, method: '' })) : placesOf(cause)
    this.stack = [
      `${this.name}: ${text}`,
      ...this.stacks.map(({ file, line, column }) => `    at ${file}:${line}:${column}`),
    ].join('\n')
    if (cause) this.cause = cause
  }

  /** What Vitest hands on to its reporters: some of them print whatever there is besides. */
  toJSON(): object {
    const { name, message, stack, stacks, cause } = this
    return { name, message, stack, stacks, ...(cause === undefined ? {} : { cause: withoutBulk(cause) }) }
  }
}

/** Stands before the first line of the story. */
const nameOf = ({ isOrdinary }: Pick<Explanation, 'isOrdinary'>): string => (isOrdinary ? 'Race' : 'dporTest')

export interface FailedTest {
  readonly subject: Subject
  readonly options: RunOptions
  readonly result: BodyExploration
  readonly failure: Failure
  /** The failing execution, where it has been written down already. */
  readonly recording: RecordedExecution | undefined
  /** What running other orders has shown. */
  readonly experiment?: Experiment | undefined
  readonly name: string
  readonly testFile?: string | undefined
  /** What the command line is given to replay it, where there is one. */
  readonly commandLineReplay?: string | undefined
  /** Of the random numbers, where a replay has to be given it. */
  readonly seed?: number | undefined
  /** The directory that paths are shown relative to. Default: the working directory. */
  readonly root?: string
  /** It is a test of `test` or `it`. */
  readonly isOrdinary?: boolean
  /** Attaches a page to the test. */
  readonly attach?: Attach | undefined
}

/** The error that Vitest shows for a failing exploration: the story of one execution. */
export async function failureError({ subject, options, result, failure, recording, experiment, name, testFile, commandLineReplay, seed, root = process.cwd(), isOrdinary = false, attach }: FailedTest): Promise<Error> {
  const written = recording ?? ('run' in subject ? undefined : await record(subject, options, failure.schedule))
  if (!written) return new UntoldFailure(failure, { commandLineReplay, seed, isOrdinary })
  const given: Omit<ExplainInput, 'recording' | 'failure' | 'experiment' | 'isPlain' | 'isReplay' | 'isByEvents'> = {
    commandLineReplay,
    seed,
    isOrdinary,
    executions: result.executions,
    complete: result.inconclusiveReason === undefined,
    plainFails: result.plainFails,
    timersRace: result.time === 'race',
    standIns: result.standIns,
    waiting: waitingIn(failure),
    root,
    original: originalPlace,
    name,
    testFile,
  }
  const { recording: known, explanation: found } = explainToReader({
    ...given,
    recording: written,
    failure,
    // There a rejection may be handled later in the turn, elsewhere an await may take longer than that.
    isPlain: failure.execution === 1 && (result.plainFails || failure.kind !== 'unhandled-rejection') && options.part === undefined && options.replay === undefined,
    // Where nothing could be run again no other order was run, either.
    isReplay: options.replay !== undefined || recording === undefined,
    isByEvents: result.interleave === 'event-loop',
    experiment,
  })
  const byAwaits = await tellByAwaits({ explanation: found, testFile, subject, options, result, failure })
  const finer = byAwaits && explain({ ...given, ...byAwaits, waiting: waitingIn(byAwaits.failure), commandLineReplay: commandLineReplay?.replace(/^[^~]*/, plainRun), failure: { ...byAwaits.failure, schedule: plainRun }, isPlain: true })
  const [told, toldBy] = finer && byAwaits && tellsMore(finer, found, testFile) ? [finer, byAwaits.recording] : [found, known]
  const byEvents = await searchByEvents({ explanation: told, recording: toldBy, subject, options, failure })
  const explanation = byEvents === undefined ? told : { ...told, byEvents: byEvents === 'none' ? byEvents : { slow: shownPlaces(byEvents, root) } }
  const page = attach && options.page !== false ? await attachPage(explanation, toldBy, root, attach) : undefined
  const trace = options.trace ? { steps: wholeExecution({ recording: toldBy, root, original: originalPlace }), names: toldBy.names } : undefined
  const text = `${renderText(explanation, { color: pc.isColorSupported, page, trace })}${noteOnStack(failure.error)}`
  return new ExplorationError(explanation, { text, cause: failure.error instanceof DeadlockError ? undefined : asError(failure.error) })
}

const waitingIn = ({ error }: Pick<Failure, 'error'>): ExplainInput['waiting'] => (error instanceof DeadlockError ? error.waiting : undefined)

/** By the names that the story itself shows to be those that the reader knows. */
function explainToReader(input: ExplainInput): { readonly recording: InputRecording; readonly explanation: Explanation } {
  const { recording, failure } = input
  const explanation = explain(input)
  // Who waits for whom is known by the names as they are.
  const names = failure.kind === 'deadlock' ? undefined : namesForReaders(recording, explanation.rows)
  if (names === undefined) return { recording, explanation }
  const named = { ...recording, names }
  return { recording: named, explanation: explain({ ...input, recording: named }) }
}

function shownPlaces(places: readonly Place[], root: string): ShownPlace[] {
  const shown = new Places(root, places, originalPlace)
  return places.map((place) => shown.show(place))
}

/** How deep calls can go hangs on what each of them takes. */
const noteOnStack = (error: unknown): string =>
  isOutOfStack(error) ? "\nInstrumented calls take more of the stack than plain ones, here perhaps twice as much. Vitest's processes have more of it with `test: { execArgv: ['--stack-size=3000'] }`." : ''

/** There was no time to run the failing order once more. */
export class UntoldFailure extends Error {
  override readonly name: string

  constructor({ error, execution, schedule }: Failure, { commandLineReplay, seed, isOrdinary }: Omit<Replay, 'schedule'> & { readonly isOrdinary: boolean }) {
    const cause = asError(error)
    super(`${cause.message}${noteOnStack(error)}\nin execution ${execution}. There was no time left to run it again and tell its story. Replay: ${commandLineReplay === undefined ? (isOrdinary ? `DPOR_REPLAY=${schedule}` : replayInTest({ schedule, seed })) : `${isOrdinary ? '--dpor ' : ''}${replayByCommand({ commandLineReplay, seed })}`}`, { cause })
    this.name = nameOf({ isOrdinary })
  }
}

/** From where in the user's own code that was called which the story points at. */
function callersOf({ rows, focus }: Explanation): Place[] {
  const row = rows.find(({ place }) => place?.shown === focus?.shown)
  return row?.via ? [row.via] : []
}

/** The places of a stack trace that lie in the user's files. */
function placesOf(error: Error | undefined): StackPlace[] {
  return [...(error?.stack ?? '').matchAll(/^ {4}at (?:(.*?) \()?(?:file:\/\/)?([^\s()]+?):(\d+):(\d+)\)?$/gm)]
    .map(([, method = '', file = '', line, column]) => ({ file, line: Number(line), column: Number(column), method }))
    .filter(({ file }) => !file.startsWith('node:') && !file.includes('/node_modules/') && !file.startsWith(ownRoot))
}

const ownRoot = new URL('../../', import.meta.url).pathname

/** Vitest turns the errors of `expect.soft` into plain objects. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error
  if (typeof error !== 'object' || error === null || !('message' in error)) return new Error(String(error))
  return Object.assign(new Error(String(error.message)), error)
}
