import type { Algorithm, EndedExecution } from '../algorithm.ts'
import type { Ordinal } from '../../ids.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import type { NONE } from '../../trace/processes.ts'

/** An algorithm that explores everything, and between every two of its executions one drawn at random. */
export class Mixed implements Algorithm {
  readonly #systematic: Algorithm
  readonly #sampler: Sampler
  #isDrawn = false

  /** @param systematic one that can begin an execution whatever the one before was */
  constructor(systematic: Algorithm, sampler: Sampler) {
    this.#systematic = systematic
    this.#sampler = sampler
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    return this.#isDrawn ? this.#sampler.choose(enabled, count) : this.#systematic.choose(enabled, count)
  }

  stepEnded(): void {
    if (this.#isDrawn) this.#sampler.stepEnded?.()
    else this.#systematic.stepEnded()
  }

  ended(execution: EndedExecution): void {
    this.#sampler.ended?.()
    if (!this.#isDrawn) this.#systematic.ended(execution)
  }

  get more(): boolean {
    return this.#systematic.more
  }

  advance(): number {
    this.#isDrawn = !this.#isDrawn
    if (this.#isDrawn) this.#sampler.begin()
    else this.#systematic.advance()
    return 0
  }

  get leftOut(): string | undefined {
    return this.#systematic.leftOut
  }

  get explored(): string | undefined {
    return this.#systematic.explored
  }
}
