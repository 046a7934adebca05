import type { DivergenceError, Failure, Outcome } from '../../engine/index.ts'
import { lostAtServers } from '../drivers/servers.ts'
import { Assumptions } from '../execution/assumptions.ts'
import { NondeterminismError, placeOfDivergence, type Opaque } from '../execution/errors.ts'
import type { Execution } from '../execution/execution.ts'
import { Identities } from '../execution/identity.ts'
import { begunOutside } from '../execution/outside.ts'
import { placeOf } from '../execution/sources.ts'
import { opaqueCalls } from './opaque-report.ts'

/** One execution, and how it ended. */
export interface Run {
  readonly execution: Execution
  readonly outcome: Outcome
  /** It has failed, and will do so again in the pass that follows. */
  readonly comesAgain?: boolean
}

export function asNondeterminism(error: DivergenceError, execution: Execution, opaque: Opaque): NondeterminismError {
  const place = placeOfDivergence(error) ?? placeOf(execution.lastSite)
  return new NondeterminismError('a step that was taken before did something else this time', place, opaque)
}

export function opaqueIn(execution: Execution): Opaque {
  const all = opaqueCalls(execution)
  return { names: all.map(({ name }) => name), packages: [...new Set(all.flatMap(({ packages }) => packages))], outside: begunOutside(), reachesOutside: execution.outside.wasReached, lost: lostAtServers(execution) }
}

/** What is known of a schedule that is run again. */
interface Known {
  /** How it failed. */
  readonly failure: Failure | undefined
  /** How many steps the first run had; undefined of that run. What each of them accesses the engine compares. */
  readonly steps: number | undefined
}

/** @throws NondeterminismError if the run ended otherwise than the schedule did before */
export function checkRerun({ execution, outcome }: Run, { failure, steps }: Known): void {
  const place = placeOf(execution.lastSite)
  const opaque = opaqueIn(execution)
  const actual = outcome.status === 'complete' ? outcome.failure : undefined
  if (actual?.kind !== failure?.kind) throw new NondeterminismError(changedOutcome(actual, failure), place, opaque)
  if (steps !== undefined && execution.path.length > steps) throw new NondeterminismError('a run of the same schedule has more steps', place, opaque)
}

function changedOutcome(actual: Pick<Failure, 'kind'> | undefined, failure: Failure | undefined): string {
  if (!failure) return `a schedule that passed failed (${actual!.kind}) when it was replayed`
  return `a schedule that failed (${failure.kind}) ${actual ? `failed otherwise (${actual.kind})` : 'passed'} when it was replayed`
}

/** Of runs of one schedule, each of which finds out for itself what is there from birth. */
export function namesForReplays({ keepsObjects }: { readonly keepsObjects: boolean }): Identities {
  return new Identities({ keepsObjects, assumptions: new Assumptions({ isTrusting: true, isReplaying: true }) })
}
