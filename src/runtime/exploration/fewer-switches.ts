import { Guided } from '../../engine/algorithms/guided.ts'
import { formatSchedule, parseSchedule, Search, type Failure } from '../../engine/index.ts'
import { Math } from '../../engine/intrinsics.ts'
import type { ExplorationOptions } from '../../options/index.ts'
import { Identities } from '../execution/identity.ts'
import { nativeNow } from '../execution/native.ts'
import { namesForReplays, type Run } from './determinism.ts'
import type { OrderRunner } from './other-orders.ts'
import { isSameFailure } from './same-failure.ts'

/** Longest time spent on it, but for the first executions. Milliseconds. */
const longest = 300

/** Executions that are tried in any case. */
const first = 50

/** An execution that fails, and how its processes would come with the fewest switches. */
interface Found {
  readonly schedule: string
  readonly plan: readonly number[]
}

/**
 * The same failure in a class that needs fewer switches, in its order that has the fewest; of those classes that there is time for the best one. What was met first
 * may have come at random.
 */
export async function withFewerSwitches(failure: Failure, switches: number, { runner, options }: { readonly runner: OrderRunner; readonly options: ExplorationOptions }): Promise<Failure | undefined> {
  const waitsInVain = failure.kind === 'deadlock'
  const failsAlike = ({ execution, outcome }: Run): Failure | undefined => {
    if (outcome.status !== 'complete' || !outcome.failure || !execution.clock.isPossible(execution) || !isSameFailure(outcome.failure, failure)) return undefined
    return { ...failure, ...outcome.failure, schedule: formatSchedule(execution.path) }
  }

  const search = searchWithin(switches - 1, options)
  const identities = new Identities({ assumptions: runner.newAssumptions() })
  const end = nativeNow() + longest
  let found: Found | undefined
  let fewest = switches
  for (let i = 0; fewest > 0 && (i < first || nativeNow() < end) && runner.hasTime() && search.next(); i++) {
    const fails = failsAlike(await runner.execute(search, identities, { waitsInVain }))
    if (!fails) continue
    const order = search.executionOrder()
    if (order.fewestSwitches >= fewest) continue
    fewest = order.fewestSwitches
    found = { schedule: fails.schedule, plan: order.inFewestSwitches().map((step) => order.steps[step]!.process) }
  }
  if (!found) return undefined

  const { schedule, plan } = found
  const guided = runner.newSearch((trace) => new Guided(trace, parseSchedule(schedule), [plan]))
  const names = namesForReplays({ keepsObjects: false })
  let fails: Failure | undefined
  while (runner.hasTime() && guided.next()) fails = failsAlike(await runner.execute(guided, names, { waitsInVain }))
  return fails
}

/** Budgets are those of the telling, not of the exploration. */
function searchWithin(preemptions: number, { preemptionBound = Infinity, ...options }: ExplorationOptions): Search {
  const bound = Math.min(preemptions, preemptionBound)
  return new Search({ ...options, algorithm: 'optimal', part: undefined, maxExecutions: Infinity, maxTime: Infinity, stopOnFirst: false, search: 'preemptions', preemptionBound: bound })
}
