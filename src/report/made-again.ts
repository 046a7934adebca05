import { changes, isSamePlace, replaces, type Access } from './accesses.ts'
import type { Finding } from './finding.ts'
import { isMadeAlike } from './kinds.ts'
import { isNothing } from './values.ts'

/**
 * Who has found what was made there before another one puts the same there again, by the same line: had that come sooner, both would have found it. It is made twice because two calls
 * had looked there at one place, and found nothing.
 *
 * @param accesses of that location
 */
export function madeAgain(finding: Finding, accesses: readonly Access[]): Finding | undefined {
  if (finding.pattern !== 'order-violation') return undefined
  const { first, second } = finding
  const put = accesses.findLast((access) => access.index < first.index && changes(access))
  if (first.kind !== 'read' || !put || !replaces(second) || put.process === second.process || !isSamePlace(put, second) || !isMadeAlike(put, second)) return undefined
  const looks = accesses.filter(({ index, kind, value }) => index < put.index && kind === 'read' && isNothing(value))
  const looked = looks.findLast((look) => look.within !== first.within && looks.some((other) => other.within === first.within && other.within !== undefined && isSamePlace(other, look)))
  return looked && { pattern: 'check-then-act', how: 'write', looked, changed: [put], act: second, led: first }
}
