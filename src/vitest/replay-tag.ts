import type { RunnerTestCase } from 'vitest'
import type { CommandLineOptions } from '../options/index.ts'
import { tagOfName } from '../testing/test-tag.ts'

/** The schedule that the command line asks for: `0.1.2~k3f9w`, with a short name of the test that it belongs to. */

const separator = '~'

/** A short name of a test, by its file and its full name. */
export function tagOf(task: RunnerTestCase | undefined): string | undefined {
  if (!task) return undefined
  const names = [task.name]
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name)
  return tagOfName([task.file?.name, ...names].join(' > '))
}

/** The schedule, and the short name of the test that it belongs to, if it has one. */
export function partsOf(replay: string): { readonly schedule: string; readonly tag: string | undefined } {
  const [schedule, tag] = replay.split(separator) as [string, string?]
  return { schedule, tag }
}

const nothing: CommandLineOptions = {}

/** The options of the command line as they are for this test; undefined where they replay another one. */
export function forTest(options: CommandLineOptions | undefined, task: RunnerTestCase | undefined): CommandLineOptions | undefined {
  if (typeof options?.replay !== 'string') return options ?? nothing
  const { schedule, tag } = partsOf(options.replay)
  return tag !== undefined && task && tag !== tagOf(task) ? undefined : { ...options, replay: schedule }
}

/** Options as a test has them: what the failure printed for the command line may be pasted there as well. */
export function withoutTag<T extends { readonly replay?: string | undefined }>(options: T): T {
  return options.replay?.includes(separator) ? { ...options, replay: partsOf(options.replay).schedule } : options
}

/** What the command line is given to replay a schedule of this test, and of no other. */
export function commandLineReplay(schedule: string, task: RunnerTestCase | undefined): string {
  const tag = tagOf(task)
  return tag === undefined ? schedule : `${schedule}${separator}${tag}`
}
