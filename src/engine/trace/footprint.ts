import { ACQUIRE, ADD, APPEND, ARRANGE, ASSIGN, COMBINE, JOIN, KEEP, PLACE, READ, RELEASE, UNTIL, WAIT, WRITE, conflicts, isLock, kindTogether } from '../access.ts'
import { grown } from './columns.ts'
import { EngineError } from '../errors.ts'
import type { LocationId, SiteId } from '../ids.ts'
import { bothAdded, type Added } from '../observation/added.ts'
import { StepKeys } from '../observation/step-keys.ts'
import { mixHash } from '../values.ts'

/** How much of what others did to a location the step has seen: nothing, */
const NOTHING = 0
/** all but changes of one kind, */
const OTHER_KINDS = 1
/** or everything. */
const EVERYTHING = 2

/** Stands for a kind where no changes are left out. */
export const NO_KIND = -1

/** Of a write: whatever was there, there is a value now that does not depend on it. */
export const OVERWRITTEN = Symbol('overwritten')

/** The accesses of the step now running, each location once: two accesses of one location are one of a kind that conflicts with whatever either does. */
export class Footprint {
  length = 0
  location = new Int32Array(16)
  kind = new Int32Array(16)
  site = new Int32Array(16)
  /** What the step looked at that others may have changed: `lookBits`; 0 for no look. */
  looks = new Int32Array(16)
  /** The value assigned, the integers added, the elements appended, the keys inserted and removed. */
  readonly payload: unknown[] = []
  /**
   * What the step saw, in order: a location, and the kind of the changes that it did not see, or NO_KIND. Its footprint
   * is decided by these.
   */
  findings = 0
  findingLocation = new Int32Array(16)
  findingWithout = new Int32Array(16)
  /** Hash of the values that the step saw, in their order. */
  seen = 0
  /** Locations of which one had to change before the step was enabled, and for each the step since which. */
  readonly awaited: number[] = []
  readonly awaitedSince: number[] = []
  #special = false
  #stamp = 1
  #sees = new Int32Array(16)
  /** By location: the access of it in this step, if the stamp is this step's. */
  #entry = new Int32Array(16)
  #entryStamp = new Int32Array(16)
  #waitStamp = new Int32Array(16)

  clear(): void {
    this.#clearPayload()
    this.length = 0
    this.findings = 0
    this.seen = 0
    if (this.awaited.length > 0) this.awaited.length = this.awaitedSince.length = 0
    this.#special = false
    this.#stamp++
  }

  /** To empty an array by its length is not for nothing. */
  #clearPayload(): void {
    const { payload } = this
    for (let i = 0; i < this.length && i < payload.length; i++) payload[i] = undefined
  }

  saw(hash: number): void {
    this.seen = mixHash(this.seen, hash)
  }

  read(location: LocationId, site: SiteId, looks: number): void {
    const entry = this.#has(location) ? (this.#entry[location] as number) : this.#add(location, READ, site)
    const kind = this.kind[entry] as number
    // What the step itself wrote is all that it sees.
    if (kind === ASSIGN || (kind === WRITE && this.payload[entry] === OVERWRITTEN)) return
    if (kind !== READ && kind !== UNTIL) this.kind[entry] = kindTogether(kind, READ)
    this.#look(entry, looks)
  }

  /** A read and a change of which nothing is known but that it comes after the read. */
  write(location: LocationId, site: SiteId, looks: number): void {
    const entry = this.#change(location, WRITE, site)
    if (this.kind[entry] === ASSIGN) {
      this.payload[entry] = {}
      return
    }
    if (entry < this.payload.length) this.payload[entry] = undefined
    this.#look(entry, looks)
  }

  /** A value that does not depend on what was there. `kind` is ASSIGN, or WRITE if the location is ordered. */
  assign(location: LocationId, site: SiteId, kind: typeof ASSIGN | typeof WRITE, value: unknown): void {
    const entry = this.#change(location, kind, site)
    if (kind === WRITE) this.#look(entry, 0)
    else this.payload[entry] = this.kind[entry] === ASSIGN ? value : OVERWRITTEN
  }

  /** Whoever adds looks whether there is a number. */
  add(location: LocationId, site: SiteId, { added, amount, looks }: { added: Added; amount: number; looks: number }): void {
    const entry = this.#change(location, ADD, site)
    const before = this.payload[entry]
    if (this.kind[entry] === ASSIGN) {
      this.payload[entry] = typeof before === 'number' ? before + amount : {}
      return
    }
    if (this.kind[entry] === ADD) this.payload[entry] = before === undefined ? added : bothAdded(before as Added, added)
    this.looks[entry] = (this.looks[entry] as number) | looks
    this.#find(entry, OTHER_KINDS, ADD)
  }

  /** A look whether there is a number, which finds none: what follows is a write. */
  lookAtSum(location: LocationId, site: SiteId, looks: number): void {
    if (this.kindAt(location) === ASSIGN) return
    const entry = this.#has(location) ? (this.#entry[location] as number) : this.#add(location, READ, site)
    this.looks[entry] = (this.looks[entry] as number) | looks
    this.#find(entry, OTHER_KINDS, ADD)
  }

  append(location: LocationId, site: SiteId, value: unknown): void {
    const entry = this.#change(location, APPEND, site)
    if (this.kind[entry] === ASSIGN) this.payload[entry] = {}
    else if (this.kind[entry] === APPEND) ((this.payload[entry] ??= []) as unknown[]).push(value)
  }

  combine(location: LocationId, site: SiteId): void {
    const entry = this.#change(location, COMBINE, site)
    if (this.kind[entry] === ASSIGN) this.payload[entry] = {}
    this.#find(entry, OTHER_KINDS, COMBINE)
  }

  /** Of an order location: a key stays where it is, unless all of them were removed. */
  keep(location: LocationId, site: SiteId): void {
    this.#find(this.#change(location, KEEP, site), OTHER_KINDS, ARRANGE)
  }

  /** Of an order location: keys come or go. */
  arrange(location: LocationId, kind: typeof ARRANGE | typeof PLACE, site: SiteId): void {
    this.#change(location, kind, site)
  }

  /** What the step did to the keys of the location so far; the same object throughout the step. */
  keys(location: LocationId): StepKeys {
    const entry = this.#entry[location] as number
    const known = this.payload[entry]
    if (known instanceof StepKeys) return known
    const keys = new StepKeys()
    this.payload[entry] = keys
    return keys
  }

  /** The kind of the access of the location so far; NO_KIND if there is none. */
  kindAt(location: LocationId): number {
    return this.#has(location) ? (this.kind[this.#entry[location] as number] as number) : NO_KIND
  }

  wait(location: LocationId, site: SiteId): void {
    this.#reserve(location)
    if (this.#waitStamp[location] === this.#stamp) return
    this.#waitStamp[location] = this.#stamp
    this.#find(this.#push(location, WAIT, site), EVERYTHING, NO_KIND)
  }

  /** A look at a location of which one had to change since that step. */
  awaitChange(location: LocationId, { since, looks }: { since: number; looks: number }): void {
    this.awaited.push(location)
    this.awaitedSince.push(since)
    this.read(location, 0, looks)
  }

  join(process: number): void {
    this.#push(process, JOIN, 0)
  }

  /** An access that has to be the only one of its step. */
  special(location: LocationId, kind: typeof ACQUIRE | typeof RELEASE | typeof UNTIL): void {
    this.#special = true
    this.#has(location)
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
  #has(location: LocationId): boolean {
    this.#reserve(location)
    return this.#entryStamp[location] === this.#stamp
  }

  /** The access of the location with one more change; its entry. */
  #change(location: LocationId, kind: number, site: SiteId): number {
    if (!this.#has(location)) return this.#add(location, kind, site)
    const entry = this.#entry[location] as number
    const before = this.kind[entry] as number
    const both = kindTogether(before, kind)
    if (both === before) return entry
    this.kind[entry] = both
    this.site[entry] = site
    return entry
  }

  #add(location: LocationId, kind: number, site: SiteId): number {
    this.#entryStamp[location] = this.#stamp
    this.#entry[location] = this.length
    return this.#push(location, kind, site)
  }

  #push(location: number, kind: number, site: SiteId): number {
    const entry = this.length++
    if (entry >= this.location.length) this.#growEntries()
    this.location[entry] = location
    this.kind[entry] = kind
    this.site[entry] = site
    this.looks[entry] = 0
    this.#sees[entry] = NOTHING
    return entry
  }

  #look(entry: number, looks: number): void {
    this.looks[entry] = (this.looks[entry] as number) | looks
    this.#find(entry, EVERYTHING, NO_KIND)
  }

  /** The step sees so much of the location, which may be more than before. */
  #find(entry: number, sees: number, without: number): void {
    if ((this.#sees[entry] as number) >= sees) return
    this.#sees[entry] = sees
    const finding = this.findings++
    if (finding >= this.findingLocation.length) this.#growFindings()
    this.findingLocation[finding] = this.location[entry] as number
    this.findingWithout[finding] = without
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
    this.looks = grown(this.looks, this.length)
    this.#sees = grown(this.#sees, this.length)
  }

  #growFindings(): void {
    this.findingLocation = grown(this.findingLocation, this.findings)
    this.findingWithout = grown(this.findingWithout, this.findings)
  }
}
