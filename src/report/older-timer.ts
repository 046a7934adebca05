import { changes, isOfControl, type Access } from './accesses.ts'
import { callsAround } from './calls-around.ts'
import { Descent } from './descent.ts'
import type { InputRecording } from './input.ts'
import type { TimedOut } from './timed-out.ts'
import { isFiring } from './timeouts.ts'
import { isAbsent } from './values.ts'

/** A timer that is older than what it ends: it was set for something else. */
export interface OlderTimer {
  readonly put: Access
  readonly fired: Access
  readonly found: Access
}

/** @param timedOut whose wait it has ended */
export function olderTimerOf({ step, timer, rejected }: TimedOut, accesses: readonly Access[], recording: InputRecording): OlderTimer | undefined {
  const { calls = [], begunBy = [] } = recording
  const birth = new Descent(recording).birthOf(timer)
  const fired = accesses.find((access) => access.step === step && isFiring(access))
  if (!birth || !fired) return undefined
  const setBy = [...callsAround(begunBy[timer], calls)].slice(0, -1)
  for (const found of accesses.filter((access) => access.step === step && access.index < rejected.index && access.kind === 'read' && !isOfControl(access))) {
    const put = accesses.findLast((access) => access.index < found.index && access.location === found.location && changes(access))
    if (!put || put.step <= birth.step || put.step === step || isAbsent(put.value)) continue
    const around = callsAround(put.within, calls)
    if (!setBy.some((call) => around.has(call))) return { put, fired, found }
  }
  return undefined
}
