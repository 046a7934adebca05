import { describe } from 'vitest'
import type { RunnerSuite, RunnerTest } from './runner-test.ts'

/** Where tests are that run once more, at the end of their suite. */
interface Appended {
  readonly suite: RunnerSuite
  readonly tests: RunnerTest[]
}

/** What reporters have heard of a test that runs twice: as one run they are to hear of its beginning and of its end. */
type Heard = 'first beginning' | 'first end' | 'second beginning'

type Event = readonly [id: string, event: string, ...rest: unknown[]]
type Result = readonly [id: string, ...rest: unknown[]]

/**
 * Tests that run once more when all else of their suite is over, as parts of it: between its `beforeAll` and its `afterAll`. Vitest finds
 * them in a suite that is appended to theirs, of which nobody else hears.
 */
export class SecondRuns {
  readonly #bySuite = new WeakMap<RunnerSuite, Appended>()
  readonly #appendedIds = new Set<string>()
  readonly #heard = new Map<string, Heard>()
  /** Those that do not run after all are skipped, and not to be seen so. */
  #skipped: RunnerTest[] = []

  /** Its tests are about to run. */
  async append(suite: RunnerSuite): Promise<void> {
    // What defines suites is asked for one, for only that gives it lists of hooks.
    const collector = describe('once more', () => {}) as unknown as { collect(file: RunnerSuite): Promise<RunnerSuite> }
    const appended = await collector.collect(fileOf(suite))
    // What may run beside others is not shuffled with them. Vitest 5 has noted that there is no test in it.
    Object.assign(appended, { id: `${suite.id} once more`, suite, concurrent: true, containsTest: true })
    this.#appendedIds.add(appended.id)
    this.#bySuite.set(suite, { suite: appended, tests: [] })
    suite.tasks.push(appended)
  }

  isAppended({ id }: RunnerSuite): boolean {
    return this.#appendedIds.has(id)
  }

  /** An appended suite begins. @param inOrder which of those that have been added run first */
  begin(appended: RunnerSuite, inOrder: (tests: readonly RunnerTest[]) => readonly RunnerTest[]): void {
    const { tests } = this.#bySuite.get(appended.suite!)!
    if (tests.length === 0) appended.mode = 'skip'
    appended.tasks.push(...inOrder(tests))
  }

  /** A suite is over. */
  end(suite: RunnerSuite): void {
    const appended = this.#bySuite.get(suite)
    if (!appended) return
    suite.tasks.splice(suite.tasks.indexOf(appended.suite), 1)
    this.#bySuite.delete(suite)
    for (const test of this.#skipped) test.mode = 'run'
    this.#skipped = []
  }

  /** Before reporters hear of its end: it will run once more. */
  add(test: RunnerTest): void {
    this.#bySuite.get(test.suite ?? test.file)!.tests.push(test)
    this.#heard.set(test.id, 'first beginning')
  }

  /** What was to run once more does not: its result is what it was. */
  skip(test: RunnerTest): void {
    test.mode = 'skip'
    this.#skipped.push(test)
  }

  /** What reporters are told of. */
  told(results: readonly Result[], events: readonly Event[]): readonly [results: readonly Result[], events: readonly Event[]] {
    return [results.filter(([id]) => !this.#appendedIds.has(id)), events.filter(([id, event]) => !this.#appendedIds.has(id) && this.#isTold(id, event))]
  }

  #isTold(id: string, event: string): boolean {
    const heard = this.#heard.get(id)
    if (heard === 'first beginning' && event === 'test-finished') this.#heard.set(id, 'first end')
    else if (heard === 'first end' && event === 'test-prepare') this.#heard.set(id, 'second beginning')
    else {
      if (heard === 'second beginning' && event === 'test-finished') this.#heard.delete(id)
      return true
    }
    return false
  }
}

const fileOf = (suite: RunnerSuite): RunnerSuite => suite.file ?? suite
