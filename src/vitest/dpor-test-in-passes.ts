import type { RunnerTestCase } from 'vitest'
import type { Body, Staged } from '../runtime/index.ts'
import type { ExplorationOptions } from '../options/index.ts'
import type { ExploredBody } from '../testing/explored-body.ts'
import { forAttempt } from './attempts.ts'
import type { Definition } from './definition.ts'
import { asExpected, checkExplorable, conclude, exploreTest, optionsOf } from './explored-test.ts'
import type { Ended, Judge, Verdict } from './passes/judge.ts'
import { hasHooks } from './passes/runner.ts'
import type { Annotate, RunnerTest } from './passes/runner-test.ts'
import { snapshotStateOf } from './passes/snapshot-state.ts'
import { Surroundings } from './surroundings.ts'

/** Whether there is anything around the executions of a `dporTest` that is to run for each of them. */
export function takesPasses(test: RunnerTest, { options, hasFixtures }: Definition): boolean {
  if (!hasFixtures && !hasHooks(test)) return false
  try {
    return optionsOf(options, asVitest(test))?.hooks === 'each'
  } catch {
    // The test itself says what is wrong.
    return false
  }
}

/** A `dporTest` whose executions are whole tests, with their hooks and fixtures. */
export class DporTestInPasses implements Judge {
  readonly endsByPlainFailure = false
  readonly showsBody = true
  readonly beginsAnew = true
  readonly repeatsAsItIs = false
  readonly triesAgain = true
  readonly isToRunAgain = false
  readonly #test: RunnerTest
  readonly #definition: Definition
  readonly #annotate: Annotate
  #options!: ExplorationOptions

  constructor(test: RunnerTest, definition: Definition, annotate: Annotate) {
    this.#test = test
    this.#definition = definition
    this.#annotate = annotate
  }

  explore(passes: Staged): Promise<ExploredBody> {
    const task = asVitest(this.#test)
    this.#options = forAttempt(optionsOf(this.#definition.options, task)!, task)
    checkExplorable(this.#definition.subject as Body)
    return exploreTest(passes, this.#options, { task, surroundings: new Surroundings(undefined, () => snapshotStateOf(task.file.filepath)) })
  }

  async verdictOn(ended: Ended): Promise<Verdict> {
    try {
      await asExpected(this.#definition, async () => {
        if ('error' in ended) throw ended.error
        await conclude(ended.explored, this.#options, { task: asVitest(this.#test), annotate: this.#annotate })
      })
      return { error: undefined }
    } catch (error) {
      return { error: error as Error }
    }
  }

  left(reason: string): void {
    throw new Error(`it was not explored: ${reason}, which makes that anew each time. With { hooks: 'once' } hooks and fixtures run around all executions`)
  }

  async finish(): Promise<void> {}
}

const asVitest = (test: RunnerTest): RunnerTestCase => test as unknown as RunnerTestCase
