import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { shows, type Asserted } from './asserted.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'

/** What was begun first has the last word, by the same line as what was begun later. */
export interface OlderAnswer {
  readonly newer: Access
  readonly older: Access
}

/** @param asserted what the failing assertion has found was written last, and what it has missed before that */
export function olderAnswerIn(accesses: readonly Access[], { recording, asserted: { found, missed } }: { readonly recording: InputRecording; readonly asserted: Asserted }): OlderAnswer | undefined {
  if (found.length === 0 || missed.length === 0) return undefined
  const descent = new Descent(recording)
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    if (isOfControl(all[0]!) || all[0]!.key.kind === 'order') continue
    const [newer, older] = all.filter(changes).slice(-2)
    if (!newer || !older || !replaces(newer) || !replaces(older) || !isSamePlace(newer, older) || !shows(older, found) || !shows(newer, missed)) continue
    const [first, second] = [descent.birthOf(older.process), descent.birthOf(newer.process)]
    if (first && second && older.process !== newer.process && first.step < second.step && second.step < newer.step) return { newer, older }
  }
  return undefined
}
