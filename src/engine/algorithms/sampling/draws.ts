import type { EndedExecution } from '../algorithm.ts'
import type { Ordinal } from '../../ids.ts'
import type { Estimate } from '../../outcome.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import type { NONE } from '../../trace/processes.ts'
import type { Survey } from './survey.ts'

/** Complete executions after which a search is large. */
const large = 16

/** What is drawn then, to meet a failure that is not rare. */
const atOnce = 48

/** After so many executions of the search a better estimate is worth more, until there are many that it rests on. */
const long = 400
const many = 128

/** So many executions of the search are between two that are drawn for the estimate: first, in a long one, and once there are many. */
const between = { first: 16, long: 6, later: 64 }

export interface DrawsOptions {
  readonly survey: Survey
  /** Whether it goes on for the estimate. */
  readonly surveys: boolean
  /** Draws in turn with the survey at once when the search turns out to be large; the failures count that are met. */
  readonly hunter?: Sampler | undefined
}

/** Executions drawn at random while a large search goes on: for the estimate of how large it is, and to meet a failure soon. */
export class Draws {
  readonly #survey: Survey
  readonly #surveys: boolean
  readonly #hunter: Sampler | undefined
  /** Those that are to be drawn at once. */
  #left = 0
  #isLarge = false
  /** So many executions of the search have to be there before the next one is drawn. */
  #next = large
  #surveyed = 0
  /** So many were drawn. */
  count = 0

  constructor({ survey, surveys, hunter }: DrawsOptions) {
    this.#survey = survey
    this.#surveys = surveys
    this.#hunter = hunter
  }

  /** Whether one is to be drawn after so many executions of the search. */
  isDue(executions: number): boolean {
    if (!this.#isLarge && executions >= large) {
      this.#isLarge = true
      if (this.#hunter !== undefined) this.#left = atOnce
    }
    return this.#left > 0 || (this.#surveys && executions >= this.#next)
  }

  begin(executions: number): void {
    this.count++
    if (this.#left > 0) this.#left--
    else this.#next = executions + (this.#surveyed >= many ? between.later : executions >= long ? between.long : between.first)
    this.#sampler.begin()
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    return this.#sampler.choose(enabled, count)
  }

  stepEnded(): void {
    this.#sampler.stepEnded?.()
  }

  ended(execution: EndedExecution): void {
    this.#hunter?.ended?.()
    if (this.#sampler !== this.#survey) return
    this.#survey.drawn(execution)
    this.#surveyed++
  }

  /** The search begins anew, with other classes. */
  startAnew(): void {
    this.#survey.startAnew()
    this.#surveyed = 0
    this.#next = large
  }

  /** Whether a failure that is met is one of the search. */
  get hunts(): boolean {
    return this.#hunter !== undefined
  }

  estimate(): Estimate | undefined {
    return this.#survey.estimate()
  }

  get #sampler(): Sampler {
    return this.#hunter !== undefined && this.#left % 2 === 1 ? this.#hunter : this.#survey
  }
}
