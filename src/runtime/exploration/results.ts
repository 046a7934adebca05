import { parseSchedule, type Exploration } from '../../engine/index.ts'
import type { ExplorationOptions } from '../../options/index.ts'
import type { Time } from '../execution/clock.ts'
import type { RecordedExecution } from '../execution/recorded-execution.ts'
import type { OpaqueCalls } from './opaque-report.ts'
import type { RacedPlaces } from './raced-places.ts'

/** What an exploration of a body, or of tasks, found. */
export interface BodyExploration extends Exploration {
  /** Packages and functions that are not instrumented and were called by more than one process. What they keep to themselves is not seen but merged. */
  readonly opaque: readonly OpaqueCalls[]
  /** Packages whose own code accessed something: what they keep is seen. */
  readonly packages: readonly string[]
  /** Async functions that code which is not instrumented called outside of any step: they were run, and not explored. */
  readonly outside: readonly string[]
  /** Parsers that are not installed, by name: statements counted as changes of all that a server has, which a parser knows more of. */
  readonly missingParsers: readonly string[]
  /** Functions that servers may have called which were there before: they were run, and not explored. */
  readonly served: readonly string[]
  /** The plain run fails: the test does so without this package as well. */
  readonly plainFails: boolean
  /** The plain run came to its end, and passes. */
  readonly plainPasses: boolean
  /** Virtual milliseconds that it took. */
  readonly plainMilliseconds: number
  /**
   * What it has changed, or left under way, such as a call that waits for a timer, has ended with it: who comes after it finds that only if the body runs once more without control. With `leavesNoWork`, and
   * where it cannot be run once more under control.
   */
  readonly needsPlainRun: boolean
  /** In it a fake clock was moved by `advanceTimersByTimeAsync` and its like: time goes on there when all else that can run has done so, answers included. */
  readonly movesFakeClock: boolean
  /** With `interleave: 'event-loop'`: what stood for I/O, by name. */
  readonly standIns: readonly string[]
  /** With `interleave: 'event-loop'`: async functions of the test file that code under test has called, and that answered at once, by name. */
  readonly fakes: readonly string[]
  /** With `interleave: 'event-loop'`: kinds of real I/O that were seen. */
  readonly realIo: readonly string[]
  /** When timers fired. */
  readonly time: Time
  /** With `time: 'race'`: some timers were set again and again, and raced three times only. */
  readonly boundsTimers: boolean
  /** What came from outside was taken for due to all that several processes had done there: orders in which it comes before a part of that were not run. */
  readonly mergesCauses: boolean
  /** One execution was enough, because nothing that two processes share was accessed. */
  readonly sharesNothing: boolean
  /** Empty where that was not asked for. */
  readonly racedPlaces: readonly RacedPlaces[]
}

/** What an exploration found, and an execution of it as it was written down. */
export interface Explored {
  readonly result: BodyExploration
  /** The first failing one, or of a large exploration in which nothing failed the last one that passed. Undefined of others, and where no time was left to run it again. */
  readonly recording: RecordedExecution | undefined
}

/** Executions after which who waits for them may ask why there are so many. */
const many = 1_000

/** Whether it shows something to know what there are so many orders of. */
export function isLarge({ verdict, executions }: Exploration): boolean {
  return verdict !== 'fails' && (executions >= many || (verdict === 'inconclusive' && executions > 1))
}

/** Why a replay without a failure says nothing. */
export function replayPassed(schedule: string | undefined, steps: number): string {
  const planned = schedule === undefined ? steps : parseSchedule(schedule).length
  const passed = 'replay: one execution only, which passed'
  return planned < steps ? `${passed}; it went on for ${steps - planned} steps after the end of the schedule, so the code has changed since that was printed` : passed
}

/** What `replay` says for the plain run, where its schedule is not one among the others'. */
export const plainRun = 'plain'

export function isPlainRun({ replay }: { readonly replay?: string | undefined }): boolean {
  return replay === plainRun
}

/** What was found by the plain run, and then by the others. A failure of those tells what races, so it goes before that of the plain run. */
export function afterPlainRun({ cut, ...plain }: Exploration & { readonly cut: string | undefined }, others: Exploration, { stopOnFirst }: ExplorationOptions): Exploration {
  const first = plain.failures.map((failure) => ({ ...failure, schedule: plainRun }))
  const later = others.failures.map((failure) => ({ ...failure, execution: failure.execution + plain.executions }))
  const failures = stopOnFirst && later.length > 0 ? later : [...first, ...later]
  const reason = cut ?? others.inconclusiveReason
  return {
    ...others,
    verdict: failures.length > 0 ? 'fails' : cut === undefined ? others.verdict : 'inconclusive',
    executions: plain.executions + others.executions,
    steps: plain.steps + others.steps,
    estimate: plain.executions + others.estimate,
    failures,
    ...(reason !== undefined && { inconclusiveReason: reason }),
  }
}

/** One execution was all there is. */
export function isOnly({ verdict, executions, blocked }: Exploration): boolean {
  return verdict === 'holds' && executions === 1 && blocked === 0
}
