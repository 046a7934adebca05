import { changes, isOfOneLine, type Access } from './accesses.ts'
import type { InputRecording } from './input.ts'
import type { OtherOrder } from './other-order.ts'
import { isFiring, isTimer } from './timeouts.ts'
import { isSame } from './values.ts'

/** One has set a timer, another one has cleared it, and nobody has set it again: what it was to do is never done. */
export interface ClearedForGood {
  /** Where the timer was put, */
  readonly set: Access
  /** and found by whoever cleared it. */
  readonly found: Access
  /** By its name. */
  readonly timer: string
  /** Somebody looks for what it would have done. */
  readonly missed: Access
  readonly undone: Access
}

/**
 * @param seen the locations at which the failing line looks
 * @param sequence an order in which calls do not overlap, and the test passes: there the timer fires
 */
export function clearedForGoodIn(accesses: readonly Access[], { recording, seen, sequence }: { readonly recording: InputRecording; readonly seen: ReadonlySet<number>; readonly sequence: OtherOrder }): ClearedForGood | undefined {
  const { cleared = [], names, steps } = recording
  if (cleared.length === 0) return undefined
  const firing = new Set(sequence.accesses.filter(isFiring).map(({ step }) => step))
  for (const missed of accesses.filter(({ kind, location }) => kind === 'read' && seen.has(location)).toReversed()) {
    const here = sequence.differs(missed) === true ? sequence.counterpart(missed) : undefined
    const undone = here && sequence.accesses.findLast((access) => access.index < here.index && access.location === here.location && changes(access))
    if (!undone || !firing.has(undone.step)) continue
    const fired = sequence.recording.steps[undone.step]!.process
    const puts = sequence.accesses.filter((access) => changes(access) && isTimer(access) && sequence.recording.steps[access.step]!.spawned.includes(fired))
    for (const { timer, step } of cleared) {
      const born = steps.findIndex(({ spawned }) => spawned.includes(timer))
      for (const found of accesses.filter((access) => access.step === step && access.kind === 'read' && isTimer(access)).toReversed()) {
        const all = accesses.filter(({ location }) => location === found.location)
        const set = all.findLast((access) => access.index < found.index && changes(access))
        const isSetAgain = all.some((access) => access.index > found.index && changes(access) && isTimer(access))
        if (set && !isSetAgain && puts.some((put) => isOfOneLine(put, set)) && set.step === born && set.process !== found.process && isSame(set.value, found.value)) return { set, found, timer: names[timer]!, missed, undone }
      }
    }
  }
  return undefined
}
