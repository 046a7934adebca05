import type { ExecutionOrder } from '../engine/index.ts'
import { changes, isOfControl, type Access } from './accesses.ts'
import type { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { Return } from './stale.ts'
import { isFunction, isSame } from './values.ts'

interface Among {
  readonly order: ExecutionOrder
  readonly descent: Descent
}

/** A check in a call that somebody waits for, such as one of `Promise.all`, and the act of whoever waits: one line of control. */
export function returnsOfAwaited(accesses: readonly Access[], { order, descent }: Among): Return[] {
  const processes = [...new Set(accesses.map(({ process }) => process))]
  const callers = new Set(processes.flatMap((process) => descent.ancestorsOf(process).map(({ parent }) => parent)))
  return accesses.flatMap((back, position): Return[] => {
    if (!changes(back) || !callers.has(back.process)) return []
    const before = accesses.slice(0, position)
    const looked = before.findLast(({ process }) => descent.isFrom(process, back.process))
    if (!looked || !isAnswerFor(looked, back, { order, descent })) return []
    const [first, ...more] = before.filter((access) => access.index > looked.index && changes(access) && !descent.isFrom(back.process, access.process))
    return first ? [{ looked, back, changed: [first, ...more] }] : []
  })
}

/** The same with an act elsewhere, where whoever has made the answer stale has looked, or written, too. */
export function actsElsewhereAwaited(locations: ReadonlyMap<number, readonly Access[]>, among: Among): Finding[] {
  const all = [...locations.values()].flat().toSorted((one, other) => one.index - other.index)
  const writes = grouped(all.filter(changes), ({ process }) => process)
  return [...locations.values()].flatMap((accesses) => {
    const lastChange = accesses.findLast(changes)?.index ?? -1
    return accesses.flatMap((looked, position): Finding[] => {
      if (looked.kind !== 'read' || looked.index > lastChange || isFunction(looked.value)) return []
      for (const { parent } of among.descent.ancestorsOf(looked.process)) {
        const act = writes.get(parent)?.find((access) => access.index > looked.index && access.location !== looked.location && isAnswerFor(looked, access, among))
        const finding = act && staleFor({ looked, act }, accesses.slice(position + 1), { locations, ...among })
        if (finding) return [finding]
      }
      return []
    })
  })
}

function staleFor(
  { looked, act }: { readonly looked: Access; readonly act: Access },
  later: readonly Access[],
  { locations, order, descent }: Among & { readonly locations: ReadonlyMap<number, readonly Access[]> },
): Finding | undefined {
  const since = later.filter(({ index }) => index < act.index)
  if (since.some(({ process }) => descent.isFrom(process, act.process))) return undefined
  const [first, ...more] = since.filter((access) => changes(access) && !descent.isFrom(act.process, access.process))
  if (!first || isSame((more.at(-1) ?? first).value, looked.value) || order.isEnforced(looked.step, first.step)) return undefined
  const isUsedByBoth = locations.get(act.location)!.some(({ process }) => descent.isFrom(process, first.process))
  return isUsedByBoth ? { pattern: 'check-then-act', how: 'elsewhere', looked, changed: [first, ...more], act } : undefined
}

/** Whoever acts has waited for the one who has looked. */
function isAnswerFor(looked: Access, act: Access, { order, descent }: Among): boolean {
  return looked.kind === 'read' && !isOfControl(looked) && looked.process !== act.process && looked.step < act.step && descent.isFrom(looked.process, act.process) && order.isEnforced(looked.step, act.step)
}
