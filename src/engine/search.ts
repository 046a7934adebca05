import type { PendingStep } from './access.ts'
import type { SavedSearch } from './resume/saved.ts'
import { Resumption } from './resume/resumption.ts'
import { Witness } from './resume/witness.ts'
import type { Algorithm, MakeAlgorithm } from './algorithms/algorithm.ts'
import { algorithmFor, drawsOf } from './algorithms/algorithms.ts'
import { Budget } from './budget.ts'
import { column, grown } from './trace/columns.ts'
import { inEngine } from './observation/engine-locations.ts'
import { DivergenceError, EngineError, takeEngineError } from './errors.ts'
import type { Ordinal, ProcessId } from './ids.ts'
import { isSample, resolveOptions, type ResolvedOptions, type SearchOptions } from './options.ts'
import type { Exploration, Outcome } from './outcome.ts'
import type { Merged } from './observation/ordered-locations.ts'
import type { ObservationRules } from './observation/rules.ts'
import { NONE } from './trace/processes.ts'
import type { Draws } from './algorithms/sampling/draws.ts'
import { partNamed } from './parts/share.ts'
import { formatSchedule } from './schedule.ts'
import type { ExecutionOrder } from './execution-order.ts'
import { ToldSteps } from './told-steps.ts'
import { Tally } from './tally.ts'
import { explorationOf } from './verdict.ts'
import { listAccesses } from './trace/steps.ts'
import { Trace, type StepNature } from './trace/trace.ts'
import { orderOf } from './trace/trace-order.ts'
import { nobodySleeps, usualProcess } from './algorithms/usual-order.ts'

const ofNoKnownNature: StepNature = {}

/**
 * The engine, as a machine that a driver runs. For each execution: `next`, the `spawn` of its roots, then again and
 * again `choose`, the accesses of that step and `endStep`, then the final `look`s and `finish`. After `next` says no: `result`.
 *
 * An exploration is a series of passes, each from the beginning and under a finer dependence relation than the one before:
 * whenever an execution observes in what order unordered changes came, the next pass orders them.
 */
export class Search extends ToldSteps {
  readonly #options: ResolvedOptions
  readonly #budget: Budget
  #algorithm: Algorithm
  readonly #draws: Draws | undefined
  /** The execution is drawn at random, and none of the algorithm's. */
  #isDrawn = false
  /** How the next execution of the algorithm begins: the number of steps that it has in common with the last one. Undefined until that is known. */
  #planned: number | undefined
  readonly #resumption: Resumption
  /** What this search was before the execution that runs, or ran. */
  #before: SavedSearch | undefined
  /** An execution was not run to its end. */
  #isCutShort = false
  /** There is no other execution than the one before. */
  #hasNoOther = false
  readonly #tally = new Tally()
  #started = false
  /** What comes before it may have used up the budget. */
  #isLater = false
  #enabled = column<Ordinal>(8)
  /** What was asked of the algorithm before `choose` was called. */
  #foreseen: Ordinal | typeof NONE | undefined

  /**
   * `makeAlgorithm` and `budget` replace what the options say; for tests and for searches that work together. The latter
   * have a budget in common, and no passes: everything is ordered from the start.
   */
  constructor(options: SearchOptions = {}, makeAlgorithm?: MakeAlgorithm, budget?: Budget, rules?: ObservationRules) {
    const resolved = resolveOptions(options)
    super(new Trace(mergedBy(resolved, budget), rules))
    this.#options = resolved
    this.#budget = budget ?? new Budget(resolved)
    this.trace.inTurn = resolved.interleave !== 'access'
    const make = makeAlgorithm ?? ((trace: Trace) => algorithmFor(resolved, trace))
    this.#resumption = new Resumption(this.trace, { makeAlgorithm: make, budget: this.#budget, tally: this.#tally })
    this.#algorithm = make(this.trace)
    if (makeAlgorithm === undefined || this.#budget.surveys) this.#draws = drawsOf(resolved, this.trace, { isShared: makeAlgorithm !== undefined })
  }

  /** The other exploration was of the same program: both have one budget. To be called before the first `next`. */
  shareBudget(other: Search): void {
    this.#isLater = true
    this.#budget.continue(other.#budget)
  }

  /** This search goes on from where another one was saved. To be called before the first `next`, which throws `ProgramChanged` if it was one of another program, as `choose` and `finish` do. */
  resume(saved: SavedSearch): void {
    this.#algorithm = this.#resumption.resume(saved)
  }

  /** To go on later, with `resume`: without the execution that runs, if one does. Undefined where there is nothing left. With `saveTo`. */
  save(): SavedSearch | undefined {
    if (this.isOver) return undefined
    if (!this.#started) return this.#resumption.saved
    return this.#isRunning || this.#isCutShort || this.#isDrawn ? this.#before : this.#save()
  }

  /** Nothing is left, or what was found is enough. */
  get isOver(): boolean {
    return this.#isStopped || (this.#started && !this.#isRunning && !this.#isCutShort && !this.#hasMore)
  }

  get #isStopped(): boolean {
    return this.#options.stopOnFirst && this.#tally.hasFailures
  }

  #save(): SavedSearch | undefined {
    if (this.#hasObserved) return this.#resumption.beforePass(this.#schedule())
    this.#planned ??= this.#algorithm.advance()
    return this.#resumption.save(this.#algorithm, this.#planned)
  }

  /** So many milliseconds do not count as `maxTime`. */
  postpone(milliseconds: number): void {
    this.#budget.postpone(milliseconds)
  }

  /** Starts the next execution. False: every class is explored, or something ended the exploration. */
  next(): boolean {
    if (this.phase === 'ended') return false
    this.expect('between executions', 'next')
    if (!this.#started && !(this.#isLater && this.#budget.isSpent())) return this.#begin(0)
    if (!this.#started || this.#isStopped || !this.#hasMore || this.#budget.isSpent()) {
      this.phase = 'ended'
      return false
    }
    if (this.#options.saveTo !== undefined && !this.#isDrawn) this.#before = this.#save()
    if (!this.#endsPass) this.#planned ??= this.#algorithm.advance()
    if (this.#draws?.isDue(this.#tally.executions) === true) return this.#draw(this.#draws)
    return this.#endsPass ? this.#beginPass() : this.#beginPlanned(this.#planned as number)
  }

  /**
   * Creates a process. Without a parent it is a root; with one it comes after the step now running, or if none is,
   * after the parent's last one. The n-th child of a parent has the same id in every execution.
   */
  spawn(parent?: ProcessId): ProcessId {
    const { processes, steps } = this.trace
    if (this.phase === 'in a step') return processes.create(parent, parent === undefined ? NONE : steps.count)
    this.expect('between steps', 'spawn')
    return processes.create(parent, parent === undefined ? NONE : processes.origin(processes.ordinal(parent)))
  }

  /** Number of the process in the order of creation within this execution: what schedules are written in. */
  ordinal(process: ProcessId): number {
    return this.trace.processes.ordinal(process)
  }

  /** The process whose step comes next whatever else is enabled, as that of a step that is run again; it alone may be offered to `choose`. */
  get forced(): ProcessId | undefined {
    const { processes, replaying, steps } = this.trace
    if (!replaying) return undefined
    const ordinal = steps.process[steps.count] as Ordinal
    return ordinal < processes.count ? processes.id(ordinal) : undefined
  }

  /** The execution is one that is drawn at random: none of its steps is taken again. */
  get isDrawn(): boolean {
    return this.#isDrawn
  }

  /**
   * Chooses whose step comes next. `undefined`: all of them are asleep; call `finish({ status: 'blocked' })`.
   * Throws a `DivergenceError` if a recorded step cannot be taken again.
   */
  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    this.expect('between steps', 'choose')
    if (enabled.length === 0) throw new EngineError('choose was called without an enabled process')
    const { steps, replaying } = this.trace
    const chosen = replaying ? (steps.process[steps.count] as Ordinal) : (this.#foreseen ?? this.#ask(enabled))
    this.#foreseen = undefined
    if (chosen === NONE) return undefined
    const process = this.#enabledProcess(chosen, enabled)
    if (process === undefined) return this.#missing(chosen)
    takeEngineError()
    this.running = chosen
    this.phase = 'in a step'
    return process
  }

  /**
   * Whether the process whose step has to come next is neither enabled nor one of `others`, which come by themselves. What it waits for may come
   * from outside: then the caller can wait for that, and call `choose` once it is there.
   */
  lacks(enabled: readonly ProcessId[], others: readonly ProcessId[] = []): boolean {
    const chosen = this.#toCome(enabled)
    return chosen !== NONE && this.#enabledProcess(chosen, enabled) === undefined && this.#enabledProcess(chosen, others) === undefined
  }

  /** Whether the process whose step has to come next is not enabled, but one of `others`. */
  awaits(others: readonly ProcessId[], enabled: readonly ProcessId[]): boolean {
    const chosen = this.#toCome(enabled)
    return chosen !== NONE && this.#enabledProcess(chosen, enabled) === undefined && this.#enabledProcess(chosen, others) !== undefined
  }

  /** Whose step comes next; NONE where nobody's has to. */
  #toCome(enabled: readonly ProcessId[]): Ordinal | typeof NONE {
    this.expect('between steps', 'lacks')
    const { steps, replaying, processes } = this.trace
    const isGiven = replaying || this.isReplay
    if (enabled.length === 0 && !isGiven) return NONE
    const chosen = replaying ? (steps.process[steps.count] as Ordinal) : enabled.length > 0 ? (this.#foreseen ??= this.#ask(enabled)) : this.#ask(enabled)
    // Who is planned and has not been made yet has no ordinal of its own, but in what is given.
    return chosen !== NONE && chosen >= processes.count && !isGiven ? NONE : chosen
  }

  #enabledProcess(chosen: Ordinal, enabled: readonly ProcessId[]): ProcessId | undefined {
    const { processes } = this.trace
    const process = chosen < processes.count ? processes.id(chosen) : undefined
    return process !== undefined && enabled.includes(process) ? process : undefined
  }

  #ask(enabled: readonly ProcessId[]): Ordinal | typeof NONE {
    if (enabled.length > this.#enabled.length) this.#enabled = grown(this.#enabled, enabled.length)
    for (let i = 0; i < enabled.length; i++) this.#enabled[i] = this.trace.processes.ordinal(enabled[i] as ProcessId)
    return this.#chooseFrom(enabled.length)
  }

  #missing(chosen: Ordinal): never {
    if (!this.trace.replaying) this.#algorithm.missing?.(chosen)
    this.#diverge(chosen, 'is no longer enabled', this.trace.steps.count)
  }

  /** What the driver took for granted in this pass has turned out not to be so: another pass follows. */
  startAnew(): void {
    this.trace.observation.ordered.startAnew()
  }

  /** The driver knows that the execution which has just ended is all there is, whatever it took for granted: no other pass follows. */
  endWithThis(): void {
    this.expect('between executions', 'endWithThis')
    this.#hasNoOther = true
  }

  /** The schedule is given: it takes the steps in an order that has been possible. */
  get isReplay(): boolean {
    return this.#options.replay !== undefined
  }

  /** Whether this pass is not the last one: what happens before what is not known in full yet. */
  get startsAnew(): boolean {
    return this.#hasObserved
  }

  /**
   * Ends the step; `nature` is what is known of its footprint in other states.
   * Throws a `DivergenceError` if a recorded step had other accesses, or saw other values, this time, and an `EngineError` that was thrown
   * within the step, whoever caught it there.
   */
  endStep(nature: StepNature = ofNoKnownNature): void {
    this.expect('in a step', 'endStep')
    const broken = takeEngineError()
    if (broken) throw broken
    const trace = this.trace
    trace.footprint.checkSupported()
    const { replaying } = trace
    if (replaying) this.#compareWithRecorded(trace.steps.count)
    trace.endStep(this.running as Ordinal, nature)
    if (this.#isDrawn) this.#draws?.stepEnded()
    else if (!replaying && !this.#hasObserved) this.#algorithm.stepEnded()
    trace.footprint.clear()
    this.phase = 'between steps'
  }

  /** Points that executions are to pass in this order. */
  get orderOfPoints(): readonly string[] | undefined {
    return this.#options.order
  }

  /** Ends the execution. After `stop` or a `DivergenceError` it does nothing. */
  finish(outcome: Outcome): void {
    if (this.phase === 'ended') return
    this.expect('between steps', 'finish')
    if (this.trace.replaying) {
      this.#diverge(this.trace.steps.process[this.depth] as Ordinal, 'is missing: the execution ended before it', this.depth)
    }
    this.phase = 'between executions'
    const failure = outcome.status === 'complete' ? outcome.failure : undefined
    this.trace.end(withEngineLocations(outcome.pending ?? []))
    const ended = { status: outcome.status, failed: failure !== undefined }
    if (this.#isDrawn) {
      this.#draws?.ended(ended)
      if (failure === undefined || this.#draws?.hunts !== true) return
      this.#tally.executions += this.#draws.count - 1
    } else if (!this.#hasObserved) this.#algorithm.ended(ended)
    if (!this.#isDrawn && this.#algorithm.counts === false) return
    if (!this.#count(outcome)) {
      this.#isCutShort = true
      return
    }
    if (failure !== undefined) this.#tally.fail({ ...failure, schedule: this.#schedule(), execution: this.#tally.executions })
  }

  /** Happens-before and races of the execution that has just ended; to be asked between `finish` and the next `next`. */
  executionOrder(): ExecutionOrder {
    if (this.phase !== 'ended') this.expect('between executions', 'executionOrder')
    return orderOf(this.trace)
  }

  /** Ends the exploration now, with the reason as it is to be printed. Nothing of a running execution counts. */
  stop(reason: string): void {
    if (this.#isRunning) this.#isCutShort = true
    this.#budget.end(reason)
    this.phase = 'ended'
  }

  /** Steps so far in this execution. */
  get depth(): number {
    return this.trace.steps.count
  }

  /** This execution has reached `maxSteps`: call `finish({ status: 'truncated' })`. */
  get exhausted(): boolean {
    return this.trace.steps.count >= this.#options.maxSteps
  }

  result(): Exploration {
    return explorationOf({
      options: this.#options,
      budget: this.#budget,
      tally: this.#tally,
      algorithm: this.#algorithm,
      passes: this.trace.observation.ordered.passes,
      guess: () => this.#draws?.estimate(),
      progress: !this.#started ? 'not begun' : this.#isRunning || this.#hasMore ? 'under way' : 'over',
      hasObserved: this.#hasObserved,
    })
  }

  #begin(recorded: number): true {
    this.#foreseen = undefined
    if (!this.#started) this.#budget.start()
    this.#started = true
    this.trace.begin(recorded)
    this.phase = 'between steps'
    return true
  }

  #beginPlanned(recorded: number): true {
    this.#planned = undefined
    this.#isDrawn = false
    this.trace.takeUp()
    return this.#begin(recorded)
  }

  /** An execution that is drawn at random comes between two of the algorithm. */
  #draw(draws: Draws): true {
    this.#isDrawn = true
    this.trace.setAside()
    draws.begin(this.#tally.executions)
    return this.#begin(0)
  }

  get #isRunning(): boolean {
    return this.phase === 'between steps' || this.phase === 'in a step'
  }

  get #hasMore(): boolean {
    return !this.#hasNoOther && (this.#planned !== undefined || this.#hasObserved || this.#algorithm.more)
  }

  /** Everything anew, with what was observed ordered. */
  #beginPass(): true {
    const witness = this.#schedule()
    this.trace.beginPass()
    this.#draws?.startAnew()
    this.#tally.startAnew()
    this.#algorithm = this.#resumption.passEnded(witness)
    return this.#beginPlanned(0)
  }

  /** Whether the next execution begins a pass. What a witness shows may be known by now. */
  get #endsPass(): boolean {
    return this.#hasObserved || this.#algorithm instanceof Witness
  }

  /** Whether this pass is not the last one. */
  get #hasObserved(): boolean {
    const { ordered, rules } = this.trace.observation
    if (ordered.haveGrown && !rules.restart) ordered.grow()
    return ordered.haveGrown && !this.#hasNoOther
  }

  /** Of the first `count` of the enabled: an execution that has observed something runs to its end whoever sleeps. */
  #chooseFrom(count: number): Ordinal | typeof NONE {
    if (this.#isDrawn) return (this.#draws as Draws).choose(this.#enabled, count)
    if (this.#hasObserved) return usualProcess(this.trace, this.#enabled, count, nobodySleeps)
    return this.#algorithm.choose(this.#enabled, count)
  }

  #compareWithRecorded(step: number): void {
    const { steps, footprint } = this.trace
    if (!steps.matches(step, footprint)) this.#diverge(this.running, 'made other accesses than before', step)
    if (steps.seen[step] !== footprint.seen) this.#diverge(this.running, 'read another value than before', step)
  }

  #diverge(ordinal: Ordinal | typeof NONE, what: string, step: number): never {
    const { processes, steps, footprint } = this.trace
    this.stop('a divergence')
    throw new DivergenceError(what, {
      process: ordinal !== NONE && ordinal < processes.count ? processes.id(ordinal) : (NONE as ProcessId),
      step,
      expected: step < this.trace.recorded ? steps.accesses(step) : [],
      actual: listAccesses(footprint, 0, footprint.length),
    })
  }

  /** False: it was one too many. */
  #count(outcome: Outcome): boolean {
    const isRedundant = outcome.status === 'blocked' || outcome.status === 'impossible'
    if (!isRedundant && !this.#budget.execution()) return false
    this.#tally.steps += this.depth
    if (outcome.status === 'complete') this.#tally.executions++
    else if (isRedundant) this.#tally.blocked++
    else this.#budget.truncated()
    return true
  }

  #schedule(): string {
    return formatSchedule(this.trace.steps.process.subarray(0, this.trace.steps.count))
  }
}

/** Parts, and searches that work together, would all have to know what one of them observes; one schedule, or all of them, need no relation; an execution graph has one order of all changes. */
function mergedBy({ replay, part, algorithm, equivalence }: ResolvedOptions, budget: Budget | undefined): Merged {
  if (replay !== undefined || !partNamed(part).isWhole || budget !== undefined || algorithm === 'naive' || algorithm === 'trust' || isSample(algorithm)) return 'nothing'
  return equivalence === 'observation' ? 'all' : 'keys'
}

function withEngineLocations(pending: readonly PendingStep[]): PendingStep[] {
  return pending.map((step) => ({ ...step, location: inEngine(step.location) }))
}
