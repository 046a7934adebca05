import { fewestSwitches, switchesOf } from './fewest-switches.ts'
import { Math } from './intrinsics.ts'

/**
 * Why one step comes after another: the next of its process; the first of a process that the other created; enabled by what
 * the other did (`wait`), or by the end of its process (`join`); or the two conflict, and came out in this order.
 */
export type OrderReason = 'program order' | 'spawn' | 'wait' | 'join' | 'conflict'

/** A step that another one comes directly after. */
export interface OrderedAfter {
  /** From 0, within the execution. */
  readonly step: number
  readonly reason: OrderReason
}

export interface OrderedStep {
  /** Ordinal of the process, as schedules count them. */
  readonly process: number
  /** Every step with a lower number happens before this one: virtual time advanced between them. 0 where it never did. */
  readonly since: number
  /** Those excepted that others of them come after. */
  readonly after: readonly OrderedAfter[]
}

/** Two steps of different processes, adjacent in happens-before, that could have come the other way round. */
export interface OrderedRace {
  readonly first: number
  readonly second: number
}

/** What an `ExecutionOrder` is made of. */
export interface OrderData {
  readonly steps: readonly OrderedStep[]
  readonly races: readonly OrderedRace[]
}

/**
 * Happens-before of one execution, for whoever explains it. It holds plain data: it survives JSON, and
 * `new ExecutionOrder(JSON.parse(text))` is the same order again. Steps are numbered from 0.
 */
export class ExecutionOrder implements OrderData {
  readonly steps: readonly OrderedStep[]
  readonly races: readonly OrderedRace[]
  #positions: readonly number[] | undefined
  #happensBefore: readonly Clock[] | undefined
  #enforced: readonly Clock[] | undefined

  constructor({ steps, races }: OrderData) {
    this.steps = steps
    this.races = races
  }

  /** Whether `first` is `second` or happens before it. */
  happensBefore(first: number, second: number): boolean {
    return this.#isBefore(first, second, (this.#happensBefore ??= this.#clocks(() => true)))
  }

  /** Whether `first` is `second` or comes before it by more than conflicts that came out this way. */
  isEnforced(first: number, second: number): boolean {
    return this.#isBefore(first, second, (this.#enforced ??= this.#clocks(({ reason }) => reason !== 'conflict')))
  }

  isRace(first: number, second: number): boolean {
    return this.races.some((race) => race.first === first && race.second === second)
  }

  /** Whether `step` could have been taken instead of the earlier step `moment`, as far as what enables it goes. */
  couldRunAt(step: number, moment: number): boolean {
    const { since, after } = this.steps[step]!
    if (since > 0 && since >= moment) return false
    return after.every((before) => before.reason === 'conflict' || before.step < moment)
  }

  /**
   * The steps in an order in which these races come out the other way round: what has to come before the second step comes before the
   * first with it, and everything else stays where it is. Two steps that are not adjacent are ordered by how other races came out, and
   * those are turned round with them. From the second race on that is as good as can be: the steps of a race may
   * be ordered by what was turned round before.
   */
  reversed(races: readonly OrderedRace[]): number[] {
    let order = [...this.steps.keys()]
    for (const { first, second } of races) {
      const start = order.indexOf(first)
      const end = order.indexOf(second)
      if (end < start) continue
      const between = order.slice(start, end)
      const stays = this.isRace(first, second)
        ? (step: number): boolean => this.happensBefore(first, step)
        : (step: number): boolean => this.isEnforced(first, step) || !this.happensBefore(step, second)
      order = [...order.slice(0, start), ...between.filter((step) => !stays(step)), second, ...between.filter(stays), ...order.slice(end + 1)]
    }
    return order
  }

  /** How often control left a process that could have gone on and did so later. */
  get switches(): number {
    return switchesOf(this)
  }

  /**
   * The steps in the order of the execution's class that has the fewest switches, and of those the one in which control passes on the
   * least often. In very long executions that is as good as can be found soon.
   */
  inFewestSwitches(): readonly number[] {
    return fewestSwitches(this).steps
  }

  /** How many switches that order has. */
  get fewestSwitches(): number {
    return fewestSwitches(this).switches
  }

  #isBefore(first: number, second: number, clocks: readonly Clock[]): boolean {
    if (first === second || first < this.steps[second]!.since) return true
    return first < second && clocks[second]![this.steps[first]!.process]! >= this.#position(first)
  }

  /** Number of a step within its process, from 1. */
  #position(step: number): number {
    return (this.#positions ??= positionsOf(this.steps))[step]!
  }

  /** For every step how many steps of each process come before it, itself included; but for those before time advanced. */
  #clocks(counts: (after: OrderedAfter) => boolean): Clock[] {
    const clocks: Clock[] = []
    const width = this.steps.reduce((most, { process }) => Math.max(most, process + 1), 0)
    for (const [step, { process, after }] of this.steps.entries()) {
      const clock: Clock = new Int32Array(width)
      for (const before of after) if (counts(before)) join(clock, clocks[before.step]!)
      clock[process] = this.#position(step)
      clocks.push(clock)
    }
    return clocks
  }
}

type Clock = Int32Array

function join(clock: Clock, other: Clock): void {
  for (let process = 0; process < clock.length; process++) {
    if (other[process]! > clock[process]!) clock[process] = other[process]!
  }
}

function positionsOf(steps: readonly OrderedStep[]): number[] {
  const counts: number[] = []
  return steps.map(({ process }) => (counts[process] = (counts[process] ?? 0) + 1))
}
