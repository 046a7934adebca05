import { Object } from './intrinsics.ts'
import { bound, milliseconds, oneOf, text, texts, trueOrFalse, wholeNumber, type Check } from './checks.ts'
import { OptionError } from './errors.ts'
import type { Equivalence, Interleave } from './outcome.ts'
import { isPartName } from './parts/share.ts'
import { isSiblingOrder, type SiblingOrderName } from './algorithms/sibling-order.ts'

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

const searchOrder: Check<'dfs' | 'preemptions' | 'random-first' | SiblingOrderName> = {
  accepts: (value) => value === 'dfs' || value === 'preemptions' || value === 'random-first' || isSiblingOrder(value),
  words: "'dfs', 'preemptions', 'random-first', 'bit-reversal', 'round-robin', 'stride' or 'conflict-first'",
}

/** The options of a search. */
export const searchOptions = {
  /**
   * How to explore: `'optimal'`, `'source'`, whose memory never grows, `'pop'`, for steps with one access each, `'trust'`,
   * execution graphs, for the same without commuting changes and virtual time, or `'naive'`, every interleaving. For what is too large: `'random'`,
   * at each step any process with the same chance, `'pct'`, random priorities, `'pos'`, random priorities of steps that race, `'walk'`, each class with the same chance once it knows how many begin alike, each until a budget ends it (1,000 executions unless one is given), which says nothing for certain; or `'mixed'`, in
   * turns what needs the fewest preemptions and what comes at random. Default `'optimal'`.
   */
  algorithm: option(oneOf('source', 'optimal', 'pop', 'trust', 'naive', 'random', 'pct', 'pos', 'walk', 'mixed'), 'optimal'),
  /** With `algorithm: 'pct'`: how many steps have to come in a certain order for the failures looked for. Default 3. */
  pctDepth: option(wholeNumber({ from: 1 }), 3),
  /**
   * Explore only what needs at most so many preemptions: switches away from a process that could go on and does so later. Each class that has such
   * an execution is explored; where something was left out the verdict is `inconclusive` and says the bound. Default: everything.
   */
  preemptionBound: option(wholeNumber({ from: 0 })),
  /**
   * In which order: `'dfs'`, depth first; `'preemptions'`, first what needs no preemption, then one, and so on, so that the first
   * failure has the fewest; or `'random-first'`: with `stopOnFirst`, 48 executions drawn at random once 16 have passed, then all depth first. Depth first too, but
   * from each node on in another order: `'bit-reversal'`, as far from each other as can be, `'round-robin'`, each process in turn, `'stride'`, every so many of them, all
   * three also with a seed, `'stride:3'`, and `'conflict-first'`, the last process first. The same classes in each; `'preemptions'` keeps in memory what it has still to
   * explore. Default: `'random-first'` where the first failure ends the exploration, but from a file `'dfs'`; with `preemptionBound` `'preemptions'`.
   */
  search: option(searchOrder),
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
   * Names of points, `await at('after-read')`, in the order in which they are to be passed: who comes to one of them waits for all before it. One name may stand there several times, for who
   * comes to it first, second and so on. Executions that do not pass all of them do not count, so the verdict is `inconclusive` at best, and says what it is about. Default: none is waited for.
   */
  order: option(texts("names of points, such as ['after-read', 'after-write']")),
  /**
   * When two executions count as the same. `'trace'`: if they order all dependent steps alike, and any two changes of one
   * location are dependent. `'observation'`: changes become dependent only once somebody sees in what order they came.
   * Not for parts, where nothing is merged. Default `'trace'`.
   */
  equivalence: option<Equivalence>(oneOf('trace', 'observation'), 'trace'),
  /** Seed of what is random in an async body, `Math.random` and the like, and of executions that are drawn at random. Default 0. */
  seed: option(wholeNumber({ from: 0 }), 0),
  /** File to which is written where the exploration has come to, when a budget ends it and from time to time before: `resumeFrom` goes on from there. Once it has ended it is removed. */
  saveTo: option(text('the path of a file')),
  /** File that `saveTo` has written: the exploration goes on where that one ended, with budgets of its own. If there is no such file it begins from the start. */
  resumeFrom: option(text('the path of a file')),
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
/** Those that explore everything, and nothing else. */
export type SystematicName = Exclude<AlgorithmName, 'random' | 'pct' | 'pos' | 'walk' | 'mixed'>

export function isSystematic(algorithm: AlgorithmName): algorithm is SystematicName {
  return !isSample(algorithm) && algorithm !== 'mixed'
}

/** Whether all executions are drawn at random. */
export function isSample(algorithm: AlgorithmName): algorithm is 'random' | 'pct' | 'pos' | 'walk' {
  return algorithm === 'random' || algorithm === 'pct' || algorithm === 'pos' || algorithm === 'walk'
}

/** Executions drawn where no budget is given. */
const sampleSize = 1000

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
  const complete: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(table)) {
    const refused = refusal(name, given[name], row)
    if (refused) throw refused
    complete[name] = given[name] ?? row.default
  }
  return complete as CompleteOptions<Table>
}

export function resolveOptions(options: SearchOptions): ResolvedOptions {
  const resolved = completeOptions(searchOptions, options)
  if (resolved.part !== undefined && resolved.replay !== undefined) {
    throw new OptionError('part', resolved.part, 'leave it out where one schedule is replayed')
  }
  if (resolved.part !== undefined) checkDivided(resolved, 'where a part is explored')
  checkBounded(resolved)
  checkKept(resolved)
  const isEndless = isSample(resolved.algorithm) && resolved.maxExecutions === Infinity && resolved.maxTime === Infinity
  return isEndless ? { ...resolved, maxExecutions: sampleSize } : resolved
}

/** Whether branches are taken in an order that only a tree allows. */
function isOfTree(search: ResolvedOptions['search']): boolean {
  return search === 'preemptions' || isSiblingOrder(search)
}

/** The options that say what is explored, and in what order. */
export type Exploring = Pick<ResolvedOptions, 'algorithm'> & Partial<Pick<ResolvedOptions, 'preemptionBound' | 'search'>>

/** Whether a tree is explored in place of a stack, for its order or for a bound. */
export function exploresTree({ algorithm, preemptionBound, search }: Exploring): boolean {
  return (algorithm === 'optimal' || algorithm === 'source') && (preemptionBound !== undefined || isOfTree(search))
}

/** @throws OptionError for an algorithm that cannot be divided; `where` says where it is */
export function checkDivided({ algorithm }: ResolvedOptions, where: string): void {
  if (isSample(algorithm)) throw new OptionError('algorithm', algorithm, `leave it out ${where}: what is drawn at random has no parts. Explore the whole several times, each with a seed of its own`)
  if (algorithm === 'mixed') throw new OptionError('algorithm', algorithm, `leave it out ${where}: give search 'preemptions' instead`)
}

/** What is drawn at random goes on by another seed. */
function checkKept({ algorithm, replay, resumeFrom, saveTo }: ResolvedOptions): void {
  const name = saveTo === undefined ? 'resumeFrom' : 'saveTo'
  const value = saveTo ?? resumeFrom
  if (value === undefined) return
  if (replay !== undefined) throw new OptionError(name, value, 'leave it out where one schedule is replayed')
  if (isSample(algorithm)) throw new OptionError(name, value, `leave it out with algorithm '${algorithm}': give another seed the next time`)
  if (algorithm === 'mixed') throw new OptionError(name, value, "leave it out with algorithm 'mixed': give search 'preemptions' instead")
}

/** Preemptions are counted by a search of its own. */
function checkBounded({ algorithm, preemptionBound, search }: ResolvedOptions): void {
  if (algorithm === 'trust' && !isOfTree(search)) return
  if (preemptionBound !== undefined && search !== undefined && search !== 'preemptions') {
    throw new OptionError('search', search, "leave it out with preemptionBound, which needs 'preemptions'")
  }
  if (preemptionBound === undefined && !isOfTree(search)) return
  if (algorithm === 'optimal' || algorithm === 'source' || (algorithm === 'mixed' && preemptionBound !== undefined)) return
  const name = preemptionBound === undefined ? 'search' : 'preemptionBound'
  throw new OptionError(name, preemptionBound ?? search, `leave it out with algorithm '${algorithm}'`)
}
