import { Guided } from '../../engine/algorithms/guided.ts'
import { formatSchedule, parseSchedule, type Failure } from '../../engine/index.ts'
import { NondeterminismError } from '../execution/errors.ts'
import type { Identities } from '../execution/identity.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import { Recorder } from '../execution/recording.ts'
import type { Run } from './determinism.ts'
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
  const found = await followed({ failure, plan }, runner.identities, runner)
  return found && found.recording.order.switches <= order.switches ? found : undefined
}

/** The failing execution with its steps in the order of the plan, written down in these names; undefined where that does not fail alike. */
export async function followed({ failure, plan }: { readonly failure: Failure; readonly plan: readonly number[] }, names: Identities, runner: OrderRunner): Promise<RecordedFailure | undefined> {
  const search = runner.newSearch((trace) => new Guided(trace, parseSchedule(failure.schedule), [plan]))
  const waitsInVain = failure.kind === 'deadlock'
  if (!runner.hasTime() || !search.next()) return undefined
  await runner.execute(search, names, { waitsInVain })
  if (!runner.hasTime() || !search.next()) return undefined
  const recorder = new Recorder(names)
  const fails = failingLike(failure, await runner.execute(search, names, { waitsInVain, recorder }))
  return fails && { failure: fails, recording: recorder.finish(search.executionOrder()) }
}

/** How the run fails, if it does so in the same way. */
export function failingLike(failure: Failure, { execution, outcome }: Run): Failure | undefined {
  if (outcome.status !== 'complete' || !outcome.failure || !execution.clock.isPossible(execution) || !isSameFailure(outcome.failure, failure)) return undefined
  return { ...failure, ...outcome.failure, schedule: formatSchedule(execution.path) }
}
