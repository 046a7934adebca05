import { bound, milliseconds, oneOf, text, trueOrFalse } from '../engine/checks.ts'
import { completeOptions, noSuchOption, option, refusal, type CompleteOptions, type OptionsOf } from '../engine/options.ts'
import type { OptionError } from '../engine/errors.ts'

/** Options of a run with `--dpor`, in which ordinary tests are explored. On the command line only. */
export const runTable = {
  /** What a test that fails in another order than the plain one means. Default `'fail'`; `'warn'`: the test passes, and the race is reported. */
  races: option(oneOf('fail', 'warn'), 'fail'),
  /** A file of races that are known: they fail nothing. If there is none, all that are found are written to it. */
  baseline: option(text('the path of a file')),
  /** Milliseconds for all explorations of the run; each test runs at least as it does without `--dpor`. Default: no bound. */
  maxTime: option(milliseconds, Infinity),
  /** Executions of all explorations of the run. Default: no bound. */
  maxExecutions: option(bound, Infinity),
  /** Milliseconds for one test, after its plain run. Default 1,000; with a bound of the run more, if something is left of that. */
  testTime: option(milliseconds),
  /** Executions of one test. Default 200; with a bound of the run more, if something is left of that. */
  testExecutions: option(bound),
  /** Tests that have held are explored again even though nothing has changed that they rest on. */
  noCache: option(trueOrFalse, false),
}

/** What one test may spend where the whole run has no bound. */
export const ofOneTest = { maxTime: 1000, maxExecutions: 200 }

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
export interface ProvidedRun extends Pick<RunSettings, 'races'> {
  /** Undefined: no bound. Browsers are told by JSON, which has no infinity. */
  readonly maxExecutions: number | undefined
  readonly testTime: number | undefined
  readonly testExecutions: number | undefined
  /** Tests whose explorations were cut short run once more when others are over, with what is left. */
  readonly runsTwice: boolean
  /** Races that fail nothing, by what makes them the same; `'all'` where they are being written down. */
  readonly known: readonly string[] | 'all'
  /** When the time for explorations is up, milliseconds since the epoch; undefined: never. */
  readonly until: number | undefined
  /** What to call that time. */
  readonly timeName: string
  /** A folder in which the workers of a run with a bound count what they have done together. */
  readonly counts: string | undefined
}

/** What one test may spend, at first where the run has a bound: then nobody has to say how much one test may. */
export function boundsOfTest({ testTime, testExecutions, maxTime, maxExecutions }: RunSettings): Pick<ProvidedRun, 'testTime' | 'testExecutions' | 'runsTwice'> {
  const isBounded = maxTime !== Infinity || maxExecutions !== Infinity
  const runsTwice = isBounded && testTime === undefined && testExecutions === undefined
  const ofOthers = isBounded && !runsTwice ? undefined : ofOneTest
  return { testTime: testTime ?? ofOthers?.maxTime, testExecutions: testExecutions ?? ofOthers?.maxExecutions, runsTwice }
}
