import { formatSchedule, Search, type Exploration, type Failure, type Outcome, type SearchOptions } from '../../engine/index.ts'
import type { SiteId } from '../../engine/ids.ts'
import { withDefaults } from '../../options/index.ts'
import { keepApart } from '../calls/kept-apart.ts'
import { describePlace } from '../execution/errors.ts'
import type { Execution, ExecutionSearch } from '../execution/execution.ts'
import { Identities } from '../execution/identity.ts'
import { takeMissingParsers } from '../drivers/missing-parsers.ts'
import { takeOutside } from '../execution/outside.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import { ToolReplaced } from '../execution/replaced-tools.ts'
import { passedPackages, placeOf } from '../execution/sources.ts'
import { decideInAnyOrder, DecisionsOutOfOrder } from '../promises/decisions.ts'
import { namesForReplays } from './determinism.ts'
import { Executions } from './executions.ts'
import { freezeFirst, FrozenFirst } from './frozen-first.ts'
import { KeptExploration } from './kept.ts'
import { OpaqueReport } from './opaque-report.ts'
import { RacedPlacesOfAll } from './raced-places.ts'
import { Reruns } from './reruns.ts'
import { afterPlainRun, isLarge, isPlainRun, plainRun, replayPassed, type BodyExploration, type Explored } from './results.ts'
import type { FullOptions, RunOptions } from './run-options.ts'
import type { Subject } from './subject.ts'
import { isSameFailure } from './same-failure.ts'
import { endOf } from './surroundings.ts'
import { Telling } from './telling.ts'

/** What explores: the engine's search, or in tests an enumeration to compare it with. */
export type MakeSearch = (options: SearchOptions) => ExecutionSearch

let queue: Promise<unknown> = Promise.resolve()

/** Runs alone in this thread: explorations that are started together follow one another. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const result = queue.then(work, work)
  queue = result.catch(() => {})
  return result
}

/** Explores the body, or the tasks: one execution for every class of interleavings. */
export async function explore(subject: Subject, options: RunOptions = {}, makeSearch?: MakeSearch): Promise<BodyExploration> {
  return (await exploreRecorded(subject, options, makeSearch)).result
}

/** The same, and keeps what a story of the failure is made from: the first of the runs that check that the failure repeats. */
export function exploreRecorded(subject: Subject, options: RunOptions = {}, makeSearch?: MakeSearch): Promise<Explored> {
  return exclusively(() => withDecisions(() => keepingTools(() => withFrozen(() => new Explorer(subject, options, makeSearch).explore()))))
}

/** Runs one schedule and writes it down, if that is over in time. */
export function record(subject: Subject, options: RunOptions, schedule: string): Promise<RecordedExecution | undefined> {
  return exclusively(() => keepingTools(() => new Explorer(subject, options).record(schedule)))
}

/** Where decisions of races turn out to be in no order that holds whatever else happens, everything is done once more without one. */
const withDecisions = <T>(work: () => Promise<T>): Promise<T> => onceMore(work, { after: DecisionsOutOfOrder, change: decideInAnyOrder })

/** Where the body replaces what the runtime works with, everything is done once more with tools of their own for both. */
const keepingTools = <T>(work: () => Promise<T>): Promise<T> => onceMore(work, { after: ToolReplaced, change: keepApart })

const withFrozen = <T>(work: () => Promise<T>): Promise<T> => onceMore(work, { after: FrozenFirst, change: freezeFirst })

/** @param change what is done otherwise the second time; returns what ends that */
async function onceMore<T>(work: () => Promise<T>, { after, change }: { readonly after: new () => Error; readonly change: () => () => void }): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof after)) throw error
  }
  const release = change()
  try {
    return await work()
  } finally {
    release()
  }
}

/** What the plain run has shown. */
interface PlainRun {
  readonly fails: boolean
  readonly passes: boolean
  /** Virtual milliseconds that it took. */
  readonly milliseconds: number
  readonly movesFakeClock: boolean
  readonly schedule: string | undefined
  /** Why it was cut short. */
  readonly cut: string | undefined
}

/** What a search has come to. */
interface Searched {
  readonly found: Exploration
  /** The last schedule that passed. */
  readonly passed: string | undefined
}

const allGivenUp = 'every execution was given up as one that Node does not produce, also the plain run, which is an error of vitest-dpor'

class Explorer {
  readonly #subject: Subject
  readonly #options: FullOptions
  readonly #kept: KeptExploration | undefined
  readonly #makeSearch: MakeSearch
  readonly #executions: Executions
  readonly #reruns: Reruns
  readonly #opaque = new OpaqueReport()
  readonly #raced: RacedPlacesOfAll | undefined
  /** Only the plain run is asked for. */
  readonly #isPlainOnly: boolean
  /** What the others do is not what the plain run does: the same schedule is another execution. */
  #isPlainApart = false
  #plain: PlainRun = { fails: false, passes: false, milliseconds: 0, movesFakeClock: false, schedule: undefined, cut: undefined }
  /** Of the first execution that was cut short: what kept it going. */
  #repeating: SiteId | undefined
  /** Executions of searches that came before. */
  #before = 0
  /** What the plain run has changed was put back, and there was no other. */
  #hasLeftNothing = false

  constructor(subject: Subject, options: RunOptions, makeSearch: MakeSearch = (given) => new Search(given)) {
    this.#subject = subject
    const given = withDefaults(isPlainRun(options) ? { ...options, replay: undefined, maxExecutions: 1 } : options)
    const isKept = given.saveTo !== undefined || given.resumeFrom !== undefined
    this.#options = isKept ? { ...given, saveTo: undefined, resumeFrom: undefined } : given
    if (options.replay === undefined && isKept) this.#kept = new KeptExploration(subject, given)
    this.#executions = new Executions(subject, this.#options)
    this.#reruns = new Reruns(this.#executions, this.#options)
    this.#isPlainOnly = isPlainRun(options)
    if (options.racedPlaces) this.#raced = new RacedPlacesOfAll()
    this.#makeSearch = makeSearch
  }

  explore(): Promise<Explored> {
    return this.#options.replay === undefined && !this.#isPlainOnly ? this.#exploreAll() : this.#replay()
  }

  record(schedule: string): Promise<RecordedExecution | undefined> {
    return this.#executions.withControl(() => this.#reruns.record(schedule))
  }

  #exploreAll(): Promise<Explored> {
    return this.#executions.withControl(async () => {
      const { found: explored, passed } = await this.#explorePlainFirst()
      this.#executions.leaveTimeToTell({ ofFailure: explored.failures.length > 0 })
      const hasPassed = passed !== undefined || this.#plain.passes || (this.#kept !== undefined && explored.executions > explored.failures.length)
      const known = { passed, hasPassed, plainPasses: this.#plain.passes, plainSchedule: this.#plain.schedule, isOfPlainRun: this.#isOfPlainRun, hasOpaqueCalls: this.#opaque.hasCalls }
      const telling = new Telling(this.#executions, this.#reruns, this.#options, known)
      const told = await telling.easiest(await this.#reruns.checked(explored, known))
      await telling.investigate(told)
      const { found, recording, sharesNothing } = told
      // What somebody else runs goes on after it has failed in another order, as it does after its plain run.
      const goesOn = found.failures.length > 0 && 'run' in this.#subject && this.#plain.passes
      // Besides what the body changes, who runs it may keep something of its last execution, as of snapshots.
      if (found.failures.length === 0 || goesOn) await this.#leaveState({ isWanted: goesOn || this.#executions.noticed.plainChanges })
      return this.#explored(found, { recording: recording ?? (await this.#example(found, passed)), sharesNothing })
    })
  }

  /** Of a large exploration, one execution that passed: what its races are about is why there are so many. */
  async #example(found: Exploration, passed: string | undefined): Promise<RecordedExecution | undefined> {
    if (!isLarge(found) || passed === undefined || !this.#executions.hasTimeForRun) return undefined
    try {
      return await this.#reruns.record(passed)
    } catch {
      return undefined
    }
  }

  /** Runs the body once, and writes that down: breakpoints are hit once, logs are printed once. */
  #replay(): Promise<Explored> {
    return this.#executions.withControl(async () => {
      const search = new Search(this.#options)
      search.next()
      const { execution, outcome, recording } = await this.#reruns.recorded(search, namesForReplays({ keepsObjects: true }), { isPlain: this.#isPlainOnly })
      this.#options.surroundings?.ended(endOf(outcome), () => 1)
      this.#opaque.add(execution)
      if (this.#isPlainOnly) this.#plain = { ...this.#plain, fails: outcome.status === 'complete' && outcome.failure !== undefined }
      search.stop('replay: one execution only')
      const found = search.result()
      const reason = found.failures.length > 0 ? found.inconclusiveReason : replayPassed(this.#options.replay, execution.path.length)
      return this.#explored({ ...found, ...(reason !== undefined && { inconclusiveReason: reason }) }, { recording: found.failures.length > 0 ? recording : undefined, sharesNothing: false })
    })
  }

  /** The plain run once more, of which nothing is undone: hooks and tests that come after find what they find without this package. */
  async #leaveState({ isWanted }: { readonly isWanted: boolean }): Promise<void> {
    const executions = this.#executions
    if (!this.#options.leavesState || !isWanted || executions.hasOnlyPlainRun || executions.noticed.plainLeavesWork || this.#plain.cut !== undefined || executions.hasLeftState) return
    if (executions.hasTimeForRun) await this.#runOnceMore()
    this.#hasLeftNothing = !executions.hasLeftState
  }

  async #runOnceMore(): Promise<void> {
    this.#executions.leaveTimeForRun()
    const search = this.#plainSearch()
    search.next()
    try {
      await this.#executions.execute(search, namesForReplays({ keepsObjects: false }), { isPlain: true, leavesState: true })
    } catch {
      // The verdict stands; what this run has changed is put back.
    }
  }

  /** Where an execution that was cut short went on again and again. */
  #noticeRepeats(execution: Execution, { status }: Outcome): void {
    if (status === 'truncated') this.#repeating ??= execution.repeats.places[0]
  }

  #withReasons(given: Exploration): Exploration {
    const found = this.#withReason(given)
    const { lost } = this.#executions.noticed
    const { inconclusiveReason: reason } = found
    return lost === undefined || reason === undefined || reason.includes(lost) ? found : { ...found, inconclusiveReason: `${reason}; ${lost}` }
  }

  #withReason(found: Exploration): Exploration {
    const { divergedOutside, undecided, lost } = this.#executions.noticed
    // The plain run at least is one that there is.
    if (found.verdict === 'holds' && found.executions === 0 && found.part === undefined) return { ...found, verdict: 'inconclusive', inconclusiveReason: allGivenUp }
    // The plain run may have been one by itself, which the others follow.
    if (lost !== undefined && found.verdict === 'holds') return { ...found, verdict: 'inconclusive', inconclusiveReason: lost }
    if (undecided !== undefined && found.verdict !== 'fails') return { ...found, verdict: 'inconclusive', inconclusiveReason: undecided }
    if (divergedOutside !== undefined && found.verdict === 'inconclusive') return { ...found, inconclusiveReason: divergedOutside }
    const { inconclusiveReason: reason } = found
    if (this.#repeating === undefined || found.verdict !== 'inconclusive' || reason === undefined) return found
    return { ...found, inconclusiveReason: `${reason}; an execution went on at ${describePlace(placeOf(this.#repeating))} again and again, as a loop does that waits by asking again` }
  }

  #explored(given: Exploration, { recording, sharesNothing }: { readonly recording: RecordedExecution | undefined; readonly sharesNothing: boolean }): Explored {
    const found = this.#withReasons(given)
    const { events, noticed } = this.#executions
    const { fails, passes, milliseconds, movesFakeClock } = this.#plain
    const result = {
      ...found,
      failures: this.#isPlainOnly && (events?.hasMissed || noticed.plainFailsAlone) ? found.failures.map((failure) => ({ ...failure, schedule: plainRun })) : found.failures,
      opaque: this.#opaque.shared,
      packages: passedPackages(),
      outside: takeOutside(),
      missingParsers: takeMissingParsers(),
      served: this.#executions.served,
      plainFails: fails,
      plainPasses: passes,
      plainMilliseconds: milliseconds,
      needsPlainRun: noticed.plainLeavesWork || this.#hasLeftNothing,
      movesFakeClock,
      standIns: noticed.isOneLine ? [] : (events?.standIns ?? []),
      fakes: noticed.isOneLine && !noticed.hasOthersBeside ? [] : (events?.fakes ?? []),
      realIo: events?.realIo ?? [],
      time: this.#options.time,
      boundsTimers: noticed.boundsTimers,
      mergesCauses: noticed.mergesCauses,
      sharesNothing,
      racedPlaces: this.#raced?.found() ?? [],
    }
    return { result, recording }
  }

  /**
   * The plain run is the first of the others, unless what stands for I/O did not do so in it, or it is to be run whatever part of them is
   * asked for: then they follow it, and it counts as well.
   */
  async #explorePlainFirst(): Promise<Searched> {
    const { part, replay } = this.#options
    const isApart = part !== undefined && 'run' in this.#subject
    const knownFailure = part === undefined ? this.#options.knownFailure : undefined
    // What goes on from a file does not begin with the plain run.
    const isAlone = isApart || knownFailure !== undefined || this.#kept !== undefined
    const options = { ...this.#options, search: orderFor(this.#options) }
    const first = isAlone ? this.#plainSearch() : this.#makeSearch(options)
    const { found, passed } = await this.#search(first, { beginsPlain: isAlone || (part === undefined && replay === undefined) })
    const hasMissed = this.#hasMissed
    // What it has left behind may be what another run fails by.
    if ((!isAlone && !hasMissed) || this.#executions.noticed.lost !== undefined) return { found, passed }
    // What stands for I/O may answer in an order that the others do not have.
    const passedInOthers = hasMissed ? undefined : passed
    this.#before = found.executions
    const plain = { ...found, cut: this.#plain.cut }
    const again = knownFailure !== undefined && this.#plain.passes ? await this.#failsAgain(knownFailure) : undefined
    if (again) return { found: afterPlainRun(plain, again, this.#options), passed: passedInOthers }
    const others = this.#makeSearch({ ...options, ...this.#kept?.files })
    const isApartFromOthers = isApart || hasMissed
    this.#isPlainApart = isApartFromOthers
    if (isApartFromOthers) others.shareBudget(first as Search)
    else this.#before = 0
    const later = await this.#search(others, { kept: this.#kept })
    if (this.#failsLikeOthers(plain, later.found)) {
      this.#isPlainApart = false
      return { found: later.found, passed: later.passed }
    }
    return { found: isApartFromOthers ? afterPlainRun(plain, later.found, this.#options) : later.found, passed: later.passed ?? passedInOthers }
  }

  /** Something that stands for I/O in the others did not do so in the plain run, and may then come in another order; or it fails in a way in which they cannot. */
  get #hasMissed(): boolean {
    const { events, noticed } = this.#executions
    return noticed.plainFailsAlone || (events?.hasMissed === true && !noticed.isOneLine)
  }

  /** The first of the others, which has the order of the plain run, fails as that does. */
  #failsLikeOthers({ failures: [own] }: Exploration, { failures: [first] }: Exploration): boolean {
    return this.#executions.noticed.plainFailsAlone && own !== undefined && first?.execution === 1 && isSameFailure(own, first)
  }

  readonly #isOfPlainRun = ({ schedule }: Failure): boolean => schedule === plainRun || (this.#plain.fails && !this.#isPlainApart && schedule === this.#plain.schedule)

  /** Nothing else is asked for but whether there is another order. */
  get #mayBeOneLine(): boolean {
    const { endsWithOneLine = false, time, part, replay, knownFailure } = this.#options
    return endsWithOneLine && time === 'idle' && part === undefined && replay === undefined && knownFailure === undefined && this.#kept === undefined
  }

  /** What a schedule comes to that has failed before: nothing, if it passes now, or does not fit any more, or may be none that is possible now. */
  async #failsAgain(schedule: string): Promise<Exploration | undefined> {
    try {
      const { execution, outcome, found } = await this.#reruns.once(schedule)
      this.#opaque.add(execution)
      this.#options.surroundings?.ended(endOf(outcome), () => this.#before + 1)
      return found.failures.length > 0 && !execution.isOutOfTurn ? { ...found, equivalence: this.#options.equivalence } : undefined
    } catch (error) {
      if (error instanceof ToolReplaced) throw error
      return undefined
    }
  }

  /** Of one execution. */
  #plainSearch(): Search {
    return new Search({ ...this.#options, part: undefined, maxExecutions: 1 })
  }

  /** Runs executions until the search ends. */
  async #search(search: ExecutionSearch, { beginsPlain = false, kept }: { readonly beginsPlain?: boolean; readonly kept?: KeptExploration | undefined }): Promise<Searched> {
    try {
      kept?.resume(search)
      const passed = await this.#searchOn(search, { beginsPlain, kept })
      kept?.ended(search)
      return { found: search.result(), passed }
    } catch (error) {
      throw kept?.refusalOf(error) ?? error
    }
  }

  /** Returns the schedule of the last execution that passed. */
  async #searchOn(search: ExecutionSearch, { beginsPlain, kept }: { readonly beginsPlain: boolean; readonly kept: KeptExploration | undefined }): Promise<string | undefined> {
    const executions = this.#executions
    const identities = new Identities({ assumptions: executions.newAssumptions() })
    let passed: readonly number[] | undefined
    let isPlain = beginsPlain
    while (search.next()) {
      const { execution, outcome, comesAgain = false } = await executions.execute(search, identities, { isPlain, findsOneLine: this.#mayBeOneLine, witness: this.#raced?.watch() })
      this.#raced?.ended(search.executionOrder && (() => search.executionOrder!()))
      this.#options.surroundings?.ended(endOf(outcome), () => this.#before + search.result().executions)
      if (isPlain) this.#plainEnded(execution, outcome, search)
      this.#opaque.add(execution)
      this.#noticeRepeats(execution, outcome)
      if (outcome.status === 'complete' && !outcome.failure) passed = execution.path
      kept?.executed(search)
      if (executions.isOverdue) search.stop(executions.deadlineName)
      if (executions.isTurnDue) {
        this.#options.onProgress?.(() => search.result())
        await executions.takeTurn()
      }
      if (isPlain && this.#hasMissed) break
      isPlain &&= comesAgain
    }
    return passed && formatSchedule(passed)
  }

  #plainEnded(execution: Execution, outcome: Outcome, search: ExecutionSearch): void {
    this.#plain = {
      fails: outcome.status === 'complete' && outcome.failure !== undefined,
      passes: outcome.status === 'complete' && outcome.failure === undefined,
      milliseconds: execution.clock.now,
      movesFakeClock: execution.clock.movesFakeClock,
      schedule: formatSchedule(execution.path),
      cut: outcome.status === 'truncated' ? search.result().inconclusiveReason : undefined,
    }
  }
}

/** Where no order is asked for: a failure that is not rare is to be met soon. */
function orderFor({ preemptionBound, search }: Pick<FullOptions, 'preemptionBound' | 'search'>): FullOptions['search'] {
  return search ?? (preemptionBound === undefined ? 'random-first' : undefined)
}
