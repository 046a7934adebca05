import type { Ordinal } from '../../ids.ts'
import type { Column } from '../../trace/columns.ts'
import type { NONE } from '../../trace/processes.ts'

/** What draws executions at random: each is drawn without regard to those before it. */
export interface Sampler {
  /** Another execution begins. */
  begin(): void
  /** The process whose step comes next, one of the first `count` of `enabled`; NONE gives the execution up. */
  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE
  /** The step just chosen has ended. */
  stepEnded?(): void
  /** Some execution, drawn or not, has ended. */
  ended?(): void
  /** How many classes there seem to be, where it knows better than what was met tells. */
  readonly classes?: number
  /** What is certain after so many executions, in words for a report. */
  certainty?(executions: number): string | undefined
}
