import type { ProvidedRun } from '../../options/index.ts'
import { nativeNow, type RunOptions } from '../../runtime/index.ts'
import { SharedCounts } from '../../testing/shared-counts.ts'
import { Slowness } from '../../testing/slowness.ts'

/** What an exploration has taken. */
export interface Spent {
  readonly executions: number
  /** It was cut short. */
  readonly needsMore: boolean
  /** Milliseconds that the test really waits for where it is not explored. */
  readonly waits: number
}

/** What one test may spend. */
export type Share = Pick<RunOptions, 'maxExecutions' | 'maxTime' | 'plainTime' | 'deadline' | 'deadlineName'>

/** What one test may spend at least, if there is as much. */
const least = { time: 30, executions: 2 }

/** The plain run, which takes its time in any case, may take so many times what there is for a test. */
const mostOfPlain = 5

/** Once so many files have ended it is known what files take; before, a part of what is left when a file begins is for its explorations all the same. */
const known = { files: 3, forOthersBefore: 7 / 8 }

/**
 * What a run with `--dpor` may still spend on explorations. All its workers spend from the same, and what is left of a bound of the run is
 * divided among the tests that are still to come and will need it, of which there are as many as there were so far.
 */
export class Budget {
  readonly #run: ProvidedRun
  readonly #counts: SharedCounts | undefined
  /** Of the file that runs now. */
  #testsLeft = 0
  /** When there was nothing left to do of the files before. */
  #idleSince: number
  /** What the file has taken until its tests began. Milliseconds. */
  #start = 0
  /** What was left of the time then. */
  #left = Infinity
  /** When the test got its share that is explored now, */
  #sharedAt = 0
  /** and what all of the file have taken, without what their tests would have waited for. Milliseconds. */
  #explored = 0
  /** Of the tests of the file that were explored. */
  readonly #waits = { tests: 0, milliseconds: 0 }
  /** No file had ended before it began: those that come first find nothing prepared. */
  #isFirst = false
  readonly #slowness: Slowness

  constructor(run: ProvidedRun, slowness = new Slowness()) {
    this.#run = run
    this.#slowness = slowness
    this.#counts = run.counts === undefined ? undefined : new SharedCounts(run.counts)
    // A worker starts where another one has ended, or with the run.
    this.#idleSince = this.#counts?.lastChange('ended files') ?? this.#counts?.lastChange('files') ?? nativeNow()
  }

  fileBegins(tests: number): void {
    this.#testsLeft = tests
    this.#explored = 0
    Object.assign(this.#waits, { tests: 0, milliseconds: 0 })
    const now = nativeNow()
    this.#start = now - this.#idleSince
    this.#left = (this.#run.until ?? Infinity) - now
    this.#isFirst = this.#count('ended files') === 0
    this.#counts?.add('begun files')
  }

  fileEnds(): void {
    const now = nativeNow()
    const kind = this.#isFirst ? 'first' : 'typical'
    this.#counts?.add(`milliseconds of ${kind} files`, Math.round(now - this.#idleSince - this.#explored))
    this.#counts?.add(`${kind} files`)
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
    if (until === undefined) return { maxTime: most.time, plainTime: mostOfPlain * most.time, maxExecutions }
    const now = (this.#sharedAt = nativeNow())
    const timeLeft = until - now - this.#timeToLeave()
    if (timeLeft <= 0) this.#counts?.add('time is up')
    if (this.#count('time is up') > 0) return `${timeName} are spent`
    const part = Math.max(Math.round(timeLeft / among), least.time)
    return { maxTime: Math.min(most.time, part), plainTime: Math.min(mostOfPlain * most.time, part), maxExecutions, deadline: now + timeLeft, deadlineName: timeName }
  }

  /** By the test that got its share last. */
  spend({ executions, needsMore, waits }: Spent): void {
    this.#explored += nativeNow() - this.#sharedAt - waits
    this.#waits.tests++
    this.#waits.milliseconds += waits
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

  /** What of the time is to be left for tests that are still to come, which take some as they are. */
  #timeToLeave(): number {
    const ended = this.#count('ended files')
    const begun = this.#count('begun files')
    const others = Math.max(0, this.#count('files') - begun) / Math.max(1, begun - ended)
    // What one file has taken says less than what many have.
    const ofOthers = (others * this.#timeOfFile * Math.max(1, ended)) / (Math.max(1, ended) + 1)
    const time = ofOthers + (this.#testsLeft * this.#waits.milliseconds) / Math.max(1, this.#waits.tests)
    return ended < known.files ? Math.min(time, this.#left * known.forOthersBefore) : time
  }

  /** What a file takes besides explorations. Milliseconds. */
  get #timeOfFile(): number {
    for (const kind of ['typical', 'first'] as const) {
      const files = this.#count(`${kind} files`)
      if (files > 0) return this.#count(`milliseconds of ${kind} files`) / files
    }
    return this.#start
  }

  #count(counted: Parameters<SharedCounts['of']>[0]): number {
    return this.#counts?.of(counted) ?? 0
  }
}
