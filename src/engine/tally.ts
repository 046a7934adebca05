import type { Exploration, Failure } from './outcome.ts'
import { portable, restored } from './parts/parallel-messages.ts'
import type { SavedTally } from './resume/saved.ts'

/** What a search has counted in its pass, and what has failed in that pass and in those before. */
export class Tally {
  /** Complete ones. */
  executions = 0
  blocked = 0
  steps = 0
  #failures: Failure[] = []
  #earlier: readonly Failure[] = []

  get hasFailures(): boolean {
    return this.#failures.length > 0
  }

  fail(failure: Failure): void {
    this.#failures.push(failure)
  }

  /** Another pass begins. */
  startAnew(): void {
    this.#earlier = this.#all
    this.#failures = []
    this.executions = this.blocked = this.steps = 0
  }

  /** @param isWhole the pass was explored to its end, so that it has all failures that there are */
  result({ isWhole }: { readonly isWhole: boolean }): Pick<Exploration, 'executions' | 'blocked' | 'steps' | 'failures'> {
    return { executions: this.executions, blocked: this.blocked, steps: this.steps, failures: isWhole ? this.#failures : this.#all }
  }

  save(): SavedTally {
    return { executions: this.executions, blocked: this.blocked, steps: this.steps, failures: this.#failures.map(portable), earlier: this.#earlier.map(portable) }
  }

  restore({ executions, blocked, steps, failures, earlier }: SavedTally): void {
    this.executions = executions
    this.blocked = blocked
    this.steps = steps
    this.#failures = failures.map(restored)
    this.#earlier = earlier.map(restored)
  }

  /** Those of the passes before that are not among those of this one come first. */
  get #all(): readonly Failure[] {
    const schedules = new Set(this.#failures.map(({ schedule }) => schedule))
    return [...this.#earlier.filter(({ schedule }) => !schedules.has(schedule)), ...this.#failures]
  }
}
