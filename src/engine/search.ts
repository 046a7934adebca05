import { Math } from './intrinsics.ts'
import { ACQUIRE, RELEASE, type HoldsBefore, type PendingStep } from './access.ts'
import { checkOf } from './resume/check.ts'
import type { SavedSearch } from './resume/saved.ts'
import { Witness } from './resume/witness.ts'
import type { Algorithm, MakeAlgorithm } from './algorithms/algorithm.ts'
import { algorithmOf, dividedAlgorithm, drawsOf } from './algorithms/algorithms.ts'
import { Budget } from './budget.ts'
import { column, grown } from './trace/columns.ts'
import { inEngine } from './observation/engine-locations.ts'
import { DivergenceError, EngineError, takeEngineError } from './errors.ts'
import type { LocationId, Ordinal, ProcessId, SiteId } from './ids.ts'
import { isSample, resolveOptions, type ResolvedOptions, type SearchOptions } from './options.ts'
import type { Exploration, Outcome } from './outcome.ts'
import { lookBits, type Look } from './observation/look.ts'
import type { Merged } from './observation/ordered-locations.ts'
import type { ObservationRules } from './observation/rules.ts'
import { ToldAccesses } from './observation/told-accesses.ts'
import { NONE } from './trace/processes.ts'
import type { Draws } from './algorithms/sampling/draws.ts'
import { Replay } from './algorithms/replay.ts'
import { partNamed } from './parts/share.ts'
import { listedPoints } from './points.ts'
import { withExplored } from './reason.ts'
import { formatSchedule, parseSchedule } from './schedule.ts'
import type { ExecutionOrder } from './execution-order.ts'
import { Tally } from './tally.ts'
import { listAccesses } from './trace/steps.ts'
import { Trace, type StepNature } from './trace/trace.ts'
import { orderOf } from './trace/trace-order.ts'
import { nobodySleeps, usualProcess } from './algorithms/usual-order.ts'

const ofNoKnownNature: StepNature = {}

type Phase = 'between executions' | 'between steps' | 'in a step' | 'ended'

/**
 * The engine, as a machine that a driver runs. For each execution: `next`, the `spawn` of its roots, then again and
 * again `choose`, the accesses of that step and `endStep`, then the final `look`s and `finish`. After `next` says no: `result`.
 *
 * An exploration is a series of passes, each from the beginning and under a finer dependence relation than the one before:
 * whenever an execution observes in what order unordered changes came, the next pass orders them.
 */
export class Search {
  readonly #options: ResolvedOptions
  readonly #trace: Trace
  readonly #told: ToldAccesses
  readonly #makeAlgorithm: MakeAlgorithm
  readonly #budget: Budget
  #algorithm: Algorithm
  readonly #draws: Draws | undefined
  /** The execution is drawn at random, and none of the algorithm's. */
  #isDrawn = false
  /** How the next execution of the algorithm begins: the number of steps that it has in common with the last one. Undefined until that is known. */
  #planned: number | undefined
  /** An execution for each pass before this one: in it something was observed. */
  #witnesses: string[] = []
  /** What this search goes on from, until everything is as it was. */
  #saved: SavedSearch | undefined
  /** What this search was before the execution that runs, or ran. */
  #before: SavedSearch | undefined
  /** An execution was not run to its end. */
  #isCutShort = false
  readonly #tally = new Tally()
  #phase: Phase = 'between executions'
  #started = false
  /** What comes before it may have used up the budget. */
  #isLater = false
  /** Ordinal of the process whose step is running. */
  #running: Ordinal | typeof NONE = NONE
  #enabled = column<Ordinal>(8)
  /** What was asked of the algorithm before `choose` was called. */
  #foreseen: Ordinal | typeof NONE | undefined

  /**
   * `makeAlgorithm` and `budget` replace what the options say; for tests and for searches that work together. The latter
   * have a budget in common, and no passes: everything is ordered from the start.
   */
  constructor(options: SearchOptions = {}, makeAlgorithm?: MakeAlgorithm, budget?: Budget, rules?: ObservationRules) {
    this.#options = resolveOptions(options)
    this.#budget = budget ?? new Budget(this.#options)
    this.#trace = new Trace(mergedBy(this.#options, budget), rules)
    this.#trace.inTurn = this.#options.interleave !== 'access'
    this.#told = new ToldAccesses(this.#trace)
    this.#makeAlgorithm = makeAlgorithm ?? ((trace) => algorithmFor(this.#options, trace))
    this.#algorithm = this.#makeAlgorithm(this.#trace)
    if (makeAlgorithm === undefined || this.#budget.surveys) this.#draws = drawsOf(this.#options, this.#trace)
  }

  /** The other exploration was of the same program: both have one budget. To be called before the first `next`. */
  shareBudget(other: Search): void {
    this.#isLater = true
    this.#budget.continue(other.#budget)
  }

  /** This search goes on from where another one was saved. To be called before the first `next`, which throws `ProgramChanged` if it was one of another program, as `choose` and `finish` do. */
  resume(saved: SavedSearch): void {
    this.#saved = saved
    this.#trace.processes.restore(saved.parents)
    this.#algorithm = this.#restoring()
  }

  /** To go on later, with `resume`: without the execution that runs, if one does. Undefined where there is nothing left. With `saveTo`. */
  save(): SavedSearch | undefined {
    if (this.isOver) return undefined
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
    if (this.#saved !== undefined) return this.#saved
    const { processes } = this.#trace
    const parents = [...processes.parents]
    if (this.#hasObserved) {
      return { parents, passes: [...this.#witnesses, this.#schedule()], left: undefined, check: { steps: 0, hash: 0 }, isTruncated: false, tally: new Tally().save() }
    }
    this.#planned ??= this.#algorithm.advance()
    const left = this.#algorithm.save?.()
    if (left === undefined) return undefined
    return {
      parents,
      passes: this.#witnesses,
      left,
      check: { steps: this.#planned, hash: checkOf(this.#trace, this.#planned) },
      isTruncated: this.#budget.isTruncated,
      tally: this.#tally.save(),
    }
  }

  /** First what was observed is observed again, pass by pass; then the search stack is brought back. */
  #restoring(): Algorithm {
    const { passes, left, check, isTruncated, tally } = this.#saved as SavedSearch
    const witness = passes[this.#witnesses.length]
    if (witness !== undefined) return new Witness(this.#trace, witness)
    const algorithm = this.#makeAlgorithm(this.#trace)
    if (left === undefined) {
      this.#saved = undefined
      return algorithm
    }
    this.#tally.restore(tally)
    if (isTruncated) this.#budget.truncated()
    return algorithm.restoring!(left, { check: check.hash, steps: check.steps, restored: () => (this.#saved = undefined) })
  }

  /** Starts the next execution. False: every class is explored, or something ended the exploration. */
  next(): boolean {
    if (this.#phase === 'ended') return false
    this.#expect('between executions', 'next')
    if (!this.#started && !(this.#isLater && this.#budget.isSpent())) return this.#begin(0)
    if (!this.#started || this.#isStopped || !this.#hasMore || this.#budget.isSpent()) {
      this.#phase = 'ended'
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
    const { processes, steps } = this.#trace
    if (this.#phase === 'in a step') return processes.create(parent, parent === undefined ? NONE : steps.count)
    this.#expect('between steps', 'spawn')
    return processes.create(parent, parent === undefined ? NONE : processes.origin(processes.ordinal(parent)))
  }

  /** Number of the process in the order of creation within this execution: what schedules are written in. */
  ordinal(process: ProcessId): number {
    return this.#trace.processes.ordinal(process)
  }

  /** The process whose step comes next whatever else is enabled, as that of a step that is run again; it alone may be offered to `choose`. */
  get forced(): ProcessId | undefined {
    const { processes, replaying, steps } = this.#trace
    if (!replaying) return undefined
    const ordinal = steps.process[steps.count] as Ordinal
    return ordinal < processes.count ? processes.id(ordinal) : undefined
  }

  /**
   * Chooses whose step comes next. `undefined`: all of them are asleep; call `finish({ status: 'blocked' })`.
   * Throws a `DivergenceError` if a recorded step cannot be taken again.
   */
  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    this.#expect('between steps', 'choose')
    if (enabled.length === 0) throw new EngineError('choose was called without an enabled process')
    const { steps, replaying } = this.#trace
    const chosen = replaying ? (steps.process[steps.count] as Ordinal) : (this.#foreseen ?? this.#ask(enabled))
    this.#foreseen = undefined
    if (chosen === NONE) return undefined
    const process = this.#enabledProcess(chosen, enabled)
    if (process === undefined) return this.#missing(chosen)
    takeEngineError()
    this.#running = chosen
    this.#phase = 'in a step'
    return process
  }

  /**
   * Whether the process whose step has to come next is neither enabled nor one of `others`, which come by themselves. What it waits for may come
   * from outside: then the caller can wait for that, and call `choose` once it is there.
   */
  lacks(enabled: readonly ProcessId[], others: readonly ProcessId[] = []): boolean {
    this.#expect('between steps', 'lacks')
    const { steps, replaying, processes } = this.#trace
    const isGiven = replaying || this.isReplay
    if (enabled.length === 0 && !isGiven) return false
    const chosen = replaying ? (steps.process[steps.count] as Ordinal) : enabled.length > 0 ? (this.#foreseen ??= this.#ask(enabled)) : this.#ask(enabled)
    // Who is planned and has not been made yet has no ordinal of its own, but in what is given.
    if (chosen === NONE || (chosen >= processes.count && !isGiven)) return false
    return this.#enabledProcess(chosen, enabled) === undefined && this.#enabledProcess(chosen, others) === undefined
  }

  #enabledProcess(chosen: Ordinal, enabled: readonly ProcessId[]): ProcessId | undefined {
    const { processes } = this.#trace
    const process = chosen < processes.count ? processes.id(chosen) : undefined
    return process !== undefined && enabled.includes(process) ? process : undefined
  }

  #ask(enabled: readonly ProcessId[]): Ordinal | typeof NONE {
    if (enabled.length > this.#enabled.length) this.#enabled = grown(this.#enabled, enabled.length)
    for (let i = 0; i < enabled.length; i++) this.#enabled[i] = this.#trace.processes.ordinal(enabled[i] as ProcessId)
    return this.#chooseFrom(enabled.length)
  }

  #missing(chosen: Ordinal): never {
    if (!this.#trace.replaying) this.#algorithm.missing?.(chosen)
    this.#diverge(chosen, 'is no longer enabled', this.#trace.steps.count)
  }

  /** The step now running looks at the location, which tells apart what `look` says; an own value that is not read from others is no look. */
  read(location: LocationId, site: SiteId = 0, look: Look = 'value'): void {
    this.#expect('in a step', 'read')
    this.#trace.footprint.read(inEngine(location), site, lookBits(look))
  }

  /**
   * The step now running reads the location and changes it in a way of which nothing more is known: of a value, a list, or
   * all keys of an order location at once. It is ordered with all other accesses.
   */
  write(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'write')
    this.#told.write(inEngine(location), site)
  }

  /**
   * The step now running gives the location a value, `ABSENT` if it is removed, without looking at the one before. Values are
   * compared by `Object.is`.
   */
  assign(location: LocationId, site: SiteId, value: unknown): void {
    this.#expect('in a step', 'assign')
    this.#told.assign(inEngine(location), site, value)
  }

  /**
   * The step now running adds `amount` to the location, where it `found` a number. If both are safe integers, it commutes with
   * other such steps; else it is a `write`. Without `found` the caller guarantees that both are safe integers, and so is
   * the sum, in whatever order others add.
   */
  add(location: LocationId, site: SiteId, amount: unknown, found?: unknown): void {
    this.#expect('in a step', 'add')
    this.#told.add(inEngine(location), site, { amount, found })
  }

  /** The step now running puts `value` at the end of the list at the location, without looking at the list. */
  append(location: LocationId, site: SiteId, value: unknown): void {
    this.#expect('in a step', 'append')
    this.#told.append(inEngine(location), site, value)
  }

  /**
   * The step now running changes the location in a way that commutes with other such changes, whoever looks at it later; it
   * conflicts with everything else. WARNING: that they do commute is not checked.
   */
  combine(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'combine')
    this.#told.combine(inEngine(location), site)
  }

  /**
   * The step now running sets a key of a Map, Set or object whose keys come in the order of the location: a new one comes last,
   * one that is there stays where it is. The value that goes with the key has a location of its own. Keys are compared as a
   * Map does. An order location is read by `read`, with the looks 'order' and 'size', and written as a whole by `write`.
   */
  insert(location: LocationId, site: SiteId, key: unknown): void {
    this.#expect('in a step', 'insert')
    this.#told.insert(inEngine(location), site, { key, origin: this.#trace.processes.origin(this.#running as Ordinal) })
  }

  /** The step now running removes all keys of an order location, without looking at them. */
  clear(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'clear')
    this.#told.clear(inEngine(location), site)
  }

  /** The step now running removes a key, if it is there. */
  remove(location: LocationId, site: SiteId, key: unknown): void {
    this.#expect('in a step', 'remove')
    this.#told.remove(inEngine(location), site, key)
  }

  /** After the last step and before `finish`: somebody, such as an assertion, looks at the location. */
  look(location: LocationId, look: Look = 'value'): void {
    this.#expect('between steps', 'look')
    const { observation } = this.#trace
    if (observation.rules.finalLooks && observation.isNeeded) observation.look(inEngine(location), lookBits(look))
  }

  /** Whether every change of the location is a write. */
  isOrdered(location: LocationId): boolean {
    return this.#trace.observation.ordered.hasValue(inEngine(location))
  }

  /** From now on the location is ordered: somebody may look at it of whom the search knows nothing, such as who waits for a condition. */
  order(location: LocationId): void {
    const { rules } = this.#trace.observation
    if (this.#phase !== 'ended' && rules.conditions) this.#trace.observation.ordered.add(inEngine(location))
  }

  /** What the driver took for granted in this pass has turned out not to be so: another pass follows. */
  startAnew(): void {
    this.#trace.observation.ordered.startAnew()
  }

  /** Number of the step now running, or of the next one: from 0 within the execution. */
  get step(): number {
    return this.#trace.steps.count
  }

  /** The schedule is given: it takes the steps in an order that has been possible. */
  get isReplay(): boolean {
    return this.#options.replay !== undefined
  }

  /** Whether one step happens before another, by their numbers. Both have ended. */
  isBefore(first: number, second: number): boolean {
    return this.#trace.happensBefore(first, second)
  }

  /** The step now running was enabled by the last write of the location: ordered after it, never a race. */
  wait(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'wait')
    this.#trace.footprint.wait(inEngine(location), site)
  }

  /** Whether the location was changed after that step, by whomever. */
  hasChanged(location: LocationId, since: number): boolean {
    return this.#trace.hasChanged(inEngine(location), since)
  }

  /**
   * The step now running was not enabled before one of the locations told by this call had changed since that step, one of its
   * process that looked at it: it would have repeated what its process had done. It looks at all of them.
   */
  awaitChange(location: LocationId, since: number, look: Look = 'value'): void {
    this.#expect('in a step', 'awaitChange')
    this.#trace.footprint.awaitChange(inEngine(location), { since, looks: lookBits(look) })
  }

  /** The step now running was enabled by the end of that process: ordered after its last step, never a race. */
  join(process: ProcessId): void {
    this.#expect('in a step', 'join')
    this.#trace.footprint.join(this.#trace.processes.ordinal(process))
  }

  /** Nothing else could run before the step now running: it comes after all steps with lower numbers than this, and never races with them. */
  followAll(step: number): void {
    this.#expect('in a step', 'followAll')
    this.#trace.followAll(step)
  }

  /** The step now running takes a lock, which is all it does. */
  acquire(location: LocationId): void {
    this.#expect('in a step', 'acquire')
    this.#trace.footprint.special(inEngine(location), ACQUIRE)
  }

  /** The step now running gives a lock back, which is all it does. */
  release(location: LocationId): void {
    this.#expect('in a step', 'release')
    this.#trace.footprint.special(inEngine(location), RELEASE)
  }

  /** The step now running is a read that is enabled only while a predicate of the location holds; all it does. */
  until(location: LocationId, holdsBefore: HoldsBefore): void {
    this.#expect('in a step', 'until')
    this.order(location)
    this.#trace.until(inEngine(location), holdsBefore)
  }

  /**
   * The step now running read or wrote a value with this hash (`hashValue`): when the step is taken again it has to see the
   * same values in the same order. Optional, after each access.
   */
  saw(hash: number): void {
    this.#trace.footprint.saw(hash)
  }

  /**
   * Ends the step; `nature` is what is known of its footprint in other states.
   * Throws a `DivergenceError` if a recorded step had other accesses, or saw other values, this time, and an `EngineError` that was thrown
   * within the step, whoever caught it there.
   */
  endStep(nature: StepNature = ofNoKnownNature): void {
    this.#expect('in a step', 'endStep')
    const broken = takeEngineError()
    if (broken) throw broken
    const trace = this.#trace
    trace.footprint.checkSupported()
    const { replaying } = trace
    if (replaying) this.#compareWithRecorded(trace.steps.count)
    trace.endStep(this.#running as Ordinal, nature)
    if (this.#isDrawn) this.#draws?.stepEnded()
    else if (!replaying && !this.#hasObserved) this.#algorithm.stepEnded()
    trace.footprint.clear()
    this.#phase = 'between steps'
  }

  /** Everything so far happens before everything later: virtual time advanced because nothing else could run. */
  barrier(): void {
    this.#expect('between steps', 'barrier')
    this.#trace.barrier()
  }

  /** Points that executions are to pass in this order. */
  get orderOfPoints(): readonly string[] | undefined {
    return this.#options.order
  }

  /** Ends the execution. After `stop` or a `DivergenceError` it does nothing. */
  finish(outcome: Outcome): void {
    if (this.#phase === 'ended') return
    this.#expect('between steps', 'finish')
    if (this.#trace.replaying) {
      this.#diverge(this.#trace.steps.process[this.depth] as Ordinal, 'is missing: the execution ended before it', this.depth)
    }
    this.#phase = 'between executions'
    const failure = outcome.status === 'complete' ? outcome.failure : undefined
    this.#trace.end(withEngineLocations(outcome.pending ?? []))
    const ended = { status: outcome.status, failed: failure !== undefined }
    if (this.#isDrawn) {
      this.#draws?.ended(ended)
      if (failure === undefined || this.#draws?.hunts !== true) return
      this.#tally.executions += this.#draws.count - 1
    } else if (!this.#hasObserved) this.#algorithm.ended(ended)
    if (!this.#isDrawn && this.#algorithm.counts === false) return
    if (!this.#count(outcome)) return
    if (failure !== undefined) this.#tally.fail({ ...failure, schedule: this.#schedule(), execution: this.#tally.executions })
  }

  /** Happens-before and races of the execution that has just ended; to be asked between `finish` and the next `next`. */
  executionOrder(): ExecutionOrder {
    if (this.#phase !== 'ended') this.#expect('between executions', 'executionOrder')
    return orderOf(this.#trace)
  }

  /** Ends the exploration now, with the reason as it is to be printed. Nothing of a running execution counts. */
  stop(reason: string): void {
    if (this.#isRunning) this.#isCutShort = true
    this.#budget.end(reason)
    this.#phase = 'ended'
  }

  /** Steps so far in this execution. */
  get depth(): number {
    return this.#trace.steps.count
  }

  /** This execution has reached `maxSteps`: call `finish({ status: 'truncated' })`. */
  get exhausted(): boolean {
    return this.#trace.steps.count >= this.#options.maxSteps
  }

  result(): Exploration {
    const reason = this.#inconclusiveReason()
    const { failures, ...counts } = this.#tally.result({ isWhole: reason === undefined })
    return {
      verdict: failures.length > 0 ? 'fails' : reason === undefined ? 'holds' : 'inconclusive',
      ...counts,
      ...this.#estimate(),
      interleave: this.#options.interleave,
      equivalence: this.#options.equivalence,
      passes: this.#trace.observation.ordered.passes,
      failures,
      ...(this.#options.part === undefined ? {} : { part: this.#options.part }),
      ...(reason === undefined ? {} : { inconclusiveReason: reason }),
    }
  }

  #estimate(): Pick<Exploration, 'estimate' | 'estimateRange'> {
    if (isSample(this.#options.algorithm) && !this.isReplay) return { estimate: this.#algorithm.classes ?? this.#tally.executions }
    if (!this.#started || !this.#hasMore) return { estimate: this.#tally.executions }
    const known = this.#tally.executions + 1
    const guess = this.#draws?.estimate()
    if (guess === undefined) return { estimate: known }
    const ofPart = (executions: number): number => Math.max(known, Math.round(executions / partNamed(this.#options.part).count))
    return { estimate: ofPart(guess.executions), estimateRange: [ofPart(guess.least), ofPart(guess.most)] }
  }

  #begin(recorded: number): true {
    this.#foreseen = undefined
    if (!this.#started) this.#budget.start()
    this.#started = true
    this.#trace.begin(recorded)
    this.#phase = 'between steps'
    return true
  }

  #beginPlanned(recorded: number): true {
    this.#planned = undefined
    this.#isDrawn = false
    this.#trace.takeUp()
    return this.#begin(recorded)
  }

  /** An execution that is drawn at random comes between two of the algorithm. */
  #draw(draws: Draws): true {
    this.#isDrawn = true
    this.#trace.setAside()
    draws.begin(this.#tally.executions)
    return this.#begin(0)
  }

  get #isRunning(): boolean {
    return this.#phase === 'between steps' || this.#phase === 'in a step'
  }

  get #hasMore(): boolean {
    return this.#planned !== undefined || this.#hasObserved || this.#algorithm.more
  }

  /** Everything anew, with what was observed ordered. */
  #beginPass(): true {
    this.#witnesses.push(this.#schedule())
    this.#trace.beginPass()
    this.#draws?.startAnew()
    this.#tally.startAnew()
    this.#algorithm = this.#saved === undefined ? this.#makeAlgorithm(this.#trace) : this.#restoring()
    return this.#beginPlanned(0)
  }

  /** Whether the next execution begins a pass. What a witness shows may be known by now. */
  get #endsPass(): boolean {
    return this.#hasObserved || this.#algorithm instanceof Witness
  }

  /** Whether this pass is not the last one. */
  get #hasObserved(): boolean {
    const { ordered, rules } = this.#trace.observation
    if (ordered.haveGrown && !rules.restart) ordered.grow()
    return ordered.haveGrown
  }

  /** Of the first `count` of the enabled: an execution that has observed something runs to its end whoever sleeps. */
  #chooseFrom(count: number): Ordinal | typeof NONE {
    if (this.#isDrawn) return (this.#draws as Draws).choose(this.#enabled, count)
    if (this.#hasObserved) return usualProcess(this.#trace, this.#enabled, count, nobodySleeps)
    return this.#algorithm.choose(this.#enabled, count)
  }

  #compareWithRecorded(step: number): void {
    const { steps, footprint } = this.#trace
    if (!steps.matches(step, footprint)) this.#diverge(this.#running, 'made other accesses than before', step)
    if (steps.seen[step] !== footprint.seen) this.#diverge(this.#running, 'read another value than before', step)
  }

  #diverge(ordinal: Ordinal | typeof NONE, what: string, step: number): never {
    const { processes, steps, footprint } = this.#trace
    this.stop('a divergence')
    throw new DivergenceError(what, {
      process: ordinal !== NONE && ordinal < processes.count ? processes.id(ordinal) : (NONE as ProcessId),
      step,
      expected: step < this.#trace.recorded ? steps.accesses(step) : [],
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
    return formatSchedule(this.#trace.steps.process.subarray(0, this.#trace.steps.count))
  }

  #inconclusiveReason(): string | undefined {
    if (this.#options.replay !== undefined) return 'replay: one execution only'
    const { doubt, leftOut } = this.#algorithm
    if (this.#budget.reason !== undefined) return this.#withExplored(this.#budget.reason)
    if (doubt !== undefined) return doubt
    if (leftOut !== undefined) return this.#withExplored(leftOut)
    if (!this.#started || this.#isRunning || this.#hasMore) return 'not every class was explored'
    return this.#options.order && this.#reasonOfOrder(this.#options.order)
  }

  /** The reason, with what is explored all the same. */
  #withExplored(reason: string): string {
    const { explored } = this.#algorithm
    return explored === undefined || this.#hasObserved ? reason : this.#about(reason, explored)
  }

  #about(reason: string, explored: string): string {
    const { order } = this.#options
    return withExplored(reason, { explored: order === undefined ? explored : `${explored} that passes ${listedPoints(order)} in this order`, hasFailures: this.#tally.hasFailures })
  }

  /** What was explored to its end are only executions with that order. */
  #reasonOfOrder(order: readonly string[]): string {
    const isNone = this.#tally.executions === 0 && this.#options.part === undefined
    return isNone ? `order: no execution passes ${listedPoints(order)} in this order` : this.#about('order', 'every interleaving')
  }

  #expect(phase: Phase, call: string): void {
    if (this.#phase !== phase) throw new EngineError(`${call} was called ${this.#phase}, not ${phase}`)
  }
}

function algorithmFor(options: ResolvedOptions, trace: Trace): Algorithm {
  const { replay, part } = options
  if (replay !== undefined) return new Replay(trace, parseSchedule(replay))
  const share = partNamed(part)
  return share.isWhole ? algorithmOf(options, trace) : dividedAlgorithm(options, trace, share)
}

/** Parts, and searches that work together, would all have to know what one of them observes; one schedule, or all of them, need no relation; an execution graph has one order of all changes. */
function mergedBy({ replay, part, algorithm, equivalence }: ResolvedOptions, budget: Budget | undefined): Merged {
  if (replay !== undefined || !partNamed(part).isWhole || budget !== undefined || algorithm === 'naive' || algorithm === 'trust' || isSample(algorithm)) return 'nothing'
  return equivalence === 'observation' ? 'all' : 'keys'
}

function withEngineLocations(pending: readonly PendingStep[]): PendingStep[] {
  return pending.map((step) => ({ ...step, location: inEngine(step.location) }))
}
