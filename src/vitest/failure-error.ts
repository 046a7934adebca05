import type { Exploration, Failure } from '../engine/index.ts'
import type { Body, RunOptions, Tasks } from '../runtime/index.ts'

/** An exploration that a bound ended proves nothing. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError'

  constructor({ inconclusiveReason, executions, estimate }: Exploration) {
    super(`inconclusive after ${executions} of about ${Math.round(estimate)} executions: ${inconclusiveReason ?? 'ended early'}. No failure was found so far.`)
  }
}

interface FailedTest {
  readonly subject: Body | Tasks
  readonly options: RunOptions
  readonly result: Exploration
  readonly failure: Failure
  readonly name: string
}

/** The error that Vitest shows for a failing exploration. */
export async function failureError({ failure }: FailedTest): Promise<Error> {
  const error = failure.error instanceof Error ? failure.error : new Error(String(failure.error))
  return error
}
