import type { Outcome } from '../outcome.ts'
import type { Checked } from '../resume/restoring.ts'
import type { Saved } from '../resume/saved.ts'
import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import type { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/**
 * Where algorithms plug in. The search calls `choose` and `stepEnded` in turn while an execution runs, `ended`
 * once at its end, and `advance` before the next one. Recorded steps are replayed without asking.
 */
export interface Algorithm {
  /** The process whose step comes next, one of the first `count` of `enabled`; NONE gives the execution up. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE
  /** What it chose cannot run, and that is no divergence: throws what is. */
  missing?(chosen: Ordinal): void
  /** The step just chosen has ended; its footprint is `trace.footprint` still. */
  stepEnded(): void
  /** The execution has ended; `trace` holds all of it. */
  ended(execution: EndedExecution): void
  /** Whether there is another execution. */
  readonly more: boolean
  /** Prepares the next execution; how many of the steps of this one it begins with. Only while `more` is true. */
  advance(): number
  /** Whether the execution that has just ended is one of ours, so that it counts; those of others are given up. Undefined: always. */
  readonly counts?: boolean
  /**
   * Why the executions cannot be relied on, in words for a report, if something happened that cannot happen where equal things
   * have one name in all executions. Undefined: nothing did.
   */
  readonly doubt?: string | undefined
  /** What was left out by an option, in words for a report. Undefined: nothing. */
  readonly leftOut?: string | undefined
  /** Which executions are explored although not all are, in words for a report: `every interleaving with at most 2 preemptions`. */
  readonly explored?: string | undefined
  /** What is to be known to go on later, between two executions and after `advance`, where that is possible. Undefined: nothing is explored yet. */
  save?(): Saved | undefined
  /** What brings this algorithm, a new one, to where one like it was that was saved, and then goes on as it. */
  restoring?(saved: Saved, checked: Checked): Algorithm
  /** How many classes there seem to be, where executions of one class are met several times. */
  readonly classes?: number
}

/** Makes an algorithm for an exploration whose executions appear in `trace`. */
export type MakeAlgorithm = (trace: Trace) => Algorithm

export interface EndedExecution {
  readonly status: Outcome['status']
  readonly failed: boolean
}
