import type { Chance } from './chance.ts'
import type { Ordinal } from '../../ids.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'

/** At every step each process that can go on is as likely as any other. */
export class Uniform implements Sampler {
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  begin(): void {}

  choose(enabled: Column<Ordinal>, count: number): Ordinal {
    return enabled[this.#chance.below(count)] as Ordinal
  }
}
