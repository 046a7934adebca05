import { Math } from '../intrinsics.ts'
import type { PendingStep } from '../access.ts'
import { builderFor, type BuiltRun } from './builder.ts'
import { checkedAnswer, checkedInvariant, startedBody } from './checked.ts'
import { deadlock } from './deadlock.ts'
import { Delay } from './delay.ts'
import { DivergenceError, EngineError, ProgramError, ReplayError } from '../errors.ts'
import type { LocationId, ProcessId } from '../ids.ts'
import { livelock } from './livelock.ts'
import { LocationNumbers } from './location-numbers.ts'
import type { Look } from '../observation/look.ts'
import { OrderedPoints } from './ordered-points.ts'
import { Thread, type Operation, type ProgramSearch, type ThreadBody } from './operations.ts'
import type { FailureKind } from '../outcome.ts'
import type { Invariant, Program } from './program.ts'
import type { Look as LoopLook } from './looks.ts'
import type { Search } from '../search.ts'
import type { MoreRounds, Rehearsal } from './rehearsal.ts'
import { WaitingLoops, type LoopWait } from './waiting-loops.ts'

/** Runs a model program under a search, one execution at a time. */
export class ProgramDriver {
  readonly #program: Program
  readonly #search: Search
  readonly #locations = new LocationNumbers()
  readonly #builder = builderFor(() => this.#run as ProgramRun)
  readonly #loops: WaitingLoops
  #run: ProgramRun | undefined

  constructor(program: Program, search: Search) {
    this.#program = program
    this.#search = search
    this.#loops = new WaitingLoops((rehearsal) => rehearse(program, rehearsal, search.orderOfPoints))
  }

  /** After `search.next()` said yes. */
  execute(): void {
    const run = new ProgramRun(this.#search, this.#locations, { keepsOperations: this.#run === undefined, loops: this.#loops, order: this.#search.orderOfPoints })
    this.#run = run
    run.execute(() => this.#program.build(this.#builder))
    this.#loops.ended(run.schedule)
    run.release()
  }
}

function rehearse(program: Program, rehearsal: Rehearsal, order: readonly string[] | undefined): void {
  const run: ProgramRun = new ProgramRun(rehearsal, new LocationNumbers(), { keepsOperations: false, loops: undefined, moreRounds: rehearsal.moreRounds, order })
  run.execute(() => program.build(builderFor(() => run)))
  run.release()
}

interface RunOptions {
  /** Operations that nobody takes can be named. */
  readonly keepsOperations: boolean
  /** Threads may wait in loops. */
  readonly loops: WaitingLoops | undefined
  /** Threads go round more often than they need, as if nothing had changed meanwhile. */
  readonly moreRounds?: readonly MoreRounds[]
  /** Points that have to be passed in this order. */
  readonly order: readonly string[] | undefined
}

class ProgramRun implements BuiltRun {
  readonly search: ProgramSearch
  readonly #locations: LocationNumbers
  readonly #threads: Thread[] = []
  /** By process id. */
  readonly #byProcess: Thread[] = []
  readonly #enabled: ProcessId[] = []
  readonly #one: ProcessId[] = [0 as ProcessId]
  readonly #loops: WaitingLoops | undefined
  /** Ordinals of the threads whose steps were taken. */
  readonly schedule: number[] = []
  readonly #waits: LoopWait[] = []
  readonly #moreRounds: readonly MoreRounds[] | undefined
  /** Of the round that is repeated: undoes that what it looked at is as it was. */
  #undo: (() => void)[] = []
  #variables = 0
  #running: Operation<unknown> | undefined
  #failure: { kind: FailureKind; error: unknown } | undefined
  /** Why the program is written wrongly. */
  #refusal: ProgramError | undefined
  current: Thread | undefined
  hasStarted = false
  inAtomic = false
  inInvariant = false
  isRunning = false
  unused = 0
  readonly made: Operation<unknown>[] | undefined
  readonly points: OrderedPoints | undefined
  step = 0
  now = 0

  constructor(search: ProgramSearch, locations: LocationNumbers, { keepsOperations, loops, moreRounds, order }: RunOptions) {
    this.search = search
    this.#loops = loops
    this.#moreRounds = moreRounds
    this.#locations = locations
    this.made = keepsOperations ? [] : undefined
    if (order !== undefined) this.points = new OrderedPoints(this, order)
  }

  execute(build: () => unknown): void {
    const invariant = checkedInvariant(build())
    this.hasStarted = true
    this.isRunning = true
    for (const thread of this.#threads) this.#advance(thread)
    for (;;) {
      if (this.#takeForced()) continue
      if (!this.#findEnabled()) return this.search.finish({ status: 'complete', failure: this.#failure })
      if (this.#enabled.length === 0) return this.#end(invariant)
      if (this.search.exhausted) return this.search.finish({ status: 'truncated', pending: this.#pending() })
      const process = this.search.choose(this.#enabled)
      if (process === undefined) return this.search.finish({ status: 'blocked', pending: this.#pending() })
      this.#takeStep(this.#byProcess[process] as Thread)
    }
  }

  /** Lets go of what the execution made: the shapes of its generators outlive it for a while, and with them all that they can reach. */
  release(): void {
    this.#threads.length = 0
    this.#byProcess.length = 0
    this.#running = undefined
    this.current = undefined
  }

  start(name: string, body: ThreadBody, parent: Thread | undefined): Thread {
    const process = this.search.spawn(parent?.process)
    const thread = new Thread(this, { name, process, ordinal: this.#threads.length, body: startedBody(this, name, body) })
    this.#threads.push(thread)
    this.#byProcess[process] = thread
    if (this.hasStarted) this.#advance(thread)
    return thread
  }

  lookAtEnd(location: LocationId, look: Look): void {
    if (this.inInvariant) this.search.look(location, look)
  }

  entry(map: LocationId, key: unknown): LocationId {
    return this.#locations.entry(map, key)
  }

  checkRunning(operation: Operation<unknown>): void {
    if (operation === this.#running) return
    this.refuse(`${operation.label} ran although thread '${this.current?.name}' did not yield it: write yield* before it`)
  }

  refuse(why: string, options?: { readonly cause: unknown }): never {
    if (this.#refusal === undefined) {
      this.#refusal = new ProgramError(why, options)
      if (this.hasStarted) this.#failure = { kind: 'error', error: this.#refusal }
    }
    throw this.#refusal
  }

  /** The next step where there is no choice; whether there was one. */
  #takeForced(): boolean {
    const { forced } = this.search
    if (forced === undefined) return false
    const thread = this.#byProcess[forced]
    if (thread === undefined || !(thread.canGoOn || this.#waitsForTime(thread))) return false
    this.#one[0] = forced
    this.search.choose(this.#one)
    this.#takeStep(thread)
    return true
  }

  #takeStep(thread: Thread): void {
    const operation = thread.pending as Operation<unknown>
    this.#running = operation
    if (thread.waitsFor !== undefined) this.#endWait(thread, thread.waitsFor)
    this.#advance(thread)
    this.search.endStep(operation)
    // What is looked at as it was is no look of its own.
    const looks = this.#undo.length === 0 && noteLook(thread, operation, this.step)
    this.step++
    if (this.#moreRounds !== undefined) this.#goRoundAgain(this.#moreRounds)
    if (this.#loops === undefined) return
    this.schedule.push(thread.ordinal)
    if (looks) this.#noteRound(thread, this.#loops)
  }

  /** A thread that has gone round in a loop, and would do so again, waits. */
  #noteRound(thread: Thread, loops: WaitingLoops): void {
    const period = thread.pending === undefined ? 0 : thread.looks.periodBefore(thread.pending)
    if (period === 0) return
    const wait = { at: this.step, process: thread.ordinal, period }
    if (!loops.waits(this.schedule, wait)) return
    thread.waitsFor = thread.looks.last(period)
    this.#waits.push(wait)
  }

  /** While a thread goes round again what it looks at is as it was in the round before, whatever others have done since. */
  #goRoundAgain(moreRounds: readonly MoreRounds[]): void {
    for (const { process, period, from, to } of moreRounds) {
      if (this.step === to) for (const undo of this.#undo.splice(0).toReversed()) undo()
      if (this.step === from) this.#undo = this.#threads[process]!.looks.last(period).map(({ operation, step }) => operation.restore(step))
    }
  }

  /** The step that now begins was not enabled before something of that had changed. */
  #endWait(thread: Thread, waitsFor: readonly LoopLook[]): void {
    for (const { location, step } of waitsFor) this.search.awaitChange(location, step)
    thread.waitsFor = undefined
  }

  /** Local computation up to the next operation; what it throws ends the thread and fails the execution. */
  #advance(thread: Thread): void {
    const before = this.current
    const running = this.#running
    this.current = thread
    try {
      thread.advance()
    } catch (error) {
      if (isOurs(error)) throw error
      this.#failure ??= { kind: 'error', error }
    }
    this.current = before
    this.#running = running
  }

  /** Also when time has to pass for it. False: it cannot be told, as the program is written wrongly. */
  #findEnabled(): boolean {
    try {
      this.#listEnabled()
      if (this.#enabled.length === 0 && this.#advanceTime()) this.#listEnabled()
      return true
    } catch (error) {
      if (error === this.#refusal) return false
      throw error
    }
  }

  #listEnabled(): void {
    const enabled = this.#enabled
    let count = 0
    for (const thread of this.#threads) {
      if (thread.canGoOn) enabled[count++] = thread.process
    }
    // An array that is emptied at once gives its memory away, and is filled again for the next step.
    while (enabled.length > count) enabled.pop()
  }

  /** The thread goes on once time has passed, which it does. */
  #waitsForTime(thread: Thread): boolean {
    return thread.pending instanceof Delay && this.#advanceTime() && thread.canGoOn
  }

  /** To the end of the shortest delay; whether there is one. */
  #advanceTime(): boolean {
    let next = Infinity
    for (const { pending } of this.#threads) {
      if (pending instanceof Delay) next = Math.min(next, pending.end)
    }
    if (next === Infinity) return false
    this.now = next
    this.search.barrier()
    return true
  }

  #end(invariant: Invariant | void): void {
    this.isRunning = false
    const stuck = this.#threads.filter((thread) => !thread.ended)
    const circling = stuck.filter(({ waitsFor }) => waitsFor !== undefined)
    if (this.#waits.length > 0 && this.#loops?.areAlike(this.schedule, this.#waits) === false) return this.search.stop(this.#whyLoopsCount())
    if (this.#failure === undefined && this.points?.order.isOver === false && (stuck.length === 0 || this.points.waiting > 0)) return this.search.finish({ status: 'impossible', pending: this.#pending() })
    if (circling.length > 0) this.#failure ??= { kind: 'livelock', error: livelock(circling) }
    else if (stuck.length > 0) this.#failure ??= { kind: 'deadlock', error: deadlock(stuck) }
    else if (this.unused > 0 && this.#failure === undefined) this.#failure = { kind: 'error', error: this.#unusedOperation() }
    else if (invariant !== undefined) this.#check(invariant)
    this.search.finish({ status: 'complete', failure: this.#failure, pending: this.#pending() })
  }

  #whyLoopsCount(): string {
    const names = new Set(this.#waits.map(({ process }) => `'${this.#threads[process]?.name}'`))
    return `a loop that waits, in ${[...names].join(', ')}: what comes later depends on how often it has gone round, so write until in its place`
  }

  #check(invariant: Invariant): void {
    if (this.#failure !== undefined) return
    this.inInvariant = true
    try {
      if (checkedAnswer(invariant()) === false) this.#failure = { kind: 'invariant', error: new Error('the invariant is false') }
    } catch (error) {
      this.#failure = { kind: 'invariant', error }
    }
  }

  /** Without `yield*` an operation does nothing. */
  #unusedOperation(): ProgramError {
    const unused = this.made?.find((operation) => !operation.done)
    const name = unused === undefined ? 'an operation' : unused.label
    return new ProgramError(`${name} was made and never taken: write yield* ${unused === undefined ? 'before it' : name}`)
  }

  #pending(): PendingStep[] {
    const steps: PendingStep[] = []
    for (const { pending, process } of this.#threads) {
      if (pending === undefined || pending.enabled) continue
      const { step } = pending.waiting(process)
      if (step !== undefined) steps.push(step)
    }
    return steps
  }

  nextLocation(): LocationId {
    const { current } = this
    if (current === undefined) return this.#locations.number(undefined, this.#variables++)
    return this.#locations.number(current.process, current.variables++)
  }
}

/** Whether the step of the thread only looked. */
function noteLook({ looks }: Thread, operation: Operation<unknown>, step: number): boolean {
  const location = operation.looksAt
  if (location === undefined) looks.clear()
  else looks.add(location, step, operation)
  return location !== undefined
}

/** Errors that are about the exploration, not about the program under test. */
function isOurs(error: unknown): boolean {
  return error instanceof EngineError || error instanceof DivergenceError || error instanceof ReplayError
}
