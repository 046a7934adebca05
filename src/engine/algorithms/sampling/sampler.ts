import type { Ordinal } from '../../ids.ts'
import type { Column } from '../../trace/columns.ts'

/** What draws executions at random: each is drawn without regard to those before it. */
export interface Sampler {
  /** Another execution begins. */
  begin(): void
  /** The process whose step comes next, one of the first `count` of `enabled`. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal
  /** The step just chosen has ended. */
  stepEnded?(): void
  /** Some execution, drawn or not, has ended. */
  ended?(): void
  /** What is certain after so many executions, in words for a report. */
  certainty?(executions: number): string | undefined
}
