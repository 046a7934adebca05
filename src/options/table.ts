import { oneOf, trueOrFalse, wholeNumber } from '../engine/checks.ts'
import { option, searchOptions, type CompleteOptions, type Option, type OptionsOf } from '../engine/options.ts'
import { filePattern, packageNames, packagesOrAuto } from './files.ts'
import { filesOrIo } from './io.ts'
import type { Layer } from './layers.ts'

type SearchTable = typeof searchOptions

interface Settable<Where extends Layer> {
  /** The layers that may set it. */
  readonly layers: readonly Where[]
}

const anywhere = { layers: ['commandLine', 'test', 'plugin'] } as const
const notForAll = { layers: ['commandLine', 'test'] } as const
const testOnly = { layers: ['test'] } as const
const pluginOnly = { layers: ['plugin'] } as const

/** Options that the engine does not have, or that mean something else for it. */
const ownOptions = {
  /**
   * Where a switch may happen; the result says it. `'await'`: at every `await`, promise reaction and timer, as if each waited for I/O. `'event-loop'`:
   * only between events of the platform's loop, each with all its microtasks: answers of I/O and of what stands for it (promises of mocks, what
   * files named by `io` await, `io(promise)`), timers and immediates. Default `'await'`.
   */
  interleave: { ...option(oneOf('await', 'event-loop'), 'await'), ...anywhere },
  /**
   * When timers fire. `'idle'`: when nothing else can run. `'race'`: also before whatever else may happen, since anything that is waited for may take
   * longer than any timer; so a timeout may win against the work that it guards. Default `'idle'`.
   */
  time: { ...option(oneOf('idle', 'race'), 'idle'), ...anywhere },
  /**
   * Which executions count as the same. `'observation'`: those of which nothing that the body looks at tells apart. `'trace'`:
   * those that order every two changes of one location alike, looked at or not. Default `'observation'`.
   */
  equivalence: { ...option(oneOf('observation', 'trace'), 'observation'), ...anywhere },
  /**
   * How often the schedule of a failing execution, or else of the first, is run again, to be sure that nothing else decides
   * what happens. Default 10.
   */
  reproduce: { ...option(wholeNumber({ from: 1 }), 10), ...anywhere },
  /** A failure is attached to its test as a page, which Vitest keeps in its `attachmentsDir`. Default `true`. */
  page: { ...option(trueOrFalse, true), ...anywhere },
  /** A failure is told with every access of its execution to what is shared, below the story. Default `false`. */
  trace: { ...option(trueOrFalse, false), ...anywhere },
  /**
   * In Vitest: how often what stands around the body runs: `beforeEach`, `afterEach`, `aroundEach`, fixtures of the test. `'each'`: for each execution; `'once'`: around all of them.
   * Default `'each'`.
   */
  hooks: { ...option(oneOf('each', 'once'), 'each'), ...anywhere },
  /** What an exploration that a bound ended means for the test. Default `'warn'`: it passes, and says so. */
  onInconclusive: { ...option(oneOf('pass', 'warn', 'fail'), 'warn'), ...anywhere },
  /** Files to instrument. Default: all JavaScript and TypeScript files outside `node_modules`. */
  include: { ...option(filePattern), ...pluginOnly },
  /** Files not to instrument, whatever `include` says. WARNING: what they share between processes is not seen. */
  exclude: { ...option(filePattern), ...pluginOnly },
  /** Packages in `node_modules` to instrument as well: `'auto'`, all that an explored test loads, but for test tools, test environments and compilers; or names, among which `'auto'` may stand. Default `'auto'`. */
  inline: { ...option(packagesOrAuto, 'auto'), ...pluginOnly },
  /** Packages in `node_modules` never to instrument, by name, whatever `inline` says. WARNING: what they share between processes is not seen. */
  opaque: { ...option(packageNames), ...pluginOnly },
  /**
   * With `interleave: 'event-loop'`: files that stand for I/O: what they await, and what their async functions return. Default: what the test files themselves await, and those in `__mocks__`.
   * Or `{ files, postgres: { reset }, mysql: { reset }, redis: { reset } }`: the same, and whether rows and keys are put back.
   */
  io: { ...option(filesOrIo), ...pluginOnly },
}

/** The options that the engine has in the same sense. */


type SharedName = Exclude<keyof SearchTable, keyof typeof ownOptions>

/** Which layers may set them: an option that the engine gains has to be entered here. */
export type SearchOptionLayers = Readonly<Record<SharedName, Settable<Layer>>>

const searchOptionLayers = {
  algorithm: anywhere,
  pctDepth: anywhere,
  preemptionBound: anywhere,
  search: anywhere,
  maxExecutions: anywhere,
  maxTime: anywhere,
  maxSteps: anywhere,
  stopOnFirst: anywhere,
  replay: notForAll,
  part: anywhere,
  order: testOnly,
  saveTo: anywhere,
  resumeFrom: anywhere,
  seed: anywhere,
} as const satisfies SearchOptionLayers

type SharedTable = { [Name in keyof Pick<SearchTable, SharedName>]: SearchTable[Name] & (typeof searchOptionLayers)[Name] }

type Table = SharedTable & typeof ownOptions

const sharedOptions = Object.fromEntries(
  Object.entries(searchOptionLayers).map(([name, where]) => [name, { ...searchOptions[name as SharedName], ...where }]),
) as SharedTable

/** Every option of an explored body and of the plugin. */
export const optionTable: Table = { ...sharedOptions, ...ownOptions }

/** The options that a layer may set. */
export type NameIn<Where extends Layer> = { [Name in keyof Table]: Where extends Table[Name]['layers'][number] ? Name : never }[keyof Table]

/** The part of the table that a layer may set. */
export function tableOf<Where extends Layer>(layer: Where): Pick<Table, NameIn<Where>> {
  const entries = Object.entries(optionTable as Readonly<Record<string, Option & Settable<Layer>>>)
  return Object.fromEntries(entries.filter(([, { layers }]) => layers.includes(layer))) as Pick<Table, NameIn<Where>>
}

/** What a layer may say. */
export type LayerOptions<Where extends Layer> = Pick<OptionsOf<Table>, NameIn<Where>>

/** Options of an exploration. The nearest wins: the command line's, then the test's own, then those of `dpor({ ... })` in the config. */
export type DporOptions = LayerOptions<'test'>

/** What the plugin may set for the tests: it says less than a test, and more, which is for itself alone. */
export type ExplorationDefaults = Pick<OptionsOf<Table>, NameIn<'plugin'> & NameIn<'test'>>

/** What `dpor({ ... })` takes: what is of the plugin only, and defaults for the explorations of all tests. */
export type PluginOptions = LayerOptions<'plugin'>

/** What `--dpor.name=value` may say. */
export type CommandLineOptions = LayerOptions<'commandLine'>

/** All that an exploration goes by. */
export type ExplorationOptions = CompleteOptions<Pick<Table, NameIn<'test'>>>
