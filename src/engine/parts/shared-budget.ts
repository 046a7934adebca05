import { Budget } from '../budget.ts'
import type { ResolvedOptions } from '../options.ts'
import { LATE, RUNNING, type SharedMemory } from './shared-memory.ts'

/** The budget of several threads together; whoever started them watches the time. */
export class SharedBudget extends Budget {
  readonly #options: ResolvedOptions
  readonly #memory: SharedMemory
  override readonly surveys: boolean
  #isOver = false

  /** @param surveys whether this is the one of the threads that estimates what there is in all */
  constructor(options: ResolvedOptions, memory: SharedMemory, { surveys }: { readonly surveys: boolean }) {
    super(options)
    this.surveys = surveys
    this.#options = options
    this.#memory = memory
  }

  override start(): void {}

  /** One execution too many shows that there is more to explore: it ends the exploration, and does not count. */
  override execution(): boolean {
    const { maxExecutions } = this.#options
    if (maxExecutions === Infinity || this.#memory.countExecution() < maxExecutions) return true
    this.#end(`maxExecutions of ${maxExecutions}`)
    return false
  }

  override isSpent(): boolean {
    const { stopped } = this.#memory
    if (stopped === LATE) this.#end(`maxTime of ${this.#options.maxTime} ms`)
    else if (stopped !== RUNNING) this.#end('not every class was explored')
    return this.#isOver
  }

  #end(reason: string): void {
    this.#isOver = true
    this.end(reason)
  }
}
