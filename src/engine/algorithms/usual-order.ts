import { NONE } from '../trace/processes.ts'
import type { Trace } from '../trace/trace.ts'

/** Steps after which a process that could go on gives way, so that one that waits in a loop cannot starve the others. */
const longestTurn = 500

/**
 * The process that goes on where an algorithm is free to choose: the one that ran last, unless it has had a long turn;
 * else the first; of those awake.
 */
export function usualProcess(trace: Trace, enabled: Int32Array, count: number, isAsleep: (process: number) => boolean): number {
  const node = trace.steps.count
  const last = node === 0 ? NONE : (trace.steps.process[node - 1] as number)
  const goesOn = !trace.steps.isLongTurn(longestTurn)
  let first = NONE
  let following = NONE
  for (let i = 0; i < count; i++) {
    const process = enabled[i] as number
    if (isAsleep(process)) continue
    if (process === last && goesOn) return process
    if (first === NONE) first = process
    if (following === NONE && process > last) following = process
  }
  return goesOn || following === NONE ? first : following
}

export const nobodySleeps = (): boolean => false
