import { now } from './clock.ts'
import type { ResolvedOptions } from './options.ts'

/** What may end an exploration before everything is explored, and what did. */
export class Budget {
  /** Whether executions are drawn for an estimate where an algorithm is given. */
  readonly surveys: boolean = false
  readonly #options: ResolvedOptions
  #executions = 0
  #deadline = Infinity
  #ended: string | undefined
  #truncated = false

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  /** What the other one has used up is used up here as well. */
  continue({ executions, deadline }: Pick<Budget, 'executions' | 'deadline'>): void {
    this.#executions = executions
    this.#deadline = deadline
  }

  get executions(): number {
    return this.#executions
  }

  get deadline(): number {
    return this.#deadline
  }

  start(): void {
    if (this.#deadline !== Infinity) return
    if (this.#options.maxTime !== Infinity) this.#deadline = now() + this.#options.maxTime
  }

  /** So many milliseconds do not count as `maxTime`. */
  postpone(milliseconds: number): void {
    this.#deadline += milliseconds
  }

  /** An execution was run to its end or cut short. False: it was one too many, and does not count. */
  execution(): boolean {
    this.#executions++
    return true
  }

  /** An execution was cut short at `maxSteps`. */
  truncated(): void {
    this.#truncated = true
  }

  get isTruncated(): boolean {
    return this.#truncated
  }

  end(reason: string): void {
    this.#ended ??= reason
  }

  /** To be asked only when there is more to explore. */
  isSpent(): boolean {
    const { maxExecutions, maxTime } = this.#options
    if (this.#executions >= maxExecutions) this.end(`maxExecutions of ${maxExecutions}`)
    else if (this.#deadline !== Infinity && now() >= this.#deadline) this.end(`maxTime of ${maxTime} ms`)
    return this.#ended !== undefined
  }

  /** Why an exploration without a failure says nothing for certain. */
  get reason(): string | undefined {
    if (this.#ended !== undefined) return this.#ended
    return this.#truncated ? `maxSteps of ${this.#options.maxSteps}` : undefined
  }
}
