import type { ProvidedRun } from '../../options/index.ts'
import { nativeNow, type RunOptions } from '../../runtime/index.ts'
import { SharedCounts } from '../../testing/shared-counts.ts'
import { Slowness } from '../../testing/slowness.ts'

/** What an exploration has taken. */
export interface Spent {
  readonly executions: number
  /** It was cut short. */
  readonly needsMore: boolean
}

/** What one test may spend. */
export type Share = Pick<RunOptions, 'maxExecutions' | 'maxTime' | 'deadline' | 'deadlineName'>

/** What one test may spend at least, if there is as much. */
const least = { time: 30, executions: 2 }

/**
 * What a run with `--dpor` may still spend on explorations. All its workers spend from the same, and what is left of a bound of the run is
 * divided among the tests that are still to come and will need it, of which there are as many as there were so far.
 */
export class Budget {
  readonly #run: ProvidedRun
  readonly #counts: SharedCounts | undefined
  /** Of the file that runs now. */
  #testsLeft = 0
  /** When this worker had done with all files before. */
  #idleSince = startOfWorker()
  /** When the test got its share that is explored now, */
  #sharedAt = 0
  /** and what all of the file have taken. Milliseconds. */
  #explored = 0
  /** Others have ended before the file began: what it takes besides explorations others will take as well. The first ones find nothing prepared. */
  #isTypical = false
  readonly #slowness: Slowness

  constructor(run: ProvidedRun, slowness = new Slowness()) {
    this.#run = run
    this.#slowness = slowness
    this.#counts = run.counts === undefined ? undefined : new SharedCounts(run.counts)
  }

  fileBegins(tests: number): void {
    this.#testsLeft = tests
    this.#explored = 0
    this.#isTypical = this.#count('ended files') > 0
    this.#counts?.add('begun files')
  }

  fileEnds(): void {
    const now = nativeNow()
    if (this.#isTypical) {
      this.#counts?.add('milliseconds of typical files', Math.round(now - this.#idleSince - this.#explored))
      this.#counts?.add('typical files')
    }
    this.#counts?.add('ended files')
    this.#idleSince = now
  }

  /** What the next test may spend; a text says why it is nothing. */
  share(): Share | string {
    const { testTime = Infinity, testExecutions = Infinity } = this.#run
    const among = this.#filesToGo * Math.max(1, this.#testsLeft * this.#chance)
    this.#testsLeft--
    return this.#partOf(among, { time: testTime * this.#slowness.now(), executions: testExecutions })
  }

  /** What a test may spend that goes on, as so many others do that are left. */
  shareOfRest(others: number): Share | string {
    return this.#partOf(this.#filesToGo * Math.max(1, this.#testsLeft * this.#chance + others + 1), { time: Infinity, executions: Infinity })
  }

  #partOf(among: number, most: { readonly time: number; readonly executions: number }): Share | string {
    const { until, timeName, maxExecutions: all = Infinity } = this.#run
    const executionsLeft = all - this.#count('executions')
    if (executionsLeft <= 0) return `the ${all} executions of the run are spent`
    const maxExecutions = Math.min(most.executions, executionsLeft, Math.max(Math.floor(executionsLeft / among), least.executions))
    if (until === undefined) return { maxTime: most.time, maxExecutions }
    const now = (this.#sharedAt = nativeNow())
    const timeLeft = until - now - this.#timeToLeave(until - now)
    if (timeLeft <= 0) this.#counts?.add('time is up')
    if (this.#count('time is up') > 0) return `${timeName} are spent`
    return { maxTime: Math.min(most.time, Math.max(Math.round(timeLeft / among), least.time)), maxExecutions, deadline: now + timeLeft, deadlineName: timeName }
  }

  /** By the test that got its share last. */
  spend({ executions, needsMore }: Spent): void {
    this.#explored += nativeNow() - this.#sharedAt
    this.#counts?.add('executions', executions)
    this.#counts?.add('explored tests')
    if (needsMore) this.#counts?.add('cut tests')
  }

  /** That a test will need more than there is for it, as far as those tell that are over. */
  get #chance(): number {
    return (this.#count('cut tests') + 1) / (this.#count('explored tests') + 2)
  }

  /** How many files share what is left, for each of those that run now. */
  get #filesToGo(): number {
    const ended = this.#count('ended files')
    return Math.max(1, this.#count('files') - ended) / Math.max(1, this.#count('begun files') - ended)
  }

  /**
   * What of the time is to be left for files that are still to come, which take some besides explorations; a worker that explores nothing
   * starts in about half the time. What one file has taken says less than what two have.
   */
  #timeToLeave(left: number): number {
    const begun = this.#count('begun files')
    const others = Math.max(0, this.#count('files') - begun)
    const together = Math.max(1, begun - this.#count('ended files'))
    const measured = this.#count('typical files')
    const time = measured === 0 ? left : ((others / together) * (this.#count('milliseconds of typical files') / measured)) / 2
    const known = Math.min(1, measured / 2)
    if (others === 0) return 0
    return time * known >= left ? left : Math.min(time, left * Math.max(0.5, known))
  }

  #count(counted: Parameters<SharedCounts['of']>[0]): number {
    return this.#counts?.of(counted) ?? 0
  }
}

/** Milliseconds since the epoch, as `nativeNow` has them. */
const startOfWorker = (): number => globalThis.performance.timeOrigin
