import { changes, type Access } from './accesses.ts'
import type { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { Return } from './stale.ts'
import { isFunction, isSame } from './values.ts'

/** A check, and its act in a callback or a call that has come of it since: one line of control, with which whoever has changed it in between has nothing to do. */
export function returnsOfLaterOnes(accesses: readonly Access[], descent: Descent): Return[] {
  const found: Return[] = []
  for (const [process, own] of grouped(accesses, (access) => access.process)) {
    const back = own[0]!
    const birth = descent.birthOf(process)
    if (!birth || back.step <= birth.step) continue
    const change = accesses.findLast((access) => changes(access) && access.index < back.index && !descent.isFrom(process, access.process) && !descent.isFrom(access.process, process))
    if (!change) continue
    for (const { parent, step } of descent.apartFrom(process, change.process)) {
      const looked = accesses.findLast((access) => access.process === parent && access.step <= step)
      if (!looked) continue
      const [first, ...more] = accesses.filter((access) => changes(access) && access.index > looked.index && access.index < back.index && !descent.isFrom(access.process, parent))
      if (looked.kind === 'read' && first) found.push({ looked, back, changed: [first, ...more], isApart: true })
      break
    }
  }
  return found
}

/** A check in a function that is not async, and its act in a callback that it leaves, with another one's callback in between that was left before the check. */
export function returnsOfCallbacks(accesses: readonly Access[], descent: Descent): Return[] {
  const found: Return[] = []
  for (const [process, own] of grouped(accesses, (access) => access.process)) {
    const back = own[0]!
    const change = accesses.findLast((access) => changes(access) && access.index < back.index && access.process !== process)
    const [mine, theirs] = (change && descent.branches(process, change.process)) ?? []
    if (!change || mine?.index === undefined || theirs?.index === undefined || change.step === mine.step || back.step === mine.step) continue
    const looked = accesses.findLast((access) => access.process === mine.parent && access.index < mine.index! && access.index >= theirs.index!)
    if (looked?.kind === 'read') found.push({ looked, back, changed: [change], isApart: true })
  }
  return found
}

/** A check, and its act elsewhere in a callback that comes of it, such as a timer that ends what nobody uses, while whoever has changed it uses that. */
export function actsElsewhereLater(locations: ReadonlyMap<number, readonly Access[]>, descent: Descent): Finding[] {
  const all = [...locations.values()].flat().toSorted((one, other) => one.index - other.index)
  const steps = grouped(all, ({ step }) => step)
  return [...grouped(all, ({ process }) => process)].flatMap(([process, own]): Finding[] => {
    const birth = descent.birthOf(process)
    const act = own.find(changes)
    if (!birth || birth.index === undefined || !act || act.isOfCall || act.step <= birth.step) return []
    const { parent, index } = birth
    const looks = (steps.get(birth.step) ?? []).filter((access) => access.kind === 'read' && access.process === parent && access.index < index && access.location !== act.location)
    return looks.flatMap((looked): Finding[] => {
      const since = locations.get(looked.location)!.filter((access) => access.index > looked.index && access.index < act.index)
      const [first, ...more] = since.filter(changes)
      if (!first || isFunction(looked.value) || isSame((more.at(-1) ?? first).value, looked.value) || since.some((access) => descent.isFrom(access.process, parent))) return []
      const isUsedByBoth = locations.get(act.location)!.some((access) => access.process === first.process)
      return isUsedByBoth ? [{ pattern: 'check-then-act', how: 'elsewhere', looked, changed: [first, ...more], act }] : []
    })
  })
}
