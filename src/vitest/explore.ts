import { TestRunner, type RunnerTestCase } from 'vitest'
import { mergeLayers, type DporOptions } from '../options/index.ts'
import { explore as exploreSubject, isInStep, nativeNow, type Body, type BodyExploration, type Tasks } from '../runtime/index.ts'
import { checkInstrumented } from '../testing/explored-body.ts'
import { notInstrumented, runOptions } from './explored-test.ts'
import { checkNoneAside } from './files-aside.ts'
import { pluginOptions } from './plugin-options.ts'
import { Surroundings } from './surroundings.ts'

/**
 * Explores a body, or tasks over a state, without a test around it.
 *
 * @returns the verdict, the counts and the failures; it does not throw for a failing execution
 * @throws OptionError for an option that is not accepted, NondeterminismError when the body does something else each time
 */
export async function explore<S>(subject: Body | Tasks<S>, options: DporOptions = {}): Promise<BodyExploration> {
  // With `--dpor`: the test is then run as it is.
  if (isInStep()) throw new Error('explore() was called within an exploration, which cannot be explored itself')
  const merged = mergeLayers({ ...pluginOptions(), test: options })
  checkInstrumented(subject, notInstrumented)
  checkNoneAside()
  const test = TestRunner.getCurrentTest()
  const surroundings = new Surroundings(test)
  const result = await exploreSubject(subject, { ...runOptions(merged, test?.timeout, test && beginOf(test)), saveTo: options.saveTo, resumeFrom: options.resumeFrom, surroundings })
  if (result.failures.length === 0) checkNoneAside()
  return result
}

/** By test: when the first exploration of an attempt at it began. */
const begun = new WeakMap<RunnerTestCase, { readonly attempt: string; readonly at: number }>()

/** Since when a test has been running, at the latest: an exploration that goes on after its timeout stands in the way of those of the next one. */
function beginOf(test: RunnerTestCase): number {
  const attempt = `${test.result?.retryCount ?? 0} ${test.result?.repeatCount ?? 0}`
  const known = begun.get(test)
  if (known?.attempt === attempt) return known.at
  const at = nativeNow()
  begun.set(test, { attempt, at })
  return at
}
