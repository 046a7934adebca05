import type { TestContext } from 'vitest'
import { findingOf, reasonAgainst, replayed, type Finding } from '../../testing/finding.ts'
import { Passes } from '../../testing/passes.ts'
import { raceOf, type Race } from '../../testing/race.ts'
import { exploreRecorded, GivenUp, type Explored, type RunOptions, type Stages } from '../../runtime/index.ts'
import { metaOf } from '../../testing/meta.ts'
import { Investigation } from '../../testing/experiment.ts'
import { ExplorationError, failureError, InconclusiveError } from '../../testing/failure-error.ts'
import type { Attach } from '../../testing/failure-page.ts'
import { projectRoot } from '../project-root.ts'
import type { Spent } from './budget.ts'
import { listeningOnce } from './cancelling.ts'
import { TwoStages } from './two-stages.ts'
import { commandLineReplay } from '../replay-tag.ts'

/** What Vitest keeps of a test, as far as it is used here. */
export interface RunnerTest {
  readonly type: string
  readonly name: string
  readonly suite?: Pick<RunnerTest, 'name' | 'suite'> | undefined
  readonly file: { readonly filepath: string }
  readonly context: TestContext
  readonly timeout: number
  mode: string
  meta: Record<string, unknown>
  readonly annotations: unknown[]
  retry?: unknown
  repeats?: unknown
  fails?: boolean | undefined
  concurrent?: boolean | undefined
  result?: { state: string; errors?: unknown[] | undefined; pending?: boolean; repeatCount?: number; attempts?: unknown[] } | undefined
  onFinished?: Handler[] | undefined
  onFailed?: Handler[] | undefined
}

type Handler = ((...args: unknown[]) => unknown) & { [isStaged]?: true }

/** Of a handler that runs in a stage of its own. */
const isStaged = Symbol('runs in a stage')

/** The test fails without another order. Then there is nothing to explore. */
class PlainFailure extends Error {
  override readonly name = 'PlainFailure'
}

/** What it is to be explored with. */
export interface ExploredAs {
  readonly run: RunOptions
  /** Whether a race fails the test. */
  readonly failsByRace: boolean
  /** Whether the baseline has it: then it fails nothing. */
  readonly isKnown: (race: Race) => boolean
  /** The same for what a bound has ended. */
  readonly failsByInconclusive: boolean
  /** One schedule is to be run. */
  readonly isReplay: boolean
  /** Is told what the exploration has taken. */
  readonly spend: (spent: Spent) => void
}

/** What is wanted of a test: to be explored, or not, for a reason. */
export type Wanted = ExploredAs | { readonly reason: string }

/**
 * An ordinary test that is explored: Vitest's own loop for `repeats` runs it once for each execution, with its hooks and fixtures. Where
 * the exploration cannot tell whether the plain order passes, a last pass that nothing controls does.
 */
export class OrdinaryTest {
  readonly #test: RunnerTest
  readonly #options: ExploredAs
  readonly #attach: Attach
  readonly #own: Pick<RunnerTest, 'retry' | 'repeats'>
  readonly #passes = new Passes()
  #exploration: Promise<{ readonly explored: Explored } | { readonly error: unknown }> | undefined
  #isExploring = true
  #isInPass = false
  #isFirst = true
  #leavesState = false
  /** Passes without control that are still to come. */
  #plainLeft = 0
  readonly #investigation = new Investigation()
  #finding: Finding | undefined
  /** What the pass goes on with after the test: hooks around it, fixtures that are in use. */
  #open = 0
  #isBodyOver = false
  /** What went wrong in this pass, besides what Vitest knows. */
  #failures: unknown[] = []
  /** The exploration tells how the test ends. */
  #hasVerdict = false
  /** By this error, if it fails. */
  #verdict: Error | undefined

  constructor(test: RunnerTest, options: ExploredAs, attach: Attach) {
    this.#test = test
    this.#attach = attach
    this.#options = options
    this.#own = { retry: test.retry, repeats: test.repeats }
    Object.assign(test, { retry: 0, repeats: { valueOf: () => this.#takePass() } })
  }

  /** Vitest asks before each pass: it takes one as long as this is not less than the number of the pass. */
  #takePass(): number {
    if (this.#isExploring) return Infinity
    return this.#plainLeft-- > 0 ? Infinity : -1
  }

  /** A pass begins: it waits until an execution is asked for. */
  async begin(): Promise<void> {
    if (!this.#isExploring || this.#isInPass) return
    this.#exploration ??= this.#explore()
    if (await this.#passes.asked()) {
      this.#isInPass = true
      this.#isBodyOver = false
      this.#failures = []
      this.#forgetResult('run')
    } else {
      // It could not even begin.
      await this.#settle()
      this.#plainLeft--
    }
  }

  /** Runs code of the user's around the body in the execution that is under way, if there is one. */
  async alone(name: string, work: () => unknown): Promise<unknown> {
    const { stages } = this.#passes
    if (!stages) return work()
    try {
      return await stages.alone(name, work)
    } finally {
      this.#stageHandlers(stages)
    }
  }

  async body(work: () => unknown): Promise<unknown> {
    const { stages } = this.#passes
    if (!stages) return work()
    try {
      return await listeningOnce(this.#test.context.signal, () => stages.explored(work))
    } finally {
      this.#stageHandlers(stages)
    }
  }

  /** What the body has asked to be called at its end is part of the execution as well. */
  #stageHandlers(stages: Stages): void {
    for (const list of [this.#test.onFinished, this.#test.onFailed]) {
      list?.forEach((handler, i) => {
        if (handler[isStaged]) return
        list[i] = Object.assign((...args: unknown[]) => stages.alone('clean-up', () => handler(...args)), { [isStaged]: true as const })
      })
    }
  }

  /** Of the execution that is under way. */
  get stages(): Stages | undefined {
    const { stages } = this.#passes
    return stages && { ...stages, leaveState: () => this.#leaveState(stages) }
  }

  /** What is made now will be there for other tests: what the plain run has led to counts, and there is no other. */
  #leaveState(stages: Stages): void {
    this.#leavesState = true
    stages.leaveState()
  }

  /** A hook around the test: the first one that begins is the beginning of the pass, and its end that of the pass. */
  async around(hook: (runTest: () => unknown) => unknown, runTest: () => Promise<unknown>): Promise<void> {
    await this.begin()
    const { stages } = this.#passes
    if (!stages) return void (await hook(runTest))
    this.keepOpen()
    await this.#aroundInStages(stages, hook, runTest).catch((error: unknown) => this.fails(error))
    // It may have failed before the test.
    this.#isBodyOver ||= this.#open === 1
    await this.close()
  }

  /** Hooks and fixtures around it may go on. */
  async bodyIsOver(): Promise<void> {
    this.#isBodyOver = true
    await this.#end()
  }

  fails(error: unknown): void {
    this.#failures.push(error)
  }

  keepOpen(): void {
    this.#open++
  }

  async close(): Promise<void> {
    this.#open--
    await this.#end()
  }

  async #aroundInStages(stages: Stages, hook: (runTest: () => unknown) => unknown, runTest: () => Promise<unknown>): Promise<unknown> {
    let parts!: TwoStages
    let done: Promise<unknown> | undefined
    let isReached = false
    await this.alone('aroundEach', () => {
      parts = new TwoStages(stages, 'aroundEach')
      return new Promise<void>((reached, failed) => {
        done = parts.begin(hook, () => {
          isReached = true
          reached()
        })
        done.then(() => reached(), failed)
      })
    })
    if (!isReached) return done
    let failure: { readonly error: unknown } | undefined
    await runTest().catch((error: unknown) => (failure = { error }))
    await parts.end(failure)
    return done
  }

  /** A pass ends, if nothing still keeps it open. @throws the race that was found */
  async #end(): Promise<void> {
    const { result } = this.#test
    if (!this.#isInPass || !this.#isBodyOver || this.#open > 0 || !result) return
    this.#isInPass = false
    const { state } = result
    const errors = [...(result.errors ?? []), ...this.#failures]
    const isPlain = this.#isFirst && !this.#options.isReplay
    // Of an execution that was cut short the exploration itself knows why.
    const wasCut = nameOf(errors[0]) === 'GivenUp'
    this.#isFirst = false
    if (result.pending || state === 'skip') {
      const skipped = { ...result }
      await this.#passes.giveUp(new GivenUp())
      // What has changed in the execution is put back, and this with it.
      Object.assign(result, skipped)
      this.#isExploring = false
      return
    }
    const hasFailed = state === 'fail' || this.#failures.length > 0
    if (this.#leavesState) {
      await this.#passes.giveUp(new GivenUp())
      this.#isExploring = false
      Object.assign(result, { state, errors: result.errors })
      this.#finding = { found: 'unexplored', reason: 'it is the first that uses a fixture of its file' }
      if (this.#failures.length > 0) throw this.#failures[0]
      return
    }
    const isAsked = await (isPlain && hasFailed && !wasCut ? this.#passes.giveUp(new PlainFailure(messageOf(errors[0]))) : this.#passes.ended(hasFailed ? errors : []))
    this.#forgetResult('pass')
    if (!isAsked) await this.#settle()
  }

  #forgetResult(state: 'run' | 'pass'): void {
    const { result } = this.#test
    if (!result) return
    result.state = state
    delete result.errors
  }

  /** After the last pass. */
  finish(): void {
    const { result } = this.#test
    Object.assign(this.#test, this.#own)
    if (!result) return
    result.repeatCount = 0
    if (result.attempts) result.attempts = result.attempts.slice(-1).map((attempt) => ({ ...(attempt as object), repeatIndex: 0 }))
    if (result.state === 'skip') return
    // Of the last execution Vitest may have heard something after it was judged.
    if (this.#hasVerdict && !this.#verdict) this.#forgetResult('pass')
    if (this.#verdict) result.errors = result.errors?.filter((error) => messageOf(error) === messageOf(this.#verdict))
    this.#test.meta['dporFound'] = this.#findingOf(result.state)
  }

  #findingOf(state: string): Finding {
    if (this.#finding && (this.#finding.found !== 'unexplored' || state !== 'fail')) return this.#finding
    return state === 'fail' ? { found: 'fails' } : { found: 'unexplored' }
  }

  async #explore(): Promise<{ readonly explored: Explored } | { readonly error: unknown }> {
    try {
      return { explored: await exploreRecorded(this.#passes, { ...this.#options.run, investigate: this.#investigation.investigate }) }
    } catch (error) {
      return { error }
    } finally {
      this.#passes.over()
    }
  }

  /** The exploration has ended. @throws the race that was found */
  async #settle(): Promise<void> {
    this.#isExploring = false
    const ended = await this.#exploration!
    if ('error' in ended) return this.#runPlain(ended.error instanceof PlainFailure ? `under control its plain run fails: ${ended.error.message}` : messageOf(ended.error))
    const { result, recording } = ended.explored
    this.#options.spend({ executions: result.executions, needsMore: result.verdict === 'inconclusive' })
    const finding = this.#options.isReplay ? replayed(result) : findingOf(result, { timeout: this.#test.timeout })
    if (!finding) return this.#runPlain(reasonAgainst(result))
    this.#finding = finding
    this.#hasVerdict = true
    this.#test.meta['dpor'] = metaOf(result)
    const failure = result.failures[0]
    if (finding.found === 'inconclusive' && this.#options.failsByInconclusive) throw (this.#verdict = new InconclusiveError(result))
    if (!failure) return
    const { name, file } = this.#test
    const error = await failureError({ subject: this.#passes, options: this.#options.run, result, recording, failure, experiment: this.#investigation.experiment, isOrdinary: true, name, testFile: file.filepath, commandLineReplay: commandLineReplay(failure.schedule, this.#test as never), root: projectRoot(), attach: this.#attach })
    const race = error instanceof ExplorationError ? raceOf(error.explanation, { root: projectRoot(), testFile: file.filepath }) : undefined
    const isKnown = race !== undefined && this.#options.isKnown(race)
    this.#finding = { found: isKnown ? 'known' : 'race', ...(race && { race }) }
    if (isKnown) return
    if (this.#options.failsByRace) throw (this.#verdict = error)
    console.warn(error.message)
  }

  /** Only a pass without control can tell how the test ends. */
  #runPlain(reason: string): void {
    this.#finding = { found: 'unexplored', reason }
    this.#plainLeft = Number(this.#own.repeats ?? 0) + 1
    this.#test.retry = this.#own.retry
  }
}

function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined
}

function messageOf(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  // What follows is advice for tests that have been made to be explored.
  return text.split(/\n|(?<=[^.]\.) (?=[A-Z])/, 1)[0]!
}
