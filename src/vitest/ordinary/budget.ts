import type { ProvidedRun } from '../../options/index.ts'
import { nativeNow, type RunOptions } from '../../runtime/index.ts'
import { SharedCounts } from './shared-counts.ts'

/** What an exploration has taken. */
export interface Spent {
  readonly executions: number
  /** It was cut short. */
  readonly needsMore: boolean
}

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
  #testsSeen = 0
  /** Those of them that have used up what they might spend. */
  #hungry = 0

  constructor(run: ProvidedRun) {
    this.#run = run
    this.#counts = run.counts === undefined ? undefined : new SharedCounts(run.counts)
  }

  fileBegins(tests: number): void {
    this.#testsLeft = tests
    this.#counts?.add('begun files')
  }

  fileEnds(): void {
    this.#counts?.add('ended files')
  }

  /** What the next test may spend; a text says why it is nothing. */
  share(): Pick<RunOptions, 'maxExecutions' | 'maxTime' | 'deadline' | 'deadlineName'> | string {
    const { testTime, testExecutions, until, timeName, maxExecutions } = this.#run
    const parts = this.#parts
    this.#testsLeft--
    const executionsLeft = maxExecutions - (this.#counts?.of('executions') ?? 0)
    if (executionsLeft <= 0) return `the ${maxExecutions} executions of the run are spent`
    const maxExecutionsOfTest = Math.min(testExecutions, executionsLeft, Math.max(Math.floor(executionsLeft / parts), least.executions))
    if (until === undefined) return { maxTime: testTime, maxExecutions: maxExecutionsOfTest }
    const timeLeft = until - nativeNow()
    if (timeLeft <= 0) return `${timeName} are spent`
    return { maxTime: Math.min(testTime, Math.max(Math.round(timeLeft / parts), least.time)), maxExecutions: maxExecutionsOfTest, deadline: until, deadlineName: timeName }
  }

  /** By the test that got its share last. */
  spend({ executions, needsMore }: Spent): void {
    this.#testsSeen++
    if (needsMore) this.#hungry++
    this.#counts?.add('executions', executions)
  }

  /** Among how many what is left is to be divided. */
  get #parts(): number {
    const chance = (this.#hungry + 1) / (this.#testsSeen + 2)
    const inFile = Math.max(1, this.#testsLeft * chance)
    const ended = this.#counts?.of('ended files') ?? 0
    const files = Math.max(1, (this.#counts?.of('files') ?? 1) - ended)
    const together = Math.max(1, (this.#counts?.of('begun files') ?? 1) - ended)
    return (inFile * files) / together
  }
}
