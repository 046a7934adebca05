import { changes, isOfControl, replaces, type Access } from './accesses.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'
import { looksSame } from './values.ts'

/** Something is set while something else is begun, and put back in the same step: what was begun comes later, and finds it as it was before. */
export interface PutBack {
  readonly set: Access
  readonly back: Access
  readonly found: Access
}

export function putBackIn(accesses: readonly Access[], recording: InputRecording): PutBack | undefined {
  const descent = new Descent(recording)
  const bornBetween = (process: number, { step, index }: Access, back: Access): boolean =>
    [...descent.ancestorsOf(process), descent.birthOf(process)].some((birth) => birth?.step === step && birth.index !== undefined && birth.index > index && birth.index <= back.index)
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    for (const [i, set] of all.entries()) {
      if (!replaces(set) || set.kind === 'increase' || isOfControl(set) || set.key.kind === 'order') continue
      const before = all[i - 1]
      const back = all.slice(i + 1).find(changes)
      if (!before || !back || back.step !== set.step || back.process !== set.process || !replaces(back) || !looksSame(before.value, back.value) || looksSame(set.value, back.value)) continue
      const found = all.find((access) => access.index > back.index)
      // Code that is not instrumented is taken to look at all that it has in its hands.
      if (found?.kind === 'read' && !found.isOfOpaque && found.process !== set.process && bornBetween(found.process, set, back)) return { set, back, found }
    }
  }
  return undefined
}
