import { Math } from '../../engine/intrinsics.ts'
import { DivergenceError, ReplayError, type Outcome } from '../../engine/index.ts'
import { followConnections } from '../accesses/connects.ts'
import { OlderServers } from '../accesses/older-servers.ts'
import { inOrder, orderPoints } from '../accesses/points.ts'
import { watchUncaught } from '../accesses/uncaught.ts'
import { setExploring } from '../calls/flags.ts'
import { adoptListening } from '../drivers/messages.ts'
import { beginAtServers, endAtServers, hasChangedRows, lostAtServers, undecidedAtServers, unansweredAtServers, type ServerOptions } from '../drivers/servers.ts'
import { deciderOf } from '../events/promise-cell.ts'
import { watchPromises } from '../events/promise-hooks.ts'
import { waitsForOlder } from '../events/waiting-for-older.ts'
import { followAddOns, whenAddOnBegins } from '../execution/add-on-work.ts'
import { Assumptions, QUICK } from '../execution/assumptions.ts'
import { numbersMocksAnew } from '../accesses/order-of-mocks.ts'
import { enterLoop, enterOutermostDomain } from '../execution/contexts.ts'
import { EnvironmentContents } from '../execution/document.ts'
import { hasEnvironment } from '../execution/environment.ts'
import { NondeterminismError, OutOfTime } from '../execution/errors.ts'
import { Execution, type ExecutionSearch } from '../execution/execution.ts'
import { quietWork, type Baseline } from '../execution/active-work.ts'
import { littlePatience, patience } from '../execution/foreign.ts'
import type { Identities } from '../execution/identity.ts'
import { areKept, findVariables, putVariablesBack, untilQuiet } from '../execution/kept-variables.ts'
import { afterMacrotask, nativeNow, NativePromise } from '../execution/native.ts'
import { takeMissingParsers } from '../drivers/missing-parsers.ts'
import { learnToReadSqlite } from '../drivers/sqlite/footprint.ts'
import { countOutside, takeOutside } from '../execution/outside.ts'
import { Pace } from '../execution/pace.ts'
import { seedFor } from '../execution/random.ts'
import { ToolReplaced } from '../execution/replaced-tools.ts'
import { OneLine } from '../execution/one-line.ts'
import { running } from '../execution/running.ts'
import { forgetPassed, placeOf } from '../execution/sources.ts'
import { adoptClock } from '../globals/fake-timers.ts'
import { patchGlobals } from '../globals/globals.ts'
import { goOnWithLeftTimers, holdLeftTimers, leavesTimers, leavesWork, leaveTimers, runLeftTimers } from '../globals/left-timers.ts'
import { endsOlderTimers, goOnWithOlderTimers, holdOlderTimers, leaveOlderTimers, runOlderTimers, timeOfTimers } from '../globals/older-timers.ts'
import { watchRejections } from '../promises/rejections.ts'
import { areDecisionsOrdered, DecisionsOutOfOrder } from '../promises/decisions.ts'
import { endKeptConnections } from '../accesses/kept-connections.ts'
import { areOlderThings } from '../accesses/older-things.ts'
import { asNondeterminism, opaqueIn, type Run } from './determinism.ts'
import { FrozenFirst, isFrozenFirst } from './frozen-first.ts'
import { EventOptions } from './event-options.ts'
import type { OrderParts } from './other-orders.ts'
import type { FullOptions } from './run-options.ts'
import { SubjectRunner } from './run-subject.ts'
import type { Subject } from './subject.ts'

whenAddOnBegins(() => running?.foreign.opened())

/** Time that is kept in hand to tell of what was found. Milliseconds. */
const longestTelling = 1_000

/** So many executions tell of a failure, in at most so many times what there was for the exploration. */
const executionsToTell = 10
const timesToTell = 5

/** Longest time that one execution may wait for real work where no deadline is given. Milliseconds. */
const longestWait = 60_000

/** Those of this thread. */
let explorations = 0

/** What an execution may do besides. */
export interface RunParts extends OrderParts {
  /** It is the plain run, in which a rejection may be handled until the end of its turn. */
  readonly isPlain?: boolean
  /** If it is one line of control, no other is run. */
  readonly findsOneLine?: boolean
  /** What it has changed stays so, if it passes. */
  readonly leavesState?: boolean
}

/** What some execution has shown. */
interface Noticed {
  boundsTimers: boolean
  mergesCauses: boolean
  /** The plain run has changed what is older. */
  plainChanges: boolean
  /** The plain run has left something under way, which does not go on: what it has changed does not stay. */
  plainLeavesWork: boolean
  /** The plain run was one line of control, and there is no other. What it has changed stays so where that is asked for. */
  isOneLine: boolean
  /** Some of it went on beside other lines. */
  hasOthersBeside: boolean
  /** There is no other execution than the plain run. */
  isAllThereIs: boolean
  /** The plain run fails, and nowhere else does a rejection have until the end of a turn, or a loop ask in vain. */
  plainFailsAlone: boolean
  /** What the body did outside was not the same another time. */
  divergedOutside: string | undefined
  /** A server alone has decided what came first. */
  undecided: string | undefined
  /** What was changed could not be put back: whoever comes next finds it so. */
  lost: string | undefined
}

/** What stands in the place of promises decides itself when what waits for them goes on. */
const otherPromises = "the global Promise is not the platform's (zone.js puts one of its own there): what waits for such promises comes in one order alone"

/** Runs executions of one subject, one after another, and puts back after each what it has changed. */
export class Executions {
  readonly #options: FullOptions
  readonly #runner: SubjectRunner
  #epoch = 0
  readonly #started = nativeNow()
  /** Milliseconds since then that do not count as `maxTime`. */
  #free = 0
  readonly #pace: Pace
  /** It stands for this exploration. */
  readonly #servers: ServerOptions
  /** Why a connection was lost, in whichever execution that is over. */
  #lostConnection: string | undefined
  /** Some execution has, of those that are over. */
  #hasReachedOutside = false
  /** What the last execution has changed stays. */
  #staysSo = false
  /** The calls of some execution went too deep. */
  hasRunOutOfStack = false
  /** Some execution has found an older iterator moved on by one before. */
  findsMoved = false
  #baseline!: Baseline
  readonly #drawn = new Map<string, unknown>()
  #olderServers!: OlderServers
  #document: EnvironmentContents | undefined
  /** Real milliseconds that the last execution took. */
  #duration = 0
  /** Where a step is an event: what stands for I/O. */
  readonly events: EventOptions | undefined
  readonly noticed: Noticed = { boundsTimers: false, mergesCauses: false, plainChanges: false, plainLeavesWork: false, isOneLine: false, hasOthersBeside: false, isAllThereIs: false, plainFailsAlone: false, divergedOutside: undefined, undecided: undefined, lost: undefined }

  constructor(subject: Subject, options: FullOptions) {
    this.#options = options
    this.#runner = new SubjectRunner(subject, { surroundings: options.surroundings, whatEnds: () => this.#whatEnds })
    this.#servers = { ...options.servers }
    const { deadline = Infinity, maxTime } = options
    this.#pace = new Pace({ deadline, end: nativeNow() + maxTime })
    if (options.interleave === 'event-loop') this.events = new EventOptions(options.io ?? (() => 'nothing'))
  }

  /** Does work that runs executions: what they use of the platform is controlled meanwhile. */
  async withControl<T>(work: () => Promise<T>): Promise<T> {
    // What somebody has begun before, and goes on in this turn of the event loop, is none of the first execution's: it would be undone after that.
    await new Promise<void>(afterMacrotask)
    if (areKept()) await untilQuiet(() => new Promise<void>(afterMacrotask))
    const begun = timeOfTimers()
    enterLoop()
    followConnections()
    forgetPassed()
    numbersMocksAnew()
    explorations++
    this.#staysSo = false
    setExploring(true)
    this.#options.surroundings?.begin()
    if (globalThis.Promise !== NativePromise) this.noticed.undecided = otherPromises
    const release = patchGlobals()
    const unfollow = followAddOns()
    this.#epoch = holdLeftTimers()
    holdOlderTimers(begun)
    if (hasEnvironment()) this.#document = new EnvironmentContents()
    findVariables()
    const unwatch = watchRejections(this.#options.surroundings)
    const unhear = watchUncaught(this.#options.surroundings)
    const unhook = this.events ? watchPromises() : undefined
    takeOutside()
    takeMissingParsers()
    try {
      // After a fake clock was taken over: one that holds back ticks would hold back what the test runner is sent meanwhile.
      await endConnections()
      await learnToReadSqlite()
      this.#baseline = await quietWork(areOlderThings)
      this.#olderServers = new OlderServers()
      return await this.#olderServers.during(work)
    } finally {
      // Node tells of a rejection that was handled late in a turn of its own.
      await new Promise<void>(afterMacrotask)
      unhook?.()
      unwatch()
      unfollow()
      unhear()
      release()
      runLeftTimers()
      runOlderTimers()
      this.#options.surroundings?.end({ staysSo: this.#staysSo })
      setExploring(false)
    }
  }

  /** Runs one execution of the search to its end. */
  async execute(search: ExecutionSearch, identities: Identities, { recorder, witness, waitsInVain = false, heldCalls, time, leavesState = false, isPlain = false, findsOneLine = false }: RunParts = {}): Promise<Run> {
    const started = nativeNow()
    const { plainTime = 0 } = this.#options
    const wasFree = this.#free
    if (isPlain) this.#pace.plainRunBegins((this.#free = wasFree + plainTime), { isWantedInAnyCase: leavesState, isFirst: explorations === 1 })
    let passes = false
    const { quickDecisions } = identities.assumptions
    const wereQuick = quickDecisions.has(QUICK)
    const execution = new Execution({
      search,
      identities,
      recorder,
      witness,
      seed: seedFor(this.#options.seed, this.#options.drawsAs),
      epoch: this.#epoch,
      pace: this.#pace,
      baseline: this.#baseline,
      drawn: this.#drawn,
      patience: waitsInVain ? littlePatience : patience,
      keepsTurns: isPlain,
      heldCalls,
      // A call begins in the event of its caller, and cannot be held back.
      events: heldCalls ? undefined : this.events?.of({ isPlain }),
      line: isPlain && findsOneLine ? new OneLine(deciderOf) : undefined,
      time: time ?? this.#options.time,
      deadline: () => Math.min(this.#options.deadline ?? started + longestWait, nativeNow() + this.#pace.timeLeft),
    })
    beginAtServers(this.#servers)
    enterOutermostDomain()
    // A schedule says who goes on, whatever points there are; but not within an event.
    if (this.#options.order !== undefined && (!search.isReplay || this.events !== undefined)) orderPoints(execution, this.#options.order)
    try {
      this.#options.surroundings?.beforeEach()
      // What was there before has names of its own, before those of the first step.
      execution.identities.beginStep(-1, -1)
      adoptClock(execution)
      goOnWithOlderTimers(execution)
      goOnWithLeftTimers(execution)
      this.#olderServers.adopt(execution)
      adoptListening(execution)
      countOutside(true)
      const ended = inOrder(execution, await this.#runInTime(execution))
      this.hasRunOutOfStack ||= execution.hasRunOutOfStack
      this.findsMoved ||= execution.findsMoved
      if (execution.replacesTools) throw new ToolReplaced()
      if (execution.refusal) throw execution.refusal
      if (!isFrozenFirst && !search.isReplay && execution.journal.hasFrozenAlone) {
        execution.journal.leavesFrozen()
        // Of one that was given up for its time none would come after it.
        if (!execution.cut.isGivenUp) throw new FrozenFirst()
      }
      // Its schedule would lead to other steps from now on.
      const comesAgain = !search.isReplay && wereQuick && !quickDecisions.has(QUICK) && ended.status === 'complete' && ended.failure !== undefined
      const counts = ended.status !== 'complete' || search.isReplay || (!comesAgain && !execution.findsMoved && !execution.findsLeft && (isPlain || isKnownToBePossible(search, execution)))
      const outcome = counts ? ended : ({ status: 'impossible' } as const)
      // The plain run is one of many where an `await` may take longer than a turn.
      if ((execution.handlesLate || execution.asksInVain) && !search.isReplay) {
        if (isPlain && ended.status === 'complete' && ended.failure) this.noticed.plainFailsAlone = true
        else search.startAnew()
      }
      search.finish(outcome)
      if (execution.hasRunOutOfStack && !search.isReplay) search.stop(tooDeep)
      if (execution.findsMoved && !search.isReplay) search.stop((this.noticed.lost = movedOn))
      this.noticed.boundsTimers ||= execution.clock.hasBounded
      this.noticed.mergesCauses ||= execution.outside.mergesCauses
      passes = outcome.status === 'complete' && !outcome.failure
      // Where the stack ran out not all of it may have been followed.
      const passesAsIs = passes && !execution.handlesLate && !execution.asksInVain && !execution.hasRunOutOfStack
      if (passesAsIs && execution.line?.isWhole) {
        this.noticed.isOneLine = true
        this.noticed.hasOthersBeside = execution.line.hasOthersBeside
      }
      // What is told of accesses decides nothing where there is no other order.
      if (passesAsIs && search.startsAnew && (this.noticed.isOneLine || isOnlyOrder(execution))) search.endWithThis?.()
      if (passes && execution.line && search.isOver && !this.events?.hasMissed && !execution.hasSettledOlder) this.noticed.isAllThereIs = true
      return { execution, outcome, comesAgain }
    } catch (error) {
      // Who runs the body may have heard of it as of a failure.
      if (execution.replacesTools) throw new ToolReplaced()
      if (error instanceof FrozenFirst) throw error
      if (error instanceof DivergenceError && areDecisionsOrdered(execution)) throw new DecisionsOutOfOrder()
      const diverged = this.#divergence(error, execution)
      if (diverged && (this.hasRunOutOfStack || execution.hasRunOutOfStack) && !search.isReplay) {
        search.stop(tooDeep)
        return { execution, outcome: { status: 'blocked' } }
      }
      if (diverged?.ofOutside === undefined || search.isReplay) throw diverged ?? error
      this.noticed.divergedOutside = diverged.ofOutside
      search.stop(diverged.ofOutside)
      return { execution, outcome: { status: 'blocked' } }
    } finally {
      countOutside(false)
      this.#hasReachedOutside ||= execution.outside.wasReached
      this.noticed.undecided ??= undecidedAtServers(execution)
      this.#lostConnection ??= lostAtServers(execution)
      this.#duration = nativeNow() - started
      if (isPlain) {
        const taken = Math.min(this.#duration, plainTime)
        this.#pace.plainRunEnds((this.#free = wasFree + taken))
        search.postpone?.(taken)
      }
      const { leavesRows = false, leavesNoWork = false } = this.#options
      if (isPlain) this.noticed.plainChanges ||= !execution.journal.isEmpty || leavesTimers(execution) || endsOlderTimers(execution) || this.#document !== undefined || (leavesRows && hasChangedRows(execution))
      if (isPlain && waitsForOlder(execution)) execution.journal.loses('who waits for a promise that was there before')
      // Another run would find what this one has changed for good.
      const isFinal = isPlain && execution.journal.hasLost
      const isLeft = leavesNoWork && !isFinal && leavesWork(execution)
      if (isPlain) this.noticed.plainLeavesWork ||= isLeft
      const staysSo = this.#runner.leavesState || (passes && !isLeft && (leavesState || (this.#options.leavesState === true && (isFinal || this.hasOnlyPlainRun))))
      const rowsLost = await endAtServers(execution, { leavesRows: staysSo && (leavesRows || this.#runner.leavesState) })
      this.#staysSo = staysSo
      if (staysSo) {
        leaveTimers(execution, { settles: leavesNoWork })
        leaveOlderTimers(execution)
      }
      const lost = [...execution.abandon({ leavesState: staysSo }), ...rowsLost]
      await this.#olderServers.release(execution, { staysSo })
      if (execution.foreign.hasOpened || execution.outside.wasReached) await endConnections()
      if (!staysSo) {
        this.#document?.restore()
        putVariablesBack()
      }
      if (lost.length > 0 && !(staysSo && this.hasOnlyPlainRun)) {
        this.noticed.lost = `changes to state that is older than the test could not be undone: ${lost.join(', ')}. Let what makes them happen before, as in beforeAll, if they are made once; otherwise let the body make what it changes`
        search.stop(this.noticed.lost)
      }
    }
  }

  /** What the last one has changed stays so. */
  get hasLeftState(): boolean {
    return this.#staysSo
  }

  /** The plain run shows all that there is: what it has changed need not be made once more. */
  get hasOnlyPlainRun(): boolean {
    return this.noticed.isOneLine || this.noticed.isAllThereIs
  }

  /** Some execution has worked with what is outside: its state is not put back. */
  get hasReachedOutside(): boolean {
    return this.#hasReachedOutside
  }

  /** By name: functions that servers from before may have called in some execution, in no step of it. */
  get served(): readonly string[] {
    return this.#hasReachedOutside ? this.#olderServers.callsInNoStep : []
  }

  /** Undefined for errors of another kind. */
  #divergence(error: unknown, execution: Execution): NondeterminismError | undefined {
    // What is outside may be as one before has left it.
    const opaque = { ...opaqueIn(execution), lost: lostAtServers(execution) ?? this.#lostConnection, reachesOutside: this.#hasReachedOutside || execution.outside.wasReached }
    if (error instanceof DivergenceError) return asNondeterminism(error, execution, opaque)
    if (!(error instanceof ReplayError) || this.#options.replay !== undefined) return undefined
    return new NondeterminismError('a schedule could not be taken a second time', placeOf(execution.lastSite), opaque)
  }

  /** The execution, and what its body has asked to be called after it. One that would not end in time is given up. */
  async #runInTime(execution: Execution): Promise<Outcome> {
    try {
      const outcome = await this.#runner.run(execution)
      if (!execution.cut.isGivenUp) return isOutOfTime(outcome) ? this.#endsByEarlier(execution) : this.#unlessLost(outcome, execution)
    } catch (error) {
      if (!(error instanceof OutOfTime || execution.cut.isGivenUp)) throw error
    }
    const unanswered = unansweredAtServers(execution)
    execution.search.stop(`${execution.cut.givenUpFor ?? this.#whatEnds ?? this.deadlineName}${unanswered === undefined ? '' : `, before the answer to '${unanswered}' had come`}`)
    return { status: 'truncated' }
  }

  /** What a body makes of a connection that somebody else has ended says nothing of its orders. */
  #unlessLost(outcome: Outcome, execution: Execution): Outcome {
    const lost = lostAtServers(execution)
    if (lost === undefined || outcome.status !== 'complete' || !outcome.failure) return outcome
    execution.search.stop(`a connection to a server was lost meanwhile (${lost}), and then an execution failed: ${String((outcome.failure.error as Partial<Error> | undefined)?.message ?? outcome.failure.error)}`)
    return { status: 'truncated' }
  }

  /** What has kept the error by which an execution was given up throws it again. */
  #endsByEarlier({ search }: Execution): Outcome {
    search.stop('the error by which an earlier execution was given up, as its time was over: code that is not instrumented has kept it, and throws it again')
    return { status: 'truncated' }
  }

  newAssumptions(): Assumptions {
    const { part, replay } = this.#options
    return new Assumptions({ isTrusting: part === undefined, isReplaying: replay !== undefined })
  }

  /** What was to be explored is: what is left of the time is for telling of it. A failure that nobody has the time to tell is of little use: one of long executions has time for some of them. */
  leaveTimeToTell({ ofFailure }: { readonly ofFailure: boolean }): void {
    const { maxTime } = this.#options
    this.#pace.leaveTime(ofFailure ? Math.max(longestTelling, Math.min(executionsToTell * this.#duration, timesToTell * maxTime)) : longestTelling)
  }

  /** One is to come that others rely on: what was explored and told takes nothing from its time. */
  leaveTimeForRun(): void {
    this.#pace.leaveTime(Math.max(longestTelling, executionsToTell * this.#duration))
  }

  /** Whether one more execution, which may take a bit longer, would be over in time. Where the last one could not be put back none would show anything. */
  get hasTimeForRun(): boolean {
    return this.noticed.lost === undefined && this.#pace.hasTimeFor(this.#duration * 1.5)
  }

  /** The same, and there would be time to tell what it has shown. */
  get hasTimeForQuestion(): boolean {
    return this.noticed.lost === undefined && this.#pace.hasTimeFor(this.#duration * 1.5 + this.#timeToTell)
  }

  /** What is found out of a failure has to be told as well. Milliseconds. */
  get #timeToTell(): number {
    const { deadline = Infinity } = this.#options
    return Math.min(longestTelling, (deadline - this.#started) / 4)
  }

  /** By what there is no time any more; undefined where that has no name. */
  get #whatEnds(): string | undefined {
    const { maxTime, deadlineName } = this.#options
    return !this.#pace.hasWorkedTooLong && nativeNow() - this.#started - this.#free < maxTime ? deadlineName : `maxTime of ${maxTime} ms`
  }

  get isOverdue(): boolean {
    return this.#options.deadline !== undefined && nativeNow() >= this.#options.deadline
  }

  get deadlineName(): string {
    return this.#options.deadlineName ?? 'the deadline'
  }

  get isTurnDue(): boolean {
    return this.#pace.isTurnDue
  }

  /** Lets the test runner have a turn of the event loop. */
  async takeTurn(): Promise<void> {
    await new Promise<void>(afterMacrotask)
    this.#pace.turnTaken()
  }
}

export const movedOn = 'an iterator, or a generator, that is older than the test was moved on by an execution before, which nobody can undo: make it in the body'
const tooDeep = 'the body catches that its calls go too deep, and how deep they can go is not the same in each execution'

const isOutOfTime = (outcome: Outcome): boolean => outcome.status === 'complete' && OutOfTime.is(outcome.failure?.error)

/**
 * No other execution could be there, though what was taken for granted of accesses turned out otherwise: nothing by which more may come did. Of turns too little
 * is known then of what happens before what, so that fewer of them are held than will be.
 */
function isOnlyOrder(execution: Execution): boolean {
  const { quickDecisions, timeless } = execution.identities.assumptions
  return execution.isForced && !quickDecisions.hasLost && !timeless.hasLost
}

/** In a pass that comes again not all is known yet of what happens before what. */
function isKnownToBePossible(search: ExecutionSearch, execution: Execution): boolean {
  return !execution.clock.isConstrained || (search.startsAnew !== true && execution.clock.isPossible(execution))
}

/** What is closed says so a turn later. */
async function endConnections(): Promise<void> {
  if (endKeptConnections()) await new Promise<void>(afterMacrotask)
}
