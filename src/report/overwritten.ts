import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import { grouped } from './grouped.ts'
import type { Descent } from './descent.ts'
import type { Finding } from './finding.ts'
import type { InputValue } from './input.ts'
import { areTwo, looksSame } from './values.ts'

/** What a process wrote, or left there for whom it begins, is no longer there when they come back, as another one has written there meanwhile without a look at it. */
export function overwrittenFindings(shared: ReadonlyMap<number, readonly Access[]>, descent: Descent): Finding[] {
  const lists = [...shared.values()].filter(([first]) => !isOfControl(first!) && !['order', 'rows'].includes(first!.key.kind))
  return lists.flatMap((accesses) => [...findingsIn(accesses), ...findingsOfBegun(accesses, descent)])
}

/** Who looks first, at any time since that is there, takes account of it. */
function isBlind(change: Access, since: readonly Access[]): boolean {
  // A removal looks itself whether there is anything; what is counted on is made of what is there.
  const isCounted = (access: Access): boolean => access.value.type === 'number' && change.value.type === 'number'
  const isLook = (access: Access): boolean => access.kind === 'read' && access.process === change.process && access.index < change.index && (isCounted(access) || !(access.step === change.step && isSamePlace(access, change)))
  return replaces(change) && change.kind !== 'increase' && !since.some(isLook)
}

function findingsIn(accesses: readonly Access[]): Finding[] {
  const found: Finding[] = []
  for (const positions of grouped(accesses.keys(), (position) => accesses[position]!.process).values()) {
    // What was left there last, by a write if the process has only looked at that since.
    let left = positions[0]!
    for (let i = 1; i < positions.length; i++) {
      const [last, position] = [positions[i - 1]!, positions[i]!]
      found.push(...findingOf(accesses[left]!, accesses.slice(left + 1, position), accesses[position]!))
      const isOnlySeen = !changes(accesses[position]!) && changes(accesses[left]!) && accesses.slice(last + 1, position).every((access) => !changes(access))
      if (!isOnlySeen) left = position
    }
  }
  return found
}

/** Who begins a call or a callback leaves there what that is to find. */
function findingsOfBegun(accesses: readonly Access[], descent: Descent): Finding[] {
  return [...grouped(accesses, ({ process }) => process)].flatMap(([process, [act]]) => {
    const { parent, index } = descent.birthOf(process) ?? {}
    const looked = index === undefined ? undefined : accesses.findLast((access) => access.index < index && changes(access))
    return looked && looked.process === parent ? findingOf(looked, accesses.filter((access) => access.index > looked.index && access.index < act!.index), act!) : []
  })
}

function findingOf(looked: Access, between: readonly Access[], act: Access): Finding[] {
  if (act.kind !== 'read' || !replaces(looked) || looked.step === act.step || !isOther(looked.value, act.value)) return []
  const [first, ...more] = between.filter(changes)
  return first && [first, ...more].every((change) => isBlind(change, between)) ? [{ pattern: 'overwritten', looked, changed: [first, ...more], act }] : []
}

/** Two objects that look the same are two. */
const isOther = (one: InputValue, other: InputValue): boolean => !looksSame(one, other) || areTwo(one, other)
