import type { Ordinal } from '../ids.ts'
import type { Trace } from '../trace/trace.ts'
import { mixHash } from '../values.ts'

/** A hash of what the first steps of the execution do and see, whatever the numbers of their locations. */
export function checkOf({ processes, steps }: Trace, count: number): number {
  const locations = new Map<number, number>()
  let hash = count
  for (let step = 0; step < count; step++) {
    hash = mixHash(hash, processes.id(steps.process[step] as Ordinal))
    hash = mixHash(hash, steps.seen[step] as number)
    for (let access = steps.start[step] as number; access < (steps.end[step] as number); access++) {
      const location = steps.location[access] as number
      if (!locations.has(location)) locations.set(location, locations.size)
      hash = mixHash(hash, (locations.get(location) as number) * 32 + (steps.kind[access] as number))
    }
  }
  return hash
}
