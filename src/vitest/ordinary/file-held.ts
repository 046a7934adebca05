import { TestRunner } from 'vitest'
import type { Finding } from '../../testing/finding.ts'
import type { HeldFile } from '../../testing/held/held-file.ts'
import { heldTests } from '../held/held-tests.ts'
import { testsToRun, type RunnerSuite, type RunnerTest } from '../passes/runner-test.ts'
import { foundAtOnce, isOverAtOnce, knowTestsOverAtOnce } from './over-at-once.ts'
import { sayOfTests, type Runner } from './unexplored-file.ts'

/** Where what is in no file decides which tests a file has. */
const isNew: Finding = { found: 'unexplored', reason: 'its file had other tests the last time, which all held: the next run explores it' }

/** In a run with `--dpor`, of a test file whose tests have all held the last time, and nothing has changed that they rest on: they run as they are. */
export function expectTestsHeld(last: HeldFile): void {
  knowTestsOverAtOnce()
  const prototype = TestRunner.prototype as unknown as Runner
  const { onBeforeRunSuite } = prototype
  let isFirst = true
  prototype['onBeforeRunSuite'] = async function (this: Runner, suite: RunnerSuite) {
    if (isFirst) takeOver(this, suite, last)
    isFirst = false
    return onBeforeRunSuite && Reflect.apply(onBeforeRunSuite, this, [suite])
  }
}

function takeOver(runner: Runner, file: RunnerSuite, last: HeldFile): void {
  const held = heldTests()!
  held.fileBegins(file, testsToRun(file), last)
  const findingOf = (test: RunnerTest): Finding => (isOverAtOnce(test) ? foundAtOnce : (held.lastTime(test) ?? isNew))
  sayOfTests(runner, findingOf, () => held.fileEnds())
}
