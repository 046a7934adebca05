import { Object } from './intrinsics.ts'
import { bound, milliseconds, oneOf, text, trueOrFalse, wholeNumber, type Check } from './checks.ts'
import { OptionError } from './errors.ts'
import type { Equivalence, Interleave } from './outcome.ts'
import { isPartName } from './parts/share.ts'

/** All that there is to say about an option, but for its name and its meaning. */
export interface Option<Value = unknown, Default = unknown> {
  readonly check: Check<Value>
  /** What holds where it is left out. */
  readonly default: Default
}

/** Options by name. The comment above each says what it means: whatever type is derived from the table shows it. */
export type OptionTable = Readonly<Record<string, Option>>

/** An option that changes nothing where it is left out. */
export function option<Value>(check: Check<Value>): Option<Value, undefined>
export function option<Value>(check: Check<Value>, defaultValue: NoInfer<Value>): Option<Value, Value>
export function option<Value>(check: Check<Value>, defaultValue?: Value): Option<Value, Value | undefined> {
  return { check, default: defaultValue }
}

/** The options of a search. */
export const searchOptions = {
  /**
   * How to explore: `'optimal'`, `'source'`, whose memory never grows, `'pop'`, for steps with one access each, or `'naive'`,
   * every interleaving. Default `'optimal'`.
   */
  algorithm: option(oneOf('source', 'optimal', 'pop', 'naive'), 'optimal'),
  /**
   * Explore only what needs at most so many preemptions: switches away from a process that could go on and does so later. Each class that has such
   * an execution is explored; where something was left out the verdict is `inconclusive` and says the bound. Default: everything.
   */
  preemptionBound: option(wholeNumber({ from: 0 })),
  /**
   * In which order: `'dfs'`, depth first, or `'preemptions'`, first what needs no preemption, then one, and so on, so that the first
   * failure has the fewest. The same classes in either; the latter keeps in memory what it has still to explore. Default `'dfs'`, with
   * `preemptionBound` `'preemptions'`.
   */
  search: option(oneOf('dfs', 'preemptions')),
  /** Complete and truncated executions after which to give up, with the verdict `inconclusive`. Default: no bound. */
  maxExecutions: option(bound, Infinity),
  /** Milliseconds after which no further execution starts. Default: no bound. */
  maxTime: option(milliseconds, Infinity),
  /** Steps after which one execution is cut short. Default 10,000. */
  maxSteps: option(bound, 10_000),
  /** End at the first failing execution. Default `true`. */
  stopOnFirst: option(trueOrFalse, true),
  /** Run this one schedule only, as a failure printed it. */
  replay: option(text('the schedule that a failure printed, a string such as 0x2.1.2')),
  /**
   * Explore this part of the executions only: `'1/4'` is the first of four. Parts have no execution in common, and all of
   * them together have every one. Not with `replay`. Default: everything.
   */
  part: option(text("a part such as '1/4', the first of four", isPartName)),
  /**
   * When two executions count as the same. `'trace'`: if they order all dependent steps alike, and any two changes of one
   * location are dependent. `'observation'`: changes become dependent only once somebody sees in what order they came.
   * Not for parts, where nothing is merged. Default `'trace'`.
   */
  equivalence: option<Equivalence>(oneOf('trace', 'observation'), 'trace'),
  /** Seed of what is random in an async body, `Math.random` and the like. Default 0. */
  seed: option(wholeNumber({ from: 0 }), 0),
  /** Where a switch may happen; the result says it. Default `'access'`. */
  interleave: option<Interleave>(oneOf('await', 'event-loop', 'access'), 'access'),
}

/** What a table accepts: none has to be given. */
export type OptionsOf<Table extends OptionTable> = {
  -readonly [Name in keyof Table]?: Table[Name] extends Option<infer Value> ? Value | undefined : never
}

/** The same with the defaults filled in. */
export type CompleteOptions<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value, infer Default> ? Value | Default : never
}

export type SearchOptions = Readonly<OptionsOf<typeof searchOptions>>
export type ResolvedOptions = CompleteOptions<typeof searchOptions>
export type AlgorithmName = ResolvedOptions['algorithm']

/** @throws OptionError for the first name that is not in the table */
export function checkOptionNames(options: object, table: OptionTable): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(table, name)) throw noSuchOption(name, value, Object.keys(table))
  }
}

export function noSuchOption(name: string, value: unknown, known: readonly string[]): OptionError {
  return new OptionError(name, value, `no such option; there are ${known.join(', ')}`)
}

/** What is wrong with a value; nothing is with an option that is left out. */
export function refusal(name: string, value: unknown, { check }: Option): OptionError | undefined {
  return value === undefined || check.accepts(value) ? undefined : new OptionError(name, value, `give ${check.words}`)
}

/** The options of a table that are given; ignores all others. @throws OptionError for the first that is not accepted */
export function completeOptions<Table extends OptionTable>(table: Table, options: object): CompleteOptions<Table> {
  const given = options as Readonly<Record<string, unknown>>
  const complete = Object.entries(table).map(([name, row]) => {
    const refused = refusal(name, given[name], row)
    if (refused) throw refused
    return [name, given[name] ?? row.default]
  })
  return Object.fromEntries(complete) as CompleteOptions<Table>
}

export function resolveOptions(options: SearchOptions): ResolvedOptions {
  const resolved = completeOptions(searchOptions, options)
  if (resolved.part !== undefined && resolved.replay !== undefined) {
    throw new OptionError('part', resolved.part, 'leave it out where one schedule is replayed')
  }
  checkBounded(resolved)
  return resolved
}

/** Preemptions are counted by a search of its own, which explores the whole. */
function checkBounded({ algorithm, part, preemptionBound, search }: ResolvedOptions): void {
  const given = preemptionBound !== undefined ? (['preemptionBound', preemptionBound] as const) : search === 'preemptions' ? (['search', search] as const) : undefined
  if (given === undefined) return
  if (preemptionBound !== undefined && search === 'dfs') throw new OptionError('search', search, "leave it out with preemptionBound, which needs 'preemptions'")
  if (algorithm !== 'optimal' && algorithm !== 'source') throw new OptionError(given[0], given[1], `leave it out with algorithm '${algorithm}'`)
  if (part !== undefined && part !== '1/1') throw new OptionError(given[0], given[1], 'leave it out where a part is explored')
}
