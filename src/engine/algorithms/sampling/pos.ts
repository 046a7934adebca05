import { footprintsConflict } from '../../access.ts'
import type { Chance } from './chance.ts'
import type { Ordinal } from '../../ids.ts'
import { Priorities } from './priorities.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import type { Trace } from '../../trace/trace.ts'

/**
 * Partial order sampling (Yuan, Yang and Gu, CAV 2018): the next step of every process has a random priority, the one with the highest is
 * taken, and those that race with it get new ones. What a step accesses is not known before it is taken: it is supposed to access what the
 * step of that number of its process did when it was last taken.
 */
export class PartialOrderSampling implements Sampler {
  readonly #trace: Trace
  /** Of the next step of each process. */
  readonly #priorities: Priorities
  /** By process, and number of the step. */
  readonly #supposed: Int32Array[][] = []

  constructor(trace: Trace, chance: Chance) {
    this.#trace = trace
    this.#priorities = new Priorities(chance)
  }

  begin(): void {
    this.#priorities.clear()
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal {
    return this.#priorities.highest(enabled, count)
  }

  stepEnded(): void {
    const { processes, steps } = this.#trace
    const step = steps.count - 1
    const footprint = steps.footprint(step)
    const taken = steps.process[step] as Ordinal
    const ofProcess = (this.#supposed[processes.id(taken)] ??= [])
    ofProcess[steps.index[step] as number] = footprint
    this.#priorities.renew(taken)
    for (let ordinal = 0; ordinal < processes.count; ordinal++) {
      if (ordinal !== taken && this.#races(ordinal as Ordinal, footprint)) this.#priorities.renew(ordinal as Ordinal)
    }
  }

  #races(process: Ordinal, footprint: Int32Array): boolean {
    const { processes } = this.#trace
    const next = this.#supposed[processes.id(process)]?.[(processes.steps[process] as number) + 1]
    return next !== undefined && footprintsConflict(next, footprint)
  }
}
