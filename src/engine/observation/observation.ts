import { ADD, APPEND, ASSIGN, WRITE } from '../access.ts'
import type { Added } from './added.ts'
import type { HappensBefore } from './happens-before.ts'
import { tellOrdersApart } from './look.ts'
import { OVERWRITTEN } from '../trace/footprint.ts'
import { KeyChanges, type Presence } from './key-changes.ts'
import { OrderedLocations, type Merged } from './ordered-locations.ts'
import { allObservationRules, type ObservationRules } from './rules.ts'
import { StepKeys } from './step-keys.ts'
import { ValueChanges } from './value-changes.ts'

/**
 * Notices when a step looks at a location and would see something else if unordered changes of it had come in another order.
 * Holds what is known of the changes of the current execution.
 */
export class Observation {
  readonly ordered: OrderedLocations
  readonly rules: ObservationRules
  /** Whether some change was ever told of which more has to be known than that it is one. */
  isNeeded = false
  readonly #order: HappensBefore
  /** By location. */
  readonly #values: (ValueChanges | undefined)[] = []
  readonly #keys: (KeyChanges | undefined)[] = []
  #execution = 0

  constructor(order: HappensBefore, merged: Merged = 'nothing', rules: ObservationRules = allObservationRules) {
    this.#order = order
    this.ordered = new OrderedLocations(merged)
    this.rules = rules
  }

  begin(): void {
    this.#execution++
  }

  /** Somebody looks at the location as it is now. */
  look(location: number, looks: number): void {
    const values = this.#valuesOf(location)
    const keys = this.#keysOf(location)
    if (values?.areToldApart(looks) === true || keys?.areToldApart(looks) === true) this.ordered.add(location)
  }

  /** Somebody is about to add to the location. */
  lookAtSum(location: number, added: Added): void {
    if (this.#valuesOf(location)?.exceeds(added) === true) this.ordered.add(location)
  }

  /** Whether there are additions at the location that nothing has overwritten. */
  isSum(location: number): boolean {
    return this.#valuesOf(location)?.isSum === true
  }

  /** Whether the key is there, as far as a process knows whose last step was `origin`. */
  presence(location: number, key: unknown, origin: number): Presence {
    return this.#keysOf(location)?.presence(key, origin) ?? 'absent'
  }

  /** The step has changed the location so, with what the footprint says of it. */
  change(location: number, step: number, kind: number, looks: number, payload: unknown): void {
    if (kind === WRITE) {
      // Who looked at less than everything leaves the rest to who comes later.
      if (payload === OVERWRITTEN || tellOrdersApart(looks)) this.#valuesOf(location)?.write()
      this.#keysOf(location)?.write(step)
    } else if (kind === ASSIGN) this.#madeValues(location).assign(step, payload)
    else if (kind === ADD) this.#madeValues(location).add(payload as Added)
    else if (kind === APPEND) this.#madeValues(location).append(step, payload as unknown[])
    // What is assigned is a value of the user's: nothing is asked of it.
    if (kind !== ASSIGN && payload instanceof StepKeys) this.#madeKeys(location).change(step, payload)
  }

  #valuesOf(location: number): ValueChanges | undefined {
    const found = this.#values[location]
    return found?.execution === this.#execution ? found : undefined
  }

  #keysOf(location: number): KeyChanges | undefined {
    const found = this.#keys[location]
    return found?.execution === this.#execution ? found : undefined
  }

  #madeValues(location: number): ValueChanges {
    const changes = (this.#values[location] ??= new ValueChanges(this.#order, this.rules))
    if (changes.execution !== this.#execution) changes.begin(this.#execution)
    return changes
  }

  #madeKeys(location: number): KeyChanges {
    const changes = (this.#keys[location] ??= new KeyChanges(this.#order, this.rules))
    if (changes.execution !== this.#execution) changes.begin(this.#execution)
    return changes
  }
}
