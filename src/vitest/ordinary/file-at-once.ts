import { TestRunner } from 'vitest'
import { testsToRun, type RunnerSuite } from '../passes/runner-test.ts'
import { foundAtOnce, isOverAtOnce, knowTestsOverAtOnce } from './over-at-once.ts'
import { keepPlatform } from './platform-before.ts'
import { sayOfTests, type Runner } from './unexplored-file.ts'

/**
 * In a run with `--dpor`, of a test file whose text speaks of nothing that a test could wait for: as long as all its tests are over at once, there is
 * nothing to explore, and what explores need not be loaded.
 *
 * @param prepare loads it, for tests that are not. What was made before has no names by then: what shares it is merged
 */
export function expectTestsOverAtOnce(prepare: () => Promise<void>): void {
  knowTestsOverAtOnce()
  const prototype = TestRunner.prototype as unknown as Runner
  const { onBeforeRunSuite } = prototype
  // What explores takes the platform's own functions as it is loaded, and the file may have put fakes in their places.
  const asBefore = keepPlatform()
  let isFirst = true
  prototype['onBeforeRunSuite'] = async function (this: Runner, suite: RunnerSuite) {
    const isExpected = testsToRun(suite).every(isOverAtOnce)
    if (isFirst && isExpected) sayOfTests(this, () => foundAtOnce)
    else if (isFirst) await asBefore(prepare)
    const goesOn = isFirst && !isExpected ? prototype['onBeforeRunSuite'] : onBeforeRunSuite
    isFirst = false
    return goesOn && Reflect.apply(goesOn, this, [suite])
  }
}
