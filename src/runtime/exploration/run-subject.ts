import { Object } from '../../engine/intrinsics.ts'
import type { Failure, Outcome } from '../../engine/index.ts'
import { endBodyAtServers } from '../drivers/servers.ts'
import { OutOfTime } from '../execution/errors.ts'
import type { Ending, Execution } from '../execution/execution.ts'
import { runStaged, type Staged } from './staged.ts'
import { Start, type AtEnd } from './start.ts'
import type { Body, Subject, Tasks } from './subject.ts'
import { endOf, type ExecutionHooks } from './surroundings.ts'
import { deadlock, livelock, waitingPlaces } from './waiting.ts'

interface Around {
  readonly surroundings?: ExecutionHooks | undefined
  /** By what there is no time any more. */
  readonly whatEnds: () => string | undefined
}

/** Runs what is explored, once for each execution, with what comes after it. */
export class SubjectRunner {
  readonly #subject: Subject
  readonly #surroundings: ExecutionHooks | undefined
  readonly #whatEnds: () => string | undefined
  #tasks: readonly { readonly name: string; readonly task: (state: unknown) => unknown }[] | undefined
  #leavesState = false

  constructor(subject: Subject, { surroundings, whatEnds }: Around) {
    this.#subject = subject
    this.#surroundings = surroundings
    this.#whatEnds = whatEnds
  }

  /** What this execution has changed is not put back. */
  get leavesState(): boolean {
    return this.#leavesState
  }

  /** @throws OutOfTime where the execution would not end in time */
  async run(execution: Execution): Promise<Outcome> {
    const outcome = await this.#run(execution)
    const cleanUps = this.#surroundings?.cleanUps?.(endOf(outcome)) ?? []
    return cleanUps.length === 0 ? outcome : await this.#cleanUp(execution, outcome, cleanUps)
  }

  async #run(execution: Execution): Promise<Outcome> {
    const subject = this.#subject
    if (typeof subject === 'function') return (await this.#runBody(execution, subject, (part) => this.#surroundings?.atEnd?.(part) ?? [])).outcome
    return 'run' in subject ? this.#runStaged(execution, subject) : this.#runTasks(execution, subject)
  }

  async #runBody(execution: Execution, body: Body, atEnd: AtEnd | undefined): Promise<{ readonly outcome: Outcome; readonly value: unknown }> {
    const start = new Start('test', body, atEnd)
    const outcome = this.#outcome(execution, await this.#explored(execution, [start]), [start])
    return { outcome, value: start.value }
  }

  async #runTasks(execution: Execution, subject: Tasks): Promise<Outcome> {
    const setup = await this.#alone(execution, 'setup', () => subject.setup?.())
    if (setup.hasFailed) return failed('error', setup.value)
    this.#tasks ??= Object.entries(subject.tasks).map(([key, task]) => ({ name: taskName(key, task), task }))
    const starts = this.#tasks.map(({ name, task }) => new Start(name, () => task(setup.value)))
    const outcome = this.#outcome(execution, await this.#explored(execution, starts), starts)
    if (outcome.status !== 'complete' || outcome.failure || !subject.invariant) return outcome
    const results = starts.map((start) => start.value)
    const check = await this.#alone(execution, 'invariant', () => subject.invariant!(setup.value, results))
    if (check.hasFailed) return failed('invariant', check.value)
    return check.value === false ? failed('invariant', new Error('the invariant returned false')) : outcome
  }

  #runStaged(execution: Execution, subject: Staged): Promise<Outcome> {
    return runStaged(subject, {
      alone: (name, work, { isLate }) => (isLate ? execution.cleansUp(() => this.#alone(execution, name, work)) : this.#alone(execution, name, work)),
      explored: async (work, atEnd) => {
        execution.around = new Set(execution.suspended)
        const ended = typeof work === 'function' ? await this.#runBody(execution, work, atEnd) : { outcome: await this.#runTasks(execution, work), value: undefined }
        // Nobody looks at what a failing execution has left.
        if (ended.outcome.status !== 'complete' || ended.outcome.failure) execution.accesses.part = 'alone'
        return ended
      },
      leaveState: () => {
        this.#leavesState = true
      },
    })
  }

  /** What somebody waits for when it ends has nobody who would let go of what others need. */
  async #explored(execution: Execution, starts: readonly Start[]): Promise<Ending> {
    const ending = await whileWaitedFor(starts, () => execution.runExplored(starts))
    const isOver = ending === 'finished' && starts.every(({ hasFailed }) => !hasFailed) && execution.suspended.size <= execution.around.size
    if (!isOver) await endBodyAtServers(execution)
    return ending
  }

  async #alone(execution: Execution, name: string, body: () => unknown): Promise<Start> {
    const start = new Start(name, body)
    execution.beginsLeftOver()
    const ending = await whileWaitedFor([start], () => execution.runAlone(start))
    execution.hasNoTimeLimit = false
    if (start.isDone) return start
    if (ending === 'out of time' || (ending === 'overdue' && this.#whatEnds() !== undefined)) throw new OutOfTime()
    start.hasFailed = true
    start.value = ending === 'stuck' || ending === 'circling' ? deadlock(execution) : new Error(`${name} waits for something real that takes too long: ${waitingPlaces(execution)}`)
    return start
  }

  #outcome(execution: Execution, ending: Ending, starts: readonly Start[]): Outcome {
    switch (ending) {
      case 'overdue':
        execution.search.stop(`waiting for something real at ${waitingPlaces(execution)}: ${this.#whatEnds() ?? 'it takes too long'}`)
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
      this.#surroundings?.afterEach?.()
    } catch (error) {
      return failed('error', error)
    }
    return { status: 'complete' }
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
}

/** What the starts have begun goes on until then. */
async function whileWaitedFor(starts: readonly Start[], run: () => Promise<Ending>): Promise<Ending> {
  try {
    return await run()
  } finally {
    for (const start of starts) start.leave()
  }
}

function failed(kind: Failure['kind'], error: unknown): Outcome {
  return { status: 'complete', failure: { kind, error } }
}

function taskName(key: string, task: (...args: never[]) => unknown): string {
  if (!/^\d+$/.test(key)) return key
  return task.name && task.name !== 'tasks' ? `${task.name}#${Number(key) + 1}` : `task#${Number(key) + 1}`
}
