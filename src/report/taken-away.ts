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
  return lists.flatMap((accesses) => accesses.flatMap((cleared, i): Finding[] => {
    const missed = accesses[i + 1]
    if (!changes(cleared) || !isAbsent(cleared.value)) return []
    const given = accesses[accesses.findLastIndex((access, at) => at < i && changes(access))]
    if (!given || !missed || changes(missed) || !isAbsent(missed.value) || isOfOneLine(cleared, given) || isOfOneLine(cleared, missed) || missed.step === given.step) return []
    return heldIn(given, cleared, around) ? [{ pattern: 'overwritten', looked: given, changed: [cleared], act: missed }] : []
  }))
}

/** Both are done by one call, or by none. */
const isOfOneLine = (one: Access, other: Access): boolean => one.process === other.process && one.within === other.within
