import type { Failure } from '../../engine/index.ts'
import { NondeterminismError } from '../execution/errors.ts'
import type { Executions } from './executions.ts'
import { withFewerSwitches } from './fewer-switches.ts'
import { inFewestSwitches } from './fewest-switches.ts'
import { OtherOrders, type OrderRunner } from './other-orders.ts'
import type { Checked, Known, Reruns } from './reruns.ts'
import { plainRun } from './results.ts'
import type { FullOptions } from './run-options.ts'

/** What a failure is told by: the order that is the easiest to follow, and what other orders show of where it comes from. */
export class Telling {
  readonly #executions: Executions
  readonly #reruns: Reruns
  readonly #options: FullOptions
  readonly #known: Known

  constructor(executions: Executions, reruns: Reruns, options: FullOptions, known: Known) {
    this.#executions = executions
    this.#reruns = reruns
    this.#options = options
    this.#known = known
  }

  /** The first failure in the order that has the fewest switches. A plain run stays as it is: nobody switched there. */
  async easiest(checked: Checked): Promise<Checked> {
    const [failure] = checked.found.failures
    if (failure === undefined || this.#known.isOfPlainRun(failure)) return checked
    return this.#ofAllClasses(await this.#ofItsClass(checked))
  }

  async #ofItsClass(checked: Checked): Promise<Checked> {
    const [failure, ...others] = checked.found.failures
    const runner = failure && this.#runnerOf(failure, checked)
    if (!checked.recording || !runner) return checked
    const told = await inFewestSwitches({ failure, recording: checked.recording }, runner)
    return { ...checked, found: { ...checked.found, failures: [told.failure, ...others] }, recording: told.recording }
  }

  /** What was met first may have come at random. Where all failures are asked for, or those of a part, each is there for its own class. */
  async #ofAllClasses(checked: Checked): Promise<Checked> {
    const [failure, ...others] = checked.found.failures
    const runner = failure && this.#runnerOf(failure, checked)
    const { switches = 0 } = checked.recording?.order ?? {}
    const { part, search, stopOnFirst } = this.#options
    if (!runner || switches === 0 || search === 'preemptions' || !stopOnFirst || part !== undefined) return checked
    try {
      const fewer = await withFewerSwitches(failure, switches, { runner, options: this.#options })
      if (fewer) return await this.#ofItsClass({ ...checked, found: { ...checked.found, failures: [fewer.failure, ...others] }, recording: fewer.recording, names: fewer.names })
    } catch (error) {
      if (!(error instanceof NondeterminismError)) throw error
    }
    return checked
  }

  /** Lets others find out what the failure comes from, as long as there is time. */
  async investigate(checked: Checked): Promise<void> {
    const { found: { failures: [failure] }, recording } = checked
    const runner = failure && this.#runnerOf(failure, checked)
    if (!this.#options.investigate || !recording || !runner) return
    await this.#options.investigate({ failure, recording, passes: this.#known.hasPassed }, new OtherOrders(runner, this.#options, failure))
  }

  /** Runs orders that are close to a failing one, which was written down. */
  #runnerOf({ schedule }: Failure, { names }: Checked): OrderRunner | undefined {
    if (!names || schedule === plainRun) return undefined
    return {
      identities: names,
      execute: (search, identities, parts) => this.#executions.execute(search, identities, parts),
      newSearch: (makeAlgorithm) => this.#reruns.searchOf(schedule, makeAlgorithm),
      newAssumptions: () => this.#executions.newAssumptions(),
      hasTime: () => this.#executions.hasTimeForQuestion,
    }
  }
}
