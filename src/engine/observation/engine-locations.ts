import type { LocationId } from '../ids.ts'

/**
 * Locations that drivers name, and those that the engine adds, in one row of numbers: the former are even, the latter odd.
 * For each key of an order location the engine adds one that tells whether the key is there, so that who keeps a key
 * conflicts with who removes it and with nobody else. Keys that are objects have one together: an object has no name that
 * would be the same in another execution.
 */
export class EngineLocations {
  readonly #presence = new Map<LocationId, Map<unknown, LocationId>>()
  #count = 0

  /** Whether the key is in the order location. */
  presence(order: LocationId, key: unknown): LocationId {
    let ofKeys = this.#presence.get(order)
    if (ofKeys === undefined) this.#presence.set(order, (ofKeys = new Map<unknown, LocationId>()))
    const name = isLasting(key) ? key : ofObjects
    const known = ofKeys.get(name)
    if (known !== undefined) return known
    const location = (this.#count++ * 2 + 1) as LocationId
    ofKeys.set(name, location)
    return location
  }
}

/** The location as the engine numbers it. */
export function inEngine(location: LocationId): LocationId {
  return (location * 2) as LocationId
}

/** The location as its driver numbers it; undefined for one that the engine added. */
export function inDriver(location: LocationId): LocationId | undefined {
  return location % 2 === 0 ? ((location / 2) as LocationId) : undefined
}

const ofObjects = Symbol('all objects')

function isLasting(key: unknown): boolean {
  return (typeof key !== 'object' && typeof key !== 'function' && typeof key !== 'symbol') || key === null
}
