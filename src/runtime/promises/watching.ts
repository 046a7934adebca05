import type { SiteId } from '../../engine/ids.ts'
import type { PromiseRecord } from './promise-record.ts'

/**
 * Something hangs on whether this promise is settled by now, and on the moment in which it is settled later: `Promise.race`
 * asks both of its parts. The answer comes from the promise's own location and from those of all that it passes on, now or
 * perhaps later; what takes it up from here on asks for itself (`follow` in `resolving.ts`), and the parts of a combinator
 * no longer commute.
 */
export function watch(record: PromiseRecord, whole: PromiseRecord, site: SiteId, seen = new Set<PromiseRecord>()): void {
  if (seen.has(record)) return
  seen.add(record)
  record.look(site)
  record.watchedBy(whole.object, site)
  for (const source of record.followed) watch(source, whole, site, seen)
  for (const part of record.parts) watch(part, whole, site, seen)
  if (record.mayFollow) watch(record.mayFollow, whole, site, seen)
}
