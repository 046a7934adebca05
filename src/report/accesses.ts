import { grouped } from './grouped.ts'
import type { InputAccess, InputRecording, Place } from './input.ts'

/** A recorded access of shared memory, and whose it was. */
export interface Access {
  /** Position in the execution. */
  readonly index: number
  readonly step: number
  /** Ordinal of the process whose code it was. */
  readonly process: number
  readonly kind: 'read' | 'write' | 'add'
  readonly location: number
  readonly label: string
  readonly value: string
  readonly place: Place | undefined
}

export const changes = ({ kind }: Access): boolean => kind !== 'read'

/** Do the two fail to commute? */
export function conflict(first: Access, second: Access): boolean {
  if (first.location !== second.location) return false
  if (first.kind === 'add' && second.kind === 'add') return false
  return changes(first) || changes(second)
}

/** All accesses of memory in their order. The first part of a call counts as its own process, not as its caller. */
export function accessesOf({ steps }: InputRecording): Access[] {
  const accesses: Access[] = []
  for (const [step, { process, accesses: recorded }] of steps.entries()) {
    for (const access of recorded) {
      const { kind, location, value, place } = access
      if (kind === 'wait' || kind === 'settle') continue
      accesses.push({ index: accesses.length, step, process: ownerOf(access, process), kind, location, label: labelOf(access), value, place })
    }
  }
  return accesses
}

/** A variable has no owner. */
function labelOf({ label, place }: InputAccess): string {
  return place && label === `object.${place.text}` ? place.text : label
}

function ownerOf({ callProcess }: InputAccess, process: number): number {
  return callProcess ?? process
}

/** The accesses of each location that two processes touch and one of them changes. */
export function sharedLocations(accesses: readonly Access[]): Map<number, Access[]> {
  const locations = grouped(accesses, ({ location }) => location)
  for (const [location, list] of locations) {
    const isShared = list.some(({ process }) => process !== list[0]!.process) && list.some(changes)
    if (!isShared) locations.delete(location)
  }
  return locations
}
