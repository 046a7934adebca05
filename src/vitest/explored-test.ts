import { TestRunner, type TestContext } from 'vitest'
import { exploreRecorded, hasInstrumentedFiles, nativeNow, type Body, type RunOptions, type Tasks } from '../runtime/index.ts'
import type { Exploration } from '../engine/index.ts'
import type { Finding } from '../testing/finding.ts'
import { metaOf, type DporMeta } from '../testing/meta.ts'
import { mergeLayers, type DporOptions, type ExplorationOptions } from '../options/index.ts'
import { annotationOf, annotationType } from './annotation.ts'
import { Investigation } from './experiment.ts'
import { ExplorationError, failureError, InconclusiveError, UntoldFailure } from './failure-error.ts'
import { ioFiles } from './io-files.ts'
import { pluginOptions } from './plugin-options.ts'
import { progressOf } from './progress.ts'
import { commandLineReplay, forTest } from './replay-tag.ts'
import { Surroundings } from './surroundings.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What was explored; `false`, from the user: the test is left out of runs with `--dpor`. */
    dpor?: DporMeta | false
    /** In runs with `--dpor`: what was found out about this ordinary test. */
    dporFound?: Finding
    /** A `dporTest`. */
    dporTest?: true
  }
}

/** The body of a test that explores `subject`: fails with an explanation, or leaves the verdict in `task.meta.dpor`. */
export async function exploreTest(subject: Body | Tasks, own: DporOptions, context: TestContext | undefined): Promise<void> {
  const task = context?.task ?? TestRunner.getCurrentTest()
  const { plugin, commandLine } = pluginOptions()
  const asked = forTest(commandLine, task)
  if (!asked) return task?.context.skip('--dpor.replay belongs to another test')
  const options = mergeLayers({ plugin, commandLine: asked, test: own })
  const investigation = new Investigation()
  const run = { ...runOptions(options, task?.timeout), leavesState: true, investigate: investigation.investigate, hooks: new Surroundings(task), ...(task && { onProgress: progressOf(task) }) }
  checkInstrumented(subject)
  const { result, recording } = await exploreRecorded(subject, run)
  const failure = result.failures[0]
  if (task) task.meta.dpor = metaOf(result)
  if (failure && isSkip(failure.error)) throw failure.error
  if (failure) throw await failureError({ subject, options: run, result, recording, failure, experiment: investigation.experiment, name: task?.name ?? '', testFile: task?.file.filepath, commandLineReplay: commandLineReplay(failure.schedule, task) })
  if (result.verdict !== 'inconclusive') return
  reportInconclusive(result, options)
  await context?.annotate(annotationOf({ found: 'inconclusive', ...(result.inconclusiveReason !== undefined && { reason: result.inconclusiveReason }) })!, annotationType)
}

/** The same for a test that is expected to fail: an error that says nothing of the body is still one. */
export async function exploreFailingTest(...test: Parameters<typeof exploreTest>): Promise<void> {
  try {
    await exploreTest(...test)
  } catch (error) {
    if (error instanceof ExplorationError || error instanceof UntoldFailure) return
    throw error
  }
  throw new Error('Expect test to fail')
}

/** What `context.skip()` throws. */
function isSkip(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'VITEST_PENDING'
}

/** The exploration ends by itself before Vitest would end the test from outside. */
export function runOptions(options: ExplorationOptions, timeout: number | undefined): RunOptions {
  const run: RunOptions = { ...options, io: ioFiles() }
  if (!timeout || !Number.isFinite(timeout)) return run
  const margin = Math.min(500, timeout / 5)
  return { ...run, deadline: nativeNow() + timeout - margin, deadlineName: `the test's timeout of ${timeout} ms` }
}

/** A body that calls async code and was not instrumented would pass without having been explored. */
export function checkInstrumented(subject: Body | Tasks): void {
  if (!hasInstrumentedFiles()) {
    throw new Error(
      'no file is instrumented, so there is nothing to explore: either the options `include` and `exclude` of dpor() leave out every file of this test, or no test file of this project names ' +
        'dporTest, or leads by its imports to one that does, so that all stay as they are. Then name it in the test file; a comment will do',
    )
  }
  const functions = typeof subject === 'function' ? [subject] : Object.values(subject.tasks)
  for (const fn of functions) {
    const text = String(fn)
    if (/^\s*async\b/.test(text) && !text.includes('__dpor')) {
      throw new Error(
        'the test body is not instrumented, so it cannot be explored: its file is left out by the options `include` or `exclude` of dpor(), or lies in node_modules',
      )
    }
  }
}

function reportInconclusive(result: Exploration, { onInconclusive }: ExplorationOptions): void {
  const error = new InconclusiveError(result)
  switch (onInconclusive) {
    case 'fail':
      throw error
    case 'warn':
      console.warn(error.message)
      break
    case 'pass':
      break
    default:
      onInconclusive satisfies never
  }
}
