import { Search, type Failure } from '../../engine/index.ts'
import { Math } from '../../engine/intrinsics.ts'
import type { ExplorationOptions } from '../../options/index.ts'
import { Identities } from '../execution/identity.ts'
import { nativeNow } from '../execution/native.ts'
import { namesForReplays } from './determinism.ts'
import { failingLike, followed, type RecordedFailure } from './fewest-switches.ts'
import type { OrderRunner } from './other-orders.ts'

/** Longest time spent on it, but for the first executions. Milliseconds. */
const longest = 300

/** Executions that are tried in any case. */
const first = 50

/** And these, where they take no longer than this: a machine that has much else to do is slow, and tells the same. Milliseconds. */
const usual = 300
const longestUsual = 1_000

/** A failing execution, written down in names of its own. */
export interface FailureWithNames extends RecordedFailure {
  readonly names: Identities
}

/**
 * The same failure in a class that needs fewer switches, in its order that has the fewest; of those classes that there is time for the best one. What was met first
 * may have come at random.
 */
export async function withFewerSwitches(failure: Failure, switches: number, { runner, options }: { readonly runner: OrderRunner; readonly options: ExplorationOptions }): Promise<FailureWithNames | undefined> {
  const search = searchWithin(switches - 1, options)
  const identities = new Identities({ assumptions: runner.newAssumptions() })
  const begin = nativeNow()
  const isInTime = (tried: number): boolean => {
    const spent = nativeNow() - begin
    return tried < first || spent < longest || (tried < usual && spent < longestUsual)
  }

  let best: FailureWithNames | undefined
  for (let tried = 0; fewestOf(best) > 0 && isInTime(tried) && runner.hasTime() && search.next(); tried++) {
    const fails = failingLike(failure, await runner.execute(search, identities, { waitsInVain: failure.kind === 'deadlock' }))
    if (!fails) continue
    const order = search.executionOrder()
    if (order.fewestSwitches >= fewestOf(best)) continue
    const plan = order.inFewestSwitches().map((step) => order.steps[step]!.process)
    const names = namesForReplays({ keepsObjects: true })
    const found = await followed({ failure: fails, plan }, names, runner)
    // Its order among changes that the search has merged may be another one.
    if (found && found.recording.order.switches < fewestOf(best)) best = { ...found, names }
  }
  return best

  function fewestOf(found: FailureWithNames | undefined): number {
    return found ? found.recording.order.switches : switches
  }
}

/** Budgets are those of the telling, not of the exploration. */
function searchWithin(preemptions: number, { preemptionBound = Infinity, ...options }: ExplorationOptions): Search {
  const bound = Math.min(preemptions, preemptionBound)
  return new Search({ ...options, algorithm: 'optimal', part: undefined, maxExecutions: Infinity, maxTime: Infinity, stopOnFirst: false, search: 'preemptions', preemptionBound: bound })
}
