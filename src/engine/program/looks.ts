import { Object } from '../intrinsics.ts'
import type { LocationId } from '../ids.ts'
import type { Operation } from './operations.ts'

/** A step of a thread that looked at one location and changed nothing. */
export interface Look {
  readonly location: LocationId
  readonly step: number
  readonly operation: Operation<unknown>
}

/** Looks of one round, at most. */
const longest = 8

/** What a thread has looked at since it last did anything else: whether it goes round in a loop. Of a single look, as most are, little is made. */
export class Looks {
  #first: Operation<unknown> | undefined
  #firstStep = 0
  #firstLocation = 0 as LocationId
  /** From the second one on all that matter. */
  #looks: Look[] | undefined

  add(location: LocationId, step: number, operation: Operation<unknown>): void {
    if (this.#first === undefined) {
      this.#first = operation
      this.#firstStep = step
      this.#firstLocation = location
      return
    }
    this.#looks ??= [{ location: this.#firstLocation, step: this.#firstStep, operation: this.#first }]
    if (this.#looks.length === longest * 2) this.#looks.shift()
    this.#looks.push({ location, step, operation })
  }

  /** The thread has done something else. */
  clear(): void {
    if (this.#first === undefined) return
    this.#first = undefined
    this.#looks = undefined
  }

  /** How many looks a round has, if the last two rounds were alike, and what comes next begins another one; 0 if not. */
  periodBefore(next: Operation<unknown>): number {
    const looks = this.#looks
    if (looks === undefined) return 0
    for (let period = 1; period * 2 <= looks.length; period++) {
      const { location, operation } = looks.at(-period)!
      if (location === next.looksAt && operation.constructor === next.constructor && this.#areAlike(looks, period)) return period
    }
    return 0
  }

  last(count: number): readonly Look[] {
    return this.#looks?.slice(-count) ?? []
  }

  #areAlike(looks: readonly Look[], period: number): boolean {
    for (let i = looks.length - period; i < looks.length; i++) {
      const [one, other] = [looks[i]!, looks[i - period]!]
      if (one.location !== other.location || one.operation.constructor !== other.operation.constructor) return false
      if (!Object.is(one.operation.value, other.operation.value)) return false
    }
    return true
  }
}
