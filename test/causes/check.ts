import { rewrite } from '../../plugin/3-rewrite/rewrite.ts'
import type { Explanation } from '../../src/report/index.ts'
import { explore, exploreRecorded, install, record } from '../../src/runtime/index.ts'
import { Investigation } from '../../src/testing/experiment.ts'
import { ExplorationError, failureError } from '../../src/testing/failure-error.ts'
import { fewestByTrying } from '../engine/fewest-by-trying.ts'
import { enumerate } from '../reference/enumerate.ts'
import { generate, print } from '../reference/generate.ts'
import { exploreBody, keepsFixedOrders } from '../reference/project.ts'
import { scope } from '../reference/scope.ts'
import { possibleInNode } from '../reference/slower.ts'

install()

let files = 0

/** A body that throws where the one given returns this, as an instrumented file. */
function failingWith(source: string, outcome: string): () => Promise<unknown> {
  const names = Object.keys(scope())
  const code = `export default async function body(${names.join(', ')}) {
    const found = await (async () => {${source}\n})()
    if ((JSON.stringify(found) ?? 'undefined') === ${JSON.stringify(outcome)}) throw new Error('found it')
  }`
  const { code: emitted } = rewrite(code, `/cause-${files++}.js`)!
  // oxlint-disable-next-line no-new-func
  const body = new Function(`'use strict'; ${emitted.replace('export default', '')}; return body`)() as (...values: unknown[]) => Promise<unknown>
  return () => body(...Object.values(scope()))
}

export interface Checked {
  /**
   * What was said of the failure: that it is gone with one race turned round, that calls overlap in every order, that it is no race; `a guess`: that it fails in every order, with a race as one
   * that may be why, as calls cannot be run one after the other; that it does, and would not if a timer fired later than it can; or a race by its looks alone, or nothing. Undefined where there is nothing to check.
   */
  readonly said: 'one race' | 'overlap' | 'a late timer' | 'no race' | 'a guess' | 'by its looks' | 'nothing' | undefined
  /** What of it is wrong. */
  readonly problem: string | undefined
  /** The fewest switches that the failure can come with, where there are not too many orders to try them all. */
  readonly fewest?: number | undefined
  readonly source: string
}

/** Lets a random body fail with one of its outcomes, and compares what is said of that with the enumeration of all its interleavings. */
export async function checkCause(seed: number, { limit = 300 } = {}): Promise<Checked> {
  const source = print(generate({ seed }))
  const { outcomes, isOverLimit } = await enumerate(source, { scope, limit, fixedOrders: keepsFixedOrders })
  const outcome = outcomes[seed % Math.max(1, outcomes.length)]
  if (isOverLimit || outcome === undefined) return { said: undefined, problem: undefined, source }
  const subject = failingWith(source, outcome)
  const options = { maxExecutions: 2_000 }
  const investigation = new Investigation()
  const { result, recording } = await exploreRecorded(subject, { ...options, reproduce: 1, investigate: investigation.investigate })
  const failure = result.failures.find(({ error }) => error instanceof Error && error.message === 'found it')
  if (!failure || failure !== result.failures[0]) return { said: undefined, problem: undefined, source }
  const error = await failureError({ subject, options, result, failure, recording, experiment: investigation.experiment, name: '' })
  if (!(error instanceof ExplorationError)) return { said: undefined, problem: error.message, source }
  const { explanation } = error
  const said = saidIn(explanation)
  const fewest = recording && !explanation.isPlain ? await fewestOfAll(subject, options) : undefined
  const { rows, switches } = explanation
  const problem = problemOf(said, rows.length, outcomes.length) && problemOf(said, rows.length, outcomes.length + (await otherOutcomes(source, outcomes)))
  return { said, problem: problem ?? switchesProblem(switches, fewest), fewest, source }
}

/** Those that the model does not have, and Node comes to where an await takes longer. */
async function otherOutcomes(source: string, known: readonly string[]): Promise<number> {
  const explored = await exploreBody(source, { scope })
  const unknown = explored.outcomes.filter((outcome) => !known.includes(outcome))
  return unknown.length === 0 ? 0 : (await possibleInNode(source, scope, unknown)).length
}

/** The fewest switches of all failing classes, each in every order. Undefined if there are too many. */
async function fewestOfAll(subject: () => Promise<unknown>, options: { readonly maxExecutions: number }): Promise<number | undefined> {
  const { failures, verdict } = await explore(subject, { ...options, search: 'dfs', equivalence: 'trace', stopOnFirst: false, reproduce: 0 })
  if (verdict === 'inconclusive') return undefined
  let fewest = Infinity
  for (const { schedule } of failures) {
    const recording = await record(subject, options, schedule)
    const switches = recording && fewestByTrying(recording.order)
    if (switches === undefined) return undefined
    fewest = Math.min(fewest, switches)
  }
  return fewest
}

function saidIn({ passesWith, failing, rows }: Explanation): NonNullable<Checked['said']> {
  if (passesWith) return 'one race'
  if (failing?.sequentially === 'unknown' && rows.length > 0) return 'a guess'
  if (failing?.sequentially === 'timer') return 'a late timer'
  if (failing) return failing.sequentially === 'passes' || failing.sequentially === 'later' ? 'overlap' : 'no race'
  return rows.length > 0 ? 'by its looks' : 'nothing'
}

/** @param outcomes how many the body has in all its orders, one of which is the failure */
export function problemOf(said: Checked['said'], rows: number, outcomes: number): string | undefined {
  const isOfAllOrders = said === 'overlap' || said === 'a late timer' || said === 'no race' || said === 'a guess'
  if (outcomes > 1 && isOfAllOrders) return `${said}, but the body has ${outcomes} outcomes`
  if (outcomes === 1 && !isOfAllOrders) return `${said}, but the body has one outcome`
  return said === 'no race' && rows > 0 ? 'a race is told that is none' : undefined
}

/** @param fewest of all orders of all failing classes */
export function switchesProblem(told: number, fewest: number | undefined): string | undefined {
  return fewest === undefined || told <= fewest ? undefined : `told with ${told} switches, and ${fewest} are enough`
}
