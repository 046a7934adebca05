import { inject, TestRunner, type RunnerTestCase, type TestContext } from 'vitest'
import type { Body, RunOptions, Subject, Tasks } from '../runtime/index.ts'
import { checkInstrumented, deadlineBefore, endInconclusive, exploreBody, failsInSomeExecution, type ExploredBody } from '../testing/explored-body.ts'
import { UntoldFailure } from '../testing/failure-error.ts'
import type { Finding } from '../testing/finding.ts'
import { metaOf, type DporMeta } from '../testing/meta.ts'
import { mergeLayers, type DporOptions, type ExplorationOptions } from '../options/index.ts'
import { annotationOf, annotationType, attachedBy } from './annotation.ts'
import { attemptEnded, forAttempt, seedOfAttempt } from './attempts.ts'
import type { Definition } from './definition.ts'
import { checkNoneAside } from './files-aside.ts'
import { keptFiles } from './kept-files.ts'
import { ioFiles } from './io-files.ts'
import type { Annotate } from './passes/runner-test.ts'
import { knownFailureOf, pluginOptions } from './plugin-options.ts'
import { progressOf } from './progress.ts'
import { projectRoot } from './project-root.ts'
import { asksForLines } from './asks-for-lines.ts'
import { commandLineReplay, forTest, tagOf, withoutTag } from './replay-tag.ts'
import { Surroundings } from './surroundings.ts'
import { toldOnTimeout } from './told-on-timeout.ts'

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

/** Explores a `dporTest`: its body, or what runs it with all that is around. */
export async function exploreTest(subject: Subject, options: ExplorationOptions, { task, surroundings }: { readonly task: RunnerTestCase | undefined; readonly surroundings: Surroundings }): Promise<ExploredBody> {
  const onFailure = toldOnTimeout(task?.context.signal, (failure) => new UntoldFailure(failure, { commandLineReplay: commandLineReplay(failure.schedule, task), seed: seedOfAttempt(options, task), isOrdinary: false }))
  const explored = await exploreBody(subject, { ...runOptions(options, task?.timeout), ...keptFiles(options, task), drawsAs: tagOf(task), knownFailure: knownFailureOf(task), surroundings, ...(task && { onProgress: progressOf(task) }) }, onFailure)
  if (!explored.result.failures[0]) checkNoneAside()
  return explored
}

/** The options of a `dporTest`, all layers together; undefined: the command line replays another test. */
export function optionsOf(own: DporOptions, task: RunnerTestCase | undefined): ExplorationOptions | undefined {
  const { plugin, commandLine } = pluginOptions()
  const asked = forTest(commandLine, task)
  return asked && mergeLayers({ plugin, commandLine: asked, test: withoutTag(own) })
}

/** @throws if it would pass without having been explored */
export function checkExplorable(subject: Body | Tasks): void {
  checkInstrumented(subject, notInstrumented)
  checkNoneAside()
}

/** Leaves the verdict in `task.meta.dpor`. @throws the failure, explained */
export async function conclude(explored: ExploredBody, options: ExplorationOptions, { task, annotate }: { readonly task: RunnerTestCase | undefined; readonly annotate: Annotate | undefined }): Promise<void> {
  const { result, explain } = explored
  const failure = result.failures[0]
  if (task) task.meta.dpor = metaOf(explored)
  if (failure && isSkip(failure.error)) throw failure.error
  const seed = seedOfAttempt(options, task)
  attemptEnded(result, options, task)
  if (failure) throw await explain({ name: task?.name ?? '', testFile: task?.file.filepath, commandLineReplay: commandLineReplay(failure.schedule, task), seed, root: projectRoot(), attach: annotate && attachedBy(annotate) })
  if (result.verdict !== 'inconclusive') return
  endInconclusive(explored, options)
  await annotate?.(annotationOf({ found: 'inconclusive', ...(result.inconclusiveReason !== undefined && { reason: result.inconclusiveReason }) })!, annotationType)
}

/** The body of a `dporTest` around whose executions hooks and fixtures run once. */
export async function exploreWithin(subject: Body | Tasks, definition: Definition, context: TestContext | undefined): Promise<void> {
  const task = context?.task ?? TestRunner.getCurrentTest()
  await asExpected(definition, async () => {
    const asked = optionsOf(definition.options, task)
    if (!asked) return task?.context.skip('--dpor.replay belongs to another test')
    const options = forAttempt(asked, task)
    checkExplorable(subject)
    await conclude(await exploreTest(subject, options, { task, surroundings: new Surroundings(task) }), options, { task, annotate: context && annotating(context) })
  })
}

/** For a test that may be expected to fail. */
export function asExpected({ toFail }: Definition, explore: () => Promise<void>): Promise<void> {
  return toFail ? failsInSomeExecution(explore) : explore()
}

const annotating = ({ annotate }: TestContext): Annotate => async (message, type, attachment) => (await annotate(message, type, attachment && { ...attachment })).attachment?.path

/** What `context.skip()` throws. */
function isSkip(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'VITEST_PENDING'
}

/** The exploration ends by itself before Vitest would end the test from outside. @param since when the test has begun: now, where nothing else is known */
export function runOptions(options: ExplorationOptions, timeout: number | undefined, since?: number): RunOptions {
  return { ...options, io: ioFiles(), servers: inject('dporServers' as never) ?? {}, racedPlaces: inject(asksForLines as never) === true, ...deadlineBefore(timeout, since) }
}

export const notInstrumented = {
  noFile:
    'either the options `include` and `exclude` of dpor() leave out every file of this test, or no test file of this project names ' +
    'dporTest, or leads by its imports to one that does, so that all stay as they are. Then name it in the test file; a comment will do',
  notThisFile: 'its file is left out by the options `include` or `exclude` of dpor(), or lies in node_modules',
}
