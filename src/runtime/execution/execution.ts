import type { ProcessId, SiteId } from '../../engine/ids.ts'
import type { Search } from '../../engine/index.ts'
import { inLoop } from './contexts.ts'
import { Accesses, type AccessSearch } from './accesses.ts'
import { Alarm } from './alarm.ts'
import { QUICK } from './assumptions.ts'
import { forgetOwnIterator, putOwnIterator, takeNativeIterator } from './array-iterator.ts'
import { VirtualClock, type Time } from './clock.ts'
import { RefusedError } from './errors.ts'
import type { HeldCalls } from './held-calls.ts'
import type { Identities, ObjectId } from './identity.ts'
import type { LoopSearch } from './loops.ts'
import { Journal } from './journal.ts'
import { rememberLast } from './proxies.ts'
import { areKeptApart, forgetChangedTools, inRuntimesTurn, runtimeGoesOn, ToolReplaced, toolChanges } from './replaced-tools.ts'
import type { Listener } from './listener.ts'
import type { OneLine } from './one-line.ts'
import { Jobs, type Reserved } from './jobs.ts'
import type { Place } from './place.ts'
import { afterMacrotask, afterMicrotasks, inMicrotask, inTick } from './native.ts'
import type { Pace } from './pace.ts'
import { Process, type Call, type Continuation, type FirstStep, type Rejection } from './process.ts'
import type { Recorder } from './recording.ts'
import type { Witness } from './told-access.ts'
import { Cut } from './cut.ts'
import { Extents } from './extents.ts'
import { Processes } from './processes.ts'
import { RandomStreams } from './random.ts'
import { ReachedOutside } from './reached-outside.ts'
import { Repeats } from './repeats.ts'
import { ReadyQueue } from './ready-queue.ts'
import type { Baseline } from './active-work.ts'
import { ForeignPromises } from './foreign.ts'
import { STATE, TURN } from './keys.ts'
import { running, setInTurn, setRunning } from './running.ts'
import { placeOf, type SourcePlace } from './sources.ts'
import { RunningLoops } from './running-loops.ts'
import type { JobQueue, Timer } from './timer.ts'
import { Suspects } from './suspects.ts'
import { Turn, type TurnSearch } from './turns.ts'
import { isHeard } from './thrown.ts'

/**
 * How the explored part of an execution ended. `stuck`: something unfinished waits, and nothing can
 * settle it. `circling`: the same, with loops that ask again and again. `overdue`: it waits for something real that takes too long. `out of time`: so do the steps themselves. `endless`: one event does not end.
 */
export type Ending = 'finished' | 'stuck' | 'circling' | 'overdue' | 'out of time' | 'endless' | 'blocked' | 'truncated'

/** What the runtime needs of the engine. */
export type ExecutionSearch = AccessSearch &
  TurnSearch &
  LoopSearch &
  Pick<Search, 'next' | 'shareBudget' | 'spawn' | 'ordinal' | 'choose' | 'endStep' | 'barrier' | 'followAll' | 'finish' | 'stop' | 'exhausted' | 'result'> &
  Partial<Pick<Search, 'lacks' | 'awaits' | 'forced' | 'isDrawn' | 'isOver' | 'executionOrder' | 'startsAnew' | 'endWithThis' | 'postpone'>>

export interface ExecutionParts {
  readonly search: ExecutionSearch
  readonly identities: Identities
  readonly seed: number
  /** Virtual time at the start, milliseconds since the epoch. */
  readonly epoch: number
  readonly recorder: Recorder | undefined
  /** Where nothing is written down. */
  readonly witness?: Witness | undefined
  /** When to stop waiting for something real, on the real clock. */
  readonly deadline: () => number
  /**
   * A rejection may be handled until the end of a turn of Node's event loop, which goes on while something is ready; else until the end of
   * its step, since any `await` may take longer than a turn.
   */
  readonly keepsTurns: boolean
  /** Calls begin in steps of their own, and not in that of their caller. */
  readonly heldCalls?: HeldCalls | undefined
  readonly pace: Pace
  /** Real work that was under way before. */
  readonly baseline: Baseline
  /** What the platform has drawn at random in executions so far and cannot be told to draw, by where that was. */
  readonly drawn: Map<string, unknown>
  /** How long to wait where nothing real seems to be under way. Milliseconds. */
  readonly patience: number
  /** A step is an event, with all the microtasks that it causes; undefined where each of those is a step of its own. */
  readonly events?: Events | undefined
  /** What finds out whether there is one line of control. */
  readonly line?: OneLine | undefined
  readonly time: Time
}

/** What is done outside in a step: calls back with the rest of that. */
export type Errand = (comeBack: (rest: () => void) => void) => void

/** What of a file stands for I/O: nothing, what it awaits, or that and what its async functions return without awaiting anything. */
export type IoPart = 'nothing' | 'awaits' | 'answers'

/** What is an event, besides timers and answers of real I/O. */
export interface Events {
  /** What stands for I/O there. */
  io(place: SourcePlace): IoPart
  /** Whether answers may come later than what a user does next: where something stands for I/O. */
  readonly areLaterThanUsers: boolean
  /** Whether there are stand-ins for I/O; to be asked where one would be, by what the reader calls it. In a plain run there are none. */
  hasStandIns(name: string): boolean
  /** An async function of a file whose awaits stand for I/O has awaited nothing, though another file of the project has called it. */
  answersAtOnce(name: string): void
  /** Real I/O of this kind is seen. */
  meets(kind: string): void
}

/**
 * So long do timers fire that were set before the execution and repeat, while nothing else is due: who waits then waits for ever. Milliseconds of virtual time.
 */
const longestForOlder = 60_000

/** Why what a body has put in the place of built-ins cannot stay there, and what to do. */
const withOthers = ' while others are replaced with which vitest-dpor itself works'
const putBack = 'Put those back before'

/** One run of the body under one schedule: who is ready, who runs, what the running step accesses. */
export class Execution {
  readonly search: ExecutionSearch
  readonly identities: Identities
  readonly accesses: Accesses
  /** What the running step puts into the platform's queue. */
  readonly jobs = new Jobs(() => this.clock.microtasks(this)?.turns.length ?? 0)
  readonly extents = new Extents()
  readonly clock: VirtualClock
  readonly loops: RunningLoops
  readonly foreign: ForeignPromises
  readonly drawn: Map<string, unknown>
  readonly recorder: Recorder | undefined
  readonly #witness: Witness | undefined
  readonly events: Events | undefined
  readonly line: OneLine | undefined
  readonly heldCalls: HeldCalls | undefined
  /** What is called next is what a mock calls. */
  isInMock = false
  /** The explored part is over. */
  #hasExplored = false
  /** The next timer that the test runner sets would be the time limit of a hook. */
  hasNoTimeLimit = false
  /** Some call did, that another one has made. */
  hasDelayed = false
  /** Where a step is an event: the code that runs is the event's own, and no reaction of a promise. */
  isEventsOwnCode = false

  /** The process that takes the running step. */
  process: Process
  readonly processes: Processes
  /** Async calls that wait at an `await`. */
  readonly suspended = new Set<Call>()
  /** Those that waited before the body began: what stands around it waits for its end. */
  around: ReadonlySet<Call> = new Set()
  /** A rejection had no handler at the end of its step, and might get one within its turn. */
  handlesLate = false
  /** A loop asked again although nothing had changed that it looks at, as it does in a plain run. */
  asksInVain = false
  readonly suspects: Suspects
  /** What ended rejected without a handler. */
  readonly unhandled: Rejection[] = []

  /** When its code is to end that does not end by itself. */
  readonly cut: Cut
  /** What its steps have done outside. */
  readonly outside: ReachedOutside

  /** What others keep of it: each knows its own. */
  readonly belongings: unknown[] = []
  /** The explored steps so far: ordinals of processes. */
  readonly path: number[] = []
  /** Why the body cannot be explored. */
  refusal: RefusedError | undefined
  /** The body was about to replace what the runtime works with, which was not foreseen: nothing else that it did counts. */
  replacesTools = false
  /** What callbacks threw that nothing could catch. */
  readonly uncaughtErrors: unknown[] = []
  /** Its calls went too deep somewhere. How deep they can go is another matter each time, and what was told there is not complete. */
  hasRunOutOfStack = false
  /** An iterator that is older was moved on by an execution before. */
  findsMoved = false
  /** It has settled a promise that is older: who asks for that is not told to the search. */
  hasSettledOlder = false
  /** It has looked at what executions before have left in a log. */
  findsLeft = false

  readonly #seed: number
  #random: RandomStreams | undefined
  #journal: Journal | undefined
  #stepEnds: (() => void)[] = []
  #processesKnown: (() => void)[] = []
  #errand: Errand | undefined
  /** Rings when what comes back from outside is waited for no longer. */
  #tooLate: Alarm | undefined
  readonly #ends: (() => void)[] = []
  #isLeft = false
  readonly #alone = new Process(-1, 'alone')
  #call: Call | null = null
  /** No step has begun that has not ended. */
  isBetweenSteps = true
  /** The running step has nothing left to do but to let Node tell of rejections that nobody handles. */
  #isInTurn = false
  /** What runs now was called in a tick, after a step. */
  #isInTick = false
  #goesOnInTicks = false
  /** As what Node would run the code that runs now, where that is certain. */
  runsAs: JobQueue | undefined
  /** The number of the step after which what comes next was waited for. */
  #waitedAt = -1
  /** What can go on only since nothing else could: the number of the step at which that was so. With `time: 'race'`. */
  #afterAll: Map<Continuation, number> | undefined
  /** Number of the step in which the last start so far ran to its end. With `time: 'race'`. */
  endedIn = 0
  /** The location of whether all has run to its end. With `time: 'race'`. */
  #endObject: ObjectId | undefined
  #mayHavePosted = false
  /** When something else went on for the last time than timers that were set before the execution, and in which step. */
  #ownAt = 0
  #ownStep = 0
  /** After which such step what is real was waited for, before those timers fire. */
  #awaitedRealAfter = -1
  /** In which step the event loop has had its turns for the last time before nothing could go on. */
  #turnedAt = -1
  /** Who hears of promises that are made now, if any code that is not instrumented does. */
  listener: Listener | undefined
  readonly #ready = new ReadyQueue({ asksInVain: ({ process }) => process?.loop?.isWaiting === true, isDictated: () => this.#isDictated })
  /** The schedule that is given takes something before what comes before it, as far as is known. */
  isOutOfTurn = false
  #current: Continuation | undefined
  /** The place of the running step among its like, where that is fixed. */
  runningTurn: Turn | undefined
  /** Rejections are told of when a turn of the event loop has ended, as in a plain run, and not at the end of each step. */
  readonly keepsTurns: boolean
  readonly #pace: Pace
  #starts: readonly FirstStep[] = []
  #end: (ending: Ending) => void = () => {}
  #fail: (error: unknown) => void = () => {}

  constructor({ search, identities, seed, epoch, recorder, witness = recorder, deadline, keepsTurns, heldCalls, pace, baseline, drawn, patience, events, line, time }: ExecutionParts) {
    rememberLast(true)
    this.#pace = pace
    this.cut = new Cut(pace)
    this.outside = new ReachedOutside(this)
    this.events = events
    this.line = line
    this.keepsTurns = keepsTurns
    this.suspects = new Suspects({ keepsTurns })
    this.heldCalls = heldCalls
    this.search = search
    this.identities = identities
    this.recorder = recorder
    if (events && time === 'idle') recorder?.joinTimers()
    this.#witness = witness
    this.accesses = new Accesses(inRuntimesTurn(search, () => this.refuse(`it calls what vitest-dpor has put in the place of a built-in${withOthers}`, putBack)), identities, witness)
    this.clock = new VirtualClock(epoch, { isByEvent: events !== undefined, time })
    this.loops = new RunningLoops({ accesses: this.accesses, identities, search, now: () => this.clock.now })
    this.processes = new Processes(this, witness)
    this.#seed = seed
    this.drawn = drawn
    this.foreign = new ForeignPromises(deadline, baseline, { idleFor: patience, onUse: () => (this.accesses.isLone = false) })
    this.process = this.#alone
    identities.beginExecution()
    if (!identities.assumptions.quickDecisions.has(QUICK)) this.jobs.keepPlaces()
  }

  readonly repeats = new Repeats()

  /** Steps so far, of all processes and phases. */
  stepCount = 0

  /** Of a function whose code tells what it does: the last one. */
  readonly lastCall: { fn: unknown; site: SiteId } = { fn: undefined, site: 0 }

  /** Where the program is: in a call, where that is, else at its last access. */
  get here(): SiteId {
    return this.call?.site ?? this.lastSite
  }

  /** Something can go on, or waits for its turn to be told. */
  get hasMore(): boolean {
    return !this.#ready.isEmpty
  }

  /** Where a function was called that begins to run; where code that is not instrumented has called it, the last place that is known. */
  siteOfCall(fn: unknown): SiteId {
    const { lastCall } = this
    const isKnown = lastCall.fn === fn
    lastCall.fn = undefined
    return isKnown ? lastCall.site : this.here
  }

  /** Where the running step, or the last one, went on; the first step of a body goes on nowhere: its last access. */
  get lastSite(): SiteId {
    return this.#current?.site || this.accesses.lastSite
  }

  // Most executions are short and need none of these.

  get journal(): Journal {
    return (this.#journal ??= new Journal(() => this.here))
  }

  get random(): RandomStreams {
    this.accesses.loop?.hasEffect()
    return (this.#random ??= new RandomStreams(this.#seed))
  }

  /** Whether what runs now is code that is not instrumented, as far as that is known. */
  get runsOpaqueCode(): boolean {
    return this.listener !== undefined && this.listener.call === this.#call
  }

  // Calls and promises -----------------------------------------------------------------------

  /** The async call whose code runs now; null in callbacks and in code that is not instrumented. */
  get call(): Call | null {
    return this.#call
  }

  /** From here on the code of this call runs. */
  enter(call: Call | null): void {
    this.#call = call
    if (this.recorder) this.recorder.call = call ?? undefined
  }

  /** Runs the first part of a call, within the code of whoever calls it. */
  within<T>(call: Call, body: () => T): T {
    const caller = this.#call
    this.enter(call)
    try {
      return body()
    } finally {
      this.enter(caller)
    }
  }

  /** The call waits from now on; `others`: for what others have to settle. */
  suspend(call: Call, { others }: { readonly others: boolean }): void {
    this.suspended.add(call)
    this.loops.awaits(call, this.process, { others })
    this.enter(null)
  }

  /** The call goes on. */
  resumed(call: Call): void {
    const { loop } = this.accesses
    if (loop !== call.loop) {
      loop?.runs(call)
      // Within the event that it has awaited in: what it does from here on is its loop's.
      if (call.loop !== undefined && this.events) this.loops.runs(call.loop)
    }
    this.suspended.delete(call)
    this.enter(call)
  }

  // Loops ------------------------------------------------------------------------------------

  /** A loop of the call that runs is tested, in which it awaits. */
  testsLoop(site: SiteId, carried: readonly unknown[]): void {
    if (this.#call !== null && this.accesses.isExploring) this.loops.tests(this.#call, { process: this.process, site, carried })
  }

  /** The code that runs ends with a call of the function that it is of, which is a loop as well. */
  recurs(site: SiteId): void {
    if (this.#call !== null && this.accesses.isExploring) this.loops.recurs(this.#call, site)
  }

  /** The order is given: loops may ask in vain as long as something else can go on. */
  get #isDictated(): boolean {
    return this.keepsTurns || this.search.isReplay
  }

  // Processes --------------------------------------------------------------------------------

  /** The platform may go on with the running step in ticks that are still to come, as its streams do. */
  goesOnInTicks(): void {
    this.line?.breaks()
    this.#goesOnInTicks = true
    this.runsAs = undefined
  }

  /** What the body is about to do cannot be explored: it does not get there, and there is no verdict. */
  refuse(what: string, advice: string, site = this.here): never {
    this.refusal ??= new RefusedError(what, placeOf(site), advice)
    throw this.refusal
  }

  /** The same between two steps: no other one runs. */
  breakOff(what: string, advice: string, site: SiteId): void {
    this.refusal ??= new RefusedError(what, placeOf(site), advice)
    this.#fail(this.refusal)
  }

  /** Code of the body goes on by itself, and does not find what it has put in the place of built-ins. */
  refuseMisled(): never {
    this.refuse(`it goes on${withOthers}`, putBack)
  }

  /** The body is about to replace something that the runtime itself works with. Where that is not foreseen, the exploration starts again. */
  changesTool(holder: object, key: PropertyKey, ofPlatform?: PropertyDescriptor): void {
    if (!areKeptApart) {
      this.replacesTools = true
      throw new ToolReplaced()
    }
    toolChanges(holder, key, ofPlatform)
    this.accesses.takeTurn(this.identities.named('tools'))
  }

  /** Code that is not instrumented was called: it may have posted work to the event loop that nobody sees. */
  calledOpaqueCode(): void {
    this.accesses.loop?.hasEffect()
    this.mayHavePosted()
  }

  /** Something was called that may have the platform call back in a turn of the event loop. */
  mayHavePosted(): void {
    this.accesses.isLone = false
    this.#mayHavePosted = true
  }

  /** The running event is cut short: nothing may be queued any more. */
  get isCut(): boolean {
    return this.cut.by !== undefined || this.loops.endless !== undefined
  }

  /** A callback threw where no code can catch it. */
  uncaught(error: unknown): void {
    this.accesses.loop?.hasEffect()
    if (!isHeard(error)) this.uncaughtErrors.push(error)
  }

  /**
   * The running step asks for something outside once its own code has run, and ends with what comes back: `work` is called while no step runs, and
   * is handed what takes the rest of the step. Nothing else runs meanwhile.
   */
  goOutside(work: Errand): void {
    this.accesses.loop?.hasEffect()
    this.outside.look()
    this.#errand = work
  }

  /** Calls back when the running step has nothing left to do, as its last part. */
  atStepEnd(callback: () => void): void {
    this.#stepEnds.push(callback)
  }

  /** The same once it is known which call goes on as which process. */
  atProcessesKnown(callback: () => void): void {
    this.#processesKnown.push(callback)
  }

  /** The continuation can be taken from the next switch point on. In a plain run its turn comes after the job at that place, if one is given. */
  wake(continuation: Continuation, after?: Place): void {
    if (running !== this) return this.#makeReady(continuation)
    this.putBehindMicrotasks(continuation)
    this.jobs.wake(continuation, after)
  }

  /** What the running job is to do is left to a step of its own, in its place. `settlers`: the steps that have led to it. */
  leave(continuation: Continuation, settlers: () => readonly number[]): void {
    this.putBehindMicrotasks(continuation, settlers, this.jobs.place!.origin.microtasks)
    this.jobs.leave(continuation)
  }

  /** Keeps a place in the queue of jobs for what will turn out to stand there. */
  reservePlace(): Reserved {
    return this.jobs.reserve()
  }

  /**
   * However little time it takes: what `queueMicrotask` has been given by now stands before it, or so many of them. `settlers`: the steps that have settled
   * what it waits for.
   */
  putBehindMicrotasks(continuation: Continuation, settlers?: () => readonly number[], count = this.jobs.microtasks): void {
    const microtasks = this.clock.microtasks(this)
    if (microtasks === undefined || this.events || continuation.queue !== undefined) return
    continuation.turn ??= Turn.ofItsOwn(this)
    microtasks.letGoOn(this, continuation.turn)
    if (microtasks.turns.length > 0) continuation.turn.putBehind(this, microtasks.turns, { settlers: settlers?.(), count })
  }

  #makeReady(continuation: Continuation): void {
    this.#ready.add(continuation)
    this.#ready.queue(continuation)
  }

  // The loop ---------------------------------------------------------------------------------

  /** Runs code that is not explored: its first come, first served order is the only one. */
  runAlone(start: FirstStep): Promise<Ending> {
    this.accesses.part = this.accesses.part === 'alone' ? 'alone' : 'final'
    return this.#loop([start])
  }

  /** Code that has to run though the execution was cut short, once what that has asked for is there, if it comes soon. Nobody looks at what it has left. */
  async cleansUp<T>(work: () => Promise<T>): Promise<T> {
    this.accesses.part = 'alone'
    this.cut.goesOn()
    await new Promise<void>((resume) => this.foreign.settleInFlight(0, { hasReady: () => false, resume }))
    return this.#pace.toDeadline(work)
  }

  /** Runs one execution of the explored part, in the order that the search chooses. */
  async runExplored(starts: readonly FirstStep[]): Promise<Ending> {
    this.accesses.part = 'exploring'
    this.processes.begin(starts)
    this.accesses.isLone = starts.length === 1 && !this.processes.areOlder && !this.#witness && !this.identities.assumptions.isReplaying && !this.heldCalls && !this.foreign.pending && this.#isAlone
    const ending = await this.#loop(starts)
    this.#hasExplored = true
    this.accesses.isLone = false
    return ending
  }

  /** What runs next cleans up after an execution that has failed or was cut short. What it waits for may be gone with that: by its time limit, which is set before all else, it would end the whole test. */
  beginsLeftOver(): void {
    this.hasNoTimeLimit = this.#hasExplored && this.accesses.part === 'alone'
  }

  #fires(timer: Timer): void {
    this.line?.breaks()
    this.processes.rootLater([timer.process])
    this.#makeReady(timer)
  }

  /** Calls back when the execution is over, and nothing of it runs any more. */
  whenAbandoned(callback: () => void): void {
    this.#ends.push(callback)
  }

  /** The running step settles a promise that none of an exploration has made. */
  settlesOlder(): void {
    if (this.hasSettledOlder) return
    this.hasSettledOlder = true
    this.journal.loses('a promise, which stays settled')
  }

  /** It is over, and what it has changed stays: what it has left under way goes on as if nothing had controlled it. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** After the explored part: what still waits must never run, unless what has changed stays. Returns the names of what cannot be undone. */
  abandon({ leavesState = false } = {}): readonly string[] {
    this.#isLeft = leavesState
    this.#ready.clear()
    this.suspended.clear()
    this.foreign.close()
    this.#tooLate?.end()
    if (running === this) setRunning(null)
    setInTurn(null)
    this.identities.endExecution()
    forgetOwnIterator()
    forgetChangedTools({ leavesState })
    rememberLast(false)
    for (const end of this.#ends.splice(0)) end()
    return (leavesState ? this.#journal?.keep() : this.#journal?.undo()) ?? []
  }

  #loop(starts: readonly FirstStep[]): Promise<Ending> {
    this.#ready.clear()
    this.#starts = starts
    for (const start of starts) this.#makeReady(start)
    return new Promise((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
      // Promises that others make must not come into the first step.
      if (this.events) afterMacrotask(this.#resumeLoop)
      else this.#next()
    })
  }

  get #isFinished(): boolean {
    for (const start of this.#starts) if (!start.isDone) return false
    return true
  }

  /** What the program is told when the turn of the plain run is over. */
  readonly #atTurnEnd: (() => void)[] = []

  /** Several could come at some step, or nobody. */
  #hadChoice = false

  /** Takes the next step, or finds out why there is none. */
  #next(): void {
    try {
      if (this.#atTurnEnd.length > 0 && this.#ready.endsTurn) for (const tell of this.#atTurnEnd.splice(0)) tell()
      if (this.suspects.areThere && this.#ready.endsTurn && this.suspects.tell()) return afterMacrotask(this.#resumeLoop)
      const pause = this.#pace.look()
      if (this.loops.endless) return this.#end('circling')
      if (this.cut.by) return this.#end(this.cut.by)
      if (this.#ready.isEmpty) return this.#idle()
      if (this.#timerComesFirst) {
        // By now what it came before is there, so it is waited for.
        this.isOutOfTurn = true
        return this.#passTime()
      }
      if (pause === 'out of time') return this.#end('out of time')
      if (pause === 'turn' && this.#isAtRest) return this.#takeTurn()
      if (!this.accesses.isExploring) return this.#step(this.#ready.takeFirst())
      if (this.search.exhausted) return this.#end('truncated')
      if (this.foreign.mayBeInFlight(this.clock.untilNext, { hasReady: true })) return this.#settleInFlight()
      if (this.#lacksNext) return this.#awaitNext()
      if (!this.clock.races || this.#ready.hasOthers || this.#isFinished) return this.#choose()
      if (!this.#mayHavePosted && !this.foreign.pending) return this.#chooseTimer()
      this.#awaitPosted(() => this.#chooseTimer())
    } catch (error) {
      this.#fail(error)
    }
  }

  #choose(): void {
    const { processes } = this.#ready
    this.#hadChoice ||= processes.length !== 1
    const chosen = this.search.choose(processes)
    if (chosen === undefined) return this.#end('blocked')
    this.#step(this.#ready.take(chosen))
  }

  /** Only timers can fire: for this once those can as well that do so when nothing else can run. */
  #chooseTimer(): void {
    try {
      const { next } = this.clock
      this.processes.rootLater(next.map(({ process }) => process))
      const chosen = this.#ready.length + next.length === 0 ? 'nobody' : this.search.choose(this.#ready.withTimers(next))
      if (chosen === 'nobody') return this.#end('stuck')
      if (chosen === undefined) return this.#end('blocked')
      const timer = next.find(({ process }) => process.id === chosen)
      if (!timer) return this.#step(this.#ready.take(chosen))
      this.clock.take(timer)
      this.#comesAfterAll(timer)
      this.#step(timer)
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * At no step could anything else have come, whatever was accessed: then no other execution is explored. Of what is outside, and of timers that compete
   * with work, that is not known.
   */
  get isForced(): boolean {
    return !this.#hadChoice && !this.isOutOfTurn && !this.clock.races && !this.outside.wasReached && !this.foreign.hasOpened && !this.foreign.pending
  }

  #comesAfterAll(continuation: Continuation): void {
    this.#afterAll ??= new Map()
    this.#afterAll.set(continuation, this.search.step)
  }

  /** A start has run to its end. With `time: 'race'` timers that have not fired by then do nothing. */
  startEnded(): void {
    if (!this.clock.races || !this.accesses.isExploring) return
    this.endedIn = this.search.step
    this.search.combine(this.identities.location(this.#endLocation, STATE))
  }

  /** Whether all has run to its end, which the running step asks. */
  hasEnded(): boolean {
    this.accesses.look(this.#endLocation, STATE)
    return this.#isFinished
  }

  get #endLocation(): ObjectId {
    return (this.#endObject ??= this.identities.named('end'))
  }

  /** Nothing hangs on whether the event loop takes a turn now: the runner's messages go out, and nothing comes in. */
  get #isAtRest(): boolean {
    return !this.#mayHavePosted && !this.foreign.pending && !this.suspects.areThere && !this.events
  }

  #takeTurn(): void {
    this.#pace.turnTaken()
    afterMacrotask(this.#resumeLoop)
  }

  readonly #resumeLoop = (): void => this.#next()

  #step(continuation: Continuation): void {
    const process = continuation.process ?? this.#alone
    this.process = process
    this.stepCount++
    if (!process.isOlder) {
      this.#ownAt = this.clock.now
      this.#ownStep = this.stepCount
    }
    this.#current = continuation
    this.isBetweenSteps = false
    this.runningTurn = continuation.turn
    if (this.accesses.isExploring) {
      this.repeats.step(this.stepCount, continuation.site)
      this.identities.beginStep(process.id, process.steps++)
      const ordinal = this.search.ordinal(process.id as ProcessId)
      this.path.push(ordinal)
      if (this.clock.races) this.#dateStep(continuation)
      this.#witness?.step(ordinal, continuation.site)
    } else {
      this.identities.beginStep(-1, this.#alone.steps++)
    }
    this.#pace.stepBegins()
    const { queue, runsAs = queue === undefined ? 'microtasks' : undefined } = continuation
    this.runsAs = this.events || !this.accesses.isExploring ? undefined : runsAs
    setRunning(this)
    this.loops.runs(process.loop)
    if (process.loop?.begins() === false) this.asksInVain = true
    const first = this.#afterAll?.get(continuation)
    if (first !== undefined) this.#followAll(continuation, first)
    continuation.turn?.begin(this)
    this.jobs.begin(continuation)
    putOwnIterator()
    if (areKeptApart) this.accesses.look(this.identities.named('tools'), TURN)
    // After a callback of the platform come ticks, and then microtasks.
    if (this.events) inTick(this.#goOn)
    else if (this.#isInTick) inMicrotask(this.#goOn)
    else inTick(this.#goOnInMicrotask)
  }

  readonly #goOnInMicrotask = (): void => inMicrotask(this.#goOn)

  /** In a tick or in a microtask after one, so that the text of a stack is the same however the loop has come here. */
  readonly #goOn = (): void => {
    const continuation = this.#current!
    try {
      if (this.events) this.#takeEvent(continuation)
      else continuation.resume()
      // What goes on as a microtask of a callback is none of it.
      if (this.runsAs !== 'microtasks') this.runsAs = undefined
      inLoop(this.#awaitEnd)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** When the step happens: so much later than another step as its timer takes, or at a moment of its own. */
  #dateStep({ due, moment }: Continuation): void {
    this.clock.moment = moment ?? { base: this.stepCount, offset: 0 }
    if (due !== undefined && due > this.clock.now) this.recorder?.barrier(due)
  }

  #followAll(continuation: Continuation, step: number): void {
    this.#afterAll!.delete(continuation)
    if (this.accesses.isExploring) this.search.followAll(step)
  }

  /** The platform runs what the event causes; the body itself begins in a microtask, as a test does. */
  #takeEvent(continuation: Continuation): void {
    this.cut.eventBegins()
    const resume = (): void => {
      this.isEventsOwnCode = true
      continuation.resume()
      this.isEventsOwnCode = false
      this.enter(null)
    }
    if (continuation.queue === undefined) inMicrotask(resume)
    else resume()
  }

  /** When the microtasks of the step have run. */
  readonly #awaitEnd = afterMicrotasks(() => {
    this.#isInTick = true
    this.#microtasksHaveRun()
    this.#isInTick = false
  })

  #microtasksHaveRun(): void {
    runtimeGoesOn()
    takeNativeIterator()
    if (this.#goesOnInTicks) {
      this.#goesOnInTicks = false
      this.#awaitEnd()
      return
    }
    if (this.#errand !== undefined) return this.#leaveFor(this.#errand)
    // After an event a turn of its own tells of rejections that nobody handles.
    if (this.events || (!this.keepsTurns && this.suspects.tell())) return this.#takeLastTurn()
    if (this.suspects.areOpen) this.handlesLate = true
    this.#endStep()
  }

  #leaveFor(errand: Errand): void {
    this.#errand = undefined
    this.runsAs = undefined
    setRunning(null)
    this.#pace.rests()
    let isOver = false
    const end = (next: () => void): void => {
      if (isOver || this.foreign.isClosed) return
      isOver = true
      this.#tooLate!.unset()
      next()
    }
    const { timeLeft } = this.foreign
    const isOutOfTime = this.#pace.timeLeft <= timeLeft
    this.#tooLate ??= new Alarm()
    this.#tooLate.set(isOutOfTime ? this.#pace.timeLeft : timeLeft, () => end(() => this.#end(isOutOfTime ? 'out of time' : 'overdue')))
    errand((rest) =>
      afterMacrotask(() =>
        end(() => {
          setRunning(this)
          this.enter(null)
          rest()
          inLoop(this.#awaitEnd)
        }),
      ),
    )
  }

  #takeLastTurn(): void {
    this.foreign.heldReading.eventEnds((sockets) => this.outside.reach(this.foreign.loopback.connectionsOf(sockets)))
    setRunning(null)
    setInTurn(this)
    this.#isInTurn = true
    afterMacrotask(() => this.#endStep())
  }

  /** Node tells the program of a rejection: as part of the step that has led to it, unless that is over. */
  tells(call: () => void): void {
    if (!this.#isInTurn) {
      this.handlesLate = true
      // The platform has taken a turn in which work outside may have come; that of the plain run is not over.
      if (this.keepsTurns && !this.#ready.endsTurn) return void this.#atTurnEnd.push(call)
      return call()
    }
    setRunning(this)
    this.runsAs = undefined
    try {
      this.enter(null)
      call()
    } catch (error) {
      this.uncaught(error)
    } finally {
      setRunning(null)
    }
  }

  #endStep(): void {
    this.#isInTurn = false
    setInTurn(null)
    setRunning(this)
    try {
      this.enter(null)
      this.listener = undefined
      this.loops.runs(this.process.loop)
      // To empty what is empty is not for nothing.
      if (this.#stepEnds.length > 0) for (const callback of this.#stepEnds.splice(0)) callback()
      this.processes.assign(this.#current!)
      if (this.#processesKnown.length > 0) for (const callback of this.#processesKnown.splice(0)) callback()
      this.loops.stepEnded()
      setRunning(null)
      if (this.accesses.isExploring) {
        this.recorder?.endStep((id) => this.search.ordinal(id as ProcessId))
        this.search.endStep()
      }
      this.isBetweenSteps = true
      this.foreign.lateCloses.stepEnds(this, this.runningTurn)
      this.jobs.drain(this.#ready.add, this.#ready.queue)
      this.#ready.release()
      this.foreign.stepEnded()
      this.accesses.isLone &&= this.#isAlone
    } catch (error) {
      setRunning(null)
      this.#fail(error)
      return
    }
    this.#next()
  }

  /** Nothing is ready: what is posted to the event loop runs, time passes, something real ends, or this is the end. */
  #idle(): void {
    if (this.#isFinished) return this.#end('finished')
    this.#pace.rests()
    // Virtual time does not run past what is real.
    if (this.foreign.mayBeInFlight(this.clock.untilNext)) return this.#settleInFlight()
    if (this.#lacksNext) return this.#awaitNext()
    if (this.#mayHavePosted || this.foreign.pending) return this.#awaitPosted(() => this.#passTime())
    this.#passTime()
  }

  #settleInFlight(): void {
    this.#pace.rests()
    this.foreign.settleInFlight(this.clock.untilNext, { hasReady: () => !this.#ready.isEmpty, resume: this.#resumeLoop })
  }

  /** Whether a timer has to come next that has fired before an answer, which may be there by now. */
  get #timerComesFirst(): boolean {
    if (this.clock.races || !this.foreign.mayCallBack || !this.accesses.isExploring) return false
    const timers = this.#timersToCome()
    // To ask who comes next decides it, and more may be there once all has come that is in flight.
    return timers.length > 0 && this.search.awaits?.(timers, this.#ready.processes) === true
  }

  #timersToCome(): readonly ProcessId[] {
    return this.clock.timers.map(({ process }) => process.id as ProcessId)
  }

  /** Whether what has to come next may still come from outside. It is waited for once. */
  get #lacksNext(): boolean {
    if (!this.foreign.mayCallBack || this.#waitedAt === this.stepCount || !this.accesses.isExploring) return false
    return this.search.lacks?.(this.#ready.processes, this.#timersToCome()) === true
  }

  #awaitNext(): void {
    this.#pace.rests()
    this.#waitedAt = this.stepCount
    this.foreign.wait(() => this.search.lacks?.(this.#ready.processes) !== true, this.#resumeLoop)
  }

  /** What was posted to the event loop runs; then `goOn`, if nothing came of it. */
  #awaitPosted(goOn: () => void): void {
    this.#pace.rests()
    this.#mayHavePosted = false
    const isSeen = this.foreign.mayBeInFlight(this.clock.untilNext)
    setInTurn(this)
    this.foreign.takeTurns(() => {
      setInTurn(null)
      if (this.#ready.hasOthers) this.#afterWait({ isSeen })
      else goOn()
    })
  }

  /** Work that cannot be seen gets its turn of the event loop only where nothing else can run, like a timer: it comes after all that was. */
  #afterWait({ isSeen }: { readonly isSeen: boolean }): void {
    if (!isSeen) this.#barrier()
    this.#next()
  }

  #passTime(): void {
    const { circling } = this.loops
    const asksForTime = circling.some((loop) => loop.asksForTime)
    if (circling.length > 0 && !asksForTime && !this.foreign.pending && this.clock.timers.every(({ process }) => process.loop && circling.includes(process.loop))) return this.#end('circling')
    // What is real may be what the body waits for, and no time of timers that were set before the execution: those that repeat would fire for ever.
    if (this.clock.hasOnlyOlder && this.foreign.pending && this.#awaitedRealAfter !== this.#ownStep) {
      this.#awaitedRealAfter = this.#ownStep
      return this.#awaitReal({ isSeen: true, idle: () => this.#next() })
    }
    if (this.#waitsForOlder) return this.#end(circling.length > 0 ? 'circling' : 'stuck')
    const due = this.clock.races && this.accesses.isExploring ? [] : this.clock.advance(asksForTime ? 1 : Infinity)
    if (due.length > 0) {
      this.#barrier()
      for (const timer of due) this.#fires(timer)
      return this.#next()
    }
    if (this.clock.races && this.accesses.isExploring && this.clock.next.length > 0) return this.#chooseTimer()
    if (asksForTime) {
      this.#barrier()
      this.#ready.release()
      return this.#next()
    }
    if (this.foreign.pending) {
      // What comes from what is open can be waited for when it comes again.
      const isSeen = this.foreign.mayBeInFlight(this.clock.untilNext) || this.foreign.hasOpened
      return this.#awaitReal({ isSeen, idle: () => this.#end('stuck') })
    }
    if (circling.length > 0) return this.#end('circling')
    // Of what nobody has seen the platform may be about to call back.
    if (this.#turnedAt === this.stepCount) return this.#end('stuck')
    this.#turnedAt = this.stepCount
    this.#awaitPosted(() => this.#passTime())
  }

  /** Between two steps: whoever comes next, nobody else can come before that is over. */
  get #isAlone(): boolean {
    return !this.clock.races && this.#ready.count <= 1 && this.clock.timers.length === 0
  }

  /** What is real is waited for; then `idle`, if nothing comes of it. */
  #awaitReal({ isSeen, idle }: { readonly isSeen: boolean; readonly idle: () => void }): void {
    this.foreign.wait(
      () => !this.#ready.isEmpty || this.#isFinished,
      (end) => (end === 'settled' ? this.#afterWait({ isSeen }) : end === 'idle' ? idle() : this.#end('overdue')),
    )
  }

  /** Whether nothing but timers that were set before the execution has fired for long, and nothing else can come: those that repeat would fire for ever. */
  get #waitsForOlder(): boolean {
    const { clock, foreign } = this
    if (!clock.hasOnlyOlder || foreign.pending) return false
    return clock.now + clock.untilNext - this.#ownAt > longestForOlder && clock.timers.every(({ request }) => request.repeats)
  }

  /** Nothing else could run: what comes now comes after all that was. */
  #barrier(): void {
    if (!this.accesses.isExploring) return
    if (this.clock.races) return this.#ready.others.forEach((continuation) => this.#comesAfterAll(continuation))
    this.search.barrier()
    this.recorder?.barrier(this.clock.now)
  }
}
