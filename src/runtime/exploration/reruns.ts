import type { MakeAlgorithm } from '../../engine/algorithms/algorithm.ts'
import { Replay } from '../../engine/algorithms/replay.ts'
import { parseSchedule, Search, type Exploration, type Failure } from '../../engine/index.ts'
import { Math } from '../../engine/intrinsics.ts'
import { NondeterminismError } from '../execution/errors.ts'
import type { Identities } from '../execution/identity.ts'
import { nativeNow } from '../execution/native.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import { Recorder } from '../execution/recording.ts'
import { checkRerun, namesForReplays, type Run } from './determinism.ts'
import { movedOn, type Executions } from './executions.ts'
import { isOnly, plainRun } from './results.ts'
import type { FullOptions } from './run-options.ts'
import { SharedAccesses } from './shared.ts'

/** What was found and run again: the first failing execution, as it was written down, or whether the only one there is shares nothing. */
export interface Checked {
  readonly found: Exploration
  readonly recording: RecordedExecution | undefined
  /** Those in which it was written down. */
  readonly names: Identities | undefined
  readonly sharesNothing: boolean
}

/** What the search has shown of executions. */
export interface Known {
  /** The last schedule that passed. */
  readonly passed: string | undefined
  /** Some execution has passed, be it the plain run, or one of those that came before what goes on from a file. */
  readonly hasPassed: boolean
  /** The plain run has. */
  readonly plainPasses: boolean
  /** That of the plain run. */
  readonly plainSchedule: string | undefined
  /** The failure is that of the plain run. One of another execution may be told by the same schedule. */
  readonly isOfPlainRun: (failure: Failure) => boolean
  /** Some have called what is not instrumented. */
  readonly hasOpaqueCalls: boolean
}

/** Longest time spent on checking that the body is deterministic. Milliseconds. */
const checkFor = 300

/** What is outside may have led to a failure, and not the order; there was no time to see that the order leads to it once more. */
class UnseenAgain extends Error {
  constructor({ error, execution }: Failure) {
    super(`execution ${execution} failed${error instanceof Error ? ` (${error.message.split('\n', 1)[0]})` : ''}, and there was no time to run it again: the body works with what is outside, which may not be the same another time. Give the test more time`)
  }
}

/** What an execution has left may have led to the failure, and not its order. */
class LeftBehind extends Error {
  constructor({ error, execution }: Failure) {
    super(`execution ${execution} failed${error instanceof Error ? ` (${error.message.split('\n', 1)[0]})` : ''}, and after it the plain run does not pass any more: something that is older than the test was changed in it, which was not put back. Let the test make it`)
  }
}

const unchecked = { recording: undefined, names: undefined, sharesNothing: false }

/** Runs again what was run before: to see that it comes to the same, and to write it down. */
export class Reruns {
  readonly #executions: Executions
  readonly #options: FullOptions

  constructor(executions: Executions, options: FullOptions) {
    this.#executions = executions
    this.#options = options
  }

  /** Orders that come out otherwise for what is outside are no verdict; that is said, and is no error where the plain run passes. */
  async checked(found: Exploration, known: Known): Promise<Checked> {
    try {
      return { found, ...(await this.#checkDeterminism(found, known)) }
    } catch (error) {
      // How deep calls can go is another matter each time.
      if (error instanceof NondeterminismError && this.#executions.hasRunOutOfStack) return { found, ...unchecked }
      const [failure] = found.failures
      const plainFails = failure !== undefined && known.isOfPlainRun(failure)
      const reason = error instanceof UnseenAgain || error instanceof LeftBehind ? error.message : error instanceof NondeterminismError ? (this.#executions.findsMoved ? movedOn : error.ofOutside) : undefined
      if (reason === undefined || plainFails) throw error
      return { found: { ...found, failures: [], verdict: 'inconclusive', inconclusiveReason: reason }, ...unchecked }
    }
  }

  /** Runs again what the verdict rests on: the failing execution, which is written down, or the last one that passed. */
  async #checkDeterminism(result: Exploration, { passed, plainPasses, plainSchedule, isOfPlainRun, hasOpaqueCalls }: Known): Promise<Omit<Checked, 'found'>> {
    const failure = result.failures[0]
    const plainFails = failure !== undefined && isOfPlainRun(failure)
    const schedule = failure?.schedule === plainRun ? plainSchedule : (failure?.schedule ?? passed)
    const times = this.#options.reproduce
    if (result.verdict === 'inconclusive' || schedule === undefined || times === 0) return unchecked
    if (this.#options.trustsPassing && failure === undefined) return unchecked
    const end = nativeNow() + checkFor
    const search = this.#replaySearch(schedule, { times })
    // One set of names for all runs: what a run calls by another name it does not find again.
    const names = namesForReplays({ keepsObjects: failure !== undefined })
    const shared = isOnly(result) ? new SharedAccesses() : undefined
    const parts = {
      waitsInVain: failure?.kind === 'deadlock',
      isPlain: plainFails && failure.kind !== 'unhandled-rejection',
    }
    let recording: RecordedExecution | undefined
    let sharesNothing = false
    let steps: number | undefined
    let hasRun = false
    for (let i = 0; (i < 2 || nativeNow() < end) && this.#executions.hasTimeForRun && search.next(); i++) {
      const run: Run & { readonly recording?: RecordedExecution | undefined } =
        i === 0 && failure ? await this.recorded(search, names, parts) : await this.#executions.execute(search, names, { ...parts, ...(i === 0 && shared && { witness: shared }) })
      if (run.outcome.status === 'truncated') break
      hasRun = true
      checkRerun(run, { failure, steps })
      recording ??= run.recording
      if (i === 0 && shared && run.outcome.status === 'complete') sharesNothing = !shared.isAnythingShared
      steps ??= run.execution.path.length
      if (this.#executions.isTurnDue) await this.#executions.takeTurn()
    }
    if (failure !== undefined && !plainFails && !hasRun && this.#executions.hasReachedOutside) throw new UnseenAgain(failure)
    if (failure !== undefined && !plainFails) {
      if (passed !== undefined && hasOpaqueCalls && this.#executions.hasTimeForRun) await this.#checkThatPassed(passed)
      if (plainPasses && this.#executions.hasTimeForRun) await this.#checkThatPlainRunPasses(failure)
    }
    return { recording, names, sharesNothing }
  }

  /**
   * A failure that comes after other executions may be due to what they have left behind in code that is not instrumented: then a
   * schedule that passed does so no more.
   */
  async #checkThatPassed(schedule: string): Promise<void> {
    checkRerun(await this.once(schedule), { failure: undefined, steps: undefined })
  }

  /** The same of all else that is older. What is outside may be otherwise each time: that a run does not come to the same says nothing. */
  async #checkThatPlainRunPasses(failure: Failure): Promise<void> {
    const { outcome } = await this.once(plainRun)
    if ((outcome.status === 'truncated' && this.#executions.hasTimeForRun) || (outcome.status === 'complete' && outcome.failure)) throw new LeftBehind(failure)
  }

  async once(schedule: string): Promise<Run & { readonly found: Exploration }> {
    const search = this.#searchFor(schedule)
    search.next()
    const run = await this.#executions.execute(search, namesForReplays({ keepsObjects: false }), { isPlain: schedule === plainRun })
    return { ...run, found: search.result() }
  }

  /** Runs one schedule and writes it down, if it is run to its end. */
  async record(schedule: string): Promise<RecordedExecution | undefined> {
    const search = this.#searchFor(schedule)
    search.next()
    return (await this.recorded(search, namesForReplays({ keepsObjects: true }), { isPlain: schedule === plainRun })).recording
  }

  #searchFor(schedule: string): Search {
    return schedule === plainRun ? new Search({ ...this.#options, part: undefined, replay: undefined, maxExecutions: 1 }) : this.#replaySearch(schedule, { times: 1 })
  }

  /** Without a recording where the execution was not run to its end. */
  async recorded(search: Search, names: Identities, parts: { readonly waitsInVain?: boolean; readonly isPlain?: boolean } = {}): Promise<Run & { readonly recording: RecordedExecution | undefined }> {
    const recorder = new Recorder(names)
    const run = await this.#executions.execute(search, names, { recorder, ...parts })
    return { ...run, recording: run.outcome.status === 'complete' ? recorder.finish(search.executionOrder()) : undefined }
  }

  /** A search that begins with the schedule, or is free of it. */
  searchOf(schedule: string, makeAlgorithm: MakeAlgorithm): Search {
    const { maxExecutions: _, maxTime: __, part: ___, ...options } = this.#options
    const maxSteps = Math.min(options.maxSteps, mostStepsFor(parseSchedule(schedule).length))
    // Changes that the exploration has merged may be what a failure comes from: here all of one location are ordered.
    return new Search({ ...options, maxSteps, equivalence: 'trace', stopOnFirst: false, replay: schedule }, makeAlgorithm)
  }

  /** Takes one schedule several times, and compares each run with the first one. */
  #replaySearch(schedule: string, { times }: { readonly times: number }): Search {
    return this.searchOf(schedule, (trace) => new Replay(trace, parseSchedule(schedule), times))
  }
}

/** Whoever goes on for ever in another order, as a clock that sets its next tick may, is not waited for. */
const mostStepsFor = (steps: number): number => 2 * steps + 50
