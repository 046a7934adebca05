import type { Outcome } from '../../engine/index.ts'
import type { AtEnd } from './start.ts'

/** How an execution has ended. */
export interface ExecutionEnd {
  /** It was not cut short. */
  readonly isComplete: boolean
  readonly hasFailed: boolean
}

/** What surrounds every execution, for whoever runs a test. */
export interface ExecutionHooks {
  /** Before the first execution. */
  begin(): void
  beforeEach(): void
  /** Called after every execution that has passed so far; an error it throws is the execution's failure. */
  afterEach?(): void
  /** What comes at the end of a body that has passed so far, what it has asked to be called then among it: from now on it is asked for no more. @throws what makes it fail */
  readonly atEnd?: AtEnd
  /** What the body has asked to be called after it, one after another; an error is the execution's failure, unless it has one. */
  cleanUps?(end: ExecutionEnd): readonly (() => unknown)[]
  /** After every execution that was not a run of a schedule which had been explored. `number`: that of a story of it. */
  ended(end: ExecutionEnd, number: () => number): void
  /** After the last one. `staysSo`: what that one has changed stays, as tests that come after find what it has left. */
  end(last: { readonly staysSo: boolean }): void
  /** Errors that no code has caught are none of the runner's where the body listens for them as well. */
  readonly leavesErrorsToListeners?: boolean
}

export function endOf(outcome: Outcome): ExecutionEnd {
  return { isComplete: outcome.status === 'complete', hasFailed: outcome.status === 'complete' && outcome.failure !== undefined }
}
