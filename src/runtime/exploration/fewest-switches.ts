import { Guided } from '../../engine/algorithms/guided.ts'
import { formatSchedule, parseSchedule, type Failure } from '../../engine/index.ts'
import { NondeterminismError } from '../execution/errors.ts'
import { Recorder, type RecordedExecution } from '../execution/recording.ts'
import type { OrderRunner } from './other-orders.ts'
import { isSameFailure } from './same-failure.ts'

/** A failing execution, written down. */
export interface RecordedFailure {
  readonly failure: Failure
  readonly recording: RecordedExecution
}

/** The failing execution in the order of its class that is the easiest to follow: that with the fewest switches; as it is, if there is no better one. */
export async function inFewestSwitches(failing: RecordedFailure, runner: OrderRunner): Promise<RecordedFailure> {
  try {
    return (await reordered(failing, runner)) ?? failing
  } catch (error) {
    // What cannot be run again stays as it is.
    if (error instanceof NondeterminismError) return failing
    throw error
  }
}

/** Undefined if that is no better. */
async function reordered({ failure, recording: { order } }: RecordedFailure, runner: OrderRunner): Promise<RecordedFailure | undefined> {
  const best = order.inFewestSwitches()
  if (best.every((step, position) => step === position)) return undefined
  const plan = best.map((step) => order.steps[step]!.process)
  const search = runner.newSearch((trace) => new Guided(trace, parseSchedule(failure.schedule), [plan]))
  const waitsInVain = failure.kind === 'deadlock'
  if (!runner.hasTime() || !search.next()) return undefined
  await runner.execute(search, runner.identities, { waitsInVain })
  if (!runner.hasTime() || !search.next()) return undefined
  const recorder = new Recorder(runner.identities)
  const { execution, outcome } = await runner.execute(search, runner.identities, { waitsInVain, recorder })
  if (outcome.status !== 'complete' || !outcome.failure || !isSameFailure(outcome.failure, failure) || !execution.clock.isPossible(execution)) return undefined
  const recording = recorder.finish(search.executionOrder())
  if (recording.order.switches > order.switches) return undefined
  return { failure: { ...failure, ...outcome.failure, schedule: formatSchedule(execution.path) }, recording }
}
