import type { Algorithm } from '../algorithm.ts'
import type { Ordinal } from '../../ids.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'

/** Complete executions after which a search is large. */
export const large = 16

/** How many executions are drawn then. */
const drawn = 48

/** What a large search draws at random before it goes on: where failures are not rare, one is met much sooner than depth first. */
export class Prelude implements Algorithm {
  readonly #samplers: readonly Sampler[]
  #drawn = 0

  constructor(samplers: readonly Sampler[]) {
    this.#samplers = samplers
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal {
    return this.#sampler.choose(enabled, count)
  }

  stepEnded(): void {
    this.#sampler.stepEnded?.()
  }

  ended(): void {
    for (const sampler of this.#samplers) sampler.ended?.()
  }

  get more(): boolean {
    return this.#drawn < drawn
  }

  advance(): number {
    this.#drawn++
    this.#sampler.begin()
    return 0
  }

  estimate(): number {
    return this.#drawn
  }

  /** They take turns. */
  get #sampler(): Sampler {
    return this.#samplers[this.#drawn % this.#samplers.length]!
  }
}
