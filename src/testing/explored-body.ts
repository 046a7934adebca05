import type { Failure } from '../engine/index.ts'
import type { ExplorationOptions } from '../options/index.ts'
import { exploreRecorded, hasInstrumentedFiles, nativeNow, textAsRun, type Body, type BodyExploration, type RunOptions, type Subject, type Tasks } from '../runtime/index.ts'
import { contended, type Contended } from '../report/index.ts'
import { Investigation } from './experiment.ts'
import { ExplorationError, failureError, InconclusiveError, UntoldFailure, type FailedTest } from './failure-error.ts'
import { originalPlace } from './original-places.ts'
import { givenAs } from './subject.ts'

/** What a failure is shown with. */
type Shown = Pick<FailedTest, 'name' | 'testFile' | 'commandLineReplay' | 'seed' | 'root' | 'attach' | 'isOrdinary'>

export interface ExploredBody {
  readonly result: BodyExploration
  /** Of a large exploration: what one of its executions has most races on. */
  readonly contended: readonly Contended[]
  /** Where it fails: makes the error to show, which runs the failing order once more unless it is written down. */
  readonly explain: (shown: Shown) => Promise<Error>
}

/** Explores a test, and finds out where its failure comes from. @param onFailure is told of a failure before that is looked into */
export async function exploreBody(subject: Subject, options: RunOptions, onFailure?: (failure: Failure) => void): Promise<ExploredBody> {
  const investigation = new Investigation()
  const run: RunOptions = {
    ...options,
    leavesState: true,
    investigate: (failing, orders) => {
      onFailure?.(failing.failure)
      return investigation.investigate(failing, orders)
    },
  }
  const { result, recording } = await exploreRecorded(subject, run)
  if (result.failures[0]) onFailure?.(result.failures[0])
  const isExample = result.verdict !== 'fails' && recording !== undefined
  const explain = (shown: Shown): Promise<Error> => failureError({ ...shown, subject, options: run, result, recording, failure: result.failures[0]!, experiment: investigation.experiment })
  return { result, contended: isExample ? contended(recording, originalPlace) : [], explain }
}

/** Until when to explore: it ends by itself before the test framework would end the test from outside. @param timeout milliseconds. @param since when the test has begun */
export function deadlineBefore(timeout: number | undefined, since = nativeNow()): Pick<RunOptions, 'deadline' | 'deadlineName'> {
  if (!timeout || !Number.isFinite(timeout)) return {}
  const margin = Math.min(500, timeout / 5)
  return { deadline: since + timeout - margin, deadlineName: `the test's timeout of ${timeout} ms` }
}

/** A body that calls async code and was not instrumented would pass without having been explored. @param how says why nothing may be instrumented */
export function checkInstrumented(subject: Body | Tasks, how: { readonly noFile: string; readonly notThisFile: string }): void {
  if (!hasInstrumentedFiles()) throw new Error(`no file is instrumented, so there is nothing to explore: ${how.noFile}`)
  const functions = typeof subject === 'function' ? [subject] : Object.values(subject.tasks)
  for (const fn of functions) {
    const text = textAsRun(givenAs(fn))
    if (/^\s*async\b/.test(text) && !text.includes('__dpor')) throw new Error(`the test body is not instrumented, so it cannot be explored: ${how.notThisFile}`)
  }
}

/** What an exploration that a bound ended comes to. @throws InconclusiveError if that is to fail the test */
export function endInconclusive({ result, contended: most }: ExploredBody, { onInconclusive }: Pick<ExplorationOptions, 'onInconclusive'>): void {
  const error = new InconclusiveError(result, most)
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

/** For a test that is expected to fail in some execution: an error that says nothing of the body is still one. */
export async function failsInSomeExecution(explore: () => Promise<void>): Promise<void> {
  try {
    await explore()
  } catch (error) {
    if (error instanceof ExplorationError || error instanceof UntoldFailure) return
    throw error
  }
  throw new Error('Expect test to fail')
}
