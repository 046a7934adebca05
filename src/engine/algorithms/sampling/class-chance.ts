import { ACQUIRE, RELEASE } from '../../access.ts'
import { Array, Math } from '../../intrinsics.ts'
import type { Chance } from './chance.ts'
import type { Ordinal } from '../../ids.ts'
import { NONE } from '../../trace/processes.ts'
import type { RacingSteps } from './racing-steps.ts'
import type { Trace } from '../../trace/trace.ts'

/** Orders of one class that are looked at, and accesses of clocks after which it is fewer. */
const mostOrders = 24
const mostWork = 2_000_000

/**
 * How likely an execution of a class is, where at each step who has a step alone goes on, and if nobody has, each process that can go on is as likely: the
 * logarithm. It is the average, over orders of the class, of the share that the steps that lead to the class have of all that could have been taken: in the
 * order of the execution itself, which makes 1 over it right on average (as in conditional importance sampling), and in others that are drawn in the same way, but only from those steps.
 */
export class ClassChance {
  readonly #trace: Trace
  readonly #chance: Chance
  readonly #racing: RacingSteps
  /** By ordinal: its steps. */
  #steps: number[][] = []
  /** By ordinal: how many of them are taken. */
  #taken: number[] = []
  /** By ordinal: its next step can be taken in this class; or at least in some class. */
  #leads: boolean[] = []
  readonly #held = new Set<number>()
  /** By step: that which has enabled its process, or NONE. */
  #enabling: readonly number[] = []

  constructor(trace: Trace, chance: Chance, racing: RacingSteps) {
    this.#trace = trace
    this.#chance = chance
    this.#racing = racing
  }

  /** Of the execution that has just ended; `enabling` tells for each step which one has enabled its process, NONE if that was free to go on. */
  ofClass(enabling: readonly number[]): number {
    const { processes, steps } = this.#trace
    this.#enabling = enabling
    this.#steps = Array.from({ length: processes.count }, () => [])
    for (let step = 0; step < steps.count; step++) this.#steps[steps.process[step] as Ordinal]!.push(step)
    const orders = Math.max(2, Math.min(mostOrders, Math.floor(mostWork / (1 + steps.count * processes.count))))
    const shares = Array.from({ length: orders }, (_, order) => this.#shareOfOrder({ isOwn: order === 0 }))
    const most = Math.max(...shares)
    return most + Math.log(shares.reduce((sum, share) => sum + Math.exp(share - most), 0) / orders)
  }

  #shareOfOrder({ isOwn }: { readonly isOwn: boolean }): number {
    const { count, process: own } = this.#trace.steps
    this.#taken = this.#steps.map(() => 0)
    this.#leads = this.#steps.map((_, process) => this.#leadsOn(process))
    this.#held.clear()
    let share = 0
    for (let taken = 0; taken < count; taken++) {
      const alone = this.#steps.findIndex((_, process) => this.#isAlone(process))
      if (alone !== NONE && !this.#leads[alone]!) return -Infinity
      const leading = this.#leads.reduce((sum, leads) => sum + (leads ? 1 : 0), 0)
      if (alone === NONE) share += Math.log(leading / this.#steps.reduce((sum, _, process) => sum + (this.#leads[process]! || this.#canGoOn(process) ? 1 : 0), 0))
      if (isOwn) this.#take(own[taken] as Ordinal)
      else this.#take(alone === NONE ? this.#leadingOne(this.#chance.below(leading)) : alone)
    }
    return share
  }

  #leadingOne(number: number): number {
    let left = number
    return this.#leads.findIndex((leads) => leads && left-- === 0)
  }

  #isAlone(process: number): boolean {
    return this.#racing.isAlone(this.#trace.processes.id(process as Ordinal), this.#taken[process]! + 1) && (this.#leads[process]! || this.#canGoOn(process))
  }

  #take(process: number): void {
    const { clocks, steps } = this.#trace
    const step = this.#steps[process]![this.#taken[process]!++]!
    for (let access = steps.start[step] as number; access < (steps.end[step] as number); access++) {
      if (steps.kind[access] === ACQUIRE) this.#held.add(steps.location[access] as number)
      if (steps.kind[access] === RELEASE) this.#held.delete(steps.location[access] as number)
    }
    for (let other = 0; other < this.#steps.length; other++) {
      if (other === process) this.#leads[other] = this.#leadsOn(other)
      else if (!this.#leads[other]) {
        const next = this.#steps[other]![this.#taken[other]!]
        // Nothing has changed for those that wait for somebody else, or for more.
        if (next !== undefined && clocks.get(next, process) === this.#taken[process]) this.#leads[other] = this.#leadsOn(other)
      }
    }
  }

  /** Whether all that comes before the next step in this class is taken. */
  #leadsOn(process: number): boolean {
    const step = this.#steps[process]![this.#taken[process]!]
    if (step === undefined) return false
    return this.#taken.every((taken, other) => other === process || this.#trace.clocks.get(step, other) <= taken)
  }

  /** Whether the process could take a step, of which something comes before it in this class. */
  #canGoOn(process: number): boolean {
    const step = this.#steps[process]![this.#taken[process]!]
    const { steps } = this.#trace
    if (step === undefined || !this.#isTaken(steps.origin[step] as number)) return false
    const access = steps.start[step] as number
    const isAcquire = access < (steps.end[step] as number) && steps.kind[access] === ACQUIRE
    return isAcquire ? !this.#held.has(steps.location[access] as number) : this.#isTaken(this.#enabling[step]!)
  }

  #isTaken(step: number): boolean {
    const { steps } = this.#trace
    return step === NONE || (steps.index[step] as number) <= this.#taken[steps.process[step] as Ordinal]!
  }
}
