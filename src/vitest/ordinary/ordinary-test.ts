import { metaOf } from '../../testing/meta.ts'
import { ExplorationError, InconclusiveError } from '../../testing/failure-error.ts'
import { exploreBody, type ExploredBody } from '../../testing/explored-body.ts'
import { findingOf, reasonAgainst, replayed, type Finding } from '../../testing/finding.ts'
import { reasonOfEnd } from '../../testing/plain-failure.ts'
import { raceOf, type Race } from '../../testing/race.ts'
import type { RunOptions, Staged } from '../../runtime/index.ts'
import { annotationOf, annotationType, attachedBy } from '../annotation.ts'
import type { Ended, Judge, Verdict } from '../passes/judge.ts'
import type { Annotate, RunnerTest } from '../passes/runner-test.ts'
import { projectRoot } from '../project-root.ts'
import { commandLineReplay } from '../replay-tag.ts'
import type { Share, Spent } from './budget.ts'

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
  /** Its file is not instrumented: a race is one, but that there is none cannot be known. */
  readonly isUnseen: boolean
  /** Is told what the exploration has taken. */
  readonly spend: (spent: Spent) => void
  /** What it may spend. */
  readonly share: Share
  /** Is told what was found of a test that passes. */
  readonly onPass: (finding: Finding) => void
  /** The exploration before this one, which was cut short: what it has found stands unless this one finds more. */
  readonly before: OrdinaryTest | undefined
  /** Is told if it is cut short; where that is left out the test is not to run once more. */
  readonly onCut: ((cut: OrdinaryTest) => void) | undefined
}

/** How many executions there may be where nobody knows. */
const many = 100_000

/** Where a run without control is red, that is what is said. */
const endsAsPlain: ReadonlySet<Finding['found']> = new Set(['unexplored', 'holds', 'alone'])

/** What an exploration has left that was cut short. */
interface Cut {
  /** How many there are in all, if anything is known of that. */
  readonly estimate: number | undefined
  /** What the test fails with if it stays so. */
  readonly error: Error | undefined
}

/** An ordinary test that is explored: the plain order decides as ever whether it passes, and whatever cannot be explored turns nothing red. */
export class OrdinaryTest implements Judge {
  readonly endsByPlainFailure: boolean
  readonly showsBody = false
  readonly beginsAnew = false
  readonly triesAgain = false
  readonly repeatsAsItIs: boolean
  readonly #test: RunnerTest
  readonly #options: ExploredAs
  readonly #annotate: Annotate
  #finding: Finding | undefined
  #executions = 0
  #cut: Cut | undefined
  /** How the test ended then. */
  #ended: Pick<RunnerTest, 'result' | 'meta'> | undefined

  constructor(test: RunnerTest, options: ExploredAs, annotate: Annotate) {
    this.#test = test
    this.#options = options
    this.#annotate = annotate
    this.endsByPlainFailure = !options.isReplay
    this.repeatsAsItIs = !options.isReplay && !options.before
  }

  get isToRunAgain(): boolean {
    return this.#ended !== undefined
  }

  /** How many executions there are, as far as is known. */
  get estimate(): number {
    return this.#cut?.estimate ?? many
  }

  /** Whether an exploration with that share may find more than this one has. */
  wouldGoFarther({ maxTime = Infinity, maxExecutions = Infinity }: Share): boolean {
    return maxExecutions > this.#executions && maxTime > this.#options.share.maxTime!
  }

  /** There is no exploration after it, or nothing came of that: what it has found is what is said of the test. */
  async stands(): Promise<void> {
    const { result, meta } = this.#ended!
    const { error } = this.#cut!
    const state = error ? 'fail' : 'pass'
    Object.assign(this.#test, { result: { ...result, state, ...(error && { errors: [{ name: error.name, message: error.message, stack: error.stack }] }) }, meta })
    await this.#tell(state)
  }

  explore(passes: Staged): Promise<ExploredBody> {
    return exploreBody(passes, { ...this.#options.run, ...this.#options.share, leavesRows: true, leavesNoWork: this.#mayRunOnceMore, endsWithOneLine: !this.#options.isReplay && !this.#options.isUnseen })
  }

  async verdictOn(ended: Ended): Promise<Verdict> {
    if ('error' in ended) return this.#plain(reasonOfEnd(ended.error))
    const { isReplay, failsByInconclusive, spend, onCut } = this.#options
    const { result } = ended.explored
    this.#executions = result.executions
    const isCut = result.verdict === 'inconclusive'
    const finding = isReplay ? replayed(result) : findingOf(ended.explored, { timeout: this.#test.timeout })
    // Where nothing is found it runs as it is next, and where it is explored once more it has been counted.
    const wouldWait = finding !== undefined && !this.#options.before && result.time === 'idle'
    spend({ executions: result.executions, needsMore: isCut, waits: wouldWait ? result.plainMilliseconds : 0 })
    if (!finding) return this.#plain(reasonAgainst(result))
    this.#finding = finding
    if (this.#options.isUnseen && result.verdict === 'holds') {
      this.left('its file is left out by `include` or `exclude`, so what its body shares is not seen')
      return { error: undefined }
    }
    this.#test.meta['dpor'] = metaOf(ended.explored)
    if (result.failures[0]) return this.#ending(ended.explored, await this.#race(ended.explored))
    const error = isCut && failsByInconclusive ? new InconclusiveError(result, ended.explored.contended) : undefined
    if (!isCut || !onCut) return this.#ending(ended.explored, error)
    this.#cut = { estimate: result.estimateRange && result.estimate, error }
    return this.#ending(ended.explored, undefined)
  }

  /** Of what it leaves other tests may find what it comes to only if it is run once without control. */
  #ending({ result }: ExploredBody, error: Error | undefined): Verdict {
    return error === undefined && result.needsPlainRun ? 'plain' : { error }
  }

  get #mayRunOnceMore(): boolean {
    return !this.#options.isReplay && !this.#options.before
  }

  /** Undefined where it fails nothing. */
  async #race({ result, explain }: ExploredBody): Promise<Error | undefined> {
    const { name, file } = this.#test
    const root = projectRoot()
    const error = await explain({ isOrdinary: true, name, testFile: file.filepath, commandLineReplay: commandLineReplay(result.failures[0]!.schedule, this.#test as never), root, attach: attachedBy(this.#annotate) })
    const race = error instanceof ExplorationError ? raceOf(error.explanation, { root, testFile: file.filepath }) : undefined
    const isKnown = race !== undefined && this.#options.isKnown(race)
    this.#finding = { found: isKnown ? 'known' : 'race', ...(race && { race }) }
    if (isKnown) return undefined
    if (this.#options.failsByRace) return error
    console.warn(error.message)
    return undefined
  }

  /** Only a pass without control can tell how the test ends, unless one that was controlled has told that before. */
  #plain(reason: string): Verdict {
    this.left(reason)
    return this.#options.before ? { error: undefined } : 'plain'
  }

  left(reason: string): void {
    this.#finding = { found: 'unexplored', reason }
  }

  async finish(state: string): Promise<void> {
    const finding = this.#findingOf(state)
    if (this.#options.before && !this.#hasFoundMore(finding)) return this.#options.before.stands()
    this.#test.meta['dporFound'] = finding
    if (state === 'pass') this.#options.onPass(finding)
    if (!this.#cut || state !== 'pass') return this.#tell(state)
    this.#ended = { result: { ...this.#test.result! }, meta: { ...this.#test.meta } }
    this.#options.onCut?.(this)
  }

  /** Than the exploration before it. */
  #hasFoundMore({ found }: Finding): boolean {
    if (found === 'inconclusive') return this.#executions > this.#options.before!.#executions
    return found !== 'unexplored' && found !== 'fails'
  }

  /** Reports for machines show annotations of tests that pass; of others they show the failure. */
  async #tell(state: string): Promise<void> {
    const message = state === 'pass' ? annotationOf(this.#test.meta['dporFound'] as Finding) : undefined
    if (message !== undefined) await this.#annotate(message, annotationType)
  }

  #findingOf(state: string): Finding {
    if (this.#finding && (state !== 'fail' || !endsAsPlain.has(this.#finding.found))) return this.#finding
    return state === 'fail' ? { found: 'fails' } : { found: 'unexplored' }
  }
}
