import { changes, isOfKeptValue, replaces, type Access } from './accesses.ts'
import type { Return } from './stale.ts'
import { looksSame } from './values.ts'
import { isDispatch, isUpdater } from './words.ts'

/** A function that was made before others gave it another value, and has found only then what there was when it was made: its look is stale from the start. */
export function returnsOfClosures(accesses: readonly Access[]): Return[] {
  if (!accesses.some(isOfKeptValue) || accesses.some(isMadeOfWhatIsThere)) return []
  return accesses.flatMap((looked, position): Return[] => {
    if (looked.kind !== 'read') return []
    const since = accesses.slice(0, position).filter(changes)
    const [first, ...more] = since.slice(since.findLastIndex((access) => access.process === looked.process || looksSame(access.value, looked.value)) + 1)
    const back = accesses.slice(position + 1).find(({ process }) => process === looked.process)
    return first && back && replaces(back) && [first, ...more].every(replaces) ? [{ looked, back, changed: [first, ...more], isApart: true }] : []
  })
}

const isMadeOfWhatIsThere = (access: Access): boolean => isUpdater(access) || isDispatch(access)
