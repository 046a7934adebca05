import type { Staged } from '../../runtime/index.ts'
import type { ExploredBody } from '../../testing/explored-body.ts'

/** What an exploration came to: it was carried out, or something is wrong with itself. */
export type Ended = { readonly explored: ExploredBody } | { readonly error: unknown }

/** How the test ends. `'plain'`: only a run that nothing controls can tell. */
export type Verdict = { readonly error: Error | undefined } | 'plain'

/** Who explores a test, and knows what is to come of that. */
export interface Judge {
  /** A plain run that fails says all: there are no other orders to look at. */
  readonly endsByPlainFailure: boolean
  /** It tells `RepeatedTest.explored` where the body is; otherwise all that Vitest calls as the test is. */
  readonly showsBody: boolean
  /** Where the first execution makes what stays for the whole file, the exploration begins anew; otherwise it ends. */
  readonly beginsAnew: boolean
  /** Of a test that the user repeats the exploration is one pass, and the others follow it. */
  readonly repeatsAsItIs: boolean
  /** A test with `retry` that fails is explored once more. */
  readonly triesAgain: boolean
  /** Once its test is over: it is to run once more, when all others of its suite are over as well. */
  readonly isToRunAgain: boolean
  /** Each execution is one run of `passes`. @throws if nothing can be explored */
  explore(passes: Staged): Promise<ExploredBody>
  verdictOn(ended: Ended): Promise<Verdict>
  /** The test was run, and not explored. @throws if it was to be */
  left(reason: string): void
  /** The test is over. */
  finish(state: string): Promise<void>
}
