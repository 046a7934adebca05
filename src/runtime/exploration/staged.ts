import type { Outcome } from '../../engine/index.ts'
import { OutOfTime } from '../execution/errors.ts'
import type { AtEnd, Start } from './start.ts'
import type { Body, Tasks } from './subject.ts'

/**
 * A body with what belongs before and after it, in the hands of somebody else, such as the loop of a test runner: each execution is one
 * run of this. What the runner itself does between the stages is not looked at.
 */
export interface Staged {
  /** Runs everything once; returns what went wrong. @throws what ends the exploration without a verdict */
  readonly run: (stages: Stages) => Promise<readonly unknown[]>
}

/** The parts of one execution, which come one after the other. */
export interface Stages {
  /** Code before the body, or after it: there is one order. @throws what it throws */
  alone(name: string, work: () => unknown): Promise<unknown>
  /** The body, or the tasks. @param atEnd gives what the runner calls in the step in which a body ends that passes. @throws what they throw, or GivenUp */
  explored(work: Body | Tasks, atEnd?: AtEnd): Promise<unknown>
  /** What has changed in this execution is not put back: it is there for others as well. No other execution can begin as this one did. */
  leaveState(): void
}

/** The execution does not go on: nobody needs it any more, or it cannot be explored. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'

  constructor() {
    super('this execution was given up by vitest-dpor')
  }
}

/** What an execution does with the parts. */
export interface StageRunner {
  /** @param isLate the time for the execution is over, and this is what has to be done all the same */
  alone(name: string, work: () => unknown, options: { readonly isLate: boolean }): Promise<Start>
  explored(work: Body | Tasks, atEnd: AtEnd | undefined): Promise<{ readonly value: unknown; readonly outcome: Outcome }>
  leaveState(): void
}

/** Runs everything once. @throws what went wrong with the execution itself */
export async function runStaged(subject: Staged, runner: StageRunner): Promise<Outcome> {
  let outcome: Outcome = { status: 'complete' }
  let broken: { readonly error: unknown } | undefined
  /** It was cut short. Hooks that come after it may have something to clean up that is not put back, in a server for instance. */
  let cut: OutOfTime | undefined
  let isOver = false
  let last: Promise<unknown> = Promise.resolve()

  /** Hooks may be started together. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  async function unbroken<T>(work: () => Promise<T>): Promise<T> {
    if (broken || isOver) throw new GivenUp()
    try {
      return await work()
    } catch (error) {
      if (error instanceof OutOfTime) cut = error
      else broken = { error }
      throw new GivenUp()
    }
  }

  const errors = await subject.run({
    alone: (name, work) => inTurn(async () => {
      const { hasFailed, value } = await unbroken(() => runner.alone(name, work, { isLate: cut !== undefined }))
      if (hasFailed) throw value
      return value
    }),
    explored: (work, atEnd) => inTurn(async () => {
      if (cut) throw new GivenUp()
      const { value, outcome: ended } = await unbroken(() => runner.explored(work, atEnd))
      outcome = ended
      if (ended.status !== 'complete') throw new GivenUp()
      if (ended.failure) throw ended.failure.error
      return value
    }),
    leaveState: () => runner.leaveState(),
  })
  isOver = true
  if (broken) throw broken.error
  if (cut) throw cut
  if (errors.length === 0 || outcome.status !== 'complete' || outcome.failure) return outcome
  return { status: 'complete', failure: { kind: 'error', error: errors[0] } }
}
