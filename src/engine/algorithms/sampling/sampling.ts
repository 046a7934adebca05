import { Math } from '../../intrinsics.ts'
import type { Algorithm, EndedExecution } from '../algorithm.ts'
import { ClassCounts } from './class-counts.ts'
import type { Ordinal } from '../../ids.ts'
import type { Sampler } from './sampler.ts'
import type { Column } from '../../trace/columns.ts'
import type { NONE } from '../../trace/processes.ts'
import type { Trace } from '../../trace/trace.ts'
import { nobodySleeps, usualProcess } from '../usual-order.ts'

/** Executions drawn at random, for as long as the budget lasts. The first one is in the usual order. */
export class Sampling implements Algorithm {
  readonly #trace: Trace
  readonly #sampler: Sampler
  readonly #counts = new ClassCounts()
  #executions = 0
  #isFirst = true
  /** There is more than one execution. */
  #hasChoice = false

  constructor(trace: Trace, sampler: Sampler) {
    this.#trace = trace
    this.#sampler = sampler
  }

  choose(enabled: Column<Ordinal>, count: number): Ordinal | typeof NONE {
    if (count > 1) this.#hasChoice = true
    return this.#isFirst ? usualProcess(this.#trace, enabled, count, nobodySleeps) : this.#sampler.choose(enabled, count)
  }

  stepEnded(): void {
    this.#sampler.stepEnded?.()
  }

  ended({ status }: EndedExecution): void {
    this.#isFirst = false
    this.#sampler.ended?.()
    if (status !== 'complete') return
    this.#executions++
    this.#counts.add(this.#trace)
  }

  get more(): boolean {
    return this.#hasChoice
  }

  advance(): number {
    this.#sampler.begin()
    return 0
  }

  get explored(): string {
    const { met } = this.#counts
    const certainty = this.#sampler.certainty?.(this.#executions)
    const all = `${met} ${met === 1 ? 'class' : 'classes'} met at random, of about ${this.classes}`
    return certainty === undefined ? all : `${all}; ${certainty}`
  }

  get classes(): number {
    return this.#hasChoice ? Math.max(this.#counts.met, this.#sampler.classes ?? this.#counts.estimate()) : this.#executions
  }
}
