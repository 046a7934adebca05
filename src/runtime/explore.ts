import { DivergenceError, formatSchedule, ReplayError, Search, type Exploration, type Failure, type Outcome, type SearchOptions } from '../engine/index.ts'
import { asNondeterminism, changedOutcome, compare, type Rerun } from './determinism.ts'
import { NondeterminismError } from './errors.ts'
import { Execution, type Ending, type ExecutionSearch } from './execution.ts'
import { quietWork, type ActiveWork } from './foreign.ts'
import { patchGlobals } from './globals.ts'
import { Identities } from './identity.ts'
import { afterMacrotask, nativeNow } from './native.ts'
import { Recorder, type RecordedExecution } from './recording.ts'
import { watchRejections } from './rejections.ts'
import { placeOf } from './sources.ts'
import { Start } from './start.ts'
import { deadlock, waitingPlaces } from './waiting.ts'

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

export interface RunOptions extends SearchOptions {
  /** How often a failing execution is replayed, to be sure that it is the schedule that makes it fail; a passing one, to be sure that it is deterministic. Default 10. */
  readonly reproduce?: number | undefined
  /** Real time, in milliseconds since the epoch, at which to end. Default: never. */
  readonly deadline?: number | undefined
  /** What to call the deadline when it ends the exploration. */
  readonly deadlineName?: string | undefined
  /** Called before every execution. */
  readonly beforeEach?: (() => void) | undefined
  /** Called after every execution; an error it throws is the execution's failure. */
  readonly afterEach?: (() => void) | undefined
}

/** What explores: the engine's search, or in tests an enumeration to compare it with. */
export type MakeSearch = (options: SearchOptions) => ExecutionSearch

/** Longest time without a turn of the event loop, so that the test runner stays alive. Milliseconds. */
const turnEvery = 30
/** Longest time spent on checking that the body is deterministic. Milliseconds. */
const checkFor = 300

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
export function explore(subject: Body | Tasks, options: RunOptions = {}, makeSearch?: MakeSearch): Promise<Exploration> {
  return exclusively(() => new Explorer(subject, options, makeSearch).explore())
}

/** Runs one schedule and writes it down. */
export function record(subject: Body | Tasks, options: RunOptions, schedule: string): Promise<RecordedExecution> {
  return exclusively(async () => (await new Explorer(subject, options).record(schedule)).recording)
}

class Explorer {
  readonly #subject: Body | Tasks
  readonly #options: RunOptions
  readonly #epoch = nativeNow()
  #baseline!: ActiveWork
  readonly #makeSearch: MakeSearch
  #lastTurn = nativeNow()

  constructor(subject: Body | Tasks, options: RunOptions, makeSearch: MakeSearch = (given) => new Search(given)) {
    this.#subject = subject
    this.#options = options
    this.#makeSearch = makeSearch
  }

  explore(): Promise<Exploration> {
    return this.#withControl(async () => {
      const search = this.#makeSearch({ interleave: 'await', ...this.#options })
      const first = await this.#search(search, new Identities())
      const result = search.result()
      await this.#checkDeterminism(result, first)
      return result
    })
  }

  record(schedule: string): Promise<Rerun> {
    return this.#withControl(() => this.#replay(schedule))
  }

  async #withControl<T>(work: () => Promise<T>): Promise<T> {
    this.#baseline = await quietWork()
    const release = patchGlobals()
    const unwatch = watchRejections()
    try {
      return await work()
    } finally {
      // Node tells of a rejection that was handled late in a turn of its own.
      await new Promise<void>(afterMacrotask)
      unwatch()
      release()
    }
  }

  /** Runs executions until the search ends; returns the schedule of the first complete one that counts. */
  async #search(search: ExecutionSearch, identities: Identities, recorder?: Recorder): Promise<string | undefined> {
    let first: string | undefined
    while (search.next()) {
      const execution = await this.#execute(search, identities, recorder)
      if (first === undefined && search.result().executions > 0) first = formatSchedule(execution.path)
      if (this.#isOverdue()) search.stop(this.#options.deadlineName ?? 'the deadline')
      await this.#takeTurn()
    }
    return first
  }

  async #execute(search: ExecutionSearch, identities: Identities, recorder: Recorder | undefined): Promise<Execution> {
    const started = nativeNow()
    const execution = new Execution({
      search,
      identities,
      recorder,
      seed: this.#options.seed ?? 0,
      epoch: this.#epoch,
      baseline: this.#baseline,
      deadline: () => this.#options.deadline ?? started + longestWait,
    })
    try {
      this.#options.beforeEach?.()
      const outcome = await this.#run(execution)
      search.finish(outcome)
      return execution
    } catch (error) {
      if (error instanceof DivergenceError) throw asNondeterminism(error, execution)
      if (error instanceof ReplayError && this.#options.replay === undefined) {
        throw new NondeterminismError('a schedule could not be taken a second time', placeOf(execution.lastSite))
      }
      throw error
    } finally {
      const lost = execution.abandon()
      if (lost.length > 0) search.stop(`changes to state that is older than the test could not be undone: ${lost.join(', ')}`)
    }
  }

  async #run(execution: Execution): Promise<Outcome> {
    const subject = this.#subject
    if (typeof subject === 'function') {
      const start = new Start('test', subject)
      return this.#outcome(execution, await execution.runExplored([start]), [start])
    }
    const setup = await this.#alone(execution, 'setup', () => subject.setup?.())
    if (setup.hasFailed) return failed('error', setup.value)
    const starts = Object.entries(subject.tasks).map(
      ([name, task]) => new Start(taskName(name, task), () => task(setup.value)),
    )
    const outcome = this.#outcome(execution, await execution.runExplored(starts), starts)
    if (outcome.status !== 'complete' || outcome.failure || !subject.invariant) return outcome
    const results = starts.map((start) => start.value)
    const check = await this.#alone(execution, 'invariant', () => subject.invariant!(setup.value, results))
    if (check.hasFailed) return failed('invariant', check.value)
    return check.value === false ? failed('invariant', new Error('the invariant returned false')) : outcome
  }

  async #alone(execution: Execution, name: string, body: () => unknown): Promise<Start> {
    const start = new Start(name, body)
    const ending = await execution.runAlone(start)
    if (start.isDone) return start
    start.hasFailed = true
    start.value = ending === 'stuck' ? deadlock(execution) : new Error(`${name} waits for something real that takes too long: ${waitingPlaces(execution)}`)
    return start
  }

  #outcome(execution: Execution, ending: Ending, starts: readonly Start[]): Outcome {
    switch (ending) {
      case 'overdue':
        execution.search.stop(`waiting for something real at ${waitingPlaces(execution)}: ${this.#options.deadlineName ?? 'it takes too long'}`)
        return { status: 'truncated' }
      case 'blocked':
      case 'truncated':
        return { status: ending }
      case 'stuck':
        return failed('deadlock', deadlock(execution))
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
      this.#options.afterEach?.()
    } catch (error) {
      return failed('error', error)
    }
    return { status: 'complete' }
  }

  // Determinism ------------------------------------------------------------------------------

  /** Replays what the verdict rests on: the failing execution, or the first one. */
  async #checkDeterminism(result: Exploration, first: string | undefined): Promise<void> {
    if (result.verdict === 'inconclusive') return
    const failure = result.failures[0]
    const schedule = failure?.schedule ?? first
    if (schedule === undefined) return
    const times = this.#options.reproduce ?? 10
    const end = nativeNow() + checkFor
    let expected: Rerun | undefined
    // One set of names for all runs: what a run calls by another name it does not find again.
    const identities = new Identities()
    for (let i = 0; i < times && (i < 2 || nativeNow() < end); i++) {
      const actual = await this.#replay(schedule, identities)
      if (actual.failure?.kind !== failure?.kind) throw changedOutcome(actual, failure)
      if (expected) compare(expected.recording, actual.recording)
      expected ??= actual
    }
  }

  async #replay(schedule: string, identities = new Identities()): Promise<Rerun> {
    const { stopOnFirst: _, maxExecutions: __, part: ___, ...options } = this.#options
    const search = new Search({ interleave: 'await', ...options, replay: schedule })
    const recording = new Recorder()
    await this.#search(search, identities, recording)
    return { recording, failure: search.result().failures[0] }
  }

  #isOverdue(): boolean {
    return this.#options.deadline !== undefined && nativeNow() >= this.#options.deadline
  }

  async #takeTurn(): Promise<void> {
    if (nativeNow() - this.#lastTurn < turnEvery) return
    await new Promise<void>(afterMacrotask)
    this.#lastTurn = nativeNow()
  }
}

function failed(kind: Failure['kind'], error: unknown): Outcome {
  return { status: 'complete', failure: { kind, error } }
}

function taskName(key: string, task: (...args: never[]) => unknown): string {
  if (!/^\d+$/.test(key)) return key
  return task.name && task.name !== 'tasks' ? `${task.name}#${Number(key) + 1}` : `task#${Number(key) + 1}`
}
