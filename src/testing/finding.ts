import { estimateText, type Guess } from './estimate-text.ts'
import type { Contended } from '../report/index.ts'
import type { BodyExploration } from '../runtime/index.ts'
import type { ExploredBody } from './explored-body.ts'
import type { Race } from './race.ts'

/**
 * What was found out about an ordinary test. `race`: it fails in another order than the plain one. `known`: so it does, as the baseline says. `alone`: there is one order.
 * `held`: it was one of both the last time, and nothing has changed that it rests on. `fails`: it fails in the plain order; whether it does without this package nobody has seen. `unexplored`: nothing can be said, for a reason.
 */
export type Found = 'race' | 'known' | 'holds' | 'alone' | 'held' | 'inconclusive' | 'fails' | 'unexplored'

/**
 * Time passed while a test waited. `true`: timers fired in the one order that their lengths give; where they may be outlasted there may be more orders. `'fake clock'`: it moved a clock
 * of its own by what waits until all answers have come.
 */
export type Waits = true | 'fake clock'

export interface Finding {
  readonly found: Found
  /** Of `inconclusive` and `unexplored`. */
  readonly reason?: string
  /** Of `race` and `known`, unless there was no time left to look into it. */
  readonly race?: Race
  /** Of `inconclusive`: what one of its executions has most races on. */
  readonly contended?: readonly Contended[]
  /** Of `fails`: it does in a run without exploration as well. */
  readonly isSure?: true
  readonly waits?: Waits
  /** Of `alone`: async functions of the test file that code under test has called, and that answer at once. */
  readonly fakes?: readonly string[]
}

/** What an exploration says of the test. Undefined: only a run without exploration can tell whether the test passes. */
export function findingOf({ result, contended }: Pick<ExploredBody, 'result' | 'contended'>, { timeout }: { readonly timeout: number }): Finding | undefined {
  const { verdict, plainPasses, plainMilliseconds } = result
  if (!plainPasses || (timeout > 0 && plainMilliseconds >= timeout)) return undefined
  switch (verdict) {
    case 'fails':
      return { found: 'race' }
    case 'inconclusive':
      return { found: 'inconclusive', reason: reasonOf(result), ...(contended.length > 0 && { contended }) }
    case 'holds':
      return hasOneOrder(result) ? { found: 'alone', ...waitsOf(result), ...(result.fakes.length > 0 && { fakes: result.fakes }) } : { found: 'holds', ...waitsOf(result) }
    default:
      return verdict satisfies never
  }
}

function waitsOf({ movesFakeClock, plainMilliseconds, time }: BodyExploration): Pick<Finding, 'waits'> {
  if (movesFakeClock) return { waits: 'fake clock' }
  return time === 'idle' && plainMilliseconds > 0 ? { waits: true } : {}
}

/** Why nothing is certain, and how far from that it is. */
export const reasonOf = (result: Pick<BodyExploration, 'inconclusiveReason'> & Guess): string => [result.inconclusiveReason, estimateText(result)].filter((text) => text !== undefined).join('; ')

/** What one schedule has shown. */
export function replayed({ failures, inconclusiveReason = 'one schedule only' }: BodyExploration): Finding {
  return failures.length > 0 ? { found: 'race' } : { found: 'inconclusive', reason: inconclusiveReason }
}

/** Why a run without exploration has to tell. */
export function reasonAgainst({ plainPasses, plainMilliseconds, inconclusiveReason }: BodyExploration): string {
  if (plainPasses) return `it waits for ${Math.round(plainMilliseconds)} ms, which is more than its timeout`
  return inconclusiveReason ?? 'its plain run did not come to an end'
}

/** The plain run counts by itself where something in it stands for I/O in the others. Of a part nobody knows what others have. */
function hasOneOrder({ executions, standIns, part }: BodyExploration): boolean {
  return part === undefined && executions === (standIns.length > 0 ? 2 : 1)
}
