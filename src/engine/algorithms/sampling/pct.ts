import { Array, Math } from '../../intrinsics.ts'
import type { Chance } from './chance.ts'
import type { Ordinal } from '../../ids.ts'
import { Priorities } from './priorities.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import type { Trace } from '../../trace/trace.ts'

/**
 * PCT (Burckhardt, Kothari, Musuvathi and Nagarakatte, *A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs*, ASPLOS
 * 2010): processes have random priorities, of those that can go on the one with the highest does, and at `depth - 1` random steps the
 * one that would go on gets a priority below all others.
 */
export class Pct implements Sampler {
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #depth: number
  /** Of all executions so far: the most processes and steps. */
  #processes = 1
  #steps = 1
  /** Those that were lowered are below 0. */
  readonly #priorities: Priorities
  /** The steps before which one is lowered. */
  #changes: number[] = []

  constructor(trace: Trace, chance: Chance, depth: number) {
    this.#trace = trace
    this.#chance = chance
    this.#depth = depth
    this.#priorities = new Priorities(chance)
  }

  begin(): void {
    this.#priorities.clear()
    this.#changes = Array.from({ length: this.#depth - 1 }, () => this.#chance.below(this.#steps))
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal {
    const step = this.#trace.steps.count
    this.#changes.forEach((at, number) => {
      if (at === step) this.#priorities.set(this.#priorities.highest(enabled, count), number - this.#depth)
    })
    return this.#priorities.highest(enabled, count)
  }

  ended(): void {
    this.#processes = Math.max(this.#processes, this.#trace.processes.count)
    this.#steps = Math.max(this.#steps, this.#trace.steps.count)
  }

  certainty(executions: number): string {
    const one = 1 / (this.#processes * this.#steps ** (this.#depth - 1))
    const percent = Math.floor(100 * (1 - (1 - one) ** executions))
    return `a failure of depth ${this.#depth} had a chance of at least ${percent} % to be met`
  }
}
