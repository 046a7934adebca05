import type { PendingStep } from './access.ts'

/** In what sense an execution failed. */
export type FailureKind = 'error' | 'invariant' | 'deadlock' | 'livelock' | 'unhandled-rejection'

export type Verdict = 'holds' | 'fails' | 'inconclusive'

/** Where a switch may happen; the engine only prints it. */
export type Interleave = 'await' | 'event-loop' | 'access'

/** When two executions count as the same. */
export type Equivalence = 'trace' | 'observation'

/** How an execution ended. `pending`: the lock and `until` steps that were still waiting. */
export type Outcome =
  | {
      readonly status: 'complete'
      readonly failure?: { readonly kind: FailureKind; readonly error: unknown } | undefined
      readonly pending?: readonly PendingStep[] | undefined
    }
  /** Everything enabled was asleep: `choose` answered `undefined`. */
  | { readonly status: 'blocked'; readonly pending?: readonly PendingStep[] | undefined }
  /** It was run to its end, and turned out to be one that cannot happen: its races count, its outcome does not. */
  | { readonly status: 'impossible'; readonly pending?: readonly PendingStep[] | undefined }
  /** `maxSteps` was reached. */
  | { readonly status: 'truncated'; readonly pending?: readonly PendingStep[] | undefined }

/** One failing execution. */
export interface Failure {
  readonly kind: FailureKind
  readonly error: unknown
  /** Replays this execution: `explore(program, { replay: failure.schedule })`. */
  readonly schedule: string
  /** Which complete execution it was, from 1; of a part, within that part. */
  readonly execution: number
}

/** A guess of how many executions there are. */
export interface Estimate {
  readonly executions: number
  readonly least: number
  readonly most: number
}

/** What an exploration found. */
export interface Exploration {
  readonly verdict: Verdict
  /** Complete executions only. */
  readonly executions: number
  /** Executions given up because everything enabled was asleep: redundant work. */
  readonly blocked: number
  /** Over all executions, blocked and truncated ones too. */
  readonly steps: number
  /** How many executions there are in all: exact once everything is explored. Before, a guess if there is an `estimateRange`; else what is known to be there. */
  readonly estimate: number
  /** What `estimate` lies between, as far as executions drawn at random tell. */
  readonly estimateRange?: readonly [least: number, most: number]
  readonly interleave: Interleave
  readonly equivalence: Equivalence
  /** How often the exploration began anew because something was observed, and the first time. Counts are those of the last pass. */
  readonly passes: number
  readonly failures: readonly Failure[]
  /** Everything here is about this part of the executions only, `'1/4'` for the first of four. */
  readonly part?: string
  /** What ended the exploration early, or left part of it out. */
  readonly inconclusiveReason?: string
}
