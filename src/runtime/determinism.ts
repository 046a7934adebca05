import type { DivergenceError, Failure } from '../engine/index.ts'
import { NondeterminismError, placeOfDivergence } from './errors.ts'
import type { Execution } from './execution.ts'
import type { RecordedExecution } from './recording.ts'
import { placeOf, type SourcePlace } from './sources.ts'

/** One run of a schedule that has been run before. */
export interface Rerun {
  readonly recording: RecordedExecution
  readonly failure: Failure | undefined
}

export function asNondeterminism(error: DivergenceError, execution: Execution): NondeterminismError {
  const place = placeOfDivergence(error) ?? placeOf(execution.lastSite)
  return new NondeterminismError('a step that was taken before did something else this time', place)
}

export function changedOutcome(actual: Rerun, failure: Failure | undefined): NondeterminismError {
  const what = failure
    ? `a schedule that failed (${failure.kind}) ${actual.failure ? `failed otherwise (${actual.failure.kind})` : 'passed'} when it was replayed`
    : `a schedule that passed failed (${actual.failure!.kind}) when it was replayed`
  return new NondeterminismError(what, lastPlace(actual.recording))
}

/** Two runs of one schedule must make the same accesses. */
export function compare(expected: RecordedExecution, actual: RecordedExecution): void {
  for (const [index, step] of actual.steps.entries()) {
    const before = expected.steps[index]
    if (!before) throw new NondeterminismError('a run of the same schedule has more steps', step.place ?? lastPlace(actual))
    for (let i = 0; i < Math.max(step.accesses.length, before.accesses.length); i++) {
      const [a, b] = [step.accesses[i], before.accesses[i]]
      if (a && b && a.kind === b.kind && a.location === b.location) continue
      throw new NondeterminismError('a second run of the same schedule made other accesses', (a ?? b)?.place ?? step.place ?? lastPlace(actual))
    }
  }
  const missing = expected.steps[actual.steps.length]
  if (missing) throw new NondeterminismError('a run of the same schedule has fewer steps', missing.place ?? lastPlace(actual))
}

/** The last place that is known: the first step of a body goes on nowhere, but its accesses stand somewhere. */
function lastPlace({ steps }: RecordedExecution): SourcePlace | undefined {
  const places = steps.flatMap((step) => [step.place, ...step.accesses.map((access) => access.place)])
  return places.findLast((place) => place !== undefined)
}
