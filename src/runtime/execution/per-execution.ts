import type { Execution } from './execution.ts'

let count = 0

/** What belongs to an execution, made when somebody needs it, and gone with it. */
export class PerExecution<T> {
  /** Its place among all that executions may have. */
  readonly #index = count++
  readonly #make: (execution: Execution) => T

  constructor(make: (execution: Execution) => T) {
    this.#make = make
  }

  of(execution: Execution): T {
    return this.known(execution) ?? ((execution.belongings[this.#index] = this.#make(execution)) as T)
  }

  /** The same, if somebody has needed it. */
  known({ belongings }: Execution): T | undefined {
    return belongings[this.#index] as T | undefined
  }
}
