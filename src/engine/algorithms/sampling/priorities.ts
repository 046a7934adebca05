import type { Chance } from './chance.ts'
import type { Ordinal } from '../../ids.ts'
import type { Column } from '../../trace/columns.ts'

/** Of what can go on the one with the highest priority does. Whose priority is not set gets a random one, of [0, 1), when it is asked for. */
export class Priorities {
  readonly #chance: Chance
  #byOrdinal: (number | undefined)[] = []

  constructor(chance: Chance) {
    this.#chance = chance
  }

  clear(): void {
    this.#byOrdinal = []
  }

  set(process: Ordinal, priority: number): void {
    this.#byOrdinal[process] = priority
  }

  renew(process: Ordinal): void {
    this.#byOrdinal[process] = undefined
  }

  highest(enabled: Column<Ordinal>, count: number): Ordinal {
    let highest = enabled[0] as Ordinal
    for (let i = 0; i < count; i++) {
      const process = enabled[i] as Ordinal
      if (this.#of(process) > this.#of(highest)) highest = process
    }
    return highest
  }

  #of(process: Ordinal): number {
    return (this.#byOrdinal[process] ??= this.#chance.fraction())
  }
}
