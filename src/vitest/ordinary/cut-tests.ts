import type { RunnerTest } from '../passes/runner-test.ts'
import type { OrdinaryTest } from './ordinary-test.ts'

/** Tests of a run with a bound whose explorations were cut short, and which wait for what is left of it. */
export class CutTests {
  readonly #waiting = new Map<RunnerTest, OrdinaryTest>()

  /** How many wait. */
  get count(): number {
    return this.#waiting.size
  }

  add(test: RunnerTest, cut: OrdinaryTest): void {
    this.#waiting.set(test, cut)
  }

  /** It waits no longer. */
  take(test: RunnerTest): OrdinaryTest | undefined {
    const cut = this.#waiting.get(test)
    this.#waiting.delete(test)
    return cut
  }

  /** First those that are most likely to come to an end. */
  inOrder(tests: readonly RunnerTest[]): readonly RunnerTest[] {
    return tests.toSorted((one, other) => (this.#waiting.get(one)?.estimate ?? 0) - (this.#waiting.get(other)?.estimate ?? 0))
  }
}
