import { Math, Object } from '../../engine/intrinsics.ts'
import type { SiteId } from '../../engine/ids.ts'
import type { MakeAlgorithm } from '../../engine/algorithms/algorithm.ts'
import { Replay } from '../../engine/algorithms/replay.ts'
import { DivergenceError, formatSchedule, parseSchedule, ReplayError, Search, type Exploration, type Failure, type Outcome, type SearchOptions } from '../../engine/index.ts'
import { withDefaults, type DporOptions, type ExplorationOptions } from '../../options/index.ts'
import { Assumptions } from '../execution/assumptions.ts'
import { asNondeterminism, checkRerun, namesForReplays, opaqueIn, type Run } from './determinism.ts'
import { setExploring } from '../calls/flags.ts'
import { keepApart } from '../calls/kept-apart.ts'
import type { Time } from '../execution/clock.ts'
import { enterLoop } from '../execution/contexts.ts'
import { DocumentContents } from '../execution/document.ts'
import { hasEnvironment } from '../execution/environment.ts'
import { describePlace, NondeterminismError, OutOfTime } from '../execution/errors.ts'
import { Execution, type Ending, type ExecutionSearch } from '../execution/execution.ts'
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
import { OpaqueReport, type OpaqueCalls } from './opaque-report.ts'
import { inFewestSwitches } from './fewest-switches.ts'
import { OtherOrders, type OrderParts, type OrderRunner } from './other-orders.ts'
import { ToolReplaced } from '../execution/replaced-tools.ts'
import { SharedAccesses } from './shared.ts'
import { runStaged, type Staged } from './staged.ts'
import { Start } from './start.ts'
import { deadlock, livelock, waitingPlaces } from './waiting.ts'

/** A test body: it starts concurrent calls itself. */
export type Body = () => unknown

/** Concurrent tasks over a state that `setup` makes. */
export interface Tasks<S = any> {
  /** Runs alone, before; what it returns is given to every task. */
  readonly setup?: (() => S | Promise<S>) | undefined
  /** Run concurrently. The first step of each is scheduled like any other. */
  readonly tasks: readonly ((state: S) => unknown)[] | Readonly<Record<string, (state: S) => unknown>>
  /** Runs alone, after all tasks have ended. Fails by returning `false` or by throwing. */
  readonly invariant?: ((state: S, results: unknown[]) => unknown) | undefined
}

/** What can be explored. */
export type Subject<S = any> = Body | Tasks<S> | Staged

export interface RunOptions extends Readonly<Omit<DporOptions, 'onInconclusive' | 'hooks'>> {
  /** A schedule that has failed before: what it does now is found out after the plain run. */
  readonly knownFailure?: string | undefined
  /** Real time, in milliseconds since the epoch, at which to end. Default: never. */
  readonly deadline?: number | undefined
  /** What to call the deadline when it ends the exploration. */
  readonly deadlineName?: string | undefined
  /** With `interleave: 'event-loop'`: what stands for I/O at this place. Default: nothing. */
  readonly io?: IoAt | undefined
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

/** How an execution has ended. */
export interface ExecutionEnd {
  /** It was not cut short. */
  readonly isComplete: boolean
  readonly hasFailed: boolean
}

/** What surrounds every execution, for whoever runs a test. */
export interface ExecutionHooks {
  /** Before the first execution. */
  begin(): void
  beforeEach(): void
  /** Called after every execution that has passed so far; an error it throws is the execution's failure. */
  afterEach?(): void
  /** What the body has asked to be called after it, one after another; an error is the execution's failure, unless it has one. */
  cleanUps?(end: ExecutionEnd): readonly (() => unknown)[]
  /** After every execution that was not a run of a schedule which had been explored. `number`: that of a story of it. */
  ended(end: ExecutionEnd, number: () => number): void
  /** After the last one. */
  end(): void
}

/** What explores: the engine's search, or in tests an enumeration to compare it with. */
export type MakeSearch = (options: SearchOptions) => ExecutionSearch

/** Longest time spent on checking that the body is deterministic. Milliseconds. */
const checkFor = 300

/** Time that is kept in hand to tell of a failure. Milliseconds. */
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

/** What an exploration of a body, or of tasks, found. */
export interface BodyExploration extends Exploration {
  /** Packages and functions that are not instrumented and were called by more than one process. What they keep to themselves is not seen but merged. */
  readonly opaque: readonly OpaqueCalls[]
  /** Packages whose own code accessed something: what they keep is seen. */
  readonly packages: readonly string[]
  /** Async functions that code which is not instrumented called outside of any step: they were run, and not explored. */
  readonly outside: readonly string[]
  /** The plain run fails: the test does so without this package as well. */
  readonly plainFails: boolean
  /** The plain run came to its end, and passes. */
  readonly plainPasses: boolean
  /** Virtual milliseconds that it took. */
  readonly plainMilliseconds: number
  /** With `interleave: 'event-loop'`: what stood for I/O, by name. */
  readonly standIns: readonly string[]
  /** When timers fired. */
  readonly time: Time
  /** With `time: 'race'`: some timers were set again and again, and raced three times only. */
  readonly boundsTimers: boolean
  /** One execution was enough, because nothing that two processes share was accessed. */
  readonly sharesNothing: boolean
}

/** What an exploration found, and its first failing execution as it was written down. */
export interface Explored {
  readonly result: BodyExploration
  /** Undefined where nothing failed, or where no time was left to run the failing schedule again. */
  readonly recording: RecordedExecution | undefined
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
  readonly #options: RunOptions & ExplorationOptions
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
  /** What this execution has changed is not put back. */
  #staysSo = false
  #plainMilliseconds = 0
  #boundsTimers = false
  /** Only the plain run is asked for. */
  readonly #isPlainOnly: boolean
  #tasks: readonly { readonly name: string; readonly task: (state: unknown) => unknown }[] | undefined
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

  constructor(subject: Subject, options: RunOptions, makeSearch: MakeSearch = (given) => new Search(given)) {
    this.#subject = subject
    this.#options = withDefaults(isPlainRun(options) ? { ...options, replay: undefined, maxExecutions: 1 } : options)
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
      const { recording, sharesNothing, found } = await this.#inFewestSwitches(await this.#checked(explored, passed))
      await this.#investigate(found, recording)
      // What somebody else runs goes on after it has failed in another order, as it does after its plain run.
      if (found.failures.length === 0 || ('run' in this.#subject && this.#plainPasses)) await this.#leaveState()
      return this.#explored(found, { recording, sharesNothing })
    })
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
    const result = { ...found, failures, opaque: this.#opaque.shared, packages: passedPackages(), outside: takeOutside(), plainFails: this.#plainFails, plainPasses: this.#plainPasses, plainMilliseconds: this.#plainMilliseconds, standIns: this.#events?.standIns ?? [], time: this.#options.time, boundsTimers: this.#boundsTimers, sharesNothing }
    return { result, recording }
  }

  /**
   * The plain run is the first of the others, unless what stands for I/O did not do so in it, or it is to be run whatever part of them is
   * asked for: then they follow it, and it counts as well.
   */
  async #explorePlainFirst(): Promise<{ found: Exploration; passed: string | undefined }> {
    const isApart = this.#options.part !== undefined && 'run' in this.#subject
    const knownFailure = this.#options.part === undefined ? this.#options.knownFailure : undefined
    const isAlone = isApart || knownFailure !== undefined
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
    const others = this.#makeSearch(options)
    const isApartFromOthers = isApart || this.#events?.hasMissed === true
    if (isApartFromOthers) others.shareBudget(first as Search)
    else this.#before = 0
    const passedLast = await this.#search(others)
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
    const unwatch = watchRejections()
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
      release()
      this.#options.surroundings?.end()
      setExploring(false)
    }
  }

  /** Runs executions until the search ends; returns the schedule of the last one that passed. */
  async #search(search: ExecutionSearch): Promise<string | undefined> {
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
    try {
      this.#options.surroundings?.beforeEach()
      adoptClock(execution)
      countOutside(true)
      const ended = await this.#runInTime(execution)
      if (execution.replacesTools) throw new ToolReplaced()
      if (execution.refusal) throw execution.refusal
      const outcome = ended.status === 'complete' && !search.isReplay && !execution.clock.isPossible(execution) ? ({ status: 'impossible' } as const) : ended
      // The plain run is one of many where an `await` may take longer than a turn.
      if ((execution.handlesLate || execution.asksInVain) && !search.isReplay) search.startAnew()
      search.finish(outcome)
      this.#boundsTimers ||= execution.clock.hasBounded
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
      const staysSo = this.#staysSo || (leavesState && passes)
      const lost = execution.abandon({ leavesState: staysSo })
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

  /** What the body has asked to be called after it. */
  async #cleanUp(execution: Execution, ended: Outcome, cleanUps: readonly (() => unknown)[]): Promise<Outcome> {
    let outcome = ended
    for (const cleanUp of cleanUps) {
      const passes = outcome.status === 'complete' && !outcome.failure
      // Nobody looks at what others have left.
      if (!passes) execution.accesses.part = 'alone'
      const { hasFailed, value } = await this.#alone(execution, 'clean-up', cleanUp)
      if (hasFailed && passes) outcome = failed('error', value)
    }
    return outcome
  }

  /** The execution, and what its body has asked to be called after it. One that would not end in time is given up. */
  async #runInTime(execution: Execution): Promise<Outcome> {
    try {
      const outcome = await this.#run(execution)
      const cleanUps = this.#options.surroundings?.cleanUps?.(endOf(outcome)) ?? []
      return cleanUps.length === 0 ? outcome : await this.#cleanUp(execution, outcome, cleanUps)
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error
      const { maxTime, deadlineName = 'the deadline' } = this.#options
      execution.search.stop(this.#isNearDeadline ? deadlineName : `maxTime of ${maxTime} ms`)
      return { status: 'truncated' }
    }
  }

  async #run(execution: Execution): Promise<Outcome> {
    const subject = this.#subject
    if (typeof subject === 'function') return (await this.#runBody(execution, subject)).outcome
    return 'run' in subject ? this.#runStaged(execution, subject) : this.#runTasks(execution, subject)
  }

  async #runBody(execution: Execution, body: Body): Promise<{ readonly outcome: Outcome; readonly value: unknown }> {
    const start = new Start('test', body)
    const outcome = this.#outcome(execution, await execution.runExplored([start]), [start])
    return { outcome, value: start.value }
  }

  async #runTasks(execution: Execution, subject: Tasks): Promise<Outcome> {
    const setup = await this.#alone(execution, 'setup', () => subject.setup?.())
    if (setup.hasFailed) return failed('error', setup.value)
    this.#tasks ??= Object.entries(subject.tasks).map(([key, task]) => ({ name: taskName(key, task), task }))
    const starts = this.#tasks.map(({ name, task }) => new Start(name, () => task(setup.value)))
    const outcome = this.#outcome(execution, await execution.runExplored(starts), starts)
    if (outcome.status !== 'complete' || outcome.failure || !subject.invariant) return outcome
    const results = starts.map((start) => start.value)
    const check = await this.#alone(execution, 'invariant', () => subject.invariant!(setup.value, results))
    if (check.hasFailed) return failed('invariant', check.value)
    return check.value === false ? failed('invariant', new Error('the invariant returned false')) : outcome
  }

  #runStaged(execution: Execution, subject: Staged): Promise<Outcome> {
    return runStaged(subject, {
      alone: (name, work) => this.#alone(execution, name, work),
      explored: async (work) => {
        execution.around = new Set(execution.suspended)
        const ended = typeof work === 'function' ? await this.#runBody(execution, work) : { outcome: await this.#runTasks(execution, work), value: undefined }
        // Nobody looks at what a failing execution has left.
        if (ended.outcome.status !== 'complete' || ended.outcome.failure) execution.accesses.part = 'alone'
        return ended
      },
      leaveState: () => {
        this.#staysSo = true
      },
    })
  }

  async #alone(execution: Execution, name: string, body: () => unknown): Promise<Start> {
    const start = new Start(name, body)
    const ending = await execution.runAlone(start)
    if (start.isDone) return start
    if (ending === 'out of time') throw new OutOfTime()
    start.hasFailed = true
    start.value = ending === 'stuck' || ending === 'circling' ? deadlock(execution) : new Error(`${name} waits for something real that takes too long: ${waitingPlaces(execution)}`)
    return start
  }

  #outcome(execution: Execution, ending: Ending, starts: readonly Start[]): Outcome {
    switch (ending) {
      case 'overdue':
        execution.search.stop(`waiting for something real at ${waitingPlaces(execution)}: ${this.#options.deadlineName ?? 'it takes too long'}`)
        return { status: 'truncated' }
      case 'out of time':
        throw new OutOfTime()
      case 'endless':
        execution.search.stop(`one event went on without end at ${waitingPlaces(execution)}: a loop that waits by asking again lets nothing else run`)
        return { status: 'truncated' }
      case 'blocked':
      case 'truncated':
        return { status: ending }
      case 'stuck':
        return failed('deadlock', deadlock(execution))
      case 'circling':
        return failed('livelock', livelock(execution))
      case 'finished':
        return this.#finished(execution, starts)
      default:
        return ending satisfies never
    }
  }

  #finished(execution: Execution, starts: readonly Start[]): Outcome {
    const broken = starts.find((start) => start.hasFailed)
    if (broken) return failed('error', broken.value)
    if (execution.uncaughtErrors.length > 0) return failed('error', execution.uncaughtErrors[0])
    if (execution.unhandled.length > 0) return failed('unhandled-rejection', execution.unhandled[0]!.value)
    try {
      this.#options.surroundings?.afterEach?.()
    } catch (error) {
      return failed('error', error)
    }
    return { status: 'complete' }
  }

  // Determinism ------------------------------------------------------------------------------

  /** Runs again what the verdict rests on: the failing execution, which is written down, or the last one that passed. */
  /** Passing orders that come out otherwise for what is outside are no verdict; that is said, and is no error. */
  async #checked(found: Exploration, passed: string | undefined): Promise<Checked> {
    try {
      return { found, ...(await this.#checkDeterminism(found, passed)) }
    } catch (error) {
      if (!(error instanceof NondeterminismError) || error.ofOutside === undefined || found.failures.length > 0) throw error
      return { found: { ...found, verdict: 'inconclusive', inconclusiveReason: error.ofOutside }, ...unchecked }
    }
  }

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

/** Why a replay without a failure says nothing. */
function replayPassed(schedule: string | undefined, steps: number): string {
  const planned = schedule === undefined ? steps : parseSchedule(schedule).length
  const passed = 'replay: one execution only, which passed'
  return planned < steps ? `${passed}; it went on for ${steps - planned} steps after the end of the schedule, so the code has changed since that was printed` : passed
}

/** What `replay` says for the plain run, where its schedule is not one among the others'. */
const plainRun = 'plain'

function isPlainRun({ replay }: RunOptions): boolean {
  return replay === plainRun
}

/** What was found by the plain run, and then by the others. A failure of those tells what races, so it goes before that of the plain run. */
function afterPlainRun({ cut, ...plain }: Exploration & { readonly cut: string | undefined }, others: Exploration, { stopOnFirst }: ExplorationOptions): Exploration {
  const first = plain.failures.map((failure) => ({ ...failure, schedule: plainRun }))
  const later = others.failures.map((failure) => ({ ...failure, execution: failure.execution + plain.executions }))
  const failures = stopOnFirst && later.length > 0 ? later : [...first, ...later]
  const reason = cut ?? others.inconclusiveReason
  return {
    ...others,
    verdict: failures.length > 0 ? 'fails' : cut === undefined ? others.verdict : 'inconclusive',
    executions: plain.executions + others.executions,
    steps: plain.steps + others.steps,
    estimate: plain.executions + others.estimate,
    failures,
    ...(reason !== undefined && { inconclusiveReason: reason }),
  }
}

function endOf(outcome: Outcome): ExecutionEnd {
  return { isComplete: outcome.status === 'complete', hasFailed: outcome.status === 'complete' && outcome.failure !== undefined }
}

/** One execution was all there is. */
function isOnly({ verdict, executions, blocked }: Exploration): boolean {
  return verdict === 'holds' && executions === 1 && blocked === 0
}

function failed(kind: Failure['kind'], error: unknown): Outcome {
  return { status: 'complete', failure: { kind, error } }
}

function taskName(key: string, task: (...args: never[]) => unknown): string {
  if (!/^\d+$/.test(key)) return key
  return task.name && task.name !== 'tasks' ? `${task.name}#${Number(key) + 1}` : `task#${Number(key) + 1}`
}

/** Where no order is asked for: a failure that is not rare is to be met soon. */
function orderFor({ preemptionBound, search }: ExplorationOptions): ExplorationOptions['search'] {
  return search ?? (preemptionBound === undefined ? 'random-first' : undefined)
}
