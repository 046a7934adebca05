import { changes, isOfControl, isSamePlace, replaces, type Access } from './accesses.ts'
import type { Pair } from './experiment.ts'
import { actOf, mostTold, subjectOf, type Finding } from './finding.ts'
import { grouped } from './grouped.ts'
import type { ExecutionOrder } from '../engine/index.ts'
import { looksSame } from './values.ts'

/** One line of a story: an access, or an update, which is a read and a write of one step. */
export interface Scene {
  readonly access: Access
  /** What an update found there. */
  readonly from?: Access
}

/** The accesses that tell a finding, in their order. */
export function scenesOf(finding: Finding, accesses: readonly Access[], { order, passesWith }: { readonly order: ExecutionOrder; readonly passesWith?: Pair | undefined }): Scene[] {
  const chosen = new Set<Access>([subjectOf(finding), actOf(finding)])
  if (passesWith) chosen.add(passesWith.first).add(passesWith.second)
  if (finding.pattern === 'wrong-holder-release') for (const one of [finding.missed, finding.shared]) if (one) chosen.add(one)
  if ('held' in finding && finding.held) chosen.add(finding.held)
  if ('meanwhile' in finding && finding.meanwhile) chosen.add(finding.meanwhile.act)
  if ('changed' in finding) {
    for (const change of few(finding.pattern === 'overwritten' ? finding.changed : withoutRepeats(finding.changed))) {
      chosen.add(change)
      const looked = lastRead(accesses, change)
      if (looked) chosen.add(looked)
    }
  }
  for (const reader of chosen) {
    const origin = reader.kind === 'read' ? lastChange(accesses, reader) : undefined
    if (origin && origin.process !== reader.process && order.isRace(origin.step, reader.step)) chosen.add(origin)
  }
  return toScenes([...chosen].toSorted((a, b) => a.index - b.index), accesses, 'looked' in finding && finding.looked.step !== finding.act.step ? finding.looked : undefined)
}

/** A package may put the same there several times for one line of the user's code. */
function withoutRepeats(changed: readonly Access[]): readonly Access[] {
  return changed.filter((access, i) => {
    const before = changed[i - 1]
    return !(before && before.step === access.step && before.process === access.process && isSamePlace(before, access) && replaces(before) && replaces(access) && looksSame(before.value, access.value))
  })
}

function few(changed: readonly Access[]): readonly Access[] {
  return changed.length <= mostTold ? changed : [changed[0]!, changed.at(-1)!]
}

/** What the writer had read there, unless it wrote there since. */
function lastRead(accesses: readonly Access[], { index, process, location }: Access): Access | undefined {
  const last = accesses.findLast((access) => access.index < index && access.process === process && access.location === location && access.look !== 'presence')
  return last?.kind === 'read' ? last : undefined
}

function lastChange(accesses: readonly Access[], { index, location }: Access): Access | undefined {
  return accesses.findLast((access) => access.index < index && access.location === location && changes(access))
}

/** Joins the read and the write of one update. @param looked has a line of its own, whatever else comes of it at once: another one acts by it as well */
export function toScenes(chosen: readonly Access[], accesses: readonly Access[], looked?: Access): Scene[] {
  const there = grouped(accesses, ({ location }) => location)
  const scenes = chosen.map((access): Scene => {
    const all = there.get(access.location) ?? []
    const from = replaces(access) && !isOfControl(access) ? lastRead(all, access) : undefined
    // Where a step is an event, another one may have its turn between the two.
    const isOneTurn = from?.step === access.step && !all.some(({ index, process }) => index > from.index && index < access.index && process !== access.process)
    return isOneTurn ? { access, from } : { access }
  })
  const joined = new Set(scenes.map(({ from }) => from))
  return scenes.filter(({ access }) => access === looked || !joined.has(access))
}
