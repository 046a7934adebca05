import type { MakeAlgorithm } from '../../engine/algorithms/algorithm.ts'
import { Guided } from '../../engine/algorithms/guided.ts'
import { Sequential, type Sequence } from '../../engine/algorithms/sequential.ts'
import { parseSchedule, Search, type Failure, type Outcome } from '../../engine/index.ts'
import type { ExplorationOptions } from '../../options/index.ts'
import type { Assumptions } from '../execution/assumptions.ts'
import type { Time } from '../execution/clock.ts'
import { NondeterminismError } from '../execution/errors.ts'
import type { ExecutionSearch } from '../execution/execution.ts'
import { HeldCalls } from '../execution/held-calls.ts'
import { Identities } from '../execution/identity.ts'
import { nativeNow } from '../execution/native.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import { Recorder } from '../execution/recording.ts'
import type { Witness } from '../execution/told-access.ts'
import { namesForReplays, type Run } from './determinism.ts'
import { countsOnPlainCalls, looksBeforeWhatItBegins } from './early-looks.ts'
import { isSameFailure } from './same-failure.ts'
import { inNumbersOf, sameProcesses, type RecordedOrder } from './same-processes.ts'

/** How an execution in another order has ended. What was not run to its end, or cannot happen, says nothing. */
export type Attempt = 'passes' | 'fails' | 'unknown'

/** Orders of which all have failed. */
export interface FailingOrders {
  readonly executions: number
  /** There are no others. */
  readonly areAll: boolean
}

/** What an execution of another order may do besides. */
export interface OrderParts {
  readonly waitsInVain?: boolean
  readonly heldCalls?: HeldCalls
  readonly recorder?: Recorder
  readonly witness?: Witness | undefined
  /** When timers fire. Default: as the options say. */
  readonly time?: Time
}

/** How it ends when each call begins after the one before has ended. */
export interface OneByOne {
  readonly found: Attempt
  /** Where it passes. */
  readonly order?: RecordedOrder
}

/** What runs the orders. */
export interface OrderRunner {
  /** Those in which the failing execution was written down. */
  readonly identities: Identities
  execute(search: ExecutionSearch, identities: Identities, parts: OrderParts): Promise<Run>
  /** A search that begins with the failing order, or is free of it. */
  newSearch(makeAlgorithm: MakeAlgorithm): Search
  newAssumptions(): Assumptions
  /** Whether one more execution would be over in time. */
  hasTime(): boolean
}

/** Longest time spent on one question, but for the first orders. Milliseconds. */
const longest = 500

/** Orders that are tried in any case: the failing one itself, and the likeliest others. */
const fewest = 12

/** Orders that are tried, where all fail. */
const mostFailing = 200

/** Moments in another call at which one is begun. */
const mostBegun = 40

/** Runs other orders than a failing one, to find out what it comes from. */
export class OtherOrders {
  readonly #runner: OrderRunner
  readonly #options: ExplorationOptions
  readonly #failure: Failure
  readonly #heldCalls = new HeldCalls()

  constructor(runner: OrderRunner, options: ExplorationOptions, failure: Failure) {
    this.#runner = runner
    this.#options = options
    this.#failure = failure
  }

  /**
   * Orders that are close to the failing one, as many as there is time for: each plan has the ordinals of the schedule's processes in
   * the order of their steps, and is followed as far as the processes can run.
   *
   * @param time when timers fire, which is else as the options say
   */
  attempt(plans: readonly (readonly number[])[], { time }: Pick<OrderParts, 'time'> = {}): Promise<readonly Attempt[]> {
    const attempts: Attempt[] = []
    return inTime(attempts, async (isInTime) => {
      const search = this.#runner.newSearch((trace) => new Guided(trace, parseSchedule(this.#failure.schedule), plans))
      const names = namesForReplays({ keepsObjects: false })
      for (let i = 0; (i < fewest || isInTime()) && this.#runner.hasTime() && search.next(); i++) {
        const found = attemptOf(await this.#runner.execute(search, names, { waitsInVain: this.#failure.kind === 'deadlock', ...(time && { time }) }), time)
        if (i > 0) attempts.push(found)
      }
      return attempts
    })
  }

  /** Orders among those of `attempt`, written down; undefined where there was no time, or an execution was not run to its end. */
  record(plans: readonly (readonly number[])[], { names }: Pick<RecordedExecution, 'names'>, { time }: Pick<OrderParts, 'time'> = {}): Promise<readonly (RecordedOrder | undefined)[]> {
    const recorded: (RecordedOrder | undefined)[] = []
    return inTime(recorded, async (isInTime) => {
      let guided!: Guided
      const search = this.#runner.newSearch((trace) => (guided = new Guided(trace, parseSchedule(this.#failure.schedule), plans)))
      for (let i = 0; isInTime() && this.#runner.hasTime() && search.next(); i++) {
        const recorder = new Recorder(this.#runner.identities)
        const run = await this.#runner.execute(search, this.#runner.identities, { recorder, waitsInVain: this.#failure.kind === 'deadlock', ...(time && { time }) })
        if (i === 0) continue
        const isKnown = attemptOf(run, time) !== 'unknown'
        recorded.push(isKnown ? inNumbersOf(names, guided.processes, recorder.finish(search.executionOrder())) : undefined)
      }
      return recorded
    })
  }

  /** Explores until an execution passes: undefined if one does. */
  failing(): Promise<FailingOrders | undefined> {
    return inTime<FailingOrders | undefined>(undefined, async (isInTime) => {
      const search = new Search({ ...this.#options, part: undefined, stopOnFirst: false, maxExecutions: mostFailing })
      const identities = new Identities({ assumptions: this.#runner.newAssumptions() })
      while (isInTime() && this.#runner.hasTime() && search.next()) {
        if (attemptOf(await this.#runner.execute(search, identities, {})) === 'passes') return undefined
      }
      const { executions, inconclusiveReason } = search.result()
      return executions === 0 ? undefined : { executions, areAll: inconclusiveReason === undefined }
    })
  }

  /**
   * Each call of an async function begins only when those that were begun before have ended, as far as they can, or with `lastFirst` those begun after it: an order
   * that the program may not be able to take, but would if somebody waited for one call before the next. Where the test does not pass with that, other
   * functions of which it is known that they return promises are called so as well.
   */
  sequentially(failing: RecordedExecution, sequence: Pick<Sequence, 'lastFirst'> = {}): Promise<OneByOne> {
    return inTime<OneByOne>({ found: 'unknown' }, async () => {
      const tried = await this.#oneByOne(failing, sequence)
      if (tried.found === 'passes' || this.#heldCalls.holdsPlain || !this.#heldCalls.knowsPlain) return tried
      this.#heldCalls.holdPlain()
      return this.#oneByOne(failing, sequence)
    })
  }

  async #oneByOne(failing: RecordedExecution, sequence: Sequence): Promise<OneByOne> {
    const attempts: Attempt[] = []
    // A call may wait for a timer, which has to fire before another call begins; or have set one that must not fire.
    for (const time of ['idle', 'race'] as const) {
      if (!this.#runner.hasTime()) return { found: 'unknown' }
      const { found, recording } = await this.#heldBack(sequence, time)
      if (found === 'passes') return { found, order: sameProcesses(failing, recording) }
      attempts.push(looksBeforeWhatItBegins(recording) ? 'unknown' : found)
    }
    return { found: attempts.includes('unknown') ? 'unknown' : 'fails' }
  }

  /** A call begins when another one has come some way, and runs to its end within that: the first such order in which the test passes. */
  begunLater(failing: RecordedExecution): Promise<RecordedOrder | undefined> {
    return inTime<RecordedOrder | undefined>(undefined, async (isInTime) => {
      for (let holdsAfter = 1; holdsAfter <= mostBegun && isInTime() && this.#runner.hasTime(); holdsAfter++) {
        const { found, recording } = await this.#heldBack({ holdsAfter }, 'idle')
        if (found === 'passes') return sameProcesses(failing, recording)
        if (holdsAfter >= recording.steps.length) return undefined
      }
      return undefined
    })
  }

  async #heldBack(sequence: Sequence, time: Time): Promise<{ readonly found: Attempt; readonly recording: RecordedExecution }> {
    const search = this.#runner.newSearch((trace) => new Sequential(trace, sequence))
    search.next()
    const recorder = new Recorder(this.#runner.identities)
    const { execution, outcome } = await this.#runner.execute(search, this.#runner.identities, { recorder, heldCalls: this.#heldCalls, time, waitsInVain: true })
    const recording = recorder.finish(search.executionOrder())
    const isKnown = execution.hasDelayed && !countsOnPlainCalls(recording)
    return { found: isKnown ? this.#endsAlike(outcome) : 'unknown', recording }
  }

  /** What fails in another way says nothing of this failure. */
  #endsAlike(outcome: Outcome): Attempt {
    const isOther = outcome.status === 'complete' && outcome.failure && !isSameFailure(outcome.failure, this.#failure)
    return isOther ? 'unknown' : endOf(outcome)
  }
}

/** What cannot be run again as it was tells nothing more. */
async function inTime<T>(otherwise: T, work: (isInTime: () => boolean) => Promise<T>): Promise<T> {
  const end = nativeNow() + longest
  try {
    return await work(() => nativeNow() < end)
  } catch (error) {
    if (error instanceof NondeterminismError) return otherwise
    throw error
  }
}

/** @param time when timers fire, if they need not be able to come in that order */
function attemptOf({ execution, outcome }: Run, time?: Time): Attempt {
  return time !== undefined || execution.clock.isPossible(execution) ? endOf(outcome) : 'unknown'
}

function endOf(outcome: Outcome): Attempt {
  if (outcome.status !== 'complete') return 'unknown'
  return outcome.failure ? 'fails' : 'passes'
}
