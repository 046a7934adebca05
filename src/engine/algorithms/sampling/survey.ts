import { Math } from '../../intrinsics.ts'
import type { Chance } from './chance.ts'
import { ClassChance } from './class-chance.ts'
import type { EndedExecution } from '../algorithm.ts'
import type { Ordinal } from '../../ids.ts'
import type { Estimate } from '../../outcome.ts'
import { RacingSteps } from './racing-steps.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'

/** Executions below which they say nothing. */
const fewest = 6

/**
 * Estimates how many classes there are, as Knuth does the size of a tree (*Estimating the efficiency of backtrack programs*, 1975): if an execution is drawn whose
 * class had a chance of p, 1/p is on average the number of classes. At each step who has a step alone goes on, and if nobody has, each process is as likely.
 */
export class Survey implements Sampler {
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #countsOrders: boolean
  #racing = new RacingSteps()
  /** By execution: the logarithm of 1/p; -Infinity for one that does not count. */
  #weights: number[] = []
  /** The first so many were drawn where some step went on at once that races. */
  #biased = 0
  /** Of the execution that is running: the logarithm of its own chance. */
  #own = 0
  /** By ordinal: the step since which the process can go on, and whether it could at the last node. */
  #since: number[] = []
  #couldGoOn: boolean[] = []
  /** By step: that which has enabled its process; NONE if that was free to go on. */
  #enabling: number[] = []

  /** @param countsOrders how many orders there are, not classes of them */
  constructor(trace: Trace, chance: Chance, { countsOrders = false } = {}) {
    this.#trace = trace
    this.#chance = chance
    this.#countsOrders = countsOrders
  }

  begin(): void {
    this.#own = 0
    this.#since = []
    this.#couldGoOn = []
    this.#enabling = []
  }

  /** What counts as one class has changed. */
  startAnew(): void {
    this.#weights = []
    this.#biased = 0
    this.#racing = new RacingSteps()
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal {
    const { processes, steps } = this.#trace
    const node = steps.count
    let alone: Ordinal | typeof NONE = NONE
    const canGoOn: boolean[] = []
    for (let i = 0; i < count; i++) {
      const process = enabled[i] as Ordinal
      canGoOn[process] = true
      if (this.#couldGoOn[process] !== true) this.#since[process] = node - 1
      if (alone !== NONE && process > alone) continue
      if (!this.#countsOrders && this.#racing.isAlone(processes.id(process), (processes.steps[process] as number) + 1)) alone = process
    }
    if (alone === NONE) this.#own -= Math.log(count)
    const chosen = alone === NONE ? (enabled[this.#chance.below(count)] as Ordinal) : alone
    this.#couldGoOn = canGoOn
    this.#couldGoOn[chosen] = false
    this.#enabling[node] = this.#since[chosen] === processes.origin(chosen) ? NONE : this.#since[chosen]!
    return chosen
  }

  /** An execution that was drawn here has ended. */
  drawn({ status }: EndedExecution): void {
    this.#weights.push(status === 'complete' ? -this.#chanceOfClass() : -Infinity)
    this.#racing.add(this.#trace)
    if (this.#racing.hasChanged) this.#biased = this.#weights.length
  }

  /** Undefined where too few were drawn, or where they differ too much. */
  estimate(): Estimate | undefined {
    const weights = this.#weights.slice(Math.min(this.#biased, Math.floor(this.#weights.length / 2)))
    const count = weights.length
    const most = weights.reduce((highest, weight) => Math.max(highest, weight), -Infinity)
    if (count < fewest || most === -Infinity) return undefined
    const shares = weights.map((weight) => Math.exp(weight - most))
    const mean = shares.reduce((sum, share) => sum + share, 0) / count
    const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (count - 1)
    const factor = 1 + errors * Math.sqrt(variance / count) / mean + 2 / Math.sqrt(count)
    const executions = Math.min(Math.exp(most) * mean, Number.MAX_VALUE)
    return { executions: Math.round(executions), least: Math.round(executions / factor), most: Math.round(Math.min(executions * factor, Number.MAX_VALUE)) }
  }

  #chanceOfClass(): number {
    if (this.#countsOrders) return this.#own
    const chance = new ClassChance(this.#trace, this.#chance, this.#racing).ofClass(this.#enabling)
    return chance === -Infinity ? this.#own : chance
  }
}

/** So many standard errors, and what is not known of them, are between the estimate and the ends of its interval: measured by `npm run oracle:estimate`. */
const errors = 4
