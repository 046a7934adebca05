import type { LocationId } from '../../engine/ids.ts'
import type { RecordedExecution } from '../execution/recording.ts'

/** Whether a process changed what another one accessed. That a promise is settled, and that somebody waits for it, is not counted. */
export function sharesAnything({ steps }: RecordedExecution): boolean {
  const seen = new Map<LocationId, { readonly process: number; isShared: boolean; isChanged: boolean }>()
  for (const { process, accesses } of steps) {
    for (const { location, kind } of accesses) {
      if (kind === 'wait' || kind === 'settle') continue
      let found = seen.get(location)
      if (!found) seen.set(location, (found = { process, isShared: false, isChanged: false }))
      found.isShared ||= found.process !== process
      found.isChanged ||= kind !== 'read'
      if (found.isShared && found.isChanged) return true
    }
  }
  return false
}
