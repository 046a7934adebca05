import { ACQUIRE, ADD, JOIN, READ, RELEASE, UNTIL, WAIT, WRITE, conflicts, isLock } from '../access.ts'
import { grown } from './columns.ts'
import { EngineError } from '../errors.ts'
import type { LocationId, SiteId } from '../ids.ts'

/** The accesses of the step now running, each location once: a write absorbs a read and an `add`, which together are a write. */
export class Footprint {
  length = 0
  location = new Int32Array(16)
  kind = new Int32Array(16)
  site = new Int32Array(16)
  /** The accesses that began as an `add` and became a write by a read, and the number of accesses before that read. */
  readonly addsRead: { readonly entry: number; readonly before: number }[] = []
  #special = false
  #stamp = 1
  /** By location: the access of it in this step, if the stamp is this step's. */
  #entry = new Int32Array(16)
  #entryStamp = new Int32Array(16)
  #waitStamp = new Int32Array(16)

  clear(): void {
    this.length = 0
    if (this.addsRead.length > 0) this.addsRead.length = 0
    this.#special = false
    this.#stamp++
  }

  read(location: LocationId, site: SiteId): void {
    if (!this.#seen(location)) return this.#add(location, READ, site)
    const entry = this.#entry[location] as number
    if (this.kind[entry] !== ADD) return
    this.kind[entry] = WRITE
    this.addsRead.push({ entry, before: this.length })
  }

  add(location: LocationId, site: SiteId): void {
    if (!this.#seen(location)) return this.#add(location, ADD, site)
    const entry = this.#entry[location] as number
    if (this.kind[entry] === READ) this.kind[entry] = WRITE
  }

  write(location: LocationId, site: SiteId): void {
    if (!this.#seen(location)) return this.#add(location, WRITE, site)
    const entry = this.#entry[location] as number
    if (this.kind[entry] !== READ && this.kind[entry] !== ADD) return
    this.kind[entry] = WRITE
    this.site[entry] = site
  }

  wait(location: LocationId, site: SiteId): void {
    this.#reserve(location)
    if (this.#waitStamp[location] === this.#stamp) return
    this.#waitStamp[location] = this.#stamp
    this.#push(location, WAIT, site)
  }

  join(process: number): void {
    this.#push(process, JOIN, 0)
  }

  /** An access that has to be the only one of its step. */
  special(location: LocationId, kind: typeof ACQUIRE | typeof RELEASE | typeof UNTIL): void {
    this.#special = true
    this.#seen(location)
    this.#add(location, kind, 0)
  }

  /** Whether a footprint stored elsewhere depends on this one. */
  conflictsWith(location: number, kind: number): boolean {
    if (kind === WAIT || kind === JOIN) return false
    if (this.#entryStamp[location] !== this.#stamp) return false
    return conflicts(this.kind[this.#entry[location] as number] as number, kind)
  }

  checkSupported(): void {
    if (!this.#special || this.length === 1) return
    const what = isLock(this.kind[0] as number) ? 'a lock event' : 'a blocking read'
    throw new EngineError(`a step with ${what} must have no other access, this one has ${this.length}`)
  }

  /** Makes room for the location; whether this step has an access of it. */
  #seen(location: LocationId): boolean {
    this.#reserve(location)
    return this.#entryStamp[location] === this.#stamp
  }

  #add(location: LocationId, kind: number, site: SiteId): void {
    this.#entryStamp[location] = this.#stamp
    this.#entry[location] = this.length
    this.#push(location, kind, site)
  }

  #push(location: number, kind: number, site: SiteId): void {
    const entry = this.length++
    if (entry >= this.location.length) this.#growEntries()
    this.location[entry] = location
    this.kind[entry] = kind
    this.site[entry] = site
  }

  #reserve(location: LocationId): void {
    if (location < this.#entry.length) return
    this.#entry = grown(this.#entry, location + 1)
    this.#entryStamp = grown(this.#entryStamp, this.#entry.length)
    this.#waitStamp = grown(this.#waitStamp, this.#entry.length)
  }

  #growEntries(): void {
    this.location = grown(this.location, this.length)
    this.kind = grown(this.kind, this.length)
    this.site = grown(this.site, this.length)
  }
}
