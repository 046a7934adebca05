import type { Ordinal } from '../ids.ts'
import type { Column } from '../trace/columns.ts'
import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** Steps after which a process that could go on gives way, so that one that waits in a loop cannot starve the others. */
export const longestTurn = 500

/**
 * The process that goes on where an algorithm is free to choose, of those awake: in a model program the one that ran last, unless it has
 * had a long turn, else the first; in async code the first, since that is how the platform would go on.
 */
export function usualProcess(trace: Trace, enabled: Column<Ordinal>, count: number, isAsleep: (process: Ordinal) => boolean): Ordinal | typeof NONE {
  const node = trace.steps.count
  const last = node === 0 ? NONE : (trace.steps.process[node - 1] as Ordinal)
  const goesOn = !trace.steps.isLongTurn(longestTurn)
  let first: Ordinal | typeof NONE = NONE
  let following: Ordinal | typeof NONE = NONE
  for (let i = 0; i < count; i++) {
    const process = enabled[i] as Ordinal
    if (isAsleep(process)) continue
    if (trace.inTurn) return process
    if (process === last && goesOn) return process
    if (first === NONE) first = process
    if (following === NONE && process > last) following = process
  }
  return goesOn || following === NONE ? first : following
}

export const nobodySleeps = (): boolean => false
