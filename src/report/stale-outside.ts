import type { ExecutionOrder } from '../engine/index.ts'
import { asksAboutFile, changes, isKeptOutside, isOfServers, replaces, type Access } from './accesses.ts'
import type { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import type { Return } from './stale.ts'

/**
 * What a server keeps, or a file, by calls: one may look at it by one function and write it by another, as those of a package do. All that a call leads to is one line of
 * control, with which whoever has changed it in between has nothing to do. Who shares a connection is answered in turn, and has a part in a race all the same.
 */
export function returnsOutside(accesses: readonly Access[], descent: Descent): Return[] {
  if (!accesses.some(isKeptOutside)) return []
  return accesses.flatMap((back, position) => {
    const before = accesses.slice(0, position)
    const change = before.findLast((access) => changes(access) && areApart(access, back, descent))
    if (!change) return []
    const isOwn = callOf(back, change, descent)
    // Of what is written to a file, what was in it has more to do with that than how old it was.
    const looked = (back.value.type === 'string' ? before.findLast((access) => isOwn(access) && !asksAboutFile(access)) : undefined) ?? before.findLast(isOwn)
    // It has come back before, or has looked only now.
    if (!looked || looked.kind !== 'read' || looked.index > change.index) return []
    const [first, ...more] = before.filter((access) => access.index > looked.index && changes(access) && !isOwn(access))
    return [{ looked, back, changed: [first!, ...more], isApart: true }]
  })
}

/**
 * What is asked of a server once, for several calls that have asked for the same, as loaders do: each of them has the answer, and has looked when it was given. One that looks by
 * itself as well is told by what it has found then.
 */
export function returnsOfBatches(accesses: readonly Access[], { order, descent }: { readonly order: ExecutionOrder; readonly descent: Descent }): Return[] {
  if (!accesses.some(isOfServers)) return []
  return accesses.flatMap((back, position) => {
    if (!replaces(back)) return []
    const before = accesses.slice(0, position)
    const change = before.findLast((access) => changes(access) && areApart(access, back, descent))
    if (!change || order.isEnforced(change.step, back.step) || before.some(callOf(back, change, descent))) return []
    const looked = before.findLast((access) => access.kind === 'read' && access.index < change.index && order.isEnforced(access.step, back.step))
    const [first, ...more] = looked ? before.filter((access) => access.index > looked.index && changes(access)) : []
    return looked && first ? [{ looked, back, changed: [first, ...more], isApart: true }] : []
  })
}

/** The stale answer led to a write of something else there, which the call that has made it stale uses too. */
export function actsElsewhereOutside(locations: ReadonlyMap<number, readonly Access[]>, descent: Descent): Finding[] {
  const outside = [...locations.values()].filter((accesses) => accesses.some(isKeptOutside))
  const all = outside.flat().toSorted((one, other) => one.index - other.index)
  return outside.flatMap((accesses) =>
    accesses.flatMap((looked, position): Finding[] => {
      if (looked.kind !== 'read') return []
      const later = accesses.slice(position + 1)
      const change = later.find((access) => changes(access) && areApart(access, looked, descent))
      if (!change) return []
      const isOwn = callOf(looked, change, descent)
      const act = all.find((access) => access.index > change.index && access.location !== looked.location && changes(access) && isOwn(access))
      if (!act || later.some((access) => access.index < act.index && isOwn(access))) return []
      const isOfOther = callOf(change, looked, descent)
      if (!locations.get(act.location)!.some(isOfOther)) return []
      const [first, ...more] = later.filter((access) => access.index < act.index && changes(access))
      return [{ pattern: 'check-then-act', how: 'elsewhere', looked, changed: [first!, ...more], act }]
    }),
  )
}

/** Of two transactions, or neither comes from the other: a package may send what several have asked for in one go. */
function areApart(one: Access, other: Access, descent: Descent): boolean {
  if (one.transaction !== undefined && other.transaction !== undefined) return one.transaction !== other.transaction
  return !descent.isFrom(one.process, other.process) && !descent.isFrom(other.process, one.process)
}

/** Whether an access is of the transaction or the call that this one is of, as far as the other has nothing to do with that. */
function callOf({ process, transaction }: Access, other: Access, descent: Descent): (access: Access) => boolean {
  const call = descent.outermost(process, other.process)
  return (access) => (transaction !== undefined && access.transaction === transaction) || (!isOfSame(access, other) && descent.isFrom(access.process, call))
}

const isOfSame = (one: Access, other: Access): boolean => one.transaction !== undefined && one.transaction === other.transaction
