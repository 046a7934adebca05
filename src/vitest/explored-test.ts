import { TestRunner, type TestContext } from 'vitest'
import type { Body, RunOptions, Tasks } from '../runtime/index.ts'
import { checkInstrumented, deadlineBefore, endInconclusive, exploreBody, failsInSomeExecution } from '../testing/explored-body.ts'
import type { Finding } from '../testing/finding.ts'
import { metaOf, type DporMeta } from '../testing/meta.ts'
import { mergeLayers, type DporOptions, type ExplorationOptions } from '../options/index.ts'
import { annotationOf, annotationType } from './annotation.ts'
import { pageType, type Attach } from '../testing/failure-page.ts'
import { checkNoneAside } from './files-aside.ts'
import { ioFiles } from './io-files.ts'
import { pluginOptions } from './plugin-options.ts'
import { progressOf } from './progress.ts'
import { projectRoot } from './project-root.ts'
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
  checkInstrumented(subject, notInstrumented)
  checkNoneAside()
  const { result, explain } = await exploreBody(subject, { ...runOptions(options, task?.timeout), surroundings: new Surroundings(task), ...(task && { onProgress: progressOf(task) }) })
  const failure = result.failures[0]
  if (!failure) checkNoneAside()
  if (task) task.meta.dpor = metaOf(result)
  if (failure && isSkip(failure.error)) throw failure.error
  if (failure) throw await explain({ name: task?.name ?? '', testFile: task?.file.filepath, commandLineReplay: commandLineReplay(failure.schedule, task), root: projectRoot(), attach: context && attachedBy(context) })
  if (result.verdict !== 'inconclusive') return
  endInconclusive(result, options)
  await context?.annotate(annotationOf({ found: 'inconclusive', ...(result.inconclusiveReason !== undefined && { reason: result.inconclusiveReason }) })!, annotationType)
}

const attachedBy = ({ annotate }: TestContext): Attach => async (message, attachment) => (await annotate(message, pageType, { ...attachment })).attachment?.path

/** The same for a test that is expected to fail. */
export const exploreFailingTest = (subject: Body | Tasks, own: DporOptions, context: TestContext | undefined): Promise<void> =>
  failsInSomeExecution(() => exploreTest(subject, { ...own, page: false }, context))

/** What `context.skip()` throws. */
function isSkip(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'VITEST_PENDING'
}

/** The exploration ends by itself before Vitest would end the test from outside. */
export function runOptions(options: ExplorationOptions, timeout: number | undefined): RunOptions {
  return { ...options, io: ioFiles(), ...deadlineBefore(timeout) }
}

export const notInstrumented = {
  noFile:
    'either the options `include` and `exclude` of dpor() leave out every file of this test, or no test file of this project names ' +
    'dporTest, or leads by its imports to one that does, so that all stay as they are. Then name it in the test file; a comment will do',
  notThisFile: 'its file is left out by the options `include` or `exclude` of dpor(), or lies in node_modules',
}
