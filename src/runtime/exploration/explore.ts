import { Math } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import { watchUncaught } from '../accesses/uncaught.ts'
import { inOrder, orderPoints } from '../accesses/points.ts'
import type { MakeAlgorithm } from '../../engine/algorithms/algorithm.ts'
import { Replay } from '../../engine/algorithms/replay.ts'
import { DivergenceError, formatSchedule, parseSchedule, ReplayError, Search, type Exploration, type Failure, type Outcome, type SearchOptions } from '../../engine/index.ts'
import { withDefaults, type DporOptions, type ExplorationOptions } from '../../options/index.ts'
import { Assumptions } from '../execution/assumptions.ts'
import { asNondeterminism, checkRerun, namesForReplays, opaqueIn, type Run } from './determinism.ts'
import { setExploring } from '../calls/flags.ts'
import { keepApart } from '../calls/kept-apart.ts'
import { enterLoop } from '../execution/contexts.ts'
import { DocumentContents } from '../execution/document.ts'
import { hasEnvironment } from '../execution/environment.ts'
import { describePlace, NondeterminismError, OutOfTime } from '../execution/errors.ts'
import { beginAtServers, endAtServers, type ServerOptions } from '../drivers/servers.ts'
import { Execution, type ExecutionSearch } from '../execution/execution.ts'
import { littlePatience, patience, quietWork, type ActiveWork } from '../execution/foreign.ts'
import { adoptClock } from '../globals/fake-timers.ts'
import { patchGlobals } from '../globals/globals.ts'
import { Identities } from '../execution/identity.ts'
import { findVariables, putVariablesBack } from '../execution/kept-variables.ts'
import { afterMacrotask, nativeNow } from '../execution/native.ts'
import { countOutside, takeOutside } from '../execution/outside.ts'
import { watchPromises } from '../events/promise-hooks.ts'
import { EventOptions, type IoAt } from './event-options.ts'
import { Pace } from '../execution/pace.ts'
import { Recorder, type RecordedExecution } from '../execution/recording.ts'
import { watchRejections } from '../promises/rejections.ts'
import { forgetPassed, passedPackages, placeOf } from '../execution/sources.ts'
import { OpaqueReport } from './opaque-report.ts'
import { KeptExploration } from './kept.ts'
import { withFewerSwitches } from './fewer-switches.ts'
import { inFewestSwitches } from './fewest-switches.ts'
import { OtherOrders, type OrderParts, type OrderRunner } from './other-orders.ts'
import { ToolReplaced } from '../execution/replaced-tools.ts'
import { SharedAccesses } from './shared.ts'
import { afterPlainRun, isLarge, isOnly, isPlainRun, plainRun, replayPassed, type BodyExploration, type Explored } from './results.ts'
import { SubjectRunner } from './run-subject.ts'
import type { Subject } from './subject.ts'
import { endOf, type ExecutionHooks } from './surroundings.ts'

export interface RunOptions extends Readonly<Omit<DporOptions, 'onInconclusive' | 'hooks'>> {
  /** A schedule that has failed before: what it does now is found out after the plain run. */
  readonly knownFailure?: string | undefined
  /** Real time, in milliseconds since the epoch, at which to end. Default: never. */
  readonly deadline?: number | undefined
  /** What to call the deadline when it ends the exploration. */
  readonly deadlineName?: string | undefined
  /** With `interleave: 'event-loop'`: what stands for I/O at this place. Default: nothing. */
  readonly io?: IoAt | undefined
  /** What is to be done about servers. */
  readonly servers?: ServerOptions | undefined
  /** Called now and then, with what tells what was found so far. */
  readonly onProgress?: ((found: () => Exploration) => void) | undefined
  readonly surroundings?: ExecutionHooks | undefined
  /** Called once something has failed, to find out what the failure comes from: the exploration ends when it has. */
  readonly investigate?: ((failing: FailingRun, orders: OtherOrders) => Promise<void>) | undefined
  /** What the plain run has changed in objects that are older stays so after the exploration, for whoever comes then. Default: it is put back. */
  readonly leavesState?: boolean | undefined
  /** A verdict that says that nothing fails is not checked by running its last schedule again. */
  readonly trustsPassing?: boolean | undefined
}

/** The failing execution of an exploration that is told of. */
export interface FailingRun {
  readonly failure: Failure
  readonly recording: RecordedExecution
  /** Other executions have passed. */
  readonly passes: boolean
}

/** What explores: the engine's search, or in tests an enumeration to compare it with. */
export type MakeSearch = (options: SearchOptions) => ExecutionSearch

/** Longest time spent on checking that the body is deterministic. Milliseconds. */
const checkFor = 300

/** Time that is kept in hand to tell of what was found. Milliseconds. */
const longestTelling = 1_000

/** Longest time that one execution may wait for real work where no deadline is given. Milliseconds. */
const longestWait = 60_000

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
  return exclusively(() => keepingTools(() => new Explorer(subject, options, makeSearch).explore()))
}

/** Runs one schedule and writes it down, if that is over in time. */
export function record(subject: Subject, options: RunOptions, schedule: string): Promise<RecordedExecution | undefined> {
  return exclusively(() => keepingTools(() => new Explorer(subject, options).record(schedule)))
}

/** Where the body replaces what the runtime works with, everything is done once more with tools of their own for both. */
async function keepingTools<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ToolReplaced)) throw error
  }
  const release = keepApart()
  try {
    return await work()
  } finally {
    release()
  }
}

/** What was found and run again: the first failing execution, as it was written down, or whether the only one there is shares nothing. */
interface Checked {
  readonly found: Exploration
  readonly recording: RecordedExecution | undefined
  readonly sharesNothing: boolean
}

const unchecked = { recording: undefined, sharesNothing: false }

interface RunParts extends OrderParts {
  readonly leavesState?: boolean
}

class Explorer {
  readonly #subject: Subject
  readonly #runner: SubjectRunner
  readonly #options: RunOptions & ExplorationOptions
  readonly #kept: KeptExploration | undefined
  readonly #epoch = nativeNow()
  readonly #started = nativeNow()
  #baseline!: ActiveWork
  readonly #makeSearch: MakeSearch
  readonly #pace: Pace
  /** Of the first execution that was cut short: what kept it going. */
  #repeating: SiteId | undefined
  /** What the body did outside was not the same another time. */
  #divergedOutside: string | undefined
  /** Real milliseconds that the last execution took. */
  #duration = 0
  readonly #opaque = new OpaqueReport()
  /** The next execution is the plain run, in which a rejection may be handled until the end of its turn. */
  #keepsTurns: boolean
  /** Where a step is an event: what stands for I/O. */
  readonly #events: EventOptions | undefined
  #plainFails = false
  #plainPasses = false
  #plainMilliseconds = 0
  #boundsTimers = false
  #mergesCauses = false
  /** Only the plain run is asked for. */
  readonly #isPlainOnly: boolean
  /** Of the plain run. */
  #plainSchedule: string | undefined
  /** Why it was cut short. */
  #plainCut: string | undefined
  /** It has changed what is older. */
  #plainChanges = false
  /** Those in which the execution that is told of was written down. */
  #namesOfRecording: Identities | undefined

  /** Executions of searches that came before. */
  #before = 0
  #document: DocumentContents | undefined
  /** It stands for this exploration. */
  readonly #servers: ServerOptions

  constructor(subject: Subject, options: RunOptions, makeSearch: MakeSearch = (given) => new Search(given)) {
    this.#subject = subject
    const { saveTo, resumeFrom, ...others } = withDefaults(isPlainRun(options) ? { ...options, replay: undefined, maxExecutions: 1 } : options)
    this.#options = { ...others, saveTo: undefined, resumeFrom: undefined }
    if (options.replay === undefined && (saveTo !== undefined || resumeFrom !== undefined)) this.#kept = new KeptExploration(subject, { saveTo, resumeFrom, ...others })
    this.#servers = { ...options.servers }
    this.#runner = new SubjectRunner(subject, this.#options)
    this.#isPlainOnly = isPlainRun(options)
    this.#keepsTurns = this.#options.part === undefined && this.#options.replay === undefined
    this.#makeSearch = makeSearch
    const { deadline = Infinity, maxTime } = this.#options
    this.#pace = new Pace({ deadline, end: nativeNow() + maxTime })
    if (this.#options.interleave === 'event-loop') this.#events = new EventOptions(options.io ?? (() => 'nothing'))
  }

  explore(): Promise<Explored> {
    return this.#options.replay === undefined && !this.#isPlainOnly ? this.#exploreAll() : this.#replay()
  }

  #exploreAll(): Promise<Explored> {
    return this.#withControl(async () => {
      const { found: explored, passed } = await this.#explorePlainFirst()
      this.#pace.leaveTime(longestTelling)
      const { recording, sharesNothing, found } = await this.#withFewerSwitches(await this.#inFewestSwitches(await this.#checked(explored, passed)))
      await this.#investigate(found, recording)
      // What somebody else runs goes on after it has failed in another order, as it does after its plain run.
      if (found.failures.length === 0 || ('run' in this.#subject && this.#plainPasses)) await this.#leaveState()
      return this.#explored(found, { recording: recording ?? (await this.#example(found, passed)), sharesNothing })
    })
  }

  /** Of a large exploration, one execution that passed: what its races are about is why there are so many. */
  async #example(found: Exploration, passed: string | undefined): Promise<RecordedExecution | undefined> {
    if (!isLarge(found) || passed === undefined || !this.#hasTimeForRun) return undefined
    this.#keepsTurns = false
    const search = this.#replaySearch(passed, { times: 1 })
    search.next()
    try {
      return (await this.#recordedRun(search, namesForReplays({ keepsObjects: true }))).recording
    } catch {
      return undefined
    }
  }

  /** Runs the body once, and writes that down: breakpoints are hit once, logs are printed once. */
  #replay(): Promise<Explored> {
    return this.#withControl(async () => {
      const search = new Search(this.#options)
      search.next()
      const { execution, outcome, recording } = await this.#recordedRun(search, namesForReplays({ keepsObjects: true }))
      this.#options.surroundings?.ended(endOf(outcome), () => 1)
      this.#opaque.add(execution)
      this.#plainFails = this.#isPlainOnly && outcome.status === 'complete' && outcome.failure !== undefined
      search.stop('replay: one execution only')
      const found = search.result()
      const reason = found.failures.length > 0 ? found.inconclusiveReason : replayPassed(this.#options.replay, execution.path.length)
      return this.#explored({ ...found, ...(reason !== undefined && { inconclusiveReason: reason }) }, { recording: found.failures.length > 0 ? recording : undefined, sharesNothing: false })
    })
  }

  /** The plain run once more, of which nothing is undone: hooks and tests that come after find what they find without this package. */
  async #leaveState(): Promise<void> {
    if (!this.#options.leavesState || !this.#plainChanges || this.#plainCut !== undefined || !this.#hasTimeForRun) return
    this.#keepsTurns = true
    const search = this.#plainSearch()
    search.next()
    try {
      await this.#execute(search, namesForReplays({ keepsObjects: false }), { leavesState: true })
    } catch {
      // The verdict stands; what this run has changed is put back.
    }
  }

  /** Where an execution that was cut short went on again and again. */
  #noticeRepeats(execution: Execution, { status }: Outcome): void {
    if (status === 'truncated') this.#repeating ??= execution.repeats.places[0]
  }

  #withRepeats(found: Exploration): Exploration {
    if (this.#divergedOutside !== undefined && found.verdict === 'inconclusive') return { ...found, inconclusiveReason: this.#divergedOutside }
    const { inconclusiveReason: reason } = found
    if (this.#repeating === undefined || found.verdict !== 'inconclusive' || reason === undefined) return found
    return { ...found, inconclusiveReason: `${reason}; an execution went on at ${describePlace(placeOf(this.#repeating))} again and again, as a loop does that waits by asking again` }
  }

  #explored(given: Exploration, { recording, sharesNothing }: { readonly recording: RecordedExecution | undefined; readonly sharesNothing: boolean }): Explored {
    const found = this.#withRepeats(given)
    const failures = this.#isPlainOnly && this.#events?.hasMissed ? found.failures.map((failure) => ({ ...failure, schedule: plainRun })) : found.failures
    const result = { ...found, failures, opaque: this.#opaque.shared, packages: passedPackages(), outside: takeOutside(), plainFails: this.#plainFails, plainPasses: this.#plainPasses, plainMilliseconds: this.#plainMilliseconds, standIns: this.#events?.standIns ?? [], realIo: this.#events?.realIo ?? [], time: this.#options.time, boundsTimers: this.#boundsTimers, mergesCauses: this.#mergesCauses, sharesNothing }
    return { result, recording }
  }

  /**
   * The plain run is the first of the others, unless what stands for I/O did not do so in it, or it is to be run whatever part of them is
   * asked for: then they follow it, and it counts as well.
   */
  async #explorePlainFirst(): Promise<{ found: Exploration; passed: string | undefined }> {
    const isApart = this.#options.part !== undefined && 'run' in this.#subject
    const knownFailure = this.#options.part === undefined ? this.#options.knownFailure : undefined
    // What goes on from a file does not begin with the plain run.
    const isAlone = isApart || knownFailure !== undefined || this.#kept !== undefined
    if (isAlone) this.#keepsTurns = true
    const options = { ...this.#options, search: orderFor(this.#options) }
    const first = isAlone ? this.#plainSearch() : this.#makeSearch(options)
    const passed = await this.#search(first)
    const found = first.result()
    if (!isAlone && !this.#events?.hasMissed) return { found, passed }
    this.#before = found.executions
    const plain = { ...found, cut: this.#plainCut }
    const again = knownFailure !== undefined && this.#plainPasses ? await this.#failsAgain(knownFailure) : undefined
    if (again) return { found: afterPlainRun(plain, again, this.#options), passed }
    const others = this.#makeSearch({ ...options, ...this.#kept?.files })
    const isApartFromOthers = isApart || this.#events?.hasMissed === true
    if (isApartFromOthers) others.shareBudget(first as Search)
    else this.#before = 0
    const passedLast = await this.#search(others, this.#kept)
    return { found: isApartFromOthers ? afterPlainRun(plain, others.result(), this.#options) : others.result(), passed: passedLast ?? passed }
  }

  /** What a schedule comes to that has failed before: nothing, if it passes now, or does not fit any more. */
  async #failsAgain(schedule: string): Promise<Exploration | undefined> {
    const search = this.#replaySearch(schedule, { times: 1 })
    search.next()
    try {
      const { execution, outcome } = await this.#execute(search, namesForReplays({ keepsObjects: false }))
      this.#opaque.add(execution)
      this.#options.surroundings?.ended(endOf(outcome), () => this.#before + 1)
    } catch (error) {
      if (error instanceof ToolReplaced) throw error
      return undefined
    }
    const found = search.result()
    return found.failures.length > 0 ? { ...found, equivalence: this.#options.equivalence } : undefined
  }

  /** Of one execution. */
  #plainSearch(): Search {
    return new Search({ ...this.#options, part: undefined, maxExecutions: 1 })
  }

  record(schedule: string): Promise<RecordedExecution | undefined> {
    return this.#withControl(async () => {
      this.#keepsTurns = schedule === plainRun
      const search = this.#keepsTurns ? new Search({ ...this.#options, replay: undefined, maxExecutions: 1 }) : this.#replaySearch(schedule, { times: 1 })
      search.next()
      return (await this.#recordedRun(search, namesForReplays({ keepsObjects: true }))).recording
    })
  }

  /** Lets others find out what the failure comes from, as long as there is time. */
  async #investigate({ failures, executions }: Exploration, recording: RecordedExecution | undefined): Promise<void> {
    const [failure] = failures
    const runner = failure && this.#orderRunner(failure)
    if (!this.#options.investigate || !recording || !runner) return
    await this.#options.investigate({ failure, recording, passes: executions > failures.length }, new OtherOrders(runner, this.#options, failure))
  }

  /** A plain run stays as it is: nobody switched there. */
  async #inFewestSwitches(checked: Checked): Promise<Checked> {
    const { found, recording } = checked
    const [failure, ...others] = found.failures
    const runner = failure && failure.schedule !== this.#plainSchedule && this.#orderRunner(failure)
    if (!recording || !runner) return checked
    const told = await inFewestSwitches({ failure, recording }, runner)
    return { ...checked, found: { ...found, failures: [told.failure, ...others] }, recording: told.recording }
  }

  /** The same failure of another class, if one needs fewer switches: what was met first may have come at random. */
  async #withFewerSwitches(checked: Checked): Promise<Checked> {
    const [failure, ...others] = checked.found.failures
    const runner = failure && failure.schedule !== this.#plainSchedule && this.#orderRunner(failure)
    const { switches = 0 } = checked.recording?.order ?? {}
    if (!runner || switches === 0 || this.#options.search === 'preemptions') return checked
    const names = this.#namesOfRecording
    try {
      const fewer = await withFewerSwitches(failure, switches, { runner, options: this.#options })
      const told = fewer && (await this.#inFewestSwitches(await this.#checked({ ...checked.found, failures: [fewer, ...others] }, undefined)))
      if (told?.recording && told.recording.order.switches < switches) return told
    } catch (error) {
      if (!(error instanceof NondeterminismError)) throw error
    }
    this.#namesOfRecording = names
    return checked
  }

  /** Runs orders that are close to a failing one, which was written down. */
  #orderRunner({ schedule }: Failure): OrderRunner | undefined {
    const identities = this.#namesOfRecording
    if (!identities || schedule === plainRun) return undefined
    this.#keepsTurns = false
    return {
      identities,
      execute: (search, names, parts) => this.#execute(search, names, parts),
      newSearch: (makeAlgorithm) => this.#searchOf(schedule, makeAlgorithm),
      newAssumptions: () => this.#newAssumptions(),
      hasTime: () => this.#pace.hasTimeFor(this.#duration * 1.5 + this.#timeToTell),
    }
  }

  async #withControl<T>(work: () => Promise<T>): Promise<T> {
    enterLoop()
    forgetPassed()
    setExploring(true)
    this.#options.surroundings?.begin()
    const release = patchGlobals()
    if (hasEnvironment()) this.#document = new DocumentContents()
    findVariables()
    const unwatch = watchRejections(this.#options.surroundings)
    const unhear = watchUncaught(this.#options.surroundings)
    const unhook = this.#events ? watchPromises() : undefined
    takeOutside()
    try {
      // After a fake clock was taken over: one that holds back ticks would hold back what the test runner is sent meanwhile.
      this.#baseline = await quietWork()
      return await work()
    } finally {
      // Node tells of a rejection that was handled late in a turn of its own.
      await new Promise<void>(afterMacrotask)
      unhook?.()
      unwatch()
      unhear()
      release()
      this.#options.surroundings?.end()
      setExploring(false)
    }
  }

  /** Runs executions until the search ends; returns the schedule of the last one that passed. */
  async #search(search: ExecutionSearch, kept?: KeptExploration): Promise<string | undefined> {
    // A promise that is returned is asked for its `then`, which may be the body's by now.
    if (kept === undefined) return await this.#searchOn(search)
    try {
      kept.resume(search)
      const passed = await this.#searchOn(search, kept)
      kept.ended(search)
      return passed
    } catch (error) {
      throw kept.refusalOf(error)
    }
  }

  async #searchOn(search: ExecutionSearch, kept?: KeptExploration): Promise<string | undefined> {
    const identities = new Identities({ assumptions: this.#newAssumptions() })
    let passed: readonly number[] | undefined
    while (search.next()) {
      const isPlain = this.#keepsTurns
      const { execution, outcome } = await this.#execute(search, identities)
      this.#options.surroundings?.ended(endOf(outcome), () => this.#before + search.result().executions)
      this.#keepsTurns = false
      if (isPlain) this.#plainEnded(execution, outcome, search)
      this.#opaque.add(execution)
      this.#noticeRepeats(execution, outcome)
      if (outcome.status === 'complete' && !outcome.failure) passed = execution.path
      kept?.executed(search)
      if (this.#isOverdue()) search.stop(this.#options.deadlineName ?? 'the deadline')
      if (this.#pace.isTurnDue) {
        this.#options.onProgress?.(() => search.result())
        await this.#takeTurn()
      }
      if (isPlain && this.#events?.hasMissed) break
    }
    return passed && formatSchedule(passed)
  }

  #plainEnded(execution: Execution, outcome: Outcome, search: ExecutionSearch): void {
    this.#plainFails = outcome.status === 'complete' && outcome.failure !== undefined
    this.#plainPasses = outcome.status === 'complete' && outcome.failure === undefined
    this.#plainMilliseconds = execution.clock.now
    this.#plainSchedule = formatSchedule(execution.path)
    if (outcome.status === 'truncated') this.#plainCut = search.result().inconclusiveReason
  }

  async #execute(search: ExecutionSearch, identities: Identities, { recorder, witness, waitsInVain = false, delaysCalls = false, time, leavesState = false }: RunParts = {}): Promise<Run> {
    const started = nativeNow()
    let passes = false
    const execution = new Execution({
      search,
      identities,
      recorder,
      witness,
      seed: this.#options.seed,
      epoch: this.#epoch,
      pace: this.#pace,
      baseline: this.#baseline,
      patience: waitsInVain ? littlePatience : patience,
      keepsTurns: this.#keepsTurns,
      delaysCalls,
      // A call begins in the event of its caller, and cannot be held back.
      events: delaysCalls ? undefined : this.#events?.of({ isPlain: this.#keepsTurns }),
      time: time ?? this.#options.time,
      deadline: () => this.#options.deadline ?? started + longestWait,
    })
    beginAtServers(this.#servers)
    // A schedule says who goes on, whatever points there are; but not within an event.
    if (this.#options.order !== undefined && (!search.isReplay || this.#events !== undefined)) orderPoints(execution, this.#options.order)
    try {
      this.#options.surroundings?.beforeEach()
      adoptClock(execution)
      countOutside(true)
      const ended = inOrder(execution, await this.#runInTime(execution))
      if (execution.replacesTools) throw new ToolReplaced()
      if (execution.refusal) throw execution.refusal
      const outcome = ended.status === 'complete' && !search.isReplay && !execution.clock.isPossible(execution) ? ({ status: 'impossible' } as const) : ended
      // The plain run is one of many where an `await` may take longer than a turn.
      if ((execution.handlesLate || execution.asksInVain) && !search.isReplay) search.startAnew()
      search.finish(outcome)
      if (execution.hasRunOutOfStack && !search.isReplay) search.stop('the body catches that its calls go too deep, and how deep they can go is not the same in each execution')
      this.#boundsTimers ||= execution.clock.hasBounded
      this.#mergesCauses ||= execution.mergesCauses
      passes = outcome.status === 'complete' && !outcome.failure
      return { execution, outcome }
    } catch (error) {
      // Who runs the body may have heard of it as of a failure.
      if (execution.replacesTools) throw new ToolReplaced()
      const diverged = this.#divergence(error, execution)
      if (diverged?.ofOutside === undefined || search.isReplay) throw diverged ?? error
      this.#divergedOutside = diverged.ofOutside
      search.stop(diverged.ofOutside)
      return { execution, outcome: { status: 'blocked' } }
    } finally {
      countOutside(false)
      this.#duration = nativeNow() - started
      if (this.#keepsTurns) this.#plainChanges ||= !execution.journal.isEmpty || this.#document !== undefined
      const staysSo = this.#runner.leavesState || (leavesState && passes)
      const rowsLost = await endAtServers(execution, { leavesState: staysSo })
      const lost = [...execution.abandon({ leavesState: staysSo }), ...rowsLost]
      if (!staysSo) {
        this.#document?.restore()
        putVariablesBack()
      }
      if (lost.length > 0) search.stop(`changes to state that is older than the test could not be undone: ${lost.join(', ')}`)
    }
  }

  /** Undefined for errors of another kind. */
  #divergence(error: unknown, execution: Execution): NondeterminismError | undefined {
    if (error instanceof DivergenceError) return asNondeterminism(error, execution)
    if (!(error instanceof ReplayError) || this.#options.replay !== undefined) return undefined
    return new NondeterminismError('a schedule could not be taken a second time', placeOf(execution.lastSite), opaqueIn(execution))
  }

  /** The execution, and what its body has asked to be called after it. One that would not end in time is given up. */
  async #runInTime(execution: Execution): Promise<Outcome> {
    try {
      return await this.#runner.run(execution)
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error
      const { maxTime, deadlineName = 'the deadline' } = this.#options
      execution.search.stop(this.#isNearDeadline ? deadlineName : `maxTime of ${maxTime} ms`)
      return { status: 'truncated' }
    }
  }

  // Determinism ------------------------------------------------------------------------------

  /** Passing orders that come out otherwise for what is outside are no verdict; that is said, and is no error. */
  async #checked(found: Exploration, passed: string | undefined): Promise<Checked> {
    try {
      return { found, ...(await this.#checkDeterminism(found, passed)) }
    } catch (error) {
      if (!(error instanceof NondeterminismError) || error.ofOutside === undefined || found.failures.length > 0) throw error
      return { found: { ...found, verdict: 'inconclusive', inconclusiveReason: error.ofOutside }, ...unchecked }
    }
  }

  /** Runs again what the verdict rests on: the failing execution, which is written down, or the last one that passed. */
  async #checkDeterminism(result: Exploration, passed: string | undefined): Promise<Omit<Checked, 'found'>> {
    const failure = result.failures[0]
    const schedule = failure?.schedule === plainRun ? this.#plainSchedule : (failure?.schedule ?? passed)
    const times = this.#options.reproduce
    this.#keepsTurns = failure !== undefined && schedule === this.#plainSchedule && failure.kind !== 'unhandled-rejection'
    if (result.verdict === 'inconclusive' || schedule === undefined || times === 0) return unchecked
    if (this.#options.trustsPassing && failure === undefined) return unchecked
    const end = nativeNow() + checkFor
    const search = this.#replaySearch(schedule, { times })
    // One set of names for all runs: what a run calls by another name it does not find again.
    const identities = namesForReplays({ keepsObjects: failure !== undefined })
    this.#namesOfRecording = identities
    const shared = isOnly(result) ? new SharedAccesses() : undefined
    let recording: RecordedExecution | undefined
    let sharesNothing = false
    let steps: number | undefined
    const waitsInVain = failure?.kind === 'deadlock'
    for (let i = 0; (i < 2 || nativeNow() < end) && this.#hasTimeForRun && search.next(); i++) {
      const run: Run & { readonly recording?: RecordedExecution | undefined } =
        i === 0 && failure ? await this.#recordedRun(search, identities, { waitsInVain }) : await this.#execute(search, identities, { waitsInVain, ...(i === 0 && shared && { witness: shared }) })
      if (run.outcome.status === 'truncated') break
      checkRerun(run, { failure, steps })
      recording ??= run.recording
      if (i === 0 && shared && run.outcome.status === 'complete') sharesNothing = !shared.isAnythingShared
      steps ??= run.execution.path.length
      if (this.#pace.isTurnDue) await this.#takeTurn()
    }
    if (failure !== undefined && passed !== undefined && this.#opaque.hasCalls && this.#hasTimeForRun) await this.#checkThatPassed(passed)
    return { recording, sharesNothing }
  }

  /**
   * A failure that comes after other executions may be due to what they have left behind in code that is not instrumented: then a
   * schedule that passed does so no more.
   */
  async #checkThatPassed(schedule: string): Promise<void> {
    const search = this.#replaySearch(schedule, { times: 1 })
    search.next()
    checkRerun(await this.#execute(search, namesForReplays({ keepsObjects: false })), { failure: undefined, steps: undefined })
  }

  /** Without a recording where the execution was not run to its end. */
  async #recordedRun(search: Search, identities: Identities, { waitsInVain = false } = {}): Promise<Run & { readonly recording: RecordedExecution | undefined }> {
    const recorder = new Recorder(identities)
    const run = await this.#execute(search, identities, { recorder, waitsInVain })
    return { ...run, recording: run.outcome.status === 'complete' ? recorder.finish(search.executionOrder()) : undefined }
  }

  /** Takes one schedule several times, and compares each run with the first one. */
  #replaySearch(schedule: string, { times }: { readonly times: number }): Search {
    return this.#searchOf(schedule, (trace) => new Replay(trace, parseSchedule(schedule), times))
  }

  #searchOf(schedule: string, makeAlgorithm: MakeAlgorithm): Search {
    const { maxExecutions: _, maxTime: __, part: ___, ...options } = this.#options
    // Changes that the exploration has merged may be what a failure comes from: here all of one location are ordered.
    return new Search({ ...options, equivalence: 'trace', stopOnFirst: false, replay: schedule }, makeAlgorithm)
  }

  #newAssumptions(): Assumptions {
    const { part, replay } = this.#options
    return new Assumptions({ isTrusting: part === undefined, isReplaying: replay !== undefined })
  }

  /** Whether one more execution, which may take a bit longer, would be over in time. */
  get #hasTimeForRun(): boolean {
    return this.#pace.hasTimeFor(this.#duration * 1.5)
  }

  /** What is found out of a failure has to be told as well. Milliseconds. */
  get #timeToTell(): number {
    const { deadline = Infinity } = this.#options
    return Math.min(longestTelling, (deadline - this.#started) / 4)
  }

  get #isNearDeadline(): boolean {
    return nativeNow() - this.#started < this.#options.maxTime
  }

  #isOverdue(): boolean {
    return this.#options.deadline !== undefined && nativeNow() >= this.#options.deadline
  }

  async #takeTurn(): Promise<void> {
    await new Promise<void>(afterMacrotask)
    this.#pace.turnTaken()
  }
}

/** Where no order is asked for: a failure that is not rare is to be met soon. */
function orderFor({ preemptionBound, search }: Pick<ExplorationOptions, 'preemptionBound' | 'search'>): ExplorationOptions['search'] {
  return search ?? (preemptionBound === undefined ? 'random-first' : undefined)
}
