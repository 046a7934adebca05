import { metaOf } from '../../testing/meta.ts'
import { ExplorationError, InconclusiveError } from '../../testing/failure-error.ts'
import { exploreBody, type ExploredBody } from '../../testing/explored-body.ts'
import { findingOf, reasonAgainst, replayed, type Finding } from '../../testing/finding.ts'
import { raceOf, type Race } from '../../testing/race.ts'
import type { RunOptions, Staged } from '../../runtime/index.ts'
import { annotationOf, annotationType, attachedBy } from '../annotation.ts'
import { PlainFailure, type Ended, type Judge, type Verdict } from '../passes/judge.ts'
import { messageOf } from '../passes/messages.ts'
import type { Annotate, RunnerTest } from '../passes/runner-test.ts'
import { projectRoot } from '../project-root.ts'
import { commandLineReplay } from '../replay-tag.ts'
import type { Spent } from './budget.ts'

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

/** An ordinary test that is explored: the plain order decides as ever whether it passes, and whatever cannot be explored turns nothing red. */
export class OrdinaryTest implements Judge {
  readonly endsByPlainFailure: boolean
  readonly showsBody = false
  readonly beginsAnew = false
  readonly #test: RunnerTest
  readonly #options: ExploredAs
  readonly #annotate: Annotate
  #finding: Finding | undefined

  constructor(test: RunnerTest, options: ExploredAs, annotate: Annotate) {
    this.#test = test
    this.#options = options
    this.#annotate = annotate
    this.endsByPlainFailure = !options.isReplay
  }

  explore(passes: Staged): Promise<ExploredBody> {
    return exploreBody(passes, this.#options.run)
  }

  async verdictOn(ended: Ended): Promise<Verdict> {
    if ('error' in ended) return this.#plain(ended.error instanceof PlainFailure ? `under control its plain run fails: ${ended.error.message}` : messageOf(ended.error))
    const { result } = ended.explored
    this.#options.spend({ executions: result.executions, needsMore: result.verdict === 'inconclusive' })
    const finding = this.#options.isReplay ? replayed(result) : findingOf(ended.explored, { timeout: this.#test.timeout })
    if (!finding) return this.#plain(reasonAgainst(result))
    this.#finding = finding
    this.#test.meta['dpor'] = metaOf(ended.explored)
    if (result.failures[0]) return { error: await this.#race(ended.explored) }
    return { error: finding.found === 'inconclusive' && this.#options.failsByInconclusive ? new InconclusiveError(result, ended.explored.contended) : undefined }
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

  /** Only a pass without control can tell how the test ends. */
  #plain(reason: string): 'plain' {
    this.left(reason)
    return 'plain'
  }

  left(reason: string): void {
    this.#finding = { found: 'unexplored', reason }
  }

  async finish(state: string): Promise<void> {
    const finding = this.#findingOf(state)
    this.#test.meta['dporFound'] = finding
    // Reports for machines show annotations of tests that pass; of others they show the failure.
    const message = state === 'pass' ? annotationOf(finding) : undefined
    if (message !== undefined) await this.#annotate(message, annotationType)
  }

  #findingOf(state: string): Finding {
    if (this.#finding && (this.#finding.found !== 'unexplored' || state !== 'fail')) return this.#finding
    return state === 'fail' ? { found: 'fails' } : { found: 'unexplored' }
  }
}
