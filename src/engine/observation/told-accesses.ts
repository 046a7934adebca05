import { Math, Number } from '../intrinsics.ts'
import { ADD, ARRANGE, ASSIGN, PLACE, WRITE } from '../access.ts'
import { EngineError } from '../errors.ts'
import { NO_KIND } from '../trace/footprint.ts'
import type { LocationId, SiteId } from '../ids.ts'
import { EngineLocations } from './engine-locations.ts'
import { lookBits } from './look.ts'
import type { Trace } from '../trace/trace.ts'

const LOOK_AT_VALUE = lookBits('value')
const LOOK_AT_SUM = lookBits('integer')

const AS_VALUE = 1
const AS_ORDER = 2

/**
 * Turns what a driver says that a step does into the accesses of its footprint. What kind a change has depends on whether
 * its location is ordered; that and what happens before the step decide it, never what the step finds, unless the
 * footprint holds that look too.
 */
export class ToldAccesses {
  readonly #trace: Trace
  readonly #added = new EngineLocations()
  /** By location: whether it holds a value or the order of keys, once that is known. */
  readonly #uses: number[] = []

  constructor(trace: Trace) {
    this.#trace = trace
  }

  write(location: LocationId, site: SiteId): void {
    this.#trace.footprint.write(location, site, LOOK_AT_VALUE)
  }

  assign(location: LocationId, site: SiteId, value: unknown): void {
    this.#useAs(AS_VALUE, location)
    this.#trace.footprint.assign(location, site, this.#isOrdered(location) ? WRITE : ASSIGN, value)
  }

  /** `found` is what the step finds there, as far as the driver knows. */
  add(location: LocationId, site: SiteId, { amount, found }: { readonly amount: unknown; readonly found: unknown }): void {
    this.#useAs(AS_VALUE, location)
    const { footprint, observation } = this.#trace
    if (this.#isOrdered(location)) return this.write(location, site)
    const areIntegers = Number.isSafeInteger(amount) && (found === undefined || Number.isSafeInteger(found))
    if (!areIntegers && observation.rules.integers) {
      const isOverflow = Number.isSafeInteger(amount) && (footprint.kindAt(location) === ADD || observation.isSum(location))
      // In another order the sum might still have been safe here, and the kind of this access another.
      if (isOverflow) observation.ordered.add(location)
      footprint.lookAtSum(location, site, LOOK_AT_SUM)
      return this.write(location, site)
    }
    const magnitude = areIntegers ? Math.abs(amount as number) : 0
    const added = { magnitude, found: areIntegers ? Math.abs((found ?? 0) as number) : 0 }
    footprint.add(location, site, { added, amount: amount as number, looks: observation.rules.integers ? LOOK_AT_SUM : 0 })
  }

  append(location: LocationId, site: SiteId, value: unknown): void {
    this.#useAs(AS_VALUE, location)
    if (this.#isOrdered(location)) this.write(location, site)
    else this.#trace.footprint.append(location, site, value)
  }

  combine(location: LocationId, site: SiteId): void {
    this.#useAs(AS_VALUE, location)
    this.#trace.footprint.combine(location, site)
  }

  /** `origin` is the last step of the process. */
  insert(location: LocationId, site: SiteId, { key, origin }: { readonly key: unknown; readonly origin: number }): void {
    this.#useAs(AS_ORDER, location)
    const { footprint, observation } = this.#trace
    const before = footprint.kindAt(location)
    if (before !== NO_KIND) {
      const own = footprint.keys(location)
      if (own.inserted.has(key)) return
      if (before === WRITE || own.removed.has(key)) return this.#insertNew(location, site, key)
    }
    const presence = observation.presence(location, key, origin)
    if (presence === 'absent') return this.#insertNew(location, site, key)
    footprint.keep(location, site)
    if (!observation.rules.pastKeys) return
    footprint.read(this.#added.presence(location, key), site, 0)
    if (presence === 'unsure') this.#insertNew(location, site, key)
  }

  remove(location: LocationId, site: SiteId, key: unknown): void {
    this.#useAs(AS_ORDER, location)
    this.#arrange(location, site)
    const { footprint } = this.#trace
    footprint.keys(location).remove(key)
    footprint.combine(this.#added.presence(location, key), site)
  }

  clear(location: LocationId, site: SiteId): void {
    this.#useAs(AS_ORDER, location)
    this.#trace.footprint.write(location, site, 0)
  }

  #insertNew(location: LocationId, site: SiteId, key: unknown): void {
    this.#arrange(location, site)
    this.#trace.footprint.keys(location).insert(key)
  }

  #arrange(location: LocationId, site: SiteId): void {
    const { observation } = this.#trace
    const isOrdered = observation.ordered.hasKeys(location)
    if (!isOrdered) observation.ordered.use(location)
    observation.isNeeded = true
    this.#trace.footprint.arrange(location, isOrdered ? PLACE : ARRANGE, site)
  }

  #isOrdered(location: LocationId): boolean {
    const { observation } = this.#trace
    if (observation.ordered.hasValue(location)) return true
    observation.ordered.use(location)
    observation.isNeeded = true
    return false
  }

  #useAs(use: number, location: LocationId): void {
    const before = this.#uses[location]
    if (before === use) return
    if (before !== undefined) throw new EngineError('one location was used both for a value and for the order of keys')
    this.#uses[location] = use
  }
}
