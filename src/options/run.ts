import { bound, milliseconds, oneOf } from '../engine/checks.ts'
import { completeOptions, noSuchOption, option, refusal, type CompleteOptions, type OptionsOf } from '../engine/options.ts'
import type { OptionError } from '../engine/errors.ts'

/** Options of a run with `--dpor`, in which ordinary tests are explored. On the command line only. */
export const runTable = {
  /** What a test that fails in another order than the plain one means. Default `'fail'`; `'warn'`: the test passes, and the race is reported. */
  races: option(oneOf('fail', 'warn'), 'fail'),
  /** Milliseconds for all explorations of the run; each test runs at least as it does without `--dpor`. Default: no bound. */
  maxTime: option(milliseconds, Infinity),
  /** Executions of all explorations of the run. Default: no bound. */
  maxExecutions: option(bound, Infinity),
  /** Milliseconds for one test. Default 1,000. */
  testTime: option(milliseconds, 1000),
  /** Executions of one test. Default 200. */
  testExecutions: option(bound, 200),
}

export type RunOptionName = keyof typeof runTable
export type RunSettings = CompleteOptions<typeof runTable>

export const isRunOption = (name: string): name is RunOptionName => Object.hasOwn(runTable, name)

/** What is wrong with the options of a run. */
export function problemsOfRun(options: Readonly<Record<string, unknown>>): OptionError[] {
  return Object.entries(options).flatMap(([name, value]) => (isRunOption(name) ? (refusal(name, value, runTable[name]) ?? []) : noSuchOption(name, value, Object.keys(runTable))))
}

/** Adds the defaults of what is left out. @throws OptionError for the first that is not accepted */
export const completeRun = (options: OptionsOf<typeof runTable>): RunSettings => completeOptions(runTable, options)

/** What workers are told of a run. */
export interface ProvidedRun extends Pick<RunSettings, 'races' | 'testTime' | 'testExecutions'> {
  /** When the time for explorations is up, milliseconds since the epoch; undefined: never. */
  readonly until: number | undefined
  readonly maxTime: number
  readonly maxExecutions: number
  /** Has as many bytes as the workers of this run have had executions, where those are counted. */
  readonly counter: string | undefined
}
