import type { RunnerTestCase } from 'vitest'
import type { ExplorationOptions } from '../options/index.ts'
import type { BodyExploration } from '../runtime/index.ts'

/**
 * Vitest tries a test with `retry` again where it fails. One whose plain run has failed is given other random numbers then, as a plain
 * test would have had: by the same ones it would fail once more. What fails in another order fails so in each attempt.
 */

/** By test: how many attempts have failed in the plain order. */
const failed = new WeakMap<RunnerTestCase, number>()

/** The options as they are for the attempt that begins. */
export function forAttempt(options: ExplorationOptions, task: RunnerTestCase | undefined): ExplorationOptions {
  if (!task || options.replay !== undefined) return options
  if (!task.result?.retryCount) failed.delete(task)
  const before = failed.get(task)
  return before === undefined ? options : { ...options, seed: (options.seed ?? 0) + before }
}

/** The seed that a replay has to be given, where it is not the one that is given anyway. */
export function seedOfAttempt(options: ExplorationOptions, task: RunnerTestCase | undefined): number | undefined {
  return task && options.replay === undefined && failed.has(task) ? options.seed : undefined
}

/** An attempt has come to an end. */
export function attemptEnded({ failures: [failure] }: BodyExploration, { part, replay }: ExplorationOptions, task: RunnerTestCase | undefined): void {
  if (task && failure?.execution === 1 && part === undefined && replay === undefined) failed.set(task, (failed.get(task) ?? 0) + 1)
}
