import { Math } from '../intrinsics.ts'
import type { ProcessId } from '../ids.ts'
import type { Outcome } from '../outcome.ts'
import { mixHash } from '../values.ts'
import type { ProgramSearch } from './operations.ts'

/** A thread goes round again, and finds what the round before these steps has found. */
export interface MoreRounds {
  /** Ordinal of the thread. */
  readonly process: number
  /** Steps of a round. */
  readonly period: number
  /** The first of its steps in the rehearsal, and the first one after them. */
  readonly from: number
  readonly to: number
}

/**
 * Takes the place of the search where a program is run to find out something: it takes the steps of a schedule, in which threads may go round more
 * often, and notes what each step does and sees. Processes have their ordinals for ids.
 */
export class Rehearsal implements ProgramSearch {
  readonly #schedule: readonly number[]
  readonly moreRounds: readonly MoreRounds[]
  /** By process: of each of its steps what it did and saw, as a hash. */
  readonly steps: number[][] = []
  outcome: Outcome | undefined
  #taken = 0
  #running = 0
  #doing = 0

  constructor(schedule: readonly number[], moreRounds: readonly MoreRounds[] = []) {
    this.#schedule = schedule
    this.moreRounds = moreRounds
  }

  get exhausted(): boolean {
    return this.#taken >= this.#schedule.length
  }

  get forced(): ProcessId | undefined {
    return this.#schedule[this.#taken] as ProcessId | undefined
  }

  spawn(): ProcessId {
    return (this.steps.push([]) - 1) as ProcessId
  }

  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    const next = this.forced
    if (next === undefined || !enabled.includes(next)) return undefined
    this.#taken++
    this.#running = next
    this.#doing = 0
    return next
  }

  endStep(): void {
    this.steps[this.#running]!.push(this.#doing)
  }

  finish(outcome: Outcome): void {
    this.outcome = outcome
  }

  read(location: number): void {
    this.#does(1, location)
  }

  write(location: number): void {
    this.#does(2, location)
  }

  assign(location: number): void {
    this.#does(3, location)
  }

  add(location: number): void {
    this.#does(4, location)
  }

  append(location: number): void {
    this.#does(5, location)
  }

  combine(location: number): void {
    this.#does(6, location)
  }

  insert(location: number): void {
    this.#does(7, location)
  }

  clear(location: number): void {
    this.#does(8, location)
  }

  remove(location: number): void {
    this.#does(9, location)
  }

  wait(location: number): void {
    this.#does(10, location)
  }

  join(process: number): void {
    this.#does(11, process)
  }

  acquire(location: number): void {
    this.#does(12, location)
  }

  release(location: number): void {
    this.#does(13, location)
  }

  until(location: number): void {
    this.#does(14, location)
  }

  saw(hash: number): void {
    this.#does(15, hash)
  }

  look(): void {}
  order(): void {}
  barrier(): void {}
  awaitChange(): void {}
  stop(): void {}

  /** Nobody waits for a change here. */
  hasChanged(): boolean {
    return true
  }

  isOrdered(): boolean {
    return true
  }

  #does(what: number, to: number): void {
    this.#doing = mixHash(mixHash(this.#doing, what), to)
  }
}

/** Whether the last `count` steps of a process repeat those that came one round before them. */
export function goesRound(steps: readonly number[], { period, count }: { readonly period: number; readonly count: number }): boolean {
  for (let i = Math.max(0, steps.length - count); i < steps.length; i++) if (steps[i] !== steps[i - period]) return false
  return true
}
