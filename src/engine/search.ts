import { ACQUIRE, RELEASE, type HoldsBefore } from './access.ts'
import type { Algorithm, MakeAlgorithm } from './algorithms/algorithm.ts'
import { algorithmNamed, dividedAlgorithm } from './algorithms/algorithms.ts'
import { Budget } from './budget.ts'
import { grown } from './trace/columns.ts'
import { DivergenceError, EngineError } from './errors.ts'
import type { LocationId, ProcessId, SiteId } from './ids.ts'
import { resolveOptions, type ResolvedOptions, type SearchOptions } from './options.ts'
import type { Exploration, Failure, Outcome } from './outcome.ts'
import { NONE } from './trace/processes.ts'
import { Replay } from './algorithms/replay.ts'
import { parsePart } from './parts/share.ts'
import { formatSchedule, parseSchedule } from './schedule.ts'
import { listAccesses } from './trace/steps.ts'
import { Trace, type StepNature } from './trace/trace.ts'

type Phase = 'between executions' | 'between steps' | 'in a step' | 'ended'

/**
 * The engine, as a machine that a driver runs. For each execution: `next`, the `spawn` of its roots, then again and
 * again `choose`, the accesses of that step and `endStep`, and at last `finish`. After `next` says no: `result`.
 */
export class Search {
  readonly #options: ResolvedOptions
  readonly #trace = new Trace()
  readonly #algorithm: Algorithm
  readonly #budget: Budget
  readonly #failures: Failure[] = []
  #phase: Phase = 'between executions'
  #started = false
  /** Ordinal of the process whose step is running. */
  #running = NONE
  #enabled = new Int32Array(8)
  #executions = 0
  #blocked = 0
  #steps = 0

  /** `makeAlgorithm` and `budget` replace what the options say; for tests and for searches that work together. */
  constructor(options: SearchOptions = {}, makeAlgorithm?: MakeAlgorithm, budget?: Budget) {
    this.#options = resolveOptions(options)
    this.#budget = budget ?? new Budget(this.#options)
    this.#algorithm = makeAlgorithm?.(this.#trace) ?? this.#makeAlgorithm()
  }

  /** Starts the next execution. False: every class is explored, or something ended the exploration. */
  next(): boolean {
    if (this.#phase === 'ended') return false
    this.#expect('between executions', 'next')
    if (!this.#started) return this.#begin(0)
    const stop = this.#options.stopOnFirst && this.#failures.length > 0
    if (stop || !this.#algorithm.more || this.#budget.isSpent()) {
      this.#phase = 'ended'
      return false
    }
    return this.#begin(this.#algorithm.advance())
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
    const ordinal = steps.process[steps.count] as number
    return ordinal < processes.count ? processes.id(ordinal) : undefined
  }

  /**
   * Chooses whose step comes next. `undefined`: all of them are asleep; call `finish({ status: 'blocked' })`.
   * Throws a `DivergenceError` if a recorded step cannot be taken again.
   */
  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    this.#expect('between steps', 'choose')
    if (enabled.length === 0) throw new EngineError('choose was called without an enabled process')
    const { processes, steps } = this.#trace
    if (this.#trace.replaying) return this.#chooseRecorded(enabled)
    if (enabled.length > this.#enabled.length) this.#enabled = grown(this.#enabled, enabled.length)
    for (let i = 0; i < enabled.length; i++) this.#enabled[i] = processes.ordinal(enabled[i] as ProcessId)
    const chosen = this.#algorithm.choose(this.#enabled, enabled.length)
    if (chosen === NONE) return undefined
    const process = chosen < processes.count ? processes.id(chosen) : undefined
    if (process === undefined || !enabled.includes(process)) this.#diverge(chosen, 'is no longer enabled', steps.count)
    this.#running = chosen
    this.#phase = 'in a step'
    return process
  }

  /** The step now running reads the location. */
  read(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'read')
    this.#trace.footprint.read(location, site)
  }

  /** The step now running changes the location in a way that commutes with other `add`s, but not with reads and writes. */
  add(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'add')
    this.#trace.footprint.add(location, site)
  }

  /** The step now running writes the location. A read of it by the same step counts as part of the write. */
  write(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'write')
    this.#trace.footprint.write(location, site)
  }

  /** The step now running was enabled by the last write of the location: ordered after it, never a race. */
  wait(location: LocationId, site: SiteId = 0): void {
    this.#expect('in a step', 'wait')
    this.#trace.footprint.wait(location, site)
  }

  /** The step now running was enabled by the end of that process: ordered after its last step, never a race. */
  join(process: ProcessId): void {
    this.#expect('in a step', 'join')
    this.#trace.footprint.join(this.#trace.processes.ordinal(process))
  }

  /** The step now running takes a lock, which is all it does. */
  acquire(location: LocationId): void {
    this.#expect('in a step', 'acquire')
    this.#trace.footprint.special(location, ACQUIRE)
  }

  /** The step now running gives a lock back, which is all it does. */
  release(location: LocationId): void {
    this.#expect('in a step', 'release')
    this.#trace.footprint.special(location, RELEASE)
  }

  /** The step now running is a read that is enabled only while a predicate of the location holds; all it does. */
  until(location: LocationId, holdsBefore: HoldsBefore): void {
    this.#expect('in a step', 'until')
    this.#trace.until(location, holdsBefore)
  }

  /**
   * Ends the step; `nature` is what is known of its footprint in other states.
   * Throws a `DivergenceError` if a recorded step had other accesses this time.
   */
  endStep(nature: StepNature = {}): void {
    this.#expect('in a step', 'endStep')
    const trace = this.#trace
    trace.footprint.checkSupported()
    const { replaying } = trace
    if (replaying && !trace.steps.matches(trace.steps.count, trace.footprint)) {
      this.#diverge(this.#running, 'made other accesses than before', trace.steps.count)
    }
    trace.endStep(this.#running, nature)
    if (!replaying) this.#algorithm.stepEnded()
    trace.footprint.clear()
    this.#phase = 'between steps'
  }

  /** Everything so far happens before everything later: virtual time advanced because nothing else could run. */
  barrier(): void {
    this.#expect('between steps', 'barrier')
    this.#trace.barrier()
  }

  /** Ends the execution. After `stop` or a `DivergenceError` it does nothing. */
  finish(outcome: Outcome): void {
    if (this.#phase === 'ended') return
    this.#expect('between steps', 'finish')
    if (this.#trace.replaying) {
      this.#diverge(this.#trace.steps.process[this.depth] as number, 'is missing: the execution ended before it', this.depth)
    }
    this.#phase = 'between executions'
    const failure = outcome.status === 'complete' ? outcome.failure : undefined
    this.#trace.end(outcome.pending ?? [])
    this.#algorithm.ended({ status: outcome.status, failed: failure !== undefined })
    if (this.#algorithm.counts === false) return
    if (!this.#count(outcome)) return
    if (failure !== undefined) this.#failures.push({ ...failure, schedule: this.#schedule(), execution: this.#executions })
  }

  /** Ends the exploration now, with the reason as it is to be printed. Nothing of a running execution counts. */
  stop(reason: string): void {
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
    const failed = this.#failures.length > 0
    return {
      verdict: failed ? 'fails' : reason === undefined ? 'holds' : 'inconclusive',
      executions: this.#executions,
      blocked: this.#blocked,
      steps: this.#steps,
      estimate: this.#started ? Math.max(this.#executions, this.#algorithm.estimate()) : 0,
      interleave: this.#options.interleave,
      failures: this.#failures,
      ...(this.#options.part === undefined ? {} : { part: this.#options.part }),
      ...(reason === undefined ? {} : { inconclusiveReason: reason }),
    }
  }

  #makeAlgorithm(): Algorithm {
    const { replay, part, algorithm } = this.#options
    if (replay !== undefined) return new Replay(this.#trace, parseSchedule(replay))
    const share = parsePart(part ?? '1/1')
    return share.isWhole ? algorithmNamed(algorithm, this.#trace) : dividedAlgorithm(algorithm, this.#trace, share)
  }

  #begin(recorded: number): true {
    if (!this.#started) this.#budget.start()
    this.#started = true
    this.#trace.begin(recorded)
    this.#phase = 'between steps'
    return true
  }

  #chooseRecorded(enabled: readonly ProcessId[]): ProcessId {
    const { processes, steps } = this.#trace
    const ordinal = steps.process[steps.count] as number
    const process = ordinal < processes.count ? processes.id(ordinal) : undefined
    if (process === undefined || !enabled.includes(process)) this.#diverge(ordinal, 'is no longer enabled', steps.count)
    this.#running = ordinal
    this.#phase = 'in a step'
    return process
  }

  #diverge(ordinal: number, what: string, step: number): never {
    const { processes, steps, footprint } = this.#trace
    this.stop('a divergence')
    throw new DivergenceError(what, {
      process: ordinal < processes.count ? processes.id(ordinal) : (NONE as ProcessId),
      step,
      expected: step < this.#trace.recorded ? steps.accesses(step) : [],
      actual: listAccesses(footprint, 0, footprint.length),
    })
  }

  /** False: it was one too many. */
  #count(outcome: Outcome): boolean {
    if (outcome.status !== 'blocked' && !this.#budget.execution()) return false
    this.#steps += this.depth
    if (outcome.status === 'complete') this.#executions++
    else if (outcome.status === 'blocked') this.#blocked++
    else this.#budget.truncated()
    return true
  }

  #schedule(): string {
    return formatSchedule(this.#trace.steps.process.subarray(0, this.#trace.steps.count))
  }

  #inconclusiveReason(): string | undefined {
    if (this.#options.replay !== undefined) return 'replay: one execution only'
    if (this.#budget.reason !== undefined) return this.#budget.reason
    const running = this.#phase === 'between steps' || this.#phase === 'in a step'
    return !this.#started || running || this.#algorithm.more ? 'not every class was explored' : undefined
  }

  #expect(phase: Phase, call: string): void {
    if (this.#phase !== phase) throw new EngineError(`${call} was called ${this.#phase}, not ${phase}`)
  }
}
