import type { HoldsBefore } from './access.ts'
import { EngineError } from './errors.ts'
import type { LocationId, ProcessId, SiteId } from './ids.ts'
import { resolveOptions, type ResolvedOptions, type SearchOptions } from './options.ts'
import type { Exploration, Failure, Outcome } from './outcome.ts'
import { formatSchedule } from './schedule.ts'

/** The engine as a machine that a driver runs: `next`, then `choose`, accesses, `endStep` ..., then `finish`. */
export class Search {
  readonly #options: ResolvedOptions
  #started = false
  #steps = 0
  #executions = 0
  #schedule: number[] = []
  #count = 0
  #failures: Failure[] = []

  constructor(options: SearchOptions = {}) {
    this.#options = resolveOptions(options)
  }

  next(): boolean {
    if (this.#started) return false
    this.#started = true
    return true
  }
  spawn(_parent?: ProcessId): ProcessId {
    return this.#count++ as ProcessId
  }
  ordinal(process: ProcessId): number {
    return process
  }
  choose(enabled: readonly ProcessId[]): ProcessId | undefined {
    const process = enabled[0]
    if (process === undefined) throw new EngineError('choose was called without an enabled process')
    this.#schedule.push(process)
    return process
  }
  read(_location: LocationId, _site: SiteId = 0): void {}
  write(_location: LocationId, _site: SiteId = 0): void {}
  wait(_location: LocationId, _site: SiteId = 0): void {}
  join(_process: ProcessId): void {}
  acquire(_location: LocationId): void {}
  release(_location: LocationId): void {}
  until(_location: LocationId, _holdsBefore: HoldsBefore): void {}
  endStep(_options?: { fixed?: boolean }): void {
    this.#steps++
  }
  barrier(): void {}
  finish(outcome: Outcome): void {
    if (outcome.status !== 'complete') return
    this.#executions++
    if (outcome.failure) {
      this.#failures.push({ ...outcome.failure, schedule: formatSchedule(this.#schedule), execution: this.#executions })
    }
  }
  stop(_reason: string): void {}
  get depth(): number {
    return this.#schedule.length
  }
  get exhausted(): boolean {
    return this.depth >= this.#options.maxSteps
  }
  result(): Exploration {
    return {
      verdict: this.#failures.length > 0 ? 'fails' : 'inconclusive',
      executions: this.#executions,
      blocked: 0,
      steps: this.#steps,
      estimate: this.#executions,
      interleave: this.#options.interleave,
      failures: this.#failures,
    }
  }
}
