import { changes, isOfControl, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { heldIn, type Around } from './held-before.ts'
import { isAbsent } from './values.ts'

/**
 * What one call has put there another one takes away, which had put there something else before; a third one, or whoever has begun them, then finds nothing. Which
 * processes these are does not matter: a call that is waited for at once is of its caller's.
 */
export function takenAwayFindings(shared: ReadonlyMap<number, readonly Access[]>, around: Around): Finding[] {
  const lists = [...shared.values()].filter(([first]) => !isOfControl(first!) && !['order', 'rows'].includes(first!.key.kind))
  return lists.flatMap((accesses) => changesIn(accesses).flatMap(({ change: cleared, before: given, next: missed }): Finding[] => {
    if (!isAbsent(cleared.value) || !given || !missed || changes(missed) || !isAbsent(missed.value) || isOfOneLine(cleared, given) || isOfOneLine(cleared, missed) || missed.step === given.step) return []
    return heldIn(given, cleared, around) ? [{ pattern: 'overwritten', looked: given, changed: [cleared], act: missed }] : []
  }))
}

/** Each change of a location, with the one before it, and what comes next there, whatever that is. */
function changesIn(accesses: readonly Access[]): { readonly change: Access; readonly before: Access | undefined; readonly next: Access | undefined }[] {
  let before: Access | undefined
  return accesses.flatMap((access, i) => {
    if (!changes(access)) return []
    const found = { change: access, before, next: accesses[i + 1] }
    before = access
    return [found]
  })
}

/** Both are done by one call, or by none. */
const isOfOneLine = (one: Access, other: Access): boolean => one.process === other.process && one.within === other.within
