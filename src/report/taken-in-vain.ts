import { isSamePlace, type Access } from './accesses.ts'
import type { Waiter } from './deadlock.ts'
import { Descent } from './descent.ts'
import type { InputRecording } from './input.ts'
import { endedByTimer } from './timed-out.ts'

/** Of a list in which those who wait have left something by which they can be woken: whoever takes one out of it has taken that of one who had given up before, and woken nobody. */
export interface TakenInVain {
  /** What the one has left who had given up, by the timer that fired then, */
  readonly dead: Access
  readonly timer: number
  /** and where it is taken out of the list. */
  readonly taken: Access
  /** What the one has left who waits still. */
  readonly kept: Access
}

export function takenInVain({ line }: Waiter, accesses: readonly Access[], recording: InputRecording): TakenInVain | undefined {
  const left = accesses.filter(({ kind, value }) => kind === 'append' && value.identity !== undefined)
  for (const kept of left.filter(({ process }) => line.includes(process)).toReversed()) {
    if (accesses.some(({ index, object }) => index > kept.index && object === kept.value.identity)) continue
    for (const dead of left.filter((other) => other.index < kept.index && isSamePlace(other, kept))) {
      const taken = takenOut(dead, accesses.filter(({ index }) => index > kept.index))
      const timer = taken && givenUpBy(dead, taken, { accesses, recording })
      if (taken && timer !== undefined) return { dead, timer, taken, kept }
    }
  }
  return undefined
}

/** Whoever takes something out of a list looks at it then. */
const takenOut = (dead: Access, later: readonly Access[]): Access | undefined =>
  later.find((access) => access.object === dead.object && access.key.kind === 'order' && access.kind === 'write' && later.some(({ step, process, index, object }) => step === access.step && process === access.process && index > access.index && object === dead.value.identity))

/** The timer that was set as that was left there, and has ended the wait. */
function givenUpBy(dead: Access, taken: Access, { accesses, recording }: { readonly accesses: readonly Access[]; readonly recording: InputRecording }): number | undefined {
  const descent = new Descent(recording)
  const timers = accesses.filter(({ index }) => index > dead.index && index < taken.index).flatMap((access) => endedByTimer(access, recording, accesses) ?? [])
  return timers.find((timer) => descent.birthOf(timer)?.step === dead.step)
}
