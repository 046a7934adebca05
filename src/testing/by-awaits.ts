import type { Failure } from '../engine/index.ts'
import type { Experiment, Explanation } from '../report/index.ts'
import { exploreRecorded, isSameFailure, nativeNow, type BodyExploration, type RecordedExecution, type RunOptions, type Subject } from '../runtime/index.ts'
import { Investigation } from './experiment.ts'
import { quiet } from './quiet.ts'

export interface FoundByEvents {
  readonly explanation: Explanation
  readonly testFile: string | undefined
  readonly subject: Subject
  readonly options: RunOptions
  readonly result: BodyExploration
  readonly failure: Failure
}

/** The plain run in steps of awaits, and what other such orders have shown of its failure. */
export interface ToldByAwaits {
  readonly failure: Failure
  readonly recording: RecordedExecution
  readonly experiment: Experiment | undefined
}

/** Milliseconds, at most. */
const longest = 1500

/** Milliseconds before the deadline of the test that are kept in hand to tell of the failure. */
const toTell = 500

/**
 * What calls do to one another within one turn of the event loop has no order of events. Where such a failure is told by nothing of the code under test, and the plain run fails as well,
 * that run is told in steps of awaits. Undefined where it does not fail alike there.
 */
export async function tellByAwaits({ explanation, testFile, subject, options, result, failure }: FoundByEvents): Promise<ToldByAwaits | undefined> {
  const { replay, part } = options
  if (result.interleave !== 'event-loop' || !result.plainFails || replay !== undefined || part !== undefined || 'run' in subject) return undefined
  if (isKnown(explanation, testFile)) return undefined
  const maxTime = Math.min(options.maxTime ?? Infinity, longest, (options.deadline ?? Infinity) - toTell - nativeNow())
  if (maxTime <= 0) return undefined
  const investigation = new Investigation()
  try {
    const { result: { failures: [found] }, recording } = await exploreRecorded(subject, {
      ...options,
      interleave: 'await',
      maxTime,
      stopOnFirst: true,
      reproduce: 1,
      surroundings: options.surroundings && quiet(options.surroundings),
      investigate: investigation.investigate,
      onProgress: undefined,
      leavesState: false,
    })
    if (!found || !recording || found.execution !== 1 || !isSameFailure(found, failure)) return undefined
    return { failure: found, recording, experiment: investigation.experiment }
  } catch {
    // What cannot be explored so tells nothing.
    return undefined
  }
}

/** Nothing finer is to be had. */
function isKnown(explanation: Told, testFile: string | undefined): boolean {
  if (explanation.failureKind === 'deadlock') return explanation.passesWith !== undefined || waitsInCode.has(explanation.kind)
  return explanation.failing?.sequentially === 'fails' || (tellsOfCode(explanation, testFile) && !isLastResort(explanation))
}

type Told = Pick<Explanation, 'rows' | 'kind' | 'failureKind' | 'passesWith' | 'failing'>

/** Who waits for what of its own, or for what another one has kept. */
const waitsInCode: ReadonlySet<Explanation['kind']> = new Set(['self-deadlock', 'leaked-permit'])

/** No order of events passes, and where calls do not overlap two accesses come the other way round: most do. */
const isLastResort = ({ kind, failing, passesWith }: Told): boolean => failing !== undefined && passesWith === undefined && (kind === 'order-violation' || kind === 'last-write-wins')

/** It tells of the code under test, and of a look there by which somebody acts where that was told by an order alone; or at least of something. */
export const tellsMore = (finer: Told, found: Told, testFile: string | undefined): boolean =>
  (tellsOfCode(finer, testFile) && !(isLastResort(found) && (finer.kind === found.kind || isLastResort(finer)))) || (found.rows.length === 0 && finer.rows.length > 0) || (found.kind === 'never-settled' && finer.kind !== 'never-settled')

/** A row of it is of something other than what the test itself keeps. */
const tellsOfCode = ({ rows }: Pick<Explanation, 'rows'>, testFile: string | undefined): boolean => rows.some(({ place }) => place !== undefined && place.file !== testFile)
