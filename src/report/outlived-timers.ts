import { isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { shows, type Asserted } from './asserted.ts'
import { Descent } from './descent.ts'
import { grouped } from './grouped.ts'
import type { InputRecording } from './input.ts'
import { isFiring, isTimer } from './timeouts.ts'
import { isAbsent, isNothing } from './values.ts'
import { isRemoval } from './words.ts'

/** A timer takes away what was put there since it was set: it was set for what had been put there before, by the same line. */
export interface TakenByOlder {
  readonly old: Access
  readonly put: Access
  readonly taken: Access
  readonly found: Access
}

/** @param asserted what the failing assertion has missed was put there */
export function takenByOlderIn(accesses: readonly Access[], { recording, asserted: { missed } }: { readonly recording: InputRecording; readonly asserted: Asserted }): TakenByOlder | undefined {
  const descent = new Descent(recording)
  const firing = new Set(accesses.filter(isFiring).map(({ step }) => step))
  for (const all of grouped(accesses, ({ location }) => location).values()) {
    for (const taken of all) {
      const set = firing.has(taken.step) && isTakenAway(taken) ? descent.birthOf(taken.process)?.step : undefined
      if (set === undefined) continue
      const before = all.filter((access) => access.index < taken.index && replaces(access))
      const put = before.at(-1)
      const old = before.findLast(({ step }) => step === set)
      const found = all.find(({ index }) => index > taken.index)
      if (!put || !old || put.step <= set || isAbsent(put.value) || !isSamePlace(old, put) || !shows(put, missed)) continue
      if (found?.kind === 'read' && found.process !== taken.process && isAbsent(found.value)) return { old, put, taken, found }
    }
  }
  return undefined
}

const isTakenAway = (access: Access): boolean => isRemoval(access) || (replaces(access) && access.kind !== 'increase' && !isOfControl(access) && isAbsent(access.value))

/** Somebody clears a timer before the next one is set there: it fires, and nobody has cleared it. */
export interface ClearedTooEarly {
  /** The timer by its name, which was found there, and had fired by then, if there was one, */
  readonly timer?: string
  readonly found: Access
  /** before this was put there, */
  readonly set: Access
  /** and this fired. */
  readonly next: string
}

export function clearedTooEarlyIn(accesses: readonly Access[], recording: InputRecording): ClearedTooEarly | undefined {
  const { steps, names, cleared = [] } = recording
  const fires = (process: number): boolean => steps.some((step) => step.process === process && step.accesses.some(isFiring))
  const descent = new Descent(recording)
  for (const { found, fired } of [...clearedOnceFired(accesses), ...clearedWithout(accesses, recording)]) {
    const set = accesses.find((access) => access.index > found.index && access.location === found.location && replaces(access) && isTimer(access))
    if (!set || set.step === found.step || (fired && !descent.isFrom(set.process, fired.process))) continue
    const next = steps[set.step]!.spawned.find((process) => fires(process) && !cleared.some(({ timer }) => timer === process))
    if (next !== undefined) return { ...(fired && { timer: names[fired.process]! }), found, set, next: names[next]! }
  }
  return undefined
}

interface Cleared {
  readonly found: Access
  readonly fired?: Access
}

function clearedOnceFired(accesses: readonly Access[]): Cleared[] {
  return accesses.flatMap((clear): Cleared[] => {
    if (clear.key.kind !== 'fired' || clear.kind === 'read' || clear.kind === 'settle') return []
    const fired = accesses.find((access) => access.location === clear.location && access.index < clear.index && isFiring(access))
    const found = accesses.findLast((access) => access.index < clear.index && access.step === clear.step && access.process === clear.process && access.kind === 'read' && isTimer(access))
    return fired && found ? [{ found, fired }] : []
  })
}

/** Who has found none there yet, or no longer. */
function clearedWithout(accesses: readonly Access[], { clearedNothing = [] }: InputRecording): Cleared[] {
  return accesses.flatMap((found) => (found.kind === 'read' && clearedNothing.includes(found.step) && isNothing(found.value) ? [{ found }] : []))
}
