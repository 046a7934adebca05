import { io } from '../../src/runtime/index.ts'
import { exploreBody } from '../reference/project.ts'
import { scope } from '../reference/scope.ts'

export interface Way {
  readonly interleave: 'await' | 'event-loop'
  /** `'idle'` unless given. */
  readonly time?: 'idle' | 'race'
}

/**
 * Outcomes that one way to explore a body finds, and another one should have found; undefined where there are more executions than the limit, or orders that end early. Not those of
 * a plain run apart from the others, in which nothing stands for I/O: there a loop that asks and asks keeps all else from happening.
 */
export async function lostBetween(source: string, one: Way, other: Way, limit = 240): Promise<readonly string[] | undefined> {
  const explored = ({ interleave, time = 'idle', skipsPlainRun = false }: Way & { readonly skipsPlainRun?: boolean }) =>
    exploreBody(source, { scope: () => ({ ...scope(), io }), interleave, time, skipsPlainRun, limit: limit + 10 })
  const found = await explored({ ...one, skipsPlainRun: true })
  if (found.executions > limit) return undefined
  const wanted = await explored(other)
  if (wanted.executions > limit || wanted.verdict === 'inconclusive') return undefined
  // Where a step is an `await`, one after which nobody handles a rejection ends an order that goes on where it is a part of an event.
  if (wanted.outcomes.some((outcome) => outcome.startsWith('unhandled rejection'))) return undefined
  return found.outcomes.filter((outcome) => !wanted.outcomes.includes(outcome))
}
