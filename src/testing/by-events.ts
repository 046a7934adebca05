import type { Failure } from '../engine/index.ts'
import { latePlaces, type Explanation, type InputRecording, type Place } from '../report/index.ts'
import { exploreRecorded, isSameFailure, nativeNow, type RecordedExecution, type RunOptions, type Subject } from '../runtime/index.ts'
import { quiet } from './quiet.ts'

export interface FoundByAwaits {
  readonly explanation: Explanation
  readonly recording: InputRecording
  readonly subject: Subject
  readonly options: RunOptions
  readonly failure: Failure
}

/** Milliseconds, at most, for the first look for the failure, and for all. */
const longest = { look: 500, all: 1000 }

/** Milliseconds before the deadline of the test that are kept in hand to tell of the failure. */
const toTell = 500

/**
 * Looks for a failure that was found with a switch at every `await` among the orders of events. Returns the awaits that have to take time, as
 * few as were found; `'none'` where it does not come about whatever of them does; undefined where that is not known.
 */
export async function searchByEvents({ explanation, recording, subject, options, failure }: FoundByAwaits): Promise<readonly Place[] | 'none' | undefined> {
  const { interleave = 'await', replay, part } = options
  // The body of an ordinary test is run by somebody else; and how long what a timeout guards takes is said by that.
  if (interleave !== 'await' || replay !== undefined || part !== undefined || explanation.plainFails || explanation.kind === 'timeout-wins' || 'run' in subject) return undefined
  const end = Math.min(nativeNow() + longest.all, (options.deadline ?? Infinity) - toTell)
  if (nativeNow() >= end) return undefined
  const look = (isSlow: (place: Place) => boolean): Promise<Look> => lookByEvents(subject, { ...options, maxTime: Math.min(options.maxTime ?? Infinity, longest.look, end - nativeNow()) }, failure, isSlow)
  const late = latePlaces(explanation.rows, recording)
  let slow: readonly Place[] = late
  if (late.length === 0 || !(await look(among(late))).fails) {
    const { fails, recording: found } = await look(() => true)
    if (fails !== true) return fails === false ? 'none' : undefined
    slow = placesIn(found)
  }
  for (const place of slow) {
    const fewer: readonly Place[] = slow.filter((one) => one !== place)
    if (fewer.length > 0 && nativeNow() < end && (await look(among(fewer))).fails) slow = fewer
  }
  return slow.length > 0 ? slow : undefined
}

interface Look {
  /** Undefined where not all orders were tried. */
  readonly fails: boolean | undefined
  readonly recording?: RecordedExecution | undefined
}

/** Whether it fails alike in some order of events. */
async function lookByEvents(subject: Subject, options: RunOptions, failure: Failure, isSlow: (place: Place) => boolean): Promise<Look> {
  try {
    const { result, recording } = await exploreRecorded(subject, {
      ...options,
      interleave: 'event-loop',
      io: (place) => (isSlow(place) ? 'awaits' : 'nothing'),
      stopOnFirst: true,
      reproduce: 1,
      surroundings: options.surroundings && quiet(options.surroundings),
      investigate: undefined,
      onProgress: undefined,
      leavesState: false,
    })
    if (result.verdict !== 'fails') return { fails: result.verdict === 'holds' ? false : undefined }
    return isSameFailure(result.failures[0]!, failure) ? { fails: true, recording } : { fails: undefined }
  } catch {
    // What cannot be explored so tells nothing.
    return { fails: undefined }
  }
}

/** What the steps of an execution were answers to. */
function placesIn(recording: RecordedExecution | undefined): Place[] {
  const places = new Map<string, Place>()
  for (const { place } of recording?.steps ?? []) if (place) places.set(nameOf(place), place)
  return [...places.values()]
}

function among(places: readonly Place[]): (place: Place) => boolean {
  const names = new Set(places.map(nameOf))
  return (place) => names.has(nameOf(place))
}

const nameOf = ({ file, line, column }: Place): string => `${file}:${line}:${column}`
