import { changes, isOfControl, replaces, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { Finding } from './finding.ts'
import { looksSame } from './values.ts'

/** What a process wrote is no longer there when it comes back, as another one has written there meanwhile without a look at it. */
export function overwrittenFindings(shared: ReadonlyMap<number, readonly Access[]>): Finding[] {
  return [...shared.values()].flatMap((accesses) => (isOfControl(accesses[0]!) || ['order', 'rows'].includes(accesses[0]!.key.kind) ? [] : findingsIn(accesses)))
}

/** Who looks first, at any time since that is there, takes account of it. */
function isBlind(change: Access, since: readonly Access[]): boolean {
  return replaces(change) && change.kind !== 'increase' && !since.some(({ kind, process, index }) => kind === 'read' && process === change.process && index < change.index)
}

function findingsIn(accesses: readonly Access[]): Finding[] {
  const found: Finding[] = []
  for (const positions of grouped(accesses.keys(), (position) => accesses[position]!.process).values()) {
    for (let i = 1; i < positions.length; i++) {
      const [looked, act] = [accesses[positions[i - 1]!]!, accesses[positions[i]!]!]
      if (act.kind !== 'read' || !replaces(looked) || looked.step === act.step || looksSame(looked.value, act.value)) continue
      const between = accesses.slice(positions[i - 1]! + 1, positions[i])
      const [first, ...more] = between.filter(changes)
      if (first && [first, ...more].every((change) => isBlind(change, between))) found.push({ pattern: 'overwritten', looked, changed: [first, ...more], act })
    }
  }
  return found
}
