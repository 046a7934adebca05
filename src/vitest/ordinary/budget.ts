import type { ProvidedRun } from '../../options/index.ts'
import { nativeNow, type RunOptions } from '../../runtime/index.ts'
import { SharedCounts } from './shared-counts.ts'

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

  constructor(run: ProvidedRun) {
    this.#run = run
    this.#counts = run.counts === undefined ? undefined : new SharedCounts(run.counts)
  }

  fileBegins(tests: number): void {
    this.#testsLeft = tests
    this.#counts?.add('milliseconds before files', Math.round(nativeNow() - this.#idleSince))
    this.#counts?.add('begun files')
  }

  fileEnds(): void {
    this.#counts?.add('ended files')
    this.#idleSince = nativeNow()
  }

  /** What the next test may spend; a text says why it is nothing. */
  share(): Share | string {
    const { testTime = Infinity, testExecutions = Infinity } = this.#run
    const among = this.#filesToGo * Math.max(1, this.#testsLeft * this.#chance)
    this.#testsLeft--
    return this.#partOf(among, { time: testTime, executions: testExecutions })
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
    const now = nativeNow()
    const left = until - now
    if (left <= 0) return `${timeName} are spent`
    const timeLeft = left - Math.min(left / 2, this.#timeBeforeFiles)
    return { maxTime: Math.min(most.time, Math.max(Math.round(timeLeft / among), least.time)), maxExecutions, deadline: now + timeLeft, deadlineName: timeName }
  }

  /** By the test that got its share last. */
  spend({ executions, needsMore }: Spent): void {
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

  /** What files that are still to come will take before their tests run, for which something is to be left. Milliseconds. */
  get #timeBeforeFiles(): number {
    const begun = Math.max(1, this.#count('begun files'))
    const together = Math.max(1, begun - this.#count('ended files'))
    return (Math.max(0, this.#count('files') - begun) / together) * (this.#count('milliseconds before files') / begun)
  }

  #count(counted: Parameters<SharedCounts['of']>[0]): number {
    return this.#counts?.of(counted) ?? 0
  }
}

/** Milliseconds since the epoch, as `nativeNow` has them. */
const startOfWorker = (): number => globalThis.performance.timeOrigin
