import type { Contended } from '../report/index.ts'
import type { BodyExploration, OpaqueCalls } from '../runtime/index.ts'
import type { ExploredBody } from './explored-body.ts'
import { racingLines, type RacingLines } from './racing-lines.ts'

/** What a JSON report shows of an explored test. */
export interface DporMeta {
  verdict: BodyExploration['verdict']
  executions: number
  blocked: number
  steps: number
  interleave: BodyExploration['interleave']
  /** When two executions counted as the same. */
  equivalence: BodyExploration['equivalence']
  /** Everything here is about this part of the executions only, `'1/4'` for the first of four. */
  part?: string
  /** Replays the failure. */
  schedule?: string
  /** What is not instrumented and was called by more than one process: the name of the package or function, calls in one execution, processes. */
  opaque?: readonly OpaqueCalls[]
  /** Packages in `node_modules` whose own code was seen to access something. */
  packages?: readonly string[]
  /** With `interleave: 'event-loop'`: what stood for I/O, by name. */
  standIns?: readonly string[]
  /** With `interleave: 'event-loop'`: kinds of real I/O that were seen. */
  realIo?: readonly string[]
  /** If it is 'race': when timers fired. */
  time?: 'race'
  /** With `time: 'race'`: some timers were set again and again, and raced three times only. */
  boundsTimers?: true
  /** What came from outside was taken for due to all that several processes had done there: orders in which it comes before a part of that were not run. */
  mergesCauses?: true
  /** Async functions that code which is not instrumented called outside of any step: they were run, and not explored. */
  outside?: readonly string[]
  /** Parsers that are not installed, by name: statements counted as changes of all that a server has. */
  missingParsers?: readonly string[]
  /** Functions that servers may have called which were there before the test: they were run, and not explored. */
  served?: readonly string[]
  /** One execution was enough, because nothing that two processes share was accessed. */
  sharesNothing?: true
  /** What ended the exploration early. */
  inconclusiveReason?: string
  /** How many executions there are in all, and what that lies between, as far as can be told where it ended early. */
  estimate?: number
  estimateRange?: readonly [least: number, most: number]
  /** Of a large exploration: what there are so many orders of. */
  contended?: readonly Contended[]
  /** With the reporter `vitest-dpor/report`: lines that access the same, and in which orders two calls came there. */
  racingLines?: readonly RacingLines[]
}

/** What a JSON report shows of an exploration. */
export function metaOf({ result, contended }: ExploredBody): DporMeta {
  const { verdict, executions, blocked, steps, interleave, equivalence, failures, inconclusiveReason, estimate, estimateRange, part, opaque, packages, outside, missingParsers, served, standIns, realIo, sharesNothing, time, boundsTimers, mergesCauses } = result
  const meta: DporMeta = { verdict, executions, blocked, steps, interleave, equivalence }
  if (part !== undefined) meta.part = part
  if (opaque.length > 0) meta.opaque = opaque
  if (packages.length > 0) meta.packages = packages
  if (interleave === 'event-loop') meta.standIns = standIns
  if (realIo.length > 0) meta.realIo = realIo
  if (time === 'race') meta.time = time
  if (boundsTimers) meta.boundsTimers = true
  if (mergesCauses) meta.mergesCauses = true
  if (outside.length > 0) meta.outside = outside
  if (missingParsers.length > 0) meta.missingParsers = missingParsers
  if (served.length > 0) meta.served = served
  if (contended.length > 0) meta.contended = contended
  if (result.racedPlaces.length > 0) meta.racingLines = racingLines(result.racedPlaces, { isComplete: verdict === 'holds' })
  if (sharesNothing) meta.sharesNothing = true
  if (failures[0]) meta.schedule = failures[0].schedule
  if (verdict === 'inconclusive' && inconclusiveReason !== undefined) meta.inconclusiveReason = inconclusiveReason
  if (verdict === 'inconclusive' && estimateRange !== undefined) Object.assign(meta, { estimate, estimateRange })
  return meta
}
