/** In a run with `--dpor`, a test file of which it is known before it runs that nothing in it is to be explored: what explores is not loaded. */
import { inject, TestRunner } from 'vitest'
import type { ProvidedRun } from '../../options/index.ts'
import type { Finding } from '../../testing/finding.ts'
import { SharedCounts } from '../../testing/shared-counts.ts'
import { isToRun, type RunnerSuite, type RunnerTest } from '../passes/runner-test.ts'
import { asItIs } from './over-at-once.ts'

type Method = (...args: any[]) => unknown
export type Runner = Record<string, Method | undefined>

/** Says of each test what is known of it, and of the file that it was one of those of the run. */
export function sayOfTests(runner: Runner, findingOf: (test: RunnerTest) => Finding, fileEnds: () => void = () => {}): void {
  const counts = countsOfRun()
  counts?.add('begun files')
  const { onBeforeRunTask, runTask = (test: never) => TestRunner.getTestFn(test)(), onAfterRunSuite } = runner
  runner['onBeforeRunTask'] = async (test: RunnerTest, ...rest: unknown[]) => {
    await (onBeforeRunTask && Reflect.apply(onBeforeRunTask, runner, [test, ...rest]))
    if (isToRun(test)) test.meta['dporFound'] = findingOf(test)
  }
  runner['runTask'] = (test: RunnerTest, ...rest: unknown[]) => asItIs(test, () => Reflect.apply(runTask, runner, [test, ...rest]))
  runner['onAfterRunSuite'] = (suite: RunnerSuite, ...rest: unknown[]) => {
    if (suite.filepath !== undefined) {
      counts?.add('ended files')
      fileEnds()
    }
    return onAfterRunSuite && Reflect.apply(onAfterRunSuite, runner, [suite, ...rest])
  }
}

function countsOfRun(): SharedCounts | undefined {
  const { counts } = inject('dporRun' as never) as ProvidedRun
  return counts === undefined ? undefined : new SharedCounts(counts)
}
