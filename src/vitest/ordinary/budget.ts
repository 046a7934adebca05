import type { ProvidedRun } from '../../options/index.ts'
import { nativeNow, type RunOptions } from '../../runtime/index.ts'

const fs = globalThis.process?.getBuiltinModule?.('node:fs')

/** What a run with `--dpor` may still spend on explorations. All its workers spend from the same. */
export class Budget {
  readonly #run: ProvidedRun

  constructor(run: ProvidedRun) {
    this.#run = run
  }

  /** What one test may spend; a text says why it is nothing. */
  share(): Pick<RunOptions, 'maxExecutions' | 'maxTime' | 'deadline' | 'deadlineName'> | string {
    const { testTime, testExecutions, until, maxTime, maxExecutions } = this.#run
    const left = maxExecutions - this.#spent
    if (left <= 0) return `the ${maxExecutions} executions of the run are spent`
    const deadlineName = `the ${maxTime} ms of the run`
    if (until !== undefined && nativeNow() >= until) return `${deadlineName} are spent`
    return { maxTime: testTime, maxExecutions: Math.min(testExecutions, left), ...(until !== undefined && { deadline: until, deadlineName }) }
  }

  spend(executions: number): void {
    if (this.#run.counter !== undefined && executions > 0) fs?.appendFileSync(this.#run.counter, '.'.repeat(executions))
  }

  get #spent(): number {
    return this.#run.counter === undefined ? 0 : (fs?.statSync(this.#run.counter).size ?? 0)
  }
}
