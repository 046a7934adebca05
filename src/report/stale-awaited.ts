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

/** A check in a call that somebody waits for, such as one of `Promise.all`, and the act of whoever waits, or of another call that it makes then: one line of control. */
export function returnsOfAwaited(accesses: readonly Access[], among: Among): Return[] {
  const { descent } = among
  const processes = [...new Set(accesses.map(({ process }) => process))]
  const callers = new Set(processes.flatMap((process) => descent.ancestorsOf(process).map(({ parent }) => parent)))
  return accesses.flatMap((back, position): Return[] => {
    if (!changes(back)) return []
    const before = accesses.slice(0, position)
    for (const waiter of waitersBefore(back, descent)) {
      if (!callers.has(waiter.process)) continue
      const looked = before.findLast(({ process }) => descent.isFrom(process, waiter.process))
      if (!looked || !isAnswerFor(looked, waiter, among)) continue
      const [first, ...more] = before.filter((access) => access.index > looked.index && changes(access) && !descent.isFrom(waiter.process, access.process) && !descent.isFrom(access.process, waiter.process))
      return first ? [{ looked, back, changed: [first, ...more] }] : []
    }
    return []
  })
}

/** The same with an act elsewhere, where whoever has made the answer stale has looked, or written, too. */
export function actsElsewhereAwaited(locations: ReadonlyMap<number, readonly Access[]>, among: Among): Finding[] {
  const { descent } = among
  const all = [...locations.values()].flat().toSorted((one, other) => one.index - other.index)
  const writes = all.filter(changes).flatMap((act) => waitersBefore(act, descent).map((waiter) => ({ act, waiter })))
  const byWaiter = grouped(writes, ({ waiter }) => waiter.process)
  return [...locations.values()].flatMap((accesses) => {
    const lastChange = accesses.findLast(changes)?.index ?? -1
    return accesses.flatMap((looked, position): Finding[] => {
      if (looked.kind !== 'read' || looked.index > lastChange || isFunction(looked.value)) return []
      for (const { parent } of descent.ancestorsOf(looked.process)) {
        const found = byWaiter.get(parent)?.find(({ act, waiter }) => act.index > looked.index && act.location !== looked.location && isAnswerFor(looked, waiter, among))
        const finding = found && staleFor({ looked, ...found }, accesses.slice(position + 1), { locations, ...among })
        if (finding) return [finding]
      }
      return []
    })
  })
}

function staleFor(
  { looked, act, waiter }: { readonly looked: Access; readonly act: Access; readonly waiter: Waiter },
  later: readonly Access[],
  { locations, order, descent }: Among & { readonly locations: ReadonlyMap<number, readonly Access[]> },
): Finding | undefined {
  const since = later.filter(({ index }) => index < act.index)
  if (since.some(({ process }) => descent.isFrom(process, waiter.process))) return undefined
  const [first, ...more] = since.filter((access) => changes(access) && !descent.isFrom(waiter.process, access.process))
  if (!first || isSame((more.at(-1) ?? first).value, looked.value) || order.isEnforced(looked.step, first.step)) return undefined
  const other = descent.outermost(first.process, waiter.process)
  const isUsedByBoth = locations.get(act.location)!.some(({ process }) => descent.isFrom(process, other))
  return isUsedByBoth ? { pattern: 'check-then-act', how: 'elsewhere', looked, changed: [first, ...more], act } : undefined
}

/** Who waits for an answer, and the step in which it has that: it acts, or begins what acts. */
interface Waiter {
  readonly process: number
  readonly step: number
}

/** Whoever acts, and the one or two that have begun it. */
function waitersBefore({ process, step }: Access, descent: Descent): Waiter[] {
  return [{ process, step }, ...descent.ancestorsOf(process).slice(0, 2).map((birth) => ({ process: birth.parent, step: birth.step }))]
}

/** The one who waits has waited for the one who has looked. */
function isAnswerFor(looked: Access, waiter: Waiter, { order, descent }: Among): boolean {
  return looked.kind === 'read' && !isOfControl(looked) && looked.process !== waiter.process && looked.step < waiter.step && descent.isFrom(looked.process, waiter.process) && order.isEnforced(looked.step, waiter.step)
}
