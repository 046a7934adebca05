import type { ExecutionOrder } from '../engine/index.ts'
import { changes, isOfControl, replaces, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import { isConcurrent } from './stale.ts'

/** Who puts something else in the place of an object, as an empty list in that of one that was sent, loses what others have put into that since it was looked at. */
export function replacedFindings(shared: ReadonlyMap<number, readonly Access[]>, order: ExecutionOrder): Finding[] {
  const insides = grouped([...shared.values()].flat().filter((access) => !isOfControl(access)), ({ object }) => object)
  return [...shared.values()].flatMap((accesses) =>
    [...replacements(accesses)].flatMap(({ looked, act }): Finding[] => {
      const between = (insides.get(looked.value.identity!) ?? []).filter(({ index }) => index > looked.index && index < act.index).toSorted((one, other) => one.index - other.index)
      const [first, ...more] = lostOf(between, act)
      return first && isConcurrent(order, looked, first, act) ? [{ pattern: 'lost-update', looked, changed: [first, ...more], act }] : []
    }),
  )
}

/** Where a process has found an object, or one process of a call, and in a later step puts something else there. */
function* replacements(accesses: readonly Access[]): Generator<{ readonly looked: Access; readonly act: Access }> {
  const ofCalls = [...grouped(accesses.filter(({ within }) => within !== undefined), ({ within }) => within).values()]
  for (const own of [...grouped(accesses, ({ process }) => process).values(), ...ofCalls]) {
    for (const [i, act] of own.entries()) {
      const looked = own[i - 1]
      if (ofCalls.includes(own) && looked?.process === act.process) continue
      if (looked?.kind !== 'read' || looked.value.type !== 'object' || looked.value.identity === undefined) continue
      if (replaces(act) && act.step !== looked.step && act.value.identity !== looked.value.identity) yield { looked, act }
    }
  }
}

/** What others have changed in it after it was looked at, and nobody has looked at since. */
function lostOf(inside: readonly Access[], { process }: Access): Access[] {
  const change = inside.findIndex((access) => changes(access) && access.process !== process)
  const isOfOthers = (access: Access): boolean => access.process !== inside[change]?.process
  if (change < 0 || !inside.slice(0, change).some((access) => !changes(access) && isOfOthers(access))) return []
  const after = inside.slice(change)
  return after.some((access) => !changes(access) && isOfOthers(access)) ? [] : after.filter((access) => changes(access) && access.process !== process)
}
