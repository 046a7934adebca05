import { inject, TestRunner } from 'vitest'
import type { ProvidedRun } from '../../options/index.ts'
import { SharedCounts } from '../../testing/shared-counts.ts'
import type { RunnerSuite, RunnerTest } from '../passes/runner-test.ts'
import { asItIs, foundAtOnce, isOverAtOnce, knowTestsOverAtOnce } from './over-at-once.ts'

type Method = (...args: any[]) => unknown
type Runner = Record<string, Method | undefined>

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
  let isFirst = true
  prototype['onBeforeRunSuite'] = async function (this: Runner, suite: RunnerSuite) {
    const isExpected = testsToRun(suite).every(isOverAtOnce)
    if (isFirst && isExpected) takeOver(this)
    else if (isFirst) await prepare()
    const goesOn = isFirst && !isExpected ? prototype['onBeforeRunSuite'] : onBeforeRunSuite
    isFirst = false
    return goesOn && Reflect.apply(goesOn, this, [suite])
  }
}

const isToRun = ({ mode }: RunnerTest): boolean => mode === 'run' || mode === 'queued'

function testsToRun({ tasks }: RunnerSuite): RunnerTest[] {
  return tasks.flatMap((task) => ('tasks' in task ? testsToRun(task) : isToRun(task) ? [task] : []))
}

/** Says of each test what is said of one that is over at once, and of the file that it was one of those of the run. */
function takeOver(runner: Runner): void {
  const counts = countsOfRun()
  counts?.add('begun files')
  const { onBeforeRunTask, runTask = (test: never) => TestRunner.getTestFn(test)(), onAfterRunSuite } = runner
  runner['onBeforeRunTask'] = async (test: RunnerTest, ...rest: unknown[]) => {
    await (onBeforeRunTask && Reflect.apply(onBeforeRunTask, runner, [test, ...rest]))
    if (isToRun(test)) test.meta['dporFound'] = foundAtOnce
  }
  runner['runTask'] = (test: RunnerTest, ...rest: unknown[]) => asItIs(test, () => Reflect.apply(runTask, runner, [test, ...rest]))
  runner['onAfterRunSuite'] = (suite: RunnerSuite, ...rest: unknown[]) => {
    if (suite.filepath !== undefined) counts?.add('ended files')
    return onAfterRunSuite && Reflect.apply(onAfterRunSuite, runner, [suite, ...rest])
  }
}

function countsOfRun(): SharedCounts | undefined {
  const { counts } = inject('dporRun' as never) as ProvidedRun
  return counts === undefined ? undefined : new SharedCounts(counts)
}
